"""The database: who may call, and what must outlast the server."""
