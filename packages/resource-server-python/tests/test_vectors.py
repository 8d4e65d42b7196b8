"""Tests the kit with the vectors that define every kit."""

import asyncio
import base64
import codecs
import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest
from conduct import KITS, play
from fake_clock import FakeClock
from scripted_service import ScriptedService
from vector_files import named, options, requirements, vectors

from latchkey_resource_server import (
    Access,
    Identity,
    Refusal,
    ResourceServer,
    SignInPerson,
    SignInRequestError,
    needs_new_sign_in,
    require_permission,
    sign_in_url,
)
from latchkey_resource_server._bearer_header import NoToken, presented_by
from latchkey_resource_server._event_parser import EventParser, StreamEvent
from latchkey_resource_server._refusal import refusal_of
from latchkey_resource_server._requirement import combine
from latchkey_resource_server._token_form import checksum, is_access_token_form

CONDUCT = vectors("conduct.json")
TOKENS = list(CONDUCT["tokens"].values())
ACTIVE = CONDUCT["answers"]["alice"]
both = pytest.mark.parametrize("kind", list(KITS))


@named(vectors("token-form.json")["cases"])
def test_token_form(case: Any) -> None:
    assert is_access_token_form(case["token"]) == case["valid"]


def test_checksums() -> None:
    for one in vectors("token-form.json")["checksums"]:
        assert checksum(one["text"]) == one["checksum"]


@named(vectors("bearer-header.json")["cases"])
def test_bearer_header(case: Any) -> None:
    values, expect = case["authorization"], case["expect"]
    expected = NoToken(expect) if isinstance(expect, str) else expect["token"]
    assert presented_by(values) == expected
    # A framework may join repeated headers, or have none.
    assert presented_by(", ".join(values) if values else None) == expected


def checked_with(kind: str, given: dict[str, Any], response: dict[str, Any], token: str = TOKENS[0]) -> Any:
    """Check one token. The service gives one response to every introspection."""

    async def check() -> Any:
        clock = FakeClock(CONDUCT["now"])
        service = ScriptedService(lambda _: response, clock)
        kit = KITS[kind](service, clock, options({**given, "stream": False}))
        result = await kit.verify(f"Bearer {token}", [])
        kit.close()
        return result, service

    return asyncio.run(check())


@both
@named(vectors("audience.json")["cases"])
def test_audience(kind: str, case: Any) -> None:
    body = {**ACTIVE, **({"aud": case["aud"]} if "aud" in case else {})}
    given = {name: case[name] for name in ("resource", "require_audience") if name in case}
    result, _ = checked_with(kind, given, {"status": 200, "body": body})
    assert isinstance(result, Access) == case["accepted"]
    refused = "audience_other" if case.get("aud") else "audience_missing"
    assert isinstance(result, Access) or result.reason == refused


@named(vectors("challenges.json")["cases"])
def test_challenges(case: Any) -> None:
    api = ResourceServer(**options({"resource": case["resource"]}))
    refusal = refusal_of(
        case["outcome"],
        needed=combine(requirements(case["requirement"])).permissions,
        metadata_url=api.metadata_url,
        retry_after_seconds=case.get("retry_after", 2),
    )
    answer = {"status": refusal.status, "headers": refusal.headers, "body": refusal.body}
    assert answer == case["kit"]
    if case["outcome"] == "token_missing":
        assert api.refuse_missing(*requirements(case["requirement"])) == refusal


METADATA = vectors("metadata.json")


@named(METADATA["cases"])
def test_metadata(case: Any) -> None:
    api = ResourceServer(**options(case["options"]))
    assert (api.metadata, api.metadata_path, api.metadata_url) == (
        case["document"],
        case["path"],
        case["url"],
    )


@named(METADATA["invalid_options"])
def test_wrong_options(case: Any) -> None:
    with pytest.raises(ValueError):
        ResourceServer(**options(case["options"]))


@named(METADATA["invalid_permissions"])
def test_wrong_permissions(case: Any) -> None:
    with pytest.raises(ValueError):
        require_permission(case["permission"])


@named(METADATA["requests"])
def test_metadata_requests(case: Any) -> None:
    api = ResourceServer(**options({}))
    answer = api.metadata_answer(case["method"])
    document = b'{"resource":"https://api.example","authorization_servers":["https://id.example"],' + (
        b'"bearer_methods_supported":["header"]}'
    )
    assert (answer.status, answer.headers) == (case["status"], case["headers"])
    assert answer.content == (document if case["body"] == "document" else b"")


INTROSPECTION = vectors("introspection.json")


@both
@named(INTROSPECTION["requests"])
def test_introspection_requests(kind: str, case: Any) -> None:
    given = {name: case[name] for name in ("issuer", "client_id", "client_secret")}
    _, service = checked_with(kind, given, {"status": 500, "text": ""}, case["token"])
    [sent] = service.introspections
    assert (sent.method, str(sent.url)) == (case["method"], case["url"])
    assert {name: sent.headers[name] for name in case["headers"]} == case["headers"]
    assert parse_qs(sent.content.decode()) == {name: [value] for name, value in case["form"].items()}


@both
@named(INTROSPECTION["cases"])
def test_introspection(kind: str, case: Any) -> None:
    given = {"issuer": INTROSPECTION["issuer"], "resource": "https://api.example/mcp"}
    result, _ = checked_with(kind, given, case["response"])
    expect = case["expect"]
    if expect == "inactive":
        assert isinstance(result, Refusal) and result.reason == "token_invalid"
    elif "access" in expect:
        assert result == access_of(expect["access"])
    else:
        assert isinstance(result, Refusal) and result.reason == "service_unavailable"
        assert result.headers["retry-after"] == str(expect["unavailable"]["retry_after"])


