"""Keys of links that are worth an identity or a role."""

import hashlib


def hash_of(key: str) -> str:
    """Only this is stored of a link's key."""
    return hashlib.sha256(key.encode()).hexdigest()
