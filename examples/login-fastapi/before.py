"""A product with users, sessions and a sign-in of its own: see README.md."""

import hashlib
import hmac
import os
import re
import secrets
import time
from dataclasses import dataclass
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pages import home, sign_in_form
from starlette.middleware.sessions import SessionMiddleware

PORT = int(os.environ.get("PORT", "8798"))
SALT = secrets.token_bytes(16)


@dataclass
class User:
    id: int
    username: str
    email: str
    is_confirmed: bool
    name: str
    password: bytes


def hashed(password: str) -> bytes:
    return hashlib.scrypt(password.encode(), salt=SALT, n=2**14, r=8, p=1)


# A real product has a database.
users = {
    number: User(number, name, f"{name}@notebook.example", True, name.title(), hashed(f"password of {name}"))
    for number, name in ((4711, "ada"), (4712, "ben"))
}
app = FastAPI(title="Notebook")
app.add_middleware(SessionMiddleware, secret_key=secrets.token_hex(32), session_cookie="notebook")
Field = Annotated[str, Form()]


def user_of(request: Request) -> User | None:
    return users.get(request.session.get("user_id", 0))


def by_email(email: str) -> User | None:
    return next((one for one in users.values() if one.email == email), None)


def local_path(path: str) -> str:
    """Return a path of this product. Everything else could send people to other sites."""
    is_local = re.fullmatch(r"/(?!/)[^\\\x00-\x1f\x7f-\x9f]*", path) and ".." not in path
    return path if is_local else "/"


def see(path: str) -> Response:
    return RedirectResponse(path, status_code=303)


@app.get("/")
async def index(request: Request) -> Response:
    user = user_of(request)
    return see("/login") if user is None else HTMLResponse(home(user.name))


@app.get("/login")
async def login_form(next: str = "/") -> Response:
    return HTMLResponse(sign_in_form(local_path(next)))


@app.post("/login")
async def login(request: Request, email: Field, password: Field, next: Field = "/") -> Response:
    user = by_email(email)
    if user is None or not hmac.compare_digest(user.password, hashed(password)):
        problem = "E-mail address or password is wrong."
        return HTMLResponse(sign_in_form(local_path(next), problem), status_code=401)
    # The time when the password was last typed, in seconds since 1970.
    request.session.update(user_id=user.id, signed_in_at=time.time())
    return see(local_path(next))


@app.post("/logout")
async def logout(request: Request) -> Response:
    request.session.clear()
    return see("/login")


@app.post("/name")
async def rename(request: Request, name: Field) -> Response:
    user = user_of(request)
    if user is not None:
        user.name = name
    return see("/")


@app.post("/close")
async def close(request: Request) -> Response:
    users.pop(request.session.get("user_id", 0), None)
    return await logout(request)


if __name__ == "__main__":
    print(f"Notebook at http://localhost:{PORT}/", flush=True)
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")
