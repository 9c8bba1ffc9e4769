"""Media: pictures compared and painted on, films, archives, documents as text."""
