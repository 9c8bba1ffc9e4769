"""An application for Django's administration."""
