"""The parts of docs/clients.md about requests-oauthlib, put to use."""

import base64
import hashlib
import secrets

from conversation import converse

from oauthlib.oauth2 import DeviceClient, OAuth2Error, WebApplicationClient
from requests_oauthlib import OAuth2Session

kept = {}


def begin(request):
    BASE, CLIENT_ID, REDIRECT_URI, SCOPE = request["base"], request["client_id"], request["redirect_uri"], request["scope"]
    session = OAuth2Session(CLIENT_ID, redirect_uri=REDIRECT_URI, scope=SCOPE.split())
    code_verifier = secrets.token_urlsafe(32)
    digest = hashlib.sha256(code_verifier.encode()).digest()
    code_challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    address, state = session.authorization_url(
        f"{BASE}/oauth/authorize", code_challenge=code_challenge, code_challenge_method="S256"
    )
    kept.update(session=session, code_verifier=code_verifier, **request)
    return {"address": address}


def finish(request):
    session, code_verifier, BASE = kept["session"], kept["code_verifier"], kept["base"]
    returned = request["returned"]
    return session.fetch_token(
        f"{BASE}/oauth/token",
        authorization_response=returned.replace("http://", "https://", 1),
        code_verifier=code_verifier,
        **client_parameters(kept),
    )


def client_parameters(request):
    if request["way"] == "basic":
        return {"client_secret": request["client_secret"]}
    if request["way"] == "post":
        return {"client_secret": request["client_secret"], "include_client_id": True}
    return {"include_client_id": True}


def refresh(request):
    BASE, CLIENT_ID, CLIENT_SECRET = request["base"], request["client_id"], request["client_secret"]
    session = OAuth2Session(CLIENT_ID, token={"refresh_token": request["refresh_token"], "token_type": "Bearer"})
    if request["way"] == "basic":
        return session.refresh_token(f"{BASE}/oauth/token", auth=(CLIENT_ID, CLIENT_SECRET))
    if request["way"] == "post":
        return session.refresh_token(f"{BASE}/oauth/token", client_id=CLIENT_ID, client_secret=CLIENT_SECRET)
    return session.refresh_token(f"{BASE}/oauth/token", client_id=CLIENT_ID)


def revoke(request):
    BASE, CLIENT_ID, CLIENT_SECRET = request["base"], request["client_id"], request["client_secret"]
    session = OAuth2Session(CLIENT_ID)
    secret = {} if request["way"] == "public" else {"client_secret": CLIENT_SECRET}
    url, headers, body = WebApplicationClient(CLIENT_ID).prepare_token_revocation_request(
        f"{BASE}/oauth/revoke", request["token"], "refresh_token", client_id=CLIENT_ID, **secret
    )
    answer = session.post(url, headers=headers, data=body, withhold_token=True)
    answer.raise_for_status()
    return {}


def device(request):
    BASE, CLIENT_ID = request["base"], request["client_id"]
    session = OAuth2Session(client=DeviceClient(CLIENT_ID))
    asked = {"client_id": CLIENT_ID, "scope": request["scope"]}
    if request["way"] != "public":
        asked["client_secret"] = request["client_secret"]
    kept.update(device=session)
    return session.post(f"{BASE}/oauth/device-authorization", data=asked, withhold_token=True).json()


def poll(request):
    session, BASE = kept["device"], request["base"]
    return session.fetch_token(
        f"{BASE}/oauth/token", device_code=request["device_code"], **client_parameters(request)
    )


def code_of(error):
    return error.error if isinstance(error, OAuth2Error) else None


converse({f.__name__: f for f in (begin, finish, refresh, revoke, device, poll)}, code_of)
