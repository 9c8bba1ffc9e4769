"""The operator's console: pages for a person, made on the server."""
