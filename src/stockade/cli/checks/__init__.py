"""What `stockade doctor` looks at."""
