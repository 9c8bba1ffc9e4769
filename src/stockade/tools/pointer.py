"""Mouse and drag."""
