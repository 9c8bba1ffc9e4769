"""One element or point, looked at closely."""
