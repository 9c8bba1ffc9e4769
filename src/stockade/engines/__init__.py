"""What drives a browser: the port that everything above uses, and its adapters."""
