"""What may not leave, taken out of everything that does."""
