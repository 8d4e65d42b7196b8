"""Adapter for Django REST framework: authentication and permissions. `django.metadata` serves the metadata.

    class Authentication(LatchkeyAuthentication):
        api = api

    class Notes(APIView):
        authentication_classes = [Authentication]
        permission_classes = [requires(require_permission("notes:read"))]

`request.auth` is the access, and `request.user` a `LatchkeyUser`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from ._access import Access
from ._refusal import Refusal
from ._requirement import Requirement
from ._resource_server import ResourceServer

__all__ = ["LatchkeyAuthentication", "LatchkeyUser", "Refused", "requires"]


class Refused(APIException):
    """A request that is refused, with the body of the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__()
        self.status_code = refusal.status
        # REST framework would change the numbers in the body to texts.
        self.detail: Any = refusal.body


@dataclass(frozen=True)
class LatchkeyUser:
    """The account, for code that expects a user. It is in no table of this project."""

    access: Access
    is_authenticated = True
    is_anonymous = False
    is_active = True
    is_staff = False
    is_superuser = False

    @property
    def pk(self) -> str:
        return self.access.account_id

    @property
    def username(self) -> str:
        return self.access.username

    def __str__(self) -> str:
        return self.access.username


class LatchkeyAuthentication(BaseAuthentication):
    api: ResourceServer

    def authenticate(self, request: Request) -> tuple[Any, Access] | None:
        """Return None for a request without a token, so that another authentication may identify it."""
        checked = self.api.verify(_authorization_of(request))
        if isinstance(checked, Access):
            return LatchkeyUser(checked), checked
        if checked.reason == "token_missing":
            return None
        raise _refused(request, checked)

    def authenticate_header(self, request: Request) -> str:
        return self.api.refuse_missing().headers["www-authenticate"]


def requires(*requirements: Requirement) -> type[BasePermission]:
    """Return a permission class: the token must meet every requirement."""

    class Requires(BasePermission):
        def has_permission(self, request: Request, view: APIView) -> bool:
            # This property authenticates the request.
            authenticated = request.auth
            api = _api_of(request, view)
            if api is None:
                return False
            if authenticated is not None and not isinstance(authenticated, Access):
                return False
            checked = api.verify(_authorization_of(request), *requirements)
            if isinstance(checked, Refusal):
                raise _refused(request, checked)
            return True

    return Requires


def _api_of(request: Request, view: APIView) -> ResourceServer | None:
    """Return the kit of the authentication that identified the request, or of the first one of the view."""
    used = request.successful_authenticator
    candidates = view.get_authenticators() if used is None else [used]
    return next((one.api for one in candidates if isinstance(one, LatchkeyAuthentication)), None)


def _authorization_of(request: Request) -> str | None:
    value = request.META.get("HTTP_AUTHORIZATION")
    return value if isinstance(value, str) else None


def _refused(request: Request, refusal: Refusal) -> Refused:
    """Set the headers of the refusal, because REST framework sends only two of an exception's headers."""
    context: Mapping[str, Any] = request.parser_context or {}
    headers = context["view"].headers
    headers.update({name: value for name, value in refusal.headers.items() if name != "content-type"})
    return Refused(refusal)
