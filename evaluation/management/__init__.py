"""Management commands of measuring."""
