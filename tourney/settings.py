"""Settings, all from the environment with defaults that suit a store's own laptop (docs/operating.md)."""

import os
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

from tourney.runtime import embedded, installation, languages
from tourney.runtime.availability import WatchedConnection
from tourney.runtime.email_url import mail_server
from tourney.runtime.etag import with_tag_of_content
from tourney.runtime.locale_files import compiled, compiled_for_scripts
from tourney.runtime.outgoing import Patience
from tourney.runtime.planner import with_planner_settings

BASE_DIR = installation.FILES


def flag(name: str, default: bool) -> bool:
    """The boolean of an environment variable."""
    return os.environ.get(name, str(int(default))).strip().lower() in {"1", "true", "yes", "on"}


def number(name: str, default: int) -> int:
    """The number, 1 or more, of an environment variable. Raises ImproperlyConfigured."""
    typed = os.environ.get(name) or str(default)
    if not typed.isascii() or not typed.isdigit() or int(typed) < 1:
        raise ImproperlyConfigured(f"{name}={typed} isn't a number from 1 up.")
    return int(typed)


def env_list(name: str, default: str = "") -> list[str]:
    """The words of an environment variable, separated by commas or spaces."""
    return [word for word in os.environ.get(name, default).replace(",", " ").split() if word]


DEBUG = flag("DEBUG", False)
SECRET_KEY = os.environ.get("SECRET_KEY") or embedded.secret_key()
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "*")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")

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
    "django_tasks_db",
    "allauth.account",  # e-mail addresses, and sign-ins of more than one step
    "allauth.mfa",  # passkeys, authenticator apps and recovery codes
    "allauth.usersessions",  # the devices that are signed in
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",  # above what only pages are asked for: half a kB for each file
    "tourney.serving.middleware.allow_only_used_features",
    "tourney.serving.middleware.Compress",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "tourney.views.unavailable.refuse_without_room",
    "tourney.views.throttle.refuse_when_too_many_wait",
    "tourney.serving.middleware.refuse_unreadable_forms",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "tourney.serving.middleware.SpeakTheirLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",  # remembers the request for allauth; asks the database nothing
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tourney.views.throttle.count_forged_cards",
    "tourney.serving.middleware.sign_in_as_a_whole_page",
    "tourney.serving.middleware.tell_the_outbox_where",
    "tourney.serving.middleware.RefuseWhatCannotBeRead",
    "tourney.serving.middleware.FollowTheStore",
    "tourney.views.throttle.TellWhoIsTooQuick",
]
# Those that only add headers: what is answered before Django (tourney/runtime/like_django.py) gets them from here, too.
HEADERS_OF_EVERY_ANSWER = [
    "django.middleware.security.SecurityMiddleware",
    "tourney.serving.middleware.allow_only_used_features",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "tourney.urls"
ASGI_APPLICATION = "tourney.serving.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "tourney.templatetags.desk_form",
                "tourney.templatetags.guide",
                "tourney.templatetags.locales",
            ],
            "libraries": {"judge": "tourney.judge.templatetags"},
        },
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",  # of long lists alone (tourney/templatetags/rows.py)
        "DIRS": [BASE_DIR / "templates/rows"],
        "OPTIONS": {"environment": "tourney.templatetags.rows.environment"},
    },
]

DATABASES = {"default": dj_database_url.parse(os.environ.get("DATABASE_URL") or embedded.database_url())}
OPTIONS = DATABASES["default"].setdefault("OPTIONS", {})
PGBOUNCER = flag("PGBOUNCER", False)  # DATABASE_URL is a pooler's, which gives each transaction another connection
if PGBOUNCER:  # the planner is told by the role's own settings (tourney/runtime/planner.py)
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
else:
    OPTIONS["options"] = with_planner_settings(OPTIONS.get("options", ""))
