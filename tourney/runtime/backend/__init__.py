"""Django's PostgreSQL backend for a server whose database may die: nothing waits for one that is known to be away."""
