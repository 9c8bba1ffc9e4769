"""HAR files: recorded and replayed."""
