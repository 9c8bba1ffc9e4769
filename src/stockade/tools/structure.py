"""How a page is built: frames, shadow trees, markup."""
