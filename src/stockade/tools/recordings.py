"""Flows: recorded, annotated, exported."""
