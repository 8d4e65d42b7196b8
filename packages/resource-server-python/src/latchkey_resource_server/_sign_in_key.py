"""Signs assertions with a shared secret, or with a private key if `cryptography` is installed."""

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass

_MIN_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Signer:
    algorithm: str
    key_id: str | None
    signature_of: Callable[[bytes], bytes]

    def sign(self, claims: dict[str, object]) -> str:
        header = {"alg": self.algorithm, "typ": "JWT"}
        if self.key_id is not None:
            header["kid"] = self.key_id
        text = b".".join(_base64url(_json(part)) for part in (header, claims))
        return b".".join((text, _base64url(self.signature_of(text)))).decode("ascii")


def signer_of(*, secret: str | None, private_key: str | None, key_id: str | None) -> Signer:
    """Raise ValueError unless there is exactly one key, and it is good."""
    if secret is not None and private_key is None and key_id is None:
        return _with_secret(secret)
    if secret is None and private_key is not None:
        return _with_private_key(private_key, key_id)
    raise ValueError("give either secret, or private_key with or without key_id")


def _with_secret(text: str) -> Signer:
    # The text of a public key is not a secret.
    if "-----BEGIN" in text:
        raise ValueError("secret: it is a key in PEM")
    key = text.strip().encode()
    if len(key) < _MIN_SECRET_BYTES:
        raise ValueError(f"secret: it has less than {_MIN_SECRET_BYTES} bytes")
    return Signer("HS256", None, lambda data: hmac.digest(key, data, hashlib.sha256))


def _with_private_key(pem: str, key_id: str | None) -> Signer:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    key = load_pem_private_key(pem.encode(), password=None)
    if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
        curve_key = key

        def raw(data: bytes) -> bytes:
            # RFC 7518 §3.4: the two numbers, each of 32 bytes.
            return b"".join(
                number.to_bytes(32, "big")
                for number in decode_dss_signature(curve_key.sign(data, ec.ECDSA(SHA256())))
            )

        return Signer("ES256", key_id, raw)
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return Signer("EdDSA", key_id, key.sign)
    if isinstance(key, rsa.RSAPrivateKey):
        rsa_key = key
        return Signer("RS256", key_id, lambda data: rsa_key.sign(data, padding.PKCS1v15(), SHA256()))
    raise ValueError("private_key: it is not of kind P-256, Ed25519 or RSA")


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _base64url(data: bytes) -> bytes:
    return urlsafe_b64encode(data).rstrip(b"=")
