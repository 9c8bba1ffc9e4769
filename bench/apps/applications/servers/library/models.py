"""A model with a field for every widget of the administration."""

from django.db import models


class Author(models.Model):
    """Who wrote a book."""

    name = models.CharField(max_length=80)

    def __str__(self) -> str:
        return self.name


class Tag(models.Model):
    """A word for books."""

    word = models.CharField(max_length=40)

    def __str__(self) -> str:
        return self.word


class Book(models.Model):
    """A book, with every kind of field."""

    title = models.CharField(max_length=80)
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    tags = models.ManyToManyField(Tag, blank=True)
    translators = models.ManyToManyField(Author, blank=True, related_name="translated")
    genre = models.CharField(
        max_length=10, choices=[("novel", "Novel"), ("poetry", "Poetry"), ("essay", "Essay")]
    )
    binding = models.CharField(
        max_length=10, choices=[("hard", "Hard cover"), ("soft", "Paperback")]
    )
    pages = models.PositiveIntegerField()
    price = models.DecimalField(max_digits=8, decimal_places=2)
    published = models.DateField()
    received = models.DateTimeField(null=True, blank=True)
    summary = models.TextField(blank=True)
    cover = models.FileField(upload_to="covers", blank=True)
    address = models.URLField(blank=True)
    available = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.title