def access_of(vector: dict[str, Any]) -> Access:
    lists = {name: tuple(vector[name]) for name in ("permissions", "groups", "audience")}
    identities = tuple(Identity(**one) for one in vector["identities"])
    return Access(**{**vector, **lists, "identities": identities})


EVENTS = vectors("events.json")


@named(EVENTS["streams"])
def test_streams(case: Any) -> None:
    data = case["stream"].encode()
    expected = [StreamEvent(**event) for event in case["events"]]
    for size in range(1, len(data) + 1):
        assert list(parsed(data, size)) == expected, f"pieces of {size}"


def parsed(data: bytes, size: int) -> Iterator[StreamEvent]:
    parser = EventParser()
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(data), size):
        yield from parser.take(decoder.decode(data[at : at + size]))


@both
@named(EVENTS["invalidations"])
def test_invalidations(kind: str, case: Any) -> None:
    # Each cached response belongs to one token of conduct.json.
    names = list(EVENTS["cached"])
    world = {
        **CONDUCT,
        "tokens": dict(zip(names, TOKENS, strict=False)),
        "answers": {name: answer_of(entry) for name, entry in EVENTS["cached"].items()},
    }

    def check(name: str, asks: int) -> dict[str, Any]:
        expect = "token_invalid" if EVENTS["cached"][name] is None else "ok"
        return {"check": {"token": name}, "expect": expect, "asks": asks}

    event = f"id: 2\nevent: {case['event']}\ndata: {case['data']}\n\n"
    steps = [
        check(names[0], 1),
        {"opens": {"last_event_id": None}},
        {"send": "id: 1\nevent: ready\ndata: {}\n\n"},
        *[check(name, 1) for name in names],
        {"send": event},
        *[check(name, 1 if name in case["dropped"] else 0) for name in names],
    ]
    asyncio.run(play(kind, world, {**case, "steps": steps}))


def answer_of(entry: dict[str, str] | None) -> dict[str, Any]:
    if entry is None:
        return {"active": False}
    ids = {"token_id": entry["token_id"], "client_id": entry["client_id"], "sub": entry["account_id"]}
    return {**ACTIVE, **ids}


@both
@named(CONDUCT["sequences"])
def test_conduct(kind: str, case: Any) -> None:
    asyncio.run(play(kind, CONDUCT, case))


SIGN_IN = vectors("sign-in.json")


def signed_in(case: Any) -> str:
    person = case.get("person", {"sub": "4711"})
    if person.get("groups") == "many":
        person = {**person, "groups": [f"group-{at}" for at in range(1000)]}
    of_file = {name: SIGN_IN[name] for name in ("issuer", "provider", "secret")}
    options = {**of_file, **{name: case[name] for name in (*of_file, "private_key") if name in case}}
    query = case.get("query", SIGN_IN["query"])
    return sign_in_url(query, SignInPerson(**person), now=lambda: SIGN_IN["now"], **options)


def decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


@named(SIGN_IN["cases"])
def test_sign_in(case: Any) -> None:
    url = signed_in(case)
    page, _, assertion = url.partition("?assertion=")
    assert page == case.get("callback", "https://id.example/sign-in/with/shop/callback")
    text, _, signature = assertion.rpartition(".")
    assert hmac.digest(SIGN_IN["secret"].encode(), text.encode(), hashlib.sha256) == decoded(signature)
    header, claims = (json.loads(decoded(part)) for part in text.split("."))
    assert header == {"alg": "HS256", "typ": "JWT"}
    assert len(claims.pop("jti")) >= 22
    assert claims == case["claims"]
    assert signed_in(case) != url


@named(SIGN_IN["refused_requests"])
def test_sign_in_requests_that_are_refused(case: Any) -> None:
    with pytest.raises(SignInRequestError):
        signed_in(case)


@named(SIGN_IN["refused_calls"])
def test_sign_in_calls_that_are_refused(case: Any) -> None:
    if "private_key" in case:
        pytest.importorskip("cryptography")
    with pytest.raises(ValueError) as raised:
        signed_in(case)
    assert not isinstance(raised.value, SignInRequestError)


@named(SIGN_IN["max_age"])
def test_max_age(case: Any) -> None:
    assert needs_new_sign_in(case["query"], case["auth_time"], lambda: SIGN_IN["now"]) == case["needs"]


def test_sign_in_with_private_keys() -> None:
    pytest.importorskip("cryptography")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    def assertion(key: Any) -> tuple[bytes, bytes, Any]:
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()
        given = {"issuer": SIGN_IN["issuer"], "provider": SIGN_IN["provider"]}
        url = sign_in_url(SIGN_IN["query"], SignInPerson("4711"), private_key=pem, key_id="k1", **given)
        text, _, signature = url.partition("?assertion=")[2].rpartition(".")
        return text.encode(), decoded(signature), json.loads(decoded(text.split(".")[0]))

    curve = ec.generate_private_key(ec.SECP256R1())
    text, signature, header = assertion(curve)
    numbers = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    curve.public_key().verify(encode_dss_signature(*numbers), text, ec.ECDSA(hashes.SHA256()))
    assert (len(signature), header) == (64, {"alg": "ES256", "typ": "JWT", "kid": "k1"})

    edwards = ed25519.Ed25519PrivateKey.generate()
    text, signature, header = assertion(edwards)
    edwards.public_key().verify(signature, text)
    assert header["alg"] == "EdDSA"

    rivest = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    text, signature, header = assertion(rivest)
    rivest.public_key().verify(signature, text, padding.PKCS1v15(), hashes.SHA256())
    assert header["alg"] == "RS256"

    with pytest.raises(ValueError, match="kind"):
        assertion(ec.generate_private_key(ec.SECP384R1()))
