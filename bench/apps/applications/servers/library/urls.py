"""The administration, and what it holds as JSON."""

from django.contrib import admin
from django.http import HttpRequest, JsonResponse
from django.urls import path

from .models import Book
from .seed import reset


def books(_request: HttpRequest) -> JsonResponse:
    """Every book, for whoever checks what was done."""
    found = [
        {
            "title": book.title,
            "author": book.author.name,
            "tags": sorted(str(tag) for tag in book.tags.all()),
            "translators": sorted(str(author) for author in book.translators.all()),
            "genre": book.genre,
            "binding": book.binding,
            "pages": book.pages,
            "price": str(book.price),
            "published": str(book.published),
            "received": book.received and book.received.strftime("%Y-%m-%d %H:%M"),
            "summary": book.summary,
            "cover": book.cover.name,
            "address": book.address,
            "available": book.available,
        }
        for book in Book.objects.order_by("pk")
    ]
    return JsonResponse(found, safe=False)


def anew(_request: HttpRequest) -> JsonResponse:
    """Begin anew."""
    reset()
    return JsonResponse({})


urlpatterns = [path("admin/", admin.site.urls), path("books", books), path("anew", anew)]
