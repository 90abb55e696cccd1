"""Who plays, as people write it: names by commas, a house player's strength behind a colon."""

from collections.abc import Iterable
from typing import get_args

from controller.decide import check_players
from controller.errors import BadPlayers
from controller.events import Player, Strength

STRENGTHS: tuple[Strength, ...] = get_args(Strength)
# The names of a demonstration, in the order of their seats.
_COMPANY = ("Ann", "House", "Bea", "Carl", "Dora", "Emil")


def read_players(words: Iterable[str], house: Iterable[str], strength: Strength) -> tuple[Player, ...]:
    """Players from words such as `Ann` or `House:perfect`, in the order of their seats.

    `house` are the names that the box plays for, as well as `strength` says where the word does not. A name with a
    strength is a house player whatever its name. Raises `BadPlayers` or `InvalidNotation`.
    """
    theirs = set(house)
    players = tuple(_player(word, theirs, strength) for word in words)
    check_players(players)
    return players


def company(words: str, strength: str) -> tuple[Player, ...]:
    """The house players of a demonstration: a number of them, or names by commas. Raises as `read_players`."""
    names = [word.strip() for word in words.split(",")]
    if words.strip().isascii() and words.strip().isdigit():
        count = int(words)
        if not 1 <= count <= len(_COMPANY):
            raise BadPlayers(f"--players {words}: 1 to {len(_COMPANY)}, or names by commas")
        names = list(_COMPANY[:count])
    plain = [name.partition(":")[0].strip() for name in names]
    return read_players(names, plain, _strength(strength, "--strength"))


def _player(word: str, house: set[str], strength: Strength) -> Player:
    name, colon, wanted = (part.strip() for part in word.partition(":"))
    if not colon:
        return Player(name, name in house, strength) if name in house else Player(name)
    return Player(name, True, _strength(wanted, f"player {word!r}"))


def _strength(word: str, where: str) -> Strength:
    for known in STRENGTHS:
        if word == known:
            return known
    raise BadPlayers(f"{where}: the house plays {', '.join(STRENGTHS)}, not {word!r}")
