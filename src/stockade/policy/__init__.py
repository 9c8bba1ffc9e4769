"""What a caller may do: pure decisions over values."""
