"""Names for elements and regions."""
