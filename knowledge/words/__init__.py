"""From text to the words by which it is found, and BM25 over them: pure functions, no database."""
