"""The part of docs/clients.md about PyJWT, put to use in an API."""

import json
import os
from wsgiref.simple_server import WSGIRequestHandler, make_server

import jwt

BASE, PORT = os.environ["BASE"], int(os.environ["PORT"])

keys = jwt.PyJWKClient(f"{BASE}/oauth/jwks")


def claims_of(token):
    key = keys.get_signing_key_from_jwt(token)
    return jwt.decode(token, key, algorithms=["RS256"], audience="https://api.example.com/", issuer=BASE)


def api(environ, respond):
    token = environ.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer ")
    try:
        status, body = "200 OK", claims_of(token)
    except jwt.PyJWTError as error:
        status, body = "401 Unauthorized", {"error": str(error)}
    respond(status, [("Content-Type", "application/json")])
    return [json.dumps(body).encode()]


class Quiet(WSGIRequestHandler):
    def log_request(self, *about):
        pass


make_server("127.0.0.1", PORT, api, handler_class=Quiet).serve_forever()
