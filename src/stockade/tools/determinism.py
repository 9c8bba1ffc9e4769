"""Clock, chance and speed, so that runs can be repeated."""
