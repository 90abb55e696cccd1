"""The digests of fixed games: they stand in every journal, so they can never change."""

import ast
import inspect
import sys
from collections.abc import Callable

from controller.game.core.commands import Abandon, Believe, ConfirmTiles, Park, ReportFault, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, EndTurn, TakeThrow
from controller.game.shutbox.state import Game
from controller.game.table.engines import digest_facts, digest_of
from controller.rules.tiles import Marks
from hardware.errors import Fault
from tests.support.stories import NAMES, found, lying_at, play, roll, score, table_of
from tests.support.together import together

JAM = Fault("H-301", "front-8", "SHUT", "OPEN", "Free the tile.")


def jammed() -> Game:
    return play(table_of(2, "two-level"), TakeThrow((5, 3)), Choose(("front-8",)), ReportFault(JAM))


def marked() -> Game:
    marks = Marks({"front-1": "sun"}, {"sun": 1}, ("a", "b", "c", "d", "e", "f"))
    players = (Player("Ann"), Player("House", True, "perfect"))
    return play(None, StartGame(players, "pub", {"stake": 3, "first": "lowest"}, marks), ConfirmTiles())


# A game, and the digest that the journals have of it.
STORIES: dict[str, tuple[Callable[[], Game], str]] = {
    "begun": (lambda: play(None, StartGame((Player("Ann"),))), "7df752c00f193d1a"),
    "awaiting a throw": (lambda: table_of(2), "1a3f75fca23a4f91"),
    "choosing": (lambda: play(table_of(1, "two-level"), TakeThrow((5, 3))), "6daf6ab14fc43e83"),
    "a turn lost": (lambda: lying_at(table_of(2), 12), "c8676f51731b853c"),
    "moving": (lambda: play(table_of(2, "two-level"), TakeThrow((5, 3)), Choose(("front-8",))), "be92089ee56d3cc7"),
    "halted": (jammed, "3abbb0400b4635a3"),
    "believed": (lambda: play(jammed(), Believe(), ConfirmTiles()), "f2e3ef67fcd9228a"),
    "a turn ended at a fault": (
        lambda: play(jammed(), EndTurn()),
        "a5929ca4e3b5b8e5",
    ),
    "parked": (lambda: play(table_of(2), TakeThrow((6, 5)), Park()), "3f5ceedbcd0ace18"),
    "differing": (
        lambda: play(table_of(2), TakeThrow((6, 5)), found(table_of(2), front_3="SHUT", front_5="BETWEEN")),
        "b31cdac24b575174",
    ),
    "given up": (lambda: play(table_of(3), Abandon()), "be0931a7930be956"),
    "over": (lambda: score(table_of(2), 12, 7), "4aa52a435218b6b7"),
    "won by nobody": (lambda: score(table_of(2, "2-to-go", lost="game"), 45, 45), "8aebf5001ff02039"),
    "rolling": (lambda: roll(table_of(4, first="highest"), 6, 2), "b6287266d4b71f66"),
    "rolling again": (lambda: roll(table_of(3, first="highest"), 6, 2, 6), "2dbe3a0899abdcfa"),
    "a play-off": (lambda: score(table_of(3, ties="play_off"), 5, 9, 5), "c3b8073af9235283"),
    "lost on the first throw": (lambda: score(table_of(3, "2-to-go", lost="game"), 45), "a862dbb55643ee8e"),
    "a second round, with coins": (lambda: score(table_of(3, match="points", stake=5), 12, 7, 3), "fa63dd5f7ff08e07"),
    "a tournament": (
        lambda: score(table_of(2, match="tournament", first="rotate"), 40, 30, 20, 10),
        "7bb6bd140732dd5d",
    ),
    "a drop-out": (lambda: score(table_of(4, match="drop-out"), 45, 30, 20, 10), "69d46dfafffb6665"),
    "marks": (marked, "db850b598d207eb8"),
    "dominoes": (
        lambda: play(None, StartGame(tuple(Player(name * 3) for name in NAMES), "dominoes")),
        "a6d7540e0a83b80e",
    ),
}


@together("name", STORIES)
def test_a_digest_is_what_it_always_was(name: str) -> None:
    make, digest = STORIES[name]

    assert digest_of(make()) == digest


def test_a_digest_knows_nothing_of_what_people_are_shown() -> None:
    source = inspect.getsource(sys.modules[digest_facts.__module__])
    names = {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}

    assert not names & {"controller.game.table.snapshot", "controller.game.shutbox.messages"}
