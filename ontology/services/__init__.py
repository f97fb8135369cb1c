"""Change what is known. Each service checks, saves and records in one transaction."""
