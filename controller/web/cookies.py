"""The cookies in which a page keeps its tokens: no script reads them, and no foreign page has them sent."""

from fastapi import Response

SEAT, OPERATOR = "shutbox-seat", "shutbox-operator"
_LASTS_S = 180 * 24 * 3600


def set_cookie(response: Response, name: str, token: str) -> None:
    """Have the browser show this token from now on. Not `Secure`: a box at home speaks plain http."""
    response.set_cookie(name, token, max_age=_LASTS_S, path="/", httponly=True, samesite="strict")


def forget_cookie(response: Response, name: str) -> None:
    """Have the browser forget it."""
    response.delete_cookie(name, path="/", httponly=True, samesite="strict")
