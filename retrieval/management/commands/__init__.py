"""Management commands of asking."""
