"""The limits of the odds: how many boards, scores and players they cover, each with its reason."""

from collections.abc import Callable

from controller.rules.errors import RulesError

# The solver keeps a value and a few flags of every board. Six rows of nine, 40,353,607 boards, is the largest box that
# must be covered (`tools/benchmarks/odds.py` measures it).
MOST_BOARDS = 45_000_000

# The chances by seat keep every move between any two boards, not only values: a gigabyte for half a million boards.
# Two rows of twelve, 531,441 boards, is the largest box that must be covered for players still to come.
MOST_BOARDS_BY_SEAT = 600_000

# The peak memory of solving, in bytes per board. Measured: The 300 28, six rows of nine 29; by seat, two rows of twelve
# 1160.
BYTES_A_BOARD = 32
BYTES_A_BOARD_BY_SEAT = 1200

# The tables of games with more boards than this are kept in the folder, and solved only as far as a board needs it.
BIG = 1 << 20

# Up to this many boards the odds are calculated while people wait, for two aims: three rows of nine, 262,144 boards,
# take 0.6 seconds on a core that solves the 16.8 million boards of The 300 in eight.
MOST_BOARDS_AT_ONCE = 300_000

# The same for the chances by seat, in boards times players to be evaluated: two players of two-level, with 64 scores to
# beat, take 1.1 seconds.
MOST_EFFORT_AT_ONCE = 1_500_000

# Games with more boards than this take seconds by seat: their answers are kept in the folder.
SLOW_BY_SEAT = 10_000

# A curve has one number per score; digit scores have too many.
MOST_SCORES_OF_A_CURVE = 10_000

# By seat there is a player for every score to beat, each with a value for every score: only digit scores exceed this.
MOST_SCORES_BY_SEAT = 5_000

# The players of a round: as many as a game allows (its `MOST_PLAYERS`; game and odds do not import each other).
PLAYERS_OF_A_ROUND = range(2, 13)


class TooManyBoards(RulesError):
    """A game whose boards do not fit into memory."""

    code = "C-204"

    def __init__(self, boards: int, most: int) -> None:
        super().__init__(f"exact odds need every board that can follow: {boards} here, at most {most} are possible")


Progress = Callable[[float], None]


def silent(fraction: float) -> None:
    """Ignore progress."""


def span(progress: Progress, low: float, high: float) -> Progress:
    """Return the progress of a stage that lasts from the fraction `low` to the fraction `high` of the whole."""

    def tell(fraction: float) -> None:
        progress(low + (high - low) * fraction)

    return tell
