"""Communities: entities that belong together, found in the ledger's graph, kept while they stay the same, and told in words."""
