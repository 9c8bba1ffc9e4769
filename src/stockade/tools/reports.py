"""What a session did."""
