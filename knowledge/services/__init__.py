"""Change what has been read, one noun a module. Each service checks the policy, validates, saves and records in one transaction."""
