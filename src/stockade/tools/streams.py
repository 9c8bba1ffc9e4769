"""WebSockets and server-sent events."""
