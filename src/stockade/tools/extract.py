"""Data out of a page, by a schema."""
