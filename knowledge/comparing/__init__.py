"""What differs between two readings of a document."""
