"""The parts of docs/clients.md about Authlib, put to use."""

from urllib.parse import parse_qsl, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

from conversation import converse

METHODS = {"public": "none", "basic": "client_secret_basic", "post": "client_secret_post"}
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"

kept = {}


def session_of(told):
    BASE, CLIENT_ID, CLIENT_SECRET = told["base"], told["client_id"], told["client_secret"]
    METHOD, REDIRECT_URI = METHODS[told["way"]], told.get("redirect_uri")
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
    return session, metadata


def begin(told):
    session, metadata = session_of(told)
    SCOPE = told["scope"]
    code_verifier = generate_token(48)
    address, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=code_verifier, scope=SCOPE
    )
    kept.update(session=session, metadata=metadata, code_verifier=code_verifier, state=state)
    return {"address": address}


def finish(told):
    session, metadata = kept["session"], kept["metadata"]
    code_verifier, state = kept["code_verifier"], kept["state"]
    returned = told["returned"]
    answer = dict(parse_qsl(urlsplit(returned).query))
    if "error" in answer:
        raise OAuthError(answer["error"], answer.get("error_description"))
    return session.fetch_token(
        metadata["token_endpoint"],
        authorization_response=returned,
        state=state,
        code_verifier=code_verifier,
    )


def refresh(told):
    session, metadata = session_of(told)
    return session.refresh_token(metadata["token_endpoint"], refresh_token=told["refresh_token"])


def revoke(told):
    session, metadata = session_of(told)
    session.revoke_token(metadata["revocation_endpoint"], token=told["token"]).raise_for_status()
    return {}


def device(told):
    session, metadata = session_of(told)
    kept.update(device=session, metadata=metadata)
    answer = session.post(
        metadata["device_authorization_endpoint"],
        data={"scope": told["scope"]},
        auth=session.client_auth(session.token_endpoint_auth_method),
        withhold_token=True,
    )
    return answer.json()


def poll(told):
    session, metadata = kept["device"], kept["metadata"]
    return session.fetch_token(
        metadata["token_endpoint"], grant_type=DEVICE, device_code=told["device_code"]
    )


def code_of(error):
    return error.error if isinstance(error, OAuthError) else None


converse({f.__name__: f for f in (begin, finish, refresh, revoke, device, poll)}, code_of)
