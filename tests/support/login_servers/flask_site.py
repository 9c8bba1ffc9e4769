"""Flask with Flask-Security: its own pages for a password and, after that, a code."""

from __future__ import annotations

from typing import Any, cast

from flask import Flask
from flask_security import (
    AsaList,
    RoleMixin,
    Security,
    SQLAlchemySessionUserDatastore,
    UserMixin,
    auth_required,
    hash_password,
)
from passlib.totp import TOTP
from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, create_engine
from sqlalchemy.ext.mutable import MutableList
from sqlalchemy.orm import DeclarativeBase, relationship, scoped_session, sessionmaker
from sqlalchemy.pool import StaticPool

from tests.support.login_forms import EMAIL, PASSWORD, SEED, WELCOME
from tests.support.login_servers.wsgi import serve

SECRETS = {"1": "of-no-use-at-all-since-it-is-in-memory"}


class Base(DeclarativeBase):
    __allow_unmapped__ = True


class RolesUsers(Base):
    __tablename__ = "roles_users"
    id: Any = Column(Integer, primary_key=True)
    user_id: Any = Column(ForeignKey("user.id"))
    role_id: Any = Column(ForeignKey("role.id"))


class Role(Base, RoleMixin):
    __tablename__ = "role"
    id: Any = Column(Integer, primary_key=True)
    name: Any = Column(String(80), unique=True)
    permissions: Any = Column(MutableList.as_mutable(AsaList()), nullable=True)


class User(Base, UserMixin):
    __tablename__ = "user"
    id: Any = Column(Integer, primary_key=True)
    email: Any = Column(String(255), unique=True)
    password: Any = Column(String(255), nullable=False)
    active: Any = Column(Boolean)
    fs_uniquifier: Any = Column(String(64), unique=True, nullable=False)
    tf_primary_method: Any = Column(String(64))
    tf_totp_secret: Any = Column(String(255))
    mf_recovery_codes: Any = Column(MutableList.as_mutable(AsaList()), nullable=True)
    roles: list[Any] = cast("Any", relationship("Role", secondary="roles_users"))


def application() -> Flask:
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY="of no use",
        SECURITY_PASSWORD_SALT="of no use",
        SECURITY_PASSWORD_HASH="pbkdf2_sha512",
        SECURITY_PASSWORD_HASH_PASSLIB_OPTIONS={"pbkdf2_sha512__rounds": 1000},
        SECURITY_TWO_FACTOR=True,
        SECURITY_TWO_FACTOR_REQUIRED=True,
        SECURITY_TWO_FACTOR_ENABLED_METHODS=["authenticator"],
        SECURITY_TWO_FACTOR_RESCUE_EMAIL=False,
        SECURITY_TOTP_SECRETS=SECRETS,
        SECURITY_TOTP_ISSUER="shop",
    )
    engine = create_engine(
        "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
    )
    session = scoped_session(sessionmaker(bind=engine))
    Base.metadata.create_all(engine)
    users = SQLAlchemySessionUserDatastore(session, User, Role)
    Security(app, users)
    with app.app_context():
        seed = TOTP.using(secrets=SECRETS, issuer="shop")(SEED).to_json(encrypt=True)
        users.create_user(
            email=EMAIL,
            password=hash_password(PASSWORD),
            tf_primary_method="authenticator",
            tf_totp_secret=seed,
        )
        session.commit()

    @app.get("/")
    @auth_required("session")
    def home() -> str:
        return f"<!doctype html><h1>{WELCOME}</h1>"

    return app


if __name__ == "__main__":
    serve(application())
