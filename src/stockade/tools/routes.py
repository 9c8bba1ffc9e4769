"""Answers in place of the network."""
