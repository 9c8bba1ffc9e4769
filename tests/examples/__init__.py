"""Worked examples, tried in a real browser and recorded for the documents."""
