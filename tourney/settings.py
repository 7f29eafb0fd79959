"""Settings, all from the environment with defaults that suit a store's own laptop (docs/operating.md)."""

import os
from pathlib import Path

import dj_database_url
from django.utils.csp import CSP

from tourney import embedded

BASE_DIR = Path(__file__).resolve().parent.parent


def flag(name: str, default: bool) -> bool:
    return os.environ.get(name, str(int(default))).strip().lower() in {"1", "true", "yes", "on"}


def words(name: str, default: str = "") -> list[str]:
    return [word for word in os.environ.get(name, default).replace(",", " ").split() if word]


DEBUG = flag("DEBUG", False)
SECRET_KEY = os.environ.get("SECRET_KEY") or embedded.secret_key()
ALLOWED_HOSTS = words("ALLOWED_HOSTS", "*")
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "tourney",
    "fleets",
    "scoring",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_htmx",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "tourney.middleware.Compress",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "tourney.views.limits.refuse_when_too_many_wait",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tourney.views.limits.count_forged_cards",
    "tourney.middleware.sign_in_as_a_whole_page",
    "tourney.middleware.tell_the_outbox_where",
]

ROOT_URLCONF = "tourney.urls"
ASGI_APPLICATION = "tourney.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("django.template.loaders.cached.Loader", ["tourney.loader.Loader"])],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["tourney.templatetags.seen"],
        },
    }
]

DATABASES = {"default": dj_database_url.parse(os.environ.get("DATABASE_URL") or embedded.database_url())}
if POOL := int(os.environ.get("DATABASE_POOL", "0")):  # set by tourney.serve: a worker answers many requests at once
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": POOL, "timeout": 30}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "tourney.User"
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in ("MinimumLengthValidator", "CommonPasswordValidator", "UserAttributeSimilarityValidator")
    ),
    {"NAME": "tourney.passwords.NotAWordWithDigits"},
]
PASSWORD_HASHERS = [  # the first for new ones; a password of another is kept by the first from its next sign-in on
    "tourney.passwords.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "front"
LOGOUT_REDIRECT_URL = "front"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or embedded.var_dir() / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# HTTPS=1 says that a proxy in front speaks HTTPS; a store's laptop serves plain HTTP on its own Wi-Fi.
HTTPS = flag("HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = int(os.environ.get("HSTS_SECONDS", 31_536_000 if HTTPS else 0))
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
SESSION_ENGINE = "django.contrib.sessions.backends.db"
MESSAGE_STORAGE = "django.contrib.messages.storage.fallback.FallbackStorage"  # a cookie: no session for each phone

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}, "nowhere": {"class": "logging.NullHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},  # scanners; they get a 400
    },
}
