"""Short stories of races on the pure machine, from their start to a moment that is asked for."""

from controller.game.core.commands import Command, ConfirmTiles, StartGame
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, Claim, CountDown, NameCombination, Shout
from controller.game.fleet.evolve import evolve_race
from controller.game.fleet.state import Race
from controller.game.table.engines import decide
from tests.support.stories import NAMES

# Right for any combination, since a joker is whatever one likes.
JOKERS = ("joker",) * 6
STRAIGHT = (2, 3, 4, 5, 6, "joker")
NOTHING = (2, 2, 2, 3, 3, 5)


def race(before: Race | None, *commands: Command) -> Race:
    """The race after these commands."""
    after = before
    for command in commands:
        for event in decide(after, command):
            after = evolve_race(after, event)
    assert after is not None
    return after


def race_of(seats: int, game: str = "fleet", **options: object) -> Race:
    """A race that waits for its first command, its chips up."""
    players = tuple(map(Player, NAMES[:seats]))
    return race(None, StartGame(players, game, options), ConfirmTiles())


def ready(seats: int, game: str = "fleet", **options: object) -> Race:
    """The first round can begin: everybody has named the straight, where that is named before it."""
    begun = race_of(seats, game, **options)
    names = (NameCombination("straight", name) for name in NAMES[:seats])
    return race(begun, *names) if begun.rules.terms.challenge == "announced" else begun


def racing(seats: int, game: str = "fleet", **options: object) -> Race:
    """GO: the first round is on."""
    return race(ready(seats, game, **options), CallGo(), CountDown())


def shouted(before: Race, player: str, at_ms: int = 0) -> Race:
    """One has shouted `straight`."""
    named = before.named[[each.name for each in before.players].index(player)]
    return race(before, Shout(None if named else "straight", player, at_ms))


def taken(before: Race, player: str) -> Race:
    """One has shouted and shown it, and the tile of his chip is down."""
    after = race(shouted(before, player), Claim(JOKERS, player))
    return race(after, ConfirmTiles())
