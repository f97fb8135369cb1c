"""What we have read: knowledge bases, documents, versions, chunks, vectors, keywords, the access policy, the way in."""
