"""Deciding first and acting later."""
