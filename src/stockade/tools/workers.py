"""Web workers and service workers."""
