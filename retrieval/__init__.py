"""What we answer, and from what: arms, fusion, context, answers, citations, conversations, traces."""
