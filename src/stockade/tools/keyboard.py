"""Shortcuts."""
