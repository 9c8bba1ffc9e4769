"""What happens over time, and because of an action."""
