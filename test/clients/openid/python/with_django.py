"""The parts of docs/clients.md about django-allauth and social-auth, put to use in one site of Django."""

import os
import secrets
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings

BASE, PORT = os.environ["BASE"], int(os.environ["PORT"])
CLIENT_ID, CLIENT_SECRET = os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]

SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "latchkey",
                "name": "Latchkey",
                "client_id": CLIENT_ID,
                "secret": CLIENT_SECRET,
                "settings": {"server_url": BASE},
            }
        ],
    }
}

SOCIAL_AUTH_OIDC_OIDC_ENDPOINT = BASE
SOCIAL_AUTH_OIDC_KEY = CLIENT_ID
SOCIAL_AUTH_OIDC_SECRET = CLIENT_SECRET
SOCIAL_AUTH_OIDC_USE_PKCE = True

settings.configure(
    SECRET_KEY=secrets.token_urlsafe(32),
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    LOGIN_REDIRECT_URL="/",
    LOGIN_ERROR_URL="/refused",
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.messages",
        "django.contrib.sessions",
        "allauth",
        "allauth.account",
        "allauth.socialaccount",
        "allauth.socialaccount.providers.openid_connect",
        "social_django",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
        "social_django.middleware.SocialAuthExceptionMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
        }
    ],
    AUTHENTICATION_BACKENDS=[
        "allauth.account.auth_backends.AuthenticationBackend",
        "social_core.backends.open_id_connect.OpenIdConnectAuth",
    ],
    SOCIALACCOUNT_PROVIDERS=SOCIALACCOUNT_PROVIDERS,
    SOCIAL_AUTH_OIDC_OIDC_ENDPOINT=SOCIAL_AUTH_OIDC_OIDC_ENDPOINT,
    SOCIAL_AUTH_OIDC_KEY=SOCIAL_AUTH_OIDC_KEY,
    SOCIAL_AUTH_OIDC_SECRET=SOCIAL_AUTH_OIDC_SECRET,
    SOCIAL_AUTH_OIDC_USE_PKCE=SOCIAL_AUTH_OIDC_USE_PKCE,
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse, JsonResponse  # noqa: E402
from django.middleware.csrf import get_token  # noqa: E402
from django.urls import include, path  # noqa: E402


def home(request):
    user = request.user
    about = {"username": user.username, "email": getattr(user, "email", None)}
    return JsonResponse({**about, "token": get_token(request)})


urlpatterns = [
    path("", home),
    path("refused", lambda request: HttpResponse("refused")),
    path("accounts/", include("allauth.urls")),
    path("social/", include("social_django.urls")),
]


class Quiet(WSGIRequestHandler):
    def log_request(self, *about):
        pass


call_command("migrate", verbosity=0)
make_server("127.0.0.1", PORT, get_wsgi_application(), handler_class=Quiet).serve_forever()
