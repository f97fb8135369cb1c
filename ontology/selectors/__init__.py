"""Read what is known; the access policy is in the query."""
