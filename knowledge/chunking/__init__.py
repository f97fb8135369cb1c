"""From canonical text and its blocks to chunks: pure functions, no database, no model but a counter of tokens."""
