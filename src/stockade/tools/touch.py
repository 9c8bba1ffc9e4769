"""Fingers."""
