"""What a push service wants of us: bodies that only one browser can read (RFC 8291), and who sends them (RFC 8292).

    key = new_key()
    body = encrypted(b"{}", endpoint, public_key=subscription.public_key, secret=subscription.secret)
    headers = {"Authorization": authorization(endpoint, key[0], sender="https://flagship.example", now=now)}

pywebpush encrypts, and py-vapid signs; neither sends: only `outgoing` goes to an address that somebody typed. All keys
are base64url without padding.
"""

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from py_vapid import Vapid02
from py_vapid.utils import b64urlencode, num_to_bytes

VALID = timedelta(hours=1)
"""How long a signature says it is good for; a push service takes none for more than a day."""


def new_key() -> tuple[str, str]:
    """A private key and its public one."""
    made = Vapid02()
    made.generate_keys()
    point = made.public_key.public_numbers()
    public = b"\x04" + num_to_bytes(point.x, 32) + num_to_bytes(point.y, 32)
    private = num_to_bytes(made.private_key.private_numbers().private_value, 32)
    return b64urlencode(private), b64urlencode(public)


def encrypted(content: bytes, endpoint: str, *, public_key: str, secret: str) -> bytes:
    """The body to send, readable by the browser alone that has this public key and secret.

    Raises ValueError for a key that is no point of the curve.
    """
    from pywebpush import WebPusher  # 26 MB with the clients that it brings, and only the worker encrypts

    browser = {"endpoint": endpoint, "keys": {"p256dh": public_key, "auth": secret}}
    body: bytes = WebPusher(browser).encode(content)["body"]
    return body


def authorization(endpoint: str, private: str, *, sender: str, now: datetime) -> str:
    """The header that says, signed, that whom the browser knows sends this; `sender` is where they can be reached."""
    parts = urlsplit(endpoint)
    key = Vapid02.from_string(private)
    key.conf = {"no-strict": True}  # a sender may have a port, as sites in a store's network do
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + VALID).timestamp()), "sub": sender}
    header: str = key.sign(claims)["Authorization"]
    return header
