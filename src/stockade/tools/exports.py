"""Pages and their parts as files."""
