"""Secrets that devices bring back: tokens with their stored digests, signed texts, and the codes to join a game."""

import hashlib
import secrets

_BYTES = 32


def new_token() -> str:
    """Return a random token that nobody can guess: 256 bits, in 43 characters for a URL."""
    return secrets.token_urlsafe(_BYTES)


def digest_of(token: str) -> str:
    """Return the stored form of a token, from which the token cannot be recovered.

    One SHA-256 is enough. Slow digests such as scrypt protect what people choose, which can be guessed; 256 random bits
    cannot be guessed in the life of the universe, however fast each guess is checked.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def is_same(digest: str, other: str) -> bool:
    """Return whether two digests are equal, in a time that does not reveal how much of them is."""
    return secrets.compare_digest(digest, other)
