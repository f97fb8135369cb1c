"""REST for what is known, below /api/v1/."""
