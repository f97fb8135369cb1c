"""REST for what has been read, one noun a module: check, call, answer."""
