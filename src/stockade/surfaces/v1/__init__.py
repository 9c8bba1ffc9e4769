"""REST under `/v1`: one noun per module."""
