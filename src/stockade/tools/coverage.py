"""Which code a page uses."""
