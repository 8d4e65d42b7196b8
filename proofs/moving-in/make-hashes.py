"""Hashes passwords with the libraries that other services use. Prints a JSON list."""

import json
import sys
from importlib.metadata import version

import argon2
import bcrypt
import django
from django.conf import settings
from passlib.hash import pbkdf2_sha1, pbkdf2_sha256, pbkdf2_sha512, scrypt

settings.configure()
django.setup()
from django.contrib.auth import hashers  # noqa: E402

made = []


def add(library, how, password, text):
    made.append(
        {"library": library, "version": version(library), "how": how, "password": password, "hash": text}
    )


for password in sys.argv[1:]:
    add("bcrypt", "hashpw", password, bcrypt.hashpw(password.encode(), bcrypt.gensalt(10)).decode())
    for hasher in (
        hashers.PBKDF2PasswordHasher(),
        hashers.PBKDF2SHA1PasswordHasher(),
        hashers.Argon2PasswordHasher(),
    ):
        add("Django", type(hasher).__name__, password, hasher.encode(password, hasher.salt()))
    plain = hashers.BCryptPasswordHasher()
    add("Django", "BCryptPasswordHasher", password, plain.encode(password, bcrypt.gensalt(10)))
    for one in (pbkdf2_sha1, pbkdf2_sha256, pbkdf2_sha512, scrypt):
        add("passlib", one.name, password, one.hash(password))
    for kind in argon2.Type:
        add("argon2-cffi", f"PasswordHasher {kind.name}", password, argon2.PasswordHasher(type=kind).hash(password))

print(json.dumps(made))