if POOL := int(os.environ.get("DATABASE_POOL", "0")):  # set by serving.serve: a worker answers many requests at once
    OPTIONS.setdefault("connect_timeout", 3)  # seconds, as below: nothing waits longer than 5 for a database that died
    OPTIONS.setdefault("tcp_user_timeout", 5000)  # ms until a network is lost that takes nothing any more
    OPTIONS["pool"] = {"min_size": 1, "max_size": POOL, "timeout": 0.5, "reconnect_timeout": 0.3}
    OPTIONS["pool"]["connection_class"] = WatchedConnection
    DATABASES["default"]["ENGINE"] = "tourney.runtime.backend"
BUS_URL = os.environ.get("BUS_URL", "")  # of what tells processes of news (tourney/runtime/bus.py); else the database
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "tourney.User"
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in ("MinimumLengthValidator", "CommonPasswordValidator", "UserAttributeSimilarityValidator")
    ),
    {"NAME": "tourney.runtime.passwords.NotAWordWithDigits"},
]
PASSWORD_HASHERS = [  # the first for new ones; a password of another is kept by the first from its next sign-in on
    "tourney.runtime.passwords.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "/sign-in/?needed"  # so that it says why it is asked for
CSRF_FAILURE_VIEW = "tourney.views.store.not_of_this_page"
LOGIN_REDIRECT_URL = "front"
LOGOUT_REDIRECT_URL = "front"

# Of django-allauth the models, the steps of a sign-in and the cryptography; no address and no page of its own.
ACCOUNT_ADAPTER = "tourney.views.door.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"  # a sign-in asks for none; an address counts once its owner opened the link
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = (
    False  # wrong passwords and codes count in our table, for all processes together
)
MFA_ADAPTER = "tourney.views.door.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Flagship"
MFA_TOTP_TOLERANCE = 1  # a phone whose clock is half a minute off

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGES = [*languages.LANGUAGES.items()]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
if installation.IS_INSTALLED:  # a wheel has both as they were made of the catalogues
    CATALOGUES, WORDS_OF_SCRIPTS = BASE_DIR / "locale", BASE_DIR / "words"
else:
    CATALOGUES = compiled(BASE_DIR / "locale", embedded.var_dir() / "locale")
    WORDS_OF_SCRIPTS = compiled_for_scripts(BASE_DIR / "locale", embedded.var_dir() / "words")
LOCALE_PATHS = [CATALOGUES]
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or embedded.var_dir() / "static")
STATICFILES_DIRS = [
    BASE_DIR / "static",
    WORDS_OF_SCRIPTS,
    ("guide", BASE_DIR / "docs" / "guide" / "images"),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "tourney.runtime.static_modules.Storage"
    },
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_ADD_HEADERS_FUNCTION = with_tag_of_content

# Of each worker process (tourney/serving).
MOST_STREAMS = number("MOST_STREAMS", 5000)  # more pages than that keep asking
PAGE_THREADS = number("PAGE_THREADS", 4)  # more of them only take the processor from one another
WRITE_THREADS = number("WRITE_THREADS", 2)  # forms of one event wait for one another under its lock, and no page is to
PART_THREADS = number("PART_THREADS", 2)  # that make parts: while one waits for the database, the other goes on
POLL_SECONDS = number("POLL_SECONDS", 5)  # between two questions of a page without a stream

LAN_PORT = os.environ.get("LAN_PORT", "")  # set by serving.serve where it answers the local network too

