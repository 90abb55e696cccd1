"""An event as a line of the log: its kind and what it holds, in words, for who looks later what happened at the box."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from controller.game.caller import Origin
from controller.game.events import GameEvent

_LEFT_OUT: tuple[object, ...] = (None, "", (), {}, False)


def log_line(event: GameEvent, origin: Origin) -> str:
    """`move chosen: tiles front-8 (terminal, seat 1)`; what an event leaves empty is not told."""
    held = _held(event)
    whose = "" if origin.seat is None else f", seat {origin.seat + 1}"
    return f"{_spaced(event.kind)}{': ' if held else ''}{held} ({origin.door}{whose})"


def _held(value: object) -> str:
    held = {each.name: getattr(value, each.name) for each in fields(value) if each.name != "kind"}  # type: ignore[arg-type]
    told = {name: _plain(each) for name, each in held.items() if each not in _LEFT_OUT}
    return ", ".join(f"{_spaced(name)} {words}" for name, words in told.items() if words != "()")


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={_plain(each)}" for name, each in value.items())
    if isinstance(value, tuple | list):
        return " ".join(map(_plain, value))
    if is_dataclass(value):
        return f"({_held(value)})"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
