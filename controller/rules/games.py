"""The games, each a preset of options with the document it comes from. A variant is data.

Documents: S000 two-level patent, S001 English pub rules.
"""

from dataclasses import dataclass

from controller.rules.options import Choice, Options


@dataclass(frozen=True, slots=True)
class GamePreset:
    """One game: its name, document and summary, the options it fixes and the ones it leaves to choose."""

    name: str
    document: str
    summary: str
    fixed: Options
    choices: tuple[Choice, ...]


_ONE_DIE_LIMIT = Choice("one_die_limit", 6, (6, 7, 8, 9), "the greatest total at which one_die=at_most allows one die")
_ONE_DIE_TOTAL = Choice("one_die_total", "standing", ("standing", "showing"), "which open tiles one_die looks at")
_ONE_DIE_FORCED = Choice("one_die_forced", False, (False, True), "whether the single die is a must")
_MAX_TILES = Choice("max_tiles", 0, tuple(range(25)), "the most tiles one throw may shut; 0 is no limit")
_SHUT = Choice("shut", "immediate", ("immediate", "play_on"), "whether shutting the box ends the round at once")


def _one_die(default: str) -> Choice:
    allowed = ("never", "only1", "high_covered", "at_most")
    return Choice("one_die", default, allowed, "when a player may throw one die")


TWO_LEVEL = GamePreset(
    "two-level",
    "S000",
    "Two rows; a back tile counts once its front tile lies.",
    Options(rows=2),
    (
        Choice("columns", 9, tuple(range(1, 13)), "tiles in a row"),
        Choice("reveal", "next_throw", ("next_throw", "same_throw"), "when a revealed tile may be used"),
        Choice("score", "showing", ("showing", "standing", "double_front"), "which open tiles count"),
        _one_die("at_most"),
        _ONE_DIE_LIMIT,
        _ONE_DIE_TOTAL,
        _ONE_DIE_FORCED,
        Choice("carry_board", False, (False, True), "whether the next player goes on with the board as it is"),
        _MAX_TILES,
        _SHUT,
    ),
)

PUB = GamePreset(
    "pub",
    "S001",
    "One row; one die may be thrown once 7, 8 and 9 are shut.",
    Options(rows=1),
    (
        Choice("tiles", 9, (9, 10, 12), "tiles in the row"),
        _one_die("high_covered"),
        _ONE_DIE_LIMIT,
        _ONE_DIE_FORCED,
        _MAX_TILES,
        _SHUT,
    ),
)

GAMES = {game.name: game for game in (TWO_LEVEL, PUB)}
