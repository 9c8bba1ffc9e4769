"""Measurements: `make bench`. Medians of one run, so compare figures within a run only."""
