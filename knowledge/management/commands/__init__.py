"""Management commands of documents and their vectors."""
