"""Cookies."""
