"""A browser that is told something: keys of its own, and what its push service received, read as browsers read it."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.support.receiving import Receiver, Request
from tourney.sharing.actions import push


def text_of(data: bytes) -> str:
    """As base64url without padding."""
    return urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class PushBrowser:
    """Its `endpoint` is a path of the push service."""

    service: Receiver
    name: str = "phone"
    language: str = "en"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"0123456789abcdef"

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.service.port}/{self.name}"

    @property
    def public_key(self) -> str:
        return text_of(self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def facts(self) -> push.Browser:
        """What it tells the site of itself."""
        return push.Browser(
            self.endpoint, self.public_key, text_of(self.secret), self.language, "https://flagship.example/"
        )

    def sent(self) -> dict[str, str]:
        """The same, as its script sends it."""
        return {"endpoint": self.endpoint, "public_key": self.public_key, "secret": text_of(self.secret)}

    @property
    def requests(self) -> list[Request]:
        """What came for it, whatever was answered."""
        return [one for one in self.service.received if one.path == f"/{self.name}"]

    @property
    def told(self) -> list[dict[str, Any]]:
        """The same, decrypted, after the sender was checked."""
        return [json.loads(self.read(one)) for one in self.requests]

    def read(self, request: Request) -> bytes:
        """What a request carries for this browser. Raises ECEException if it is not for it."""
        assert request.headers["Content-Encoding"] == "aes128gcm"
        found: bytes = http_ece.decrypt(
            request.body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        return found


def claims_of(request: Request, public_key: str) -> dict[str, Any]:
    """What the sender says of itself, after the signature was checked with the key that the browser knows."""
    header = request.headers["Authorization"]
    token, key = (part.split("=", 1)[1] for part in header.removeprefix("vapid ").split(","))
    assert key == public_key
    signed, signature = token.rsplit(".", 1)
    assert Vapid02.from_raw_public(public_key.encode()).verify_token(signed.encode(), signature)
    head, claims = (json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert claims["aud"] == f"http://{request.headers['Host']}"
    assert urlsplit(claims["sub"]).scheme in ("https", "mailto")
    return claims
