"""What differs between two pictures."""
