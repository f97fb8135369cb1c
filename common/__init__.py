"""The leaf: errors, ids, base model, API envelope, task base, logs, text normalisation, storage of files."""
