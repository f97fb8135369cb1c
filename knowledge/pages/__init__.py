"""Pages on documents, for readers and editors."""
