"""Change who may ask, one noun a module. Each service checks, saves and records in one transaction."""
