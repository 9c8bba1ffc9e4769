"""Files of a session, by name."""
