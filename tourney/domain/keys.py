"""Keys of links that are worth an identity or a role."""

import hashlib


def hash_of(key: str) -> str:
    """The hash of a link's key, which alone is stored of it."""
    return hashlib.sha256(key.encode()).hexdigest()
