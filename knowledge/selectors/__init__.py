"""Read what has been read, one noun a module; the policy is in the query, not after it."""
