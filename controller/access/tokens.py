"""Tokens: what a device shows to be known again, and the digest that is kept of it."""

import hashlib
import secrets

_BYTES = 32


def new_token() -> str:
    """A token that nobody can guess: 256 bits by chance, in 43 characters of a URL."""
    return secrets.token_urlsafe(_BYTES)


def digest_of(token: str) -> str:
    """What is kept of a token: who reads it cannot show the token.

    One SHA-256 is enough. Slow digests such as scrypt are for what people choose, which can be guessed; of 256 bits by
    chance not one in the life of the universe can, however fast each guess is looked at.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def is_same(digest: str, other: str) -> bool:
    """True if these are equal, found out in a time that does not tell how much of them is."""
    return secrets.compare_digest(digest, other)
