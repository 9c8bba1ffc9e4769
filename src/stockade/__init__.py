"""Stockade: a self-hosted browser server for AI agents."""
