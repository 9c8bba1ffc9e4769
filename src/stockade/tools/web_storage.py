"""Local and session storage."""
