"""A server that many use for a long time, with everything that goes wrong on the way."""
