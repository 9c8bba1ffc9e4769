"""Bodies of requests, and how good the line is."""
