"""Django: its administration with django-otp, and a site that logs in with django-allauth."""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any

import django
from django.conf import settings

from tests.support.login_forms import PASSWORD, SEED, USER, WELCOME
from tests.support.login_servers.wsgi import serve

urlpatterns: list[Any] = []


def configure(folder: Path) -> None:
    """What `startproject` writes, with both of them added as their documentation says."""
    settings.configure(
        DEBUG=True,
        SECRET_KEY="of no use",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF=__name__,
        USE_TZ=True,
        STATIC_URL="static/",
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        DATABASES={
            "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "sites.sqlite3"}
        },
        INSTALLED_APPS=[
            "django.contrib.admin",
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "django.contrib.staticfiles",
            "django_otp",
            "django_otp.plugins.otp_totp",
            "allauth",
            "allauth.account",
            "allauth.mfa",
        ],
        MIDDLEWARE=[
            "django.middleware.security.SecurityMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django_otp.middleware.OTPMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "django.middleware.clickjacking.XFrameOptionsMiddleware",
            "allauth.account.middleware.AccountMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        AUTHENTICATION_BACKENDS=[
            "django.contrib.auth.backends.ModelBackend",
            "allauth.account.auth_backends.AuthenticationBackend",
        ],
        ACCOUNT_EMAIL_VERIFICATION="none",
        LOGIN_REDIRECT_URL="/",
        MFA_TOTP_TOLERANCE=1,
    )
    django.setup()


def add_user() -> None:
    from allauth.mfa.totp.internal.auth import TOTP  # noqa: PLC0415 - models need settings
    from django.contrib.auth import get_user_model  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415
    from django_otp.plugins.otp_totp.models import TOTPDevice  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    user = get_user_model().objects.create_superuser(USER, "ada@shop.test", PASSWORD)
    TOTPDevice.objects.create(user=user, name="phone", key=base64.b32decode(SEED).hex())
    TOTP.activate(user, SEED)


def add_pages() -> None:
    from django.contrib.auth.decorators import login_required  # noqa: PLC0415
    from django.http import HttpRequest, HttpResponse  # noqa: PLC0415
    from django.urls import include, path  # noqa: PLC0415
    from django_otp.admin import OTPAdminSite  # noqa: PLC0415

    site = OTPAdminSite(name="admin")
    site.site_title = site.site_header = "Django administration"
    site.index_title = WELCOME

    def home(request: HttpRequest) -> HttpResponse:
        return HttpResponse(f"<!doctype html><h1>{WELCOME}</h1>")

    urlpatterns.extend(
        [
            path("", login_required(home)),
            path("admin/", site.urls),
            path("accounts/", include("allauth.urls")),
        ]
    )


if __name__ == "__main__":
    configure(Path(sys.argv[1]))
    add_user()
    add_pages()

    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.wsgi import get_wsgi_application

    serve(StaticFilesHandler(get_wsgi_application()))
