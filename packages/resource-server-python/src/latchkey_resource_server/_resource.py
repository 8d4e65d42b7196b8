"""The API as a protected resource: its URL, its metadata and its audience."""

import re
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

WELL_KNOWN = "/.well-known/oauth-protected-resource"


class _RequiredMetadata(TypedDict):
    resource: str
    authorization_servers: list[str]
    bearer_methods_supported: list[str]


class ResourceMetadata(_RequiredMetadata, total=False):
    """The members are those of RFC 9728 §2."""

    scopes_supported: list[str]
    resource_name: str
    resource_documentation: str


class Address(NamedTuple):
    """An absolute URL in the form that a URL parser returns."""

    scheme: str
    host: str
    """In lower case, with a port that is not the default one."""
    path: str
    query: str
    """With the question mark, or empty."""

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"

    @property
    def text(self) -> str:
        return f"{self.origin}{self.path}{self.query}"


# The characters that a URL parser leaves as they are.
_URL = re.compile(
    r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?"
    r"(/[!$%&'()*+,\-./0-9:;=@A-Z\[\]^_a-z|~]*)?(\?[!$%&()*+,\-./0-9:;=?@A-Z\[\]^_`a-z{|}~\\]*)?",
    re.IGNORECASE | re.ASCII,
)
_DOT_SEGMENT = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_DEFAULT_PORTS = {"https": 443, "http": 80}
_LOOPBACK = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?")


def canonical(text: str) -> Address | None:
    """Return a lower-case host, no default port, and `/` for an empty path.

    Clients may send this form of the resource, so the API accepts both forms. Return None for a text that is no URL
    without user and fragment, or one that a URL parser would change further.
    """
    match = _URL.fullmatch(text)
    if match is None:
        return None
    scheme, host, port, path, query = match.groups(default="")
    if _DOT_SEGMENT.search(path) is not None:
        return None
    scheme = scheme.lower()
    number = int(port) if port != "" else _DEFAULT_PORTS[scheme]
    shown = "" if number == _DEFAULT_PORTS[scheme] else f":{number}"
    return Address(scheme, host.lower() + shown, path or "/", query)


def address_of(text: str, option: str) -> Address:
    """Parse an absolute https URL without a fragment or user. A loopback URL may use http.

    Raise ValueError for any other text.
    """
    scheme, separator, rest = text.partition("://")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if separator == "" or authority == "":
        raise ValueError(f'{option}: "{text}" is not an absolute address')
    if "@" in authority:
        raise ValueError(f"{option}: it contains a user name or password")
    is_loopback = scheme.lower() == "http" and _LOOPBACK.fullmatch(authority.lower()) is not None
    if scheme.lower() != "https" and not is_loopback:
        raise ValueError(f'{option}: "{text}" is not https')
    if "#" in text:
        raise ValueError(f'{option}: "{text}" has a fragment')
    address = canonical(text)
    if address is None:
        raise ValueError(f'{option}: write "{text}" in ASCII, and its path without "." and ".."')
    return address


class Resource:
    metadata: ResourceMetadata
    metadata_url: str
    """The well-known part is between the host and the path. RFC 9728 §3.1."""
    metadata_path: str
    """The path of `metadata_url`."""

    def __init__(
        self,
        *,
        resource: str,
        issuer: str,
        permissions: Sequence[str],
        name: str | None,
        documentation: str | None,
    ) -> None:
        address = address_of(resource, "resource")
        self._text = resource
        self._address = address
        self.metadata_path = WELL_KNOWN + ("" if address.path == "/" else address.path)
        self.metadata_url = address.origin + self.metadata_path + address.query
        self.metadata = {
            "resource": resource,
            "authorization_servers": [issuer],
            "bearer_methods_supported": ["header"],
        }
        # Clients request every listed permission, so admin permissions are left out.
        listed = [one for one in permissions if not one.startswith("admin:")]
        if listed:
            self.metadata["scopes_supported"] = listed
        if name is not None:
            self.metadata["resource_name"] = name
        if documentation is not None:
            self.metadata["resource_documentation"] = documentation

    def is_named_by(self, audience: Sequence[str]) -> bool:
        """Return whether a token with this `aud` is meant for this API."""
        if self._text in audience:
            return True
        return any(canonical(one) == self._address for one in audience)
