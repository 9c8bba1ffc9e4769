"""What was done, by whom, and how it ended."""
