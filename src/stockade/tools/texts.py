"""What a page or a file says, as text."""
