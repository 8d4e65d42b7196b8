"""The parts of docs/clients.md about Authlib, put to use."""

import time
from urllib.parse import parse_qsl, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

from conversation import converse

METHODS = {
    "public": "none",
    "basic": "client_secret_basic",
    "post": "client_secret_post",
    "key": "private_key_jwt",
}
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"

kept = {}


class ShortPrivateKeyJWT(PrivateKeyJWT):
    def sign(self, auth, token_endpoint):
        self.claims = {"exp": int(time.time()) + 60}
        return super().sign(auth, token_endpoint)


def session_of(request):
    BASE, CLIENT_ID, CLIENT_SECRET = request["base"], request["client_id"], request["client_secret"]
    METHOD, REDIRECT_URI = METHODS[request["way"]], request.get("redirect_uri")
    metadata = requests.get(get_well_known_url(BASE, external=True)).json()
    AuthorizationServerMetadata(metadata).validate()
    session = OAuth2Session(
        CLIENT_ID,
        CLIENT_SECRET,
        token_endpoint_auth_method=METHOD,
        revocation_endpoint_auth_method=METHOD,
        redirect_uri=REDIRECT_URI,
        code_challenge_method="S256",
    )
    session.register_client_auth_method(ShortPrivateKeyJWT(metadata["token_endpoint"], alg="ES256"))
    return session, metadata


def begin(request):
    session, metadata = session_of(request)
    SCOPE = request["scope"]
    code_verifier = generate_token(48)
    address, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=code_verifier, scope=SCOPE
    )
    kept.update(session=session, metadata=metadata, code_verifier=code_verifier, state=state)
    return {"address": address}


def finish(request):
    session, metadata = kept["session"], kept["metadata"]
    code_verifier, state = kept["code_verifier"], kept["state"]
    returned = request["returned"]
    answer = dict(parse_qsl(urlsplit(returned).query))
    if "error" in answer:
        raise OAuthError(answer["error"], answer.get("error_description"))
    return session.fetch_token(
        metadata["token_endpoint"],
        authorization_response=returned,
        state=state,
        code_verifier=code_verifier,
    )


def refresh(request):
    session, metadata = session_of(request)
    return session.refresh_token(metadata["token_endpoint"], refresh_token=request["refresh_token"])


def revoke(request):
    session, metadata = session_of(request)
    session.revoke_token(metadata["revocation_endpoint"], token=request["token"]).raise_for_status()
    return {}


def device(request):
    session, metadata = session_of(request)
    kept.update(device=session, metadata=metadata)
    answer = session.post(
        metadata["device_authorization_endpoint"],
        data={"scope": request["scope"]},
        auth=session.client_auth(session.token_endpoint_auth_method),
        withhold_token=True,
    )
    return answer.json()


def poll(request):
    session, metadata = kept["device"], kept["metadata"]
    return session.fetch_token(
        metadata["token_endpoint"], grant_type=DEVICE, device_code=request["device_code"]
    )


def code_of(error):
    return error.error if isinstance(error, OAuthError) else None


converse({f.__name__: f for f in (begin, finish, refresh, revoke, device, poll)}, code_of)
