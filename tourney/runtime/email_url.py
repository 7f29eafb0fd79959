"""EMAIL_URL in one place: by which server the installation sends e-mail, and who it says it is from."""

from dataclasses import dataclass, field
from email.utils import parseaddr
from urllib.parse import parse_qs, unquote, urlsplit

PORTS = {("smtps", False): 465, ("smtp", True): 587, ("smtp", False): 25}
SECONDS = 10
"""Until a mail server that doesn't answer is given up."""
YES, NO = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})
FORM = "smtp://user:password@host:587?tls=1 or smtps://user:password@host, with &from=desk@example.org"


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where e-mail is handed over. `is_secret` from the first byte (smtps), `becomes_secret` by STARTTLS (tls=1)."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    is_secret: bool
    becomes_secret: bool
    sender: str

    def mailer(self) -> dict[str, object]:
        """As Django's MAILERS has it."""
        options = {
            "host": self.host,
            "port": self.port,
            "username": self.user,
            "password": self.password,
            "use_ssl": self.is_secret,
            "use_tls": self.becomes_secret,
            "timeout": SECONDS,
        }
        return {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": options}


def mail_server(url: str) -> MailServer:
    """The server that EMAIL_URL names. Raises ValueError, whose text repeats no password."""
    try:
        parts = urlsplit(url)
        port = parts.port
        asked = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError as error:
        raise ValueError(f"EMAIL_URL can’t be read. Write {FORM}.") from error
    is_known = parts.scheme in ("smtp", "smtps") and asked.keys() <= {"tls", "from"}
    if not is_known or not parts.hostname or parts.path not in ("", "/") or parts.fragment:
        raise ValueError(f"EMAIL_URL can’t be read. Write {FORM}.")
    becomes_secret = _yes(asked.get("tls", ["0"])[-1])
    is_secret = parts.scheme == "smtps"
    if is_secret and becomes_secret:
        raise ValueError("EMAIL_URL: smtps:// is encrypted from the start. Leave out tls=1.")
    user = unquote(parts.username or "")
    return MailServer(
        host=parts.hostname,
        port=port or PORTS[parts.scheme, becomes_secret],
        user=user,
        password=unquote(parts.password or ""),
        is_secret=is_secret,
        becomes_secret=becomes_secret,
        sender=_sender(asked.get("from", [""])[-1], user, parts.hostname),
    )


def _yes(word: str) -> bool:
    if word.lower() not in YES | NO:
        raise ValueError("EMAIL_URL: tls is 1 or 0.")
    return word.lower() in YES


def _sender(asked: str, user: str, host: str) -> str:
    """Who it is from: what is asked, else the user if that is an address, else flagship at the server."""
    if not asked:
        return user if "@" in user else f"flagship@{host}"
    if "@" not in parseaddr(asked)[1] or any(sign in asked for sign in "\r\n"):
        raise ValueError("EMAIL_URL: from is an e-mail address, with + as %2B and spaces as %20.")
    return asked
