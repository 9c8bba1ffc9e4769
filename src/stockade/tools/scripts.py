"""JavaScript of the caller."""
