"""Attacks on the way out, and what must pass all the same; as data."""
