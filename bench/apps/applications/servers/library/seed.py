"""What the library holds at first."""

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session

from .models import Author, Book, Tag

BOOKS = (
    ("Frankenstein", "Mary Shelley", "novel"),
    ("Emma", "Jane Austen", "novel"),
    ("Persuasion", "Jane Austen", "novel"),
    ("Poems", "Emily Dickinson", "poetry"),
)


def reset() -> None:
    """Begin anew, with nobody logged in."""
    for model in (Book, Author, Tag, LogEntry, Session, User):
        model.objects.all().delete()
    User.objects.create_superuser("ada", password="lovelace")
    for word in ("classic", "gothic", "short"):
        Tag.objects.create(word=word)
    for title, name, genre in BOOKS:
        author, _ = Author.objects.get_or_create(name=name)
        Book.objects.create(
            title=title,
            author=author,
            genre=genre,
            binding="hard",
            pages=300,
            price=12,
            published="1890-01-01",
        )
