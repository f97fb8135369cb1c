"""The graph database as a projection of the ledger: what is to stand there, how it gets there, and how it is checked."""
