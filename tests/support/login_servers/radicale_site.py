"""Radicale: a one-page application that sends the password with every request."""

from __future__ import annotations

import sys
from pathlib import Path

from radicale import config
from radicale.app import Application

from tests.support.login_forms import PASSWORD, USER
from tests.support.login_servers.wsgi import serve


def application(folder: Path) -> Application:
    users = folder / "users"
    users.write_text(f"{USER}:{PASSWORD}\n", encoding="utf-8")
    settings = config.load()
    settings.update(
        {
            "auth": {
                "type": "htpasswd",
                "htpasswd_filename": str(users),
                "htpasswd_encryption": "plain",
            },
            "storage": {"filesystem_folder": str(folder / "collections")},
        }
    )
    return Application(settings)


if __name__ == "__main__":
    serve(application(Path(sys.argv[1])))
