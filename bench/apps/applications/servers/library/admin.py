"""How books are administered: with filters, a search, fields in the list and every widget."""

from django.contrib import admin

from .models import Author, Book, Tag


@admin.register(Author)
class AuthorAdmin(admin.ModelAdmin):
    """Authors can be searched for, so a field that names one completes what is typed."""

    search_fields = ("name",)


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    """Books."""

    list_display = ("title", "author", "genre", "pages", "available")
    list_editable = ("pages", "available")
    list_filter = ("genre", "available")
    search_fields = ("title",)
    autocomplete_fields = ("author",)
    filter_horizontal = ("tags",)
    radio_fields = {"binding": admin.HORIZONTAL}  # noqa: RUF012 - as Django has it


admin.site.register(Tag)
