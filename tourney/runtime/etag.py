"""The ETag of a page of an event: made by its view (`views.responses`), compared before Django (`unchanged`).

And that of static files. Both say the same on whatever host.
"""

import re
from collections.abc import Mapping, MutableMapping
from hashlib import sha256
from pathlib import Path

from django.conf import settings

TAG = re.compile(r'(?:W/)?"(?P<tag>(?P<event>[0-9]{1,18})-(?P<version>[0-9]{1,18})-[0-9a-f]{1,64})"')


def tag_of(event: int, version: int, build: str, address: str, target: str, viewer: str, language: str) -> str:
    """The ETag of a part of that event; `address` with its query, `viewer` as `cards_in` or a role says it."""
    key = repr((build, address, target, viewer, language))
    return f"{event}-{version}-{sha256(key.encode()).hexdigest()[:20]}"


def cards_in(cookies: Mapping[str, str]) -> str:
    """The cards that a device holds, and the secret that its forms carry, which signing in makes another.

    The keys say who it is; a card that was given anew leads to another version.
    """
    own = settings.CSRF_COOKIE_NAME
    return repr(sorted((name, value) for name, value in cookies.items() if name.startswith("card-") or name == own))


def with_tag_of_content(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """WhiteNoise's own ETag says when the file was written, which is another moment on each host."""
    headers["ETag"] = f'"{sha256(Path(path).read_bytes()).hexdigest()[:20]}"'
