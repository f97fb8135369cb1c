"""Keeps a vector for the sentence of each relation that readers see, so that a question can be linked to facts."""
