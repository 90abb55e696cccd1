"""The error of the odds.

RulesError (ValueError)
└── TooManyBoards   C-204   a game with more boards than can be evaluated one by one
"""

from controller.rules.errors import RulesError


class TooManyBoards(RulesError):
    """A game whose boards do not fit into memory."""

    code = "C-204"

    def __init__(self, boards: int, most: int) -> None:
        super().__init__(f"exact odds need every board that can follow: {boards} here, at most {most} are possible")
