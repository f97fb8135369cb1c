"""What a model reads in chunks: which ones, asked how, kept for ever, and turned into findings whose place in the text is known."""
