"""The embedder's own process: an OpenAI-compatible server of one text model, questions before indexing. Knows nothing of Django's rows."""
