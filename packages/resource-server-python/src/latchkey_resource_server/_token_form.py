"""Checks the form of an access token.

Of an opaque one it checks prefix, alphabet, length and checksum, of a JWT (RFC 9068) header, alphabet and length. A token of any other form was never issued. It is refused without asking the service.
"""

import re
from base64 import urlsafe_b64encode
from zlib import crc32

# `lka_`, the credential id (26), the secret (43), the MAC (11) and the checksum (6). Tokens of earlier versions have
# no MAC.
_FORM = re.compile(r"lka_[0-9a-hjkmnp-tv-z]{26}[A-Za-z0-9_-]{43}(?:[A-Za-z0-9_-]{11})?[A-Za-z0-9_-]{6}")
_CHECKSUM_LENGTH = 6

# The header is `{"alg":"...","typ":"at+jwt","kid":"..."}` with RS256 or ES256 and a key id of 26 letters. The service
# checks the signature, of which the shortest has 86 letters.
_JWT = re.compile(
    r"eyJhbGciOiJ[SF]UzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6[A-Za-z0-9_-]{39}"
    r"\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86,}"
)
_JWT_LENGTH_AT_MOST = 16_384


def is_access_token_form(token: str) -> bool:
    if token.startswith("eyJ"):
        return len(token) <= _JWT_LENGTH_AT_MOST and _JWT.fullmatch(token) is not None
    if _FORM.fullmatch(token) is None:
        return False
    return checksum(token[:-_CHECKSUM_LENGTH]) == token[-_CHECKSUM_LENGTH:]


def checksum(text: str) -> str:
    """Return the CRC-32 (ISO 3309) in six base64url letters."""
    crc = crc32(text.encode("ascii"))
    return urlsafe_b64encode(crc.to_bytes(4, "big"))[:_CHECKSUM_LENGTH].decode("ascii")
