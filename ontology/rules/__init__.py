"""What is found in a text without a model."""
