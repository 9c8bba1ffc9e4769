"""Sessions: isolated browser states with their tabs, from first use to last."""
