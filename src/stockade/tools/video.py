"""Films of a tab."""
