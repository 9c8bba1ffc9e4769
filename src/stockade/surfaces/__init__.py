"""Surfaces: the ways in, which translate and nothing more."""
