"""The cookies in which a page keeps its tokens: scripts cannot read them, and foreign sites cannot have them sent."""

from fastapi import Response

SEAT, OPERATOR = "shutbox-seat", "shutbox-operator"
_LASTS_S = 180 * 24 * 3600


def set_cookie(response: Response, name: str, token: str) -> None:
    """Make the browser send this token from now on. Not `Secure`: a box at home speaks plain http."""
    response.set_cookie(name, token, max_age=_LASTS_S, path="/", httponly=True, samesite="strict")


def forget_cookie(response: Response, name: str) -> None:
    response.delete_cookie(name, path="/", httponly=True, samesite="strict")