# HTTPS=1 says that a proxy in front speaks HTTPS, and is believed; with TLS_CERT the server does so itself.
# Without either a store's laptop serves plain HTTP on its own Wi-Fi.
BEHIND_PROXY = flag("HTTPS", False)
HTTPS = BEHIND_PROXY or bool(os.environ.get("TLS_CERT"))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = ["^health/", "^metrics$"]  # who watches a host asks it past the proxy
SECURE_HSTS_SECONDS = int(os.environ.get("HSTS_SECONDS", 31_536_000 if HTTPS else 0))
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
if BEHIND_PROXY:
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
    "report-uri": ["/csp-reports/"],
}
USED_FEATURES = (
    "autoplay",
    "clipboard-write",
    "fullscreen",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "screen-wake-lock",
    "web-share",
)
UNUSED_FEATURES = (
    "accelerometer",
    "browsing-topics",
    "camera",
    "display-capture",
    "encrypted-media",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "storage-access",
    "usb",
    "xr-spatial-tracking",
)
PERMISSIONS_POLICY = ", ".join(
    [*(f"{name}=(self)" for name in USED_FEATURES), *(f"{name}=()" for name in UNUSED_FEATURES)]
)
PUBLIC_URL = os.environ.get("PUBLIC_URL", "")  # of links in what leaves the site; else the one that its owner used
STORES = os.environ.get("STORES", "closed").strip().lower()  # who gets another store here; unknown words are "closed"
SECURITY_CONTACT = env_list("SECURITY_CONTACT")  # addresses (mailto:, https:) for who finds a weakness
EMAIL_URL = os.environ.get("EMAIL_URL", "")
if EMAIL_URL:  # else nothing is sent
    MAIL_SERVER = mail_server(EMAIL_URL)
    MAILERS, DEFAULT_FROM_EMAIL = {"default": MAIL_SERVER.mailer()}, MAIL_SERVER.sender
# A link in an e-mail leads to an address that no visitor could choose, as the header Host is.
MAIL_IS_ON = bool(EMAIL_URL and (PUBLIC_URL or "*" not in ALLOWED_HOSTS))
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# What a form may hold beside files; how large a body may be, its address says before (tourney/serving/bodies.py).
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_200_000  # bytes
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # results of 250 tables on one page
DATA_UPLOAD_MAX_NUMBER_FILES = 10

PACK_AFTER_DAYS = number("PACK_AFTER_DAYS", 730)  # whose history: of events that were finished before (growth.md)
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}  # done by `manage.py worker`
WEBHOOKS_TO_LOOPBACK = flag("WEBHOOKS_TO_LOOPBACK", False)  # for tests: to this computer, without TLS
WEBHOOK_PATIENCE = Patience()

METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")  # who sends it is told /metrics
SENTRY_DSN = os.environ.get("SENTRY_DSN", "")  # where failures are told, without anybody's data
LOG_FORMAT = os.environ.get("LOG_FORMAT", "")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "is_unexpected": {  # a page that says that the database is away is no news: that is said once
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: getattr(record, "status_code", 500) != 503,
        }
    },
    "formatters": {
        "one line": {"()": "tourney.runtime.request_log.OneLine"},
        "json": {"()": "tourney.runtime.request_log.OneJson"},
        "dated": {"format": "%(asctime)s %(message)s"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "json" if LOG_FORMAT == "json" else "one line"},
        "counted": {"class": "tourney.runtime.metrics.CountErrors", "level": "ERROR"},
        "nowhere": {"class": "logging.NullHandler"},
        "csp": {
            "class": "logging.handlers.RotatingFileHandler",
            "filename": embedded.var_dir() / "csp-reports.log",
            "delay": True,
            "maxBytes": 200_000,
            "backupCount": 1,
            "encoding": "utf-8",
            "formatter": "dated",
        },
    },
    "root": {"handlers": ["console", "counted"], "level": "WARNING"},
    "loggers": {
        "django.request": {"level": "ERROR", "filters": ["is_unexpected"]},
        "psycopg.pool": {"level": "ERROR"},  # each attempt to reach a database that is away; said once elsewhere
        "django.tasks": {"level": "WARNING"},  # each that begins, and each that ends
        "urllib3": {"level": "ERROR"},  # whom it asked, with the key in the address
        "flagship.csp": {"handlers": ["csp"], "propagate": False},
        **{  # scanners; they get a 400 or 413
            f"django.security.{name}": {"handlers": ["nowhere"], "propagate": False}
            for name in ("DisallowedHost", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
        },
    },
}
