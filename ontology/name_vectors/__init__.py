"""Vectors of entities' names, by which a Chinese name and one in another script may meet that have no letter in common. Kept in the background; editors never wait for them."""
