"""From what was checked to rows of the ledger: the one way by which facts from documents come in."""
