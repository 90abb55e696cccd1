"""Requests to the mock-box of a home: which box it is, and actions of hands.

The guard process uses this too, so nothing here may load a camera or a game.
"""

from collections.abc import Mapping
from typing import Any

from controller.errors import BadDeed, NoBox
from controller.settings import Home
from hardware.box import Box
from hardware.sim.remote.protocol import BoxLost, Link


def ask_mock_box(home: Home, do: str, **words: object) -> Mapping[str, Any]:
    """Send a request to the mock-box of this home. Raises `NoBox` if none runs, `BadDeed` if it refuses."""
    try:
        with Link(home.mock_box_socket) as link:
            return link.ask(do, **words)[0]
    except BoxLost as error:
        raise NoBox(f"no mock-box answers at {home.mock_box_socket}; start one with `shutbox mock-box`") from error
    except (ValueError, OSError) as error:
        raise BadDeed(str(error)) from error


def greet_mock_box(home: Home) -> tuple[Box, int]:
    """Return the profile and the seed of the mock-box of this home. Raises `NoBox` if none runs."""
    hello = ask_mock_box(home, "hello")
    return Box.model_validate_json(hello["box"]), hello["seed"]
