"""What a push service wants of us: bodies that only one browser can read (RFC 8291), and who sends them (RFC 8292).

    key = new_key()
    body = encrypted(b"{}", public_key=subscription.public_key, secret=subscription.secret)
    headers = {"Authorization": authorization(endpoint, *key, sender="https://flagship.example", now=now)}

The parts are those of `cryptography`; here they are only put in their order. All keys are base64url without padding.
"""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096
"""Bytes of a record, of which a body has one; no push service takes more."""
LAST = b"\x02"
"""The delimiter after the content of the last record."""
VALID = timedelta(hours=1)
"""How long a signature says it is good for; a push service takes none for more than a day."""


def new_key() -> tuple[str, str]:
    """A private key and its public one."""
    key = ec.generate_private_key(CURVE)
    return encoded(_to_32_bytes(key.private_numbers().private_value)), encoded(_point_of(key.public_key()))


def encrypted(
    content: bytes,
    *,
    public_key: str,
    secret: str,
    salt: bytes | None = None,
    own: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """The body to send, readable by the browser alone that has this public key and secret.

    `salt` and `own` are by chance; only a test knows them before. Raises ValueError for a key that is no point of the
    curve.
    """
    salt, own = salt or os.urandom(16), own or ec.generate_private_key(CURVE)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(public_key))
    mine = _point_of(own.public_key())
    shared = own.exchange(ec.ECDH(), theirs)
    input = _derived(shared, decoded(secret), b"WebPush: info\0" + decoded(public_key) + mine, 32)
    key = _derived(input, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(input, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4) + len(mine).to_bytes(1) + mine
    return head + AESGCM(key).encrypt(nonce, content + LAST, None)


def authorization(endpoint: str, private: str, public: str, *, sender: str, now: datetime) -> str:
    """The header that says, signed, that whom the browser knows sends this; `sender` is where they can be reached."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + VALID).timestamp()), "sub": sender}
    signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    key = ec.derive_private_key(int.from_bytes(decoded(private)), CURVE)
    both = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    return f"vapid t={signed}.{encoded(b''.join(map(_to_32_bytes, both)))}, k={public}"


def encoded(data: bytes) -> str:
    """As base64url without padding."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """From base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _json(data: dict[str, object]) -> str:
    return encoded(json.dumps(data, separators=(",", ":")).encode())


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _to_32_bytes(number: int) -> bytes:
    return number.to_bytes(32)


def _point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
