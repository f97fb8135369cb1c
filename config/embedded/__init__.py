"""Engines from wheels: each runs as an ordinary server of its kind on loopback, and is replaced by a URL."""
