"""The arms: each finds chunks in its own way. One arm, one file."""
