"""Changing the text of a skeleton by its parts, so that what a person wrote around them stays as it is."""
