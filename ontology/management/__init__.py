"""Management commands of graphs and skeletons."""
