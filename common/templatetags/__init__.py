"""Template libraries that every page may load."""
