"""Protects an API with Latchkey: who calls, what they may do, and how recently they proved it."""

from ._access import Access, Identity
from ._async_resource_server import AsyncResourceServer
from ._clock import Clock
from ._metadata_answer import MetadataAnswer
from ._refusal import Refusal, RefusalReason
from ._requirement import Requirement, require_elevation, require_permission
from ._resource import ResourceMetadata
from ._resource_server import ResourceServer
from ._sign_in import SignInPerson, SignInRequestError, needs_new_sign_in, sign_in_url
from ._trouble import Trouble

__all__ = [
    "Access",
    "AsyncResourceServer",
    "Clock",
    "Identity",
    "MetadataAnswer",
    "Refusal",
    "RefusalReason",
    "Requirement",
    "ResourceMetadata",
    "ResourceServer",
    "SignInPerson",
    "SignInRequestError",
    "Trouble",
    "needs_new_sign_in",
    "require_elevation",
    "require_permission",
    "sign_in_url",
]
