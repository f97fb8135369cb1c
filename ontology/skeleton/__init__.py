"""The skeleton: an `ontology.yaml` checked and compiled once, and everything that follows from it."""
