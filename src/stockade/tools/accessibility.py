"""What keeps people from using a page."""
