"""Somebody types anything at all at a game: never a traceback, and no game is lost.

A campaign of more keys: `KEYS=20000 pytest tests/controller/cli/test_typist.py`.
"""

from pathlib import Path

from controller.game.core.players import Player
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from tests.support.evening import Evening
from tests.support.typist import Typist

WORDS = (
    *("", "", "", "", "1", "2", "d 5 3", "d 6 6", "c", "u", "u yes", "h", "b", "?", "p", "k", "s", "e", "t 1"),
    *("sit Ann", "sit Zoe", "stand", "f8", "f1 f7", "front-1 back-9", "new", "give up", "give up yes"),
    *("0", "99999999999999999999", "d 7 7", "d 5"),
)


async def test_a_game_goes_on_whatever_is_typed(tmp_path: Path) -> None:
    evening, typist = Evening(tmp_path, 80), Typist(3, WORDS)
    terminal = evening.terminal()
    async with evening.power() as stage, stage.seat(terminal, (Player("Ann"), Player("House", True, "careless"))):
        while typist.left > 0:
            line = typist.line().replace("\n", " ")
            if line.strip().lower() in ("q", "quit", "exit"):
                continue
            await terminal.type(line, rest_s=typist.chance.choice((0.0, 0.1, 2.0, 8.0)))
        await terminal.type("b")
        assert stage.snapshot.game_id > 0
    assert "Traceback" not in terminal.text
    assert terminal.text.rstrip().splitlines()[-1] != "> b", "the seat has left"
    with Journal(tmp_path / "journal.sqlite3", read_only=True) as journal:
        for game_id in journal.game_ids():
            replay_checked(journal.entries(game_id))
