"""Cache storage."""
