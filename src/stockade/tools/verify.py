"""Checks that hold or say why not."""
