"""Bastille: a jail of FreeBSD for each session, cloned from a template and thrown away."""
