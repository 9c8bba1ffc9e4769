"""Pictures taken over time."""
