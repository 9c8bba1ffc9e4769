"""Django's administration of a small library; the folder for its data and the port are arguments."""

import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line

FOLDER, PORT = Path(sys.argv[1]), sys.argv[2]
APPLICATIONS = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
PROCESSORS = (
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
)

settings.configure(
    DEBUG=True,
    SECRET_KEY="for a benchmark on loopback",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="library.urls",
    INSTALLED_APPS=[*(f"django.contrib.{name}" for name in APPLICATIONS), "library"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": list(PROCESSORS)},
        }
    ],
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "library.sqlite"}
    },
    MEDIA_ROOT=FOLDER / "media",
    MIGRATION_MODULES={"library": None},
    STATIC_URL="/static/",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
    TIME_ZONE="UTC",
)
django.setup()
call_command("migrate", run_syncdb=True, verbosity=0)

from library.seed import reset  # noqa: E402 - only after the set-up

reset()
execute_from_command_line(["django", "runserver", "--noreload", f"127.0.0.1:{PORT}"])
