"""The way out: a proxy in a process of its own, and the server's hold on it."""
