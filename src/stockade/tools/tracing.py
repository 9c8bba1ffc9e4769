"""Traces, and what they tell about speed."""
