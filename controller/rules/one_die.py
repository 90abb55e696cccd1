"""The rule that lets a player throw fewer dice, as data: a sum over the open tiles, and its limits."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.rules.board import Board
from controller.rules.game_options import Options
from controller.rules.throw import HIGHEST_FACE
from controller.rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class OneDieRule:
    """A rule: fewer dice are permitted if the weights of the open tiles add up to `least`..`most`.

    showing: only tiles that no other tile hides count, not all standing tiles.

    Sources: S001 (7, 8 and 9 are shut), S002 (only the 1 is open), S004 and S000 (the open tiles come to at most 6).
    Every reading of the rule is such a sum, because `controller.odds` can then evaluate this same rule for all boards
    of a game at once.
    """

    weight: Callable[[Tile], int]
    least: int
    most: int
    showing: bool

    def permits(self, board: Board) -> bool:
        tiles = board.showing if self.showing else board.standing
        return self.least <= sum(map(self.weight, tiles)) <= self.most


def one_die_rule(options: Options) -> OneDieRule | None:
    """Return the rule of a game with these options, or None if all dice are always thrown."""
    showing = options.one_die_total == "showing"
    match options.one_die:
        case "never":
            return None
        case "only1":
            # Tiles of the games with this option are worth at least 1: a total of 1 is a single tile worth 1.
            return OneDieRule(_value, 1, 1, showing)
        case "high_covered":
            # S001 says 7, 8 and 9; on longer rows it is every number that one die cannot reach.
            return OneDieRule(_is_high, 0, 0, showing)
        case "at_most":
            return OneDieRule(_value, 0, options.one_die_limit, showing)


def _value(tile: Tile) -> int:
    return tile.value


def _is_high(tile: Tile) -> int:
    return int(tile.value > HIGHEST_FACE)
