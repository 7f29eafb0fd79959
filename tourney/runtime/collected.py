"""The static files as they are served: collected, with hashed names, compressed."""

import os
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def is_left_to_others() -> bool:
    """Whether they are served as they are, or the environment names the folder: who names it fills it."""
    return settings.DEBUG or bool(os.environ.get("STATIC_ROOT"))


def are_up_to_date() -> bool:
    """Whether those that were collected are made of the files of now."""
    stamp = _stamp()
    return is_left_to_others() or (stamp.exists() and stamp.read_text() == _fingerprint())


def collect() -> None:
    """Collect them, if any of them changed since the last time."""
    if not are_up_to_date():
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        _stamp().write_text(_fingerprint())


def _stamp() -> Path:
    return Path(settings.STATIC_ROOT) / ".collected"


def _fingerprint() -> str:
    """Of the files by name and content: neither where they are nor when they were written counts."""
    found = {name: Path(store.path(name)) for finder in get_finders() for name, store in finder.list([])}
    seen = [(name, sha256(file.read_bytes()).hexdigest()) for name, file in sorted(found.items())]
    return sha256(repr((seen, settings.STORAGES["staticfiles"])).encode()).hexdigest()
