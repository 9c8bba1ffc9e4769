"""Jails: what contains a session's browser process."""
