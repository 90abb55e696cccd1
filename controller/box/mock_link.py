"""Requests to the mock-box of a home: which box it is, and what a hand does there.

A file of its own because the guard's process needs them too, and must load no camera and no game.
"""

from collections.abc import Mapping
from typing import Any

from controller.errors import BadDeed, NoBox
from controller.settings import Home
from hardware.box import Box
from hardware.sim.remote import BoxLost, Link


def ask_mock_box(home: Home, do: str, **words: object) -> Mapping[str, Any]:
    """Have the mock-box of this home `do` something. Raises `NoBox` if none runs, `BadDeed` if it cannot be done."""
    try:
        with Link(home.mock_box_socket) as link:
            return link.ask(do, **words)[0]
    except BoxLost as error:
        raise NoBox(f"no mock-box answers at {home.mock_box_socket}; start one with `shutbox mock-box`") from error
    except (ValueError, OSError) as error:
        raise BadDeed(str(error)) from error


def greet_mock_box(home: Home) -> tuple[Box, int]:
    """Ask the mock-box of this home for its profile and its seed. Raises `NoBox` if none runs."""
    hello = ask_mock_box(home, "hello")
    return Box.model_validate_json(hello["box"]), hello["seed"]
