"""The limits of the odds: how many boards, scores and players they are worked out for, each with its reason."""

# The solver keeps a value and a few marks of every board. Six rows of nine, 40,353,607 boards, is the largest box that
# is to be counted (`benchmarks/odds.py` measures it).
MOST_BOARDS = 45_000_000

# The chances by seat keep every move between any two boards, not values alone: a gigabyte for half a million boards.
# Two rows of twelve, 531,441 boards, is the largest box that is to be counted for players to come.
MOST_BOARDS_BY_SEAT = 600_000

# What solving needs at its peak, in bytes a board. Measured: The 300 28, six rows of nine 29; by seat, two rows of
# twelve 1160.
BYTES_A_BOARD = 32
BYTES_A_BOARD_BY_SEAT = 1200

# Games of more boards than this are kept in the folder, and solved as far as a board at hand needs it.
BIG = 1 << 20

# Up to so many boards the odds are worked out while people wait, for two aims: three rows of nine, 262,144 boards, in
# 0.6 seconds on a core that solves the 16.8 million boards of The 300 in eight.
MOST_BOARDS_AT_ONCE = 300_000

# And the chances by seat for so many boards, each for every player that has to be looked at: two players of two-level,
# who have 64 scores to beat, in 1.1 seconds.
MOST_EFFORT_AT_ONCE = 1_500_000

# Games of more boards than this take seconds by seat: their answers are kept in the folder.
SLOW_BY_SEAT = 10_000

# A curve has one number a score; scores of digits have too many of them.
MOST_SCORES_OF_A_CURVE = 10_000

# By seat there is a player for every score to beat, each with a worth of every score: only those of digits are so many.
MOST_SCORES_BY_SEAT = 5_000

# Who may sit in a round: as many as a game takes (`MOST_PLAYERS` there; game and odds do not know each other).
PLAYERS_OF_A_ROUND = range(2, 13)
