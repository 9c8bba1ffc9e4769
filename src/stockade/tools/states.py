"""Whole states: cookies and storage, saved, put back, and kept under names."""
