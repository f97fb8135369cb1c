"""Written values and the declared types they are read as."""
