"""Signatures on texts shown to devices: only this box can make them, so it can trust a text that comes back."""

import base64
import hashlib
import hmac

_PURPOSE = b"seen "
_SEAL_BYTES = 12
_BETWEEN = "."


def sign(secret: str, shown: str) -> str:
    """Return `shown` with the signature of this box appended. secret: of the box, in hexadecimal digits."""
    return f"{shown}{_BETWEEN}{_make(secret, shown)}"


def check_signature(secret: str, sealed: str) -> str | None:
    """Return the text without its signature; None if it is not this box's. Compares in constant time."""
    shown, _, found = sealed.rpartition(_BETWEEN)
    is_ours = hmac.compare_digest(found.encode(), _make(secret, shown).encode())
    return shown if is_ours else None


def _make(secret: str, shown: str) -> str:
    made = hmac.digest(bytes.fromhex(secret), _PURPOSE + shown.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made[:_SEAL_BYTES]).decode()
