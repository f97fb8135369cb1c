"""Who is asking: users, departments, API keys, scopes, the frozen Subject, audit events."""
