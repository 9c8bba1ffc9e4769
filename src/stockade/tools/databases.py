"""IndexedDB."""
