"""Checks the form of an access token: prefix, alphabet, length and checksum.

A token of any other form was never issued. It is refused without asking the service.
"""

import re
from base64 import urlsafe_b64encode
from zlib import crc32

# `lka_`, the credential id (26), the secret (43), the MAC (11) and the checksum (6). Tokens of earlier versions have
# no MAC.
_FORM = re.compile(r"lka_[0-9a-hjkmnp-tv-z]{26}[A-Za-z0-9_-]{43}(?:[A-Za-z0-9_-]{11})?[A-Za-z0-9_-]{6}")
_CHECKSUM_LENGTH = 6


def is_access_token_form(token: str) -> bool:
    if _FORM.fullmatch(token) is None:
        return False
    return checksum(token[:-_CHECKSUM_LENGTH]) == token[-_CHECKSUM_LENGTH:]


def checksum(text: str) -> str:
    """Return the CRC-32 (ISO 3309) in six base64url letters."""
    crc = crc32(text.encode("ascii"))
    return urlsafe_b64encode(crc.to_bytes(4, "big"))[:_CHECKSUM_LENGTH].decode("ascii")
