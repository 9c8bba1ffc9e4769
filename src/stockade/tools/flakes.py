"""The same calls many times over."""
