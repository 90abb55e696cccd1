"""The seal on what a device was shown: only this box can have made it, so the box believes it when it comes back."""

import base64
import hashlib
import hmac

_PURPOSE = b"seen "
_SEAL_BYTES = 12
_BETWEEN = "."


def seal(secret: str, shown: str) -> str:
    """What was shown, with the seal of this box behind it. secret: of the box, hexadecimal."""
    return f"{shown}{_BETWEEN}{_make(secret, shown)}"


def unseal(secret: str, sealed: str) -> str | None:
    """What was shown; None where the seal is not this box's. Compared in constant time."""
    shown, _, found = sealed.rpartition(_BETWEEN)
    is_ours = hmac.compare_digest(found.encode(), _make(secret, shown).encode())
    return shown if is_ours else None


def _make(secret: str, shown: str) -> str:
    made = hmac.digest(bytes.fromhex(secret), _PURPOSE + shown.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made[:_SEAL_BYTES]).decode()
