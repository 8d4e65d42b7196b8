"""A product with users, sessions and a sign-in of its own: see README.md."""

import hashlib
import hmac
import os
import re
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from latchkey_resource_server import SignInPerson, SignInRequestError, needs_new_sign_in, sign_in_url
from pages import home, sign_in_form
from starlette.middleware.sessions import SessionMiddleware

PORT = int(os.environ.get("PORT", "8798"))
ISSUER = os.environ.get("LATCHKEY_ISSUER", "http://localhost:8787")
SECRET = Path(os.environ.get("LATCHKEY_SECRET_FILE", "notebook.secret")).read_text()
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


@app.get("/connect")
async def connect(request: Request) -> Response:
    user, query, auth_time = user_of(request), request.query_params, request.session.get("signed_in_at")
    if not user or needs_new_sign_in(query, auth_time):
        return see(f"/login?next={quote(f'/connect?{query}', safe='')}")
    person = SignInPerson(
        sub=str(user.id), username=user.username, name=user.name,
        email=user.email, email_verified=user.is_confirmed, auth_time=auth_time,
    )
    try:
        return see(sign_in_url(query, person, issuer=ISSUER, provider="notebook", secret=SECRET))
    except SignInRequestError as error:
        return Response(str(error), status_code=400)


if __name__ == "__main__":
    print(f"Notebook at http://localhost:{PORT}/", flush=True)
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")
