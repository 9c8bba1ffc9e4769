"""What a page keeps in memory."""
