"""What the page is told about the device."""
