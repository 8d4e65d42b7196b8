"""The response with the protected-resource metadata. It is public, and any origin may read it. RFC 9728 §3."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from ._resource import ResourceMetadata


@dataclass(frozen=True, slots=True)
class MetadataAnswer:
    status: int
    headers: Mapping[str, str]
    content: bytes
    """The body, which may be empty."""


_OPEN = {"access-control-allow-origin": "*"}
_ALLOWED = "GET, HEAD, OPTIONS"


def answer_with(metadata: ResourceMetadata, method: str) -> MetadataAnswer:
    if method in ("GET", "HEAD"):
        headers = {**_OPEN, "content-type": "application/json", "cache-control": "max-age=300"}
        text = json.dumps(metadata, separators=(",", ":"), ensure_ascii=False)
        return MetadataAnswer(200, headers, b"" if method == "HEAD" else text.encode())
    if method == "OPTIONS":
        headers = {
            **_OPEN,
            "access-control-allow-methods": _ALLOWED,
            "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
            "access-control-max-age": "600",
        }
        return MetadataAnswer(204, headers, b"")
    return MetadataAnswer(405, {**_OPEN, "allow": _ALLOWED}, b"")
