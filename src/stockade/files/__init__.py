"""Files: what a session makes and what it is given."""
