"""Players: how many may play and under which names, how they are written (`Ann,House:perfect`), how well they play."""

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Literal, TypeVar, get_args
from unicodedata import category

from pydantic import Field

from controller.errors import BadPlayers, WrongName

# The limits of a table, wherever players are named: in commands, in settings, on the command line.
MOST_PLAYERS = 12
LONGEST_NAME = 24
LONGEST_MATCH_NAME = 32  # of a match of two boxes
Strength = Literal["careless", "casual", "steady", "skilled", "perfect"]
DEFAULT_STRENGTH: Strength = "skilled"
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
# Who says what the dice show: the camera, or somebody who types it.
Source = Literal["camera", "typed"]
# Where a command comes from: people's doors, the other box of a match, then those of the box itself.
Door = Literal["terminal", "page", "script", "remote", "panel", "hands", "camera", "house", "box"]
# Whoever writes players down parts them by a comma, and a name from its strength by a colon.
_PARTS = re.compile("[,:]")
# Letters, symbols and marks by their category of which nothing is seen: joiner, fillers, empty Braille cell, selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
_FORMS = "\ufe0e\ufe0f"  # of an emoji: as text, or in colours
_FORMULA_SIGNS = ("=", "+", "-", "@")  # a spreadsheet takes what begins with one for a formula
NAMES_ARE = f"1 to {LONGEST_NAME} characters that are seen, without comma or colon, and do not begin with = + - or @"
# The names of a demonstration, in the order of their seats.
_DEFAULT_NAMES = ("Ann", "House", "Bea", "Carl", "Dora", "Emil")


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table; a house player's choices are made by the box, as well as `strength` says.

    None: as well as the box has it set, which is filled in when a game begins. remote: the name of the match in which
    somebody plays at another box, whose choices come from there; empty for everybody at this one.
    """

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    house: bool = False
    strength: Strength | None = None
    # Left out where it says nothing: journals of games at one box are what they always were.
    remote: Annotated[str, Field(max_length=LONGEST_MATCH_NAME, exclude_if=operator.not_)] = ""


def check_players(players: Sequence[Player]) -> None:
    """Raise `BadPlayers` unless these can sit down together: not too many, each by a name of his own."""
    names = [player.name for player in players]
    if not 1 <= len(names) <= MOST_PLAYERS or len(set(names)) < len(names) or not all(map(is_name, names)):
        shown = ", ".join(map(repr, names)) or "(none)"
        raise BadPlayers(f"players {shown}: 1 to {MOST_PLAYERS} different names of {NAMES_ARE}", _first_wrong(names))


def _first_wrong(names: Sequence[str]) -> WrongName | None:
    for number, name in enumerate(names):
        wrong = WrongName(name, "twice") if name in names[:number] else wrong_name(name)
        if wrong is not None:
            return wrong
    return None


def with_strength(players: Iterable[Player], strength: Strength) -> tuple[Player, ...]:
    """The players, those of the house that nothing is said of with this strength."""
    return tuple(
        replace(player, strength=strength) if player.house and player.strength is None else player for player in players
    )


def read_players(words: Iterable[str], house: Iterable[str], strength: Strength) -> tuple[Player, ...]:
    """Players from words such as `Ann` or `House:perfect`, in the order of their seats.

    `house` are the names that the box plays for, as well as `strength` says where the word does not. A name with a
    strength is a house player whatever its name. Raises `BadPlayers`.
    """
    theirs = set(house)
    players = []
    for word in words:
        name, colon, wanted = (part.strip() for part in word.partition(":"))
        if colon:
            players.append(Player(name, True, _strength(wanted, f"player {word!r}")))
        else:
            players.append(Player(name, True, strength) if name in theirs else Player(name))
    check_players(players)
    return tuple(players)


def default_players(words: str, strength: str) -> tuple[Player, ...]:
    """The house players of a demonstration: a number of them, or names by commas. Raises as `read_players`."""
    names = [word.strip() for word in words.split(",")]
    if words.strip().isascii() and words.strip().isdigit():
        count = int(words)
        if not 1 <= count <= len(_DEFAULT_NAMES):
            raise BadPlayers(f"--players {words}: 1 to {len(_DEFAULT_NAMES)}, or names by commas")
        names = list(_DEFAULT_NAMES[:count])
    plain = [name.partition(":")[0].strip() for name in names]
    return read_players(names, plain, _strength(strength, "--strength"))


def is_name(name: str) -> bool:
    """True for a name that a player can have."""
    return wrong_name(name) is None


def wrong_name(name: str) -> WrongName | None:
    """What keeps players from a name; None for one that can be written among others, and that a terminal can show.

    Every sign of it is seen, so that no two look the same by what is not: a mark stands on something.
    """
    if not name.strip():
        return WrongName(name, "empty")
    if len(name) > LONGEST_NAME:
        return WrongName(name, "long")
    if _PARTS.search(name):
        return WrongName(name, "parts")
    if name.startswith(_FORMULA_SIGNS):
        return WrongName(name, "formula")
    # A digit's emoji (1, form, frame) is the one whose form stands on no symbol.
    signs = f" {name}".replace("\ufe0f\u20e3", "\u20e3")
    is_seen = all(
        category(before).startswith("S") if sign in _FORMS else before != " " or not category(sign).startswith("M")
        for before, sign in pairwise(signs)
    )
    if name != name.strip() or not name.isprintable() or _UNSEEN.search(name) or not is_seen:
        return WrongName(name, "unseen")
    return None


def _strength(word: str, where: str) -> Strength:
    for known in STRENGTHS:
        if word == known:
            return known
    raise BadPlayers(f"{where}: the house plays {', '.join(STRENGTHS)}, not {word!r}")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an event came from: its door, and the seat (from 0) for which it was done; None where it was nobody's."""

    door: Door = "box"
    seat: int | None = None


BY_THE_BOX = Origin()
Number = TypeVar("Number", int, int | None)


def by_name(players: Sequence[Player], values: Sequence[Number]) -> dict[str, Number]:
    """What belongs to each seat, by the name of its player; empty for no values at all."""
    return {player.name: value for player, value in zip(players, values, strict=bool(values))}
