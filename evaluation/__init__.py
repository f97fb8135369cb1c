"""Whether it is any good: cases, runs and measures."""
