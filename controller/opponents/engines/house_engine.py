"""The house as an engine: it plays the game that it is told, and chooses as it does at the table."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from controller.errors import ShutboxError
from controller.game.core.commands import StartGame
from controller.game.core.players import Player, Strength
from controller.game.shutbox.state import Choosing, Game
from controller.game.stn.notation import tiles_text
from controller.game.stn.tile_lines import TileReader
from controller.game.table.engines import decide, evolve
from controller.game.table.variants import read_marks
from controller.opponents.engines.minds import VERSION
from controller.opponents.house import House
from controller.rules.errors import RulesError


def serve(strength: Strength, odds: Path | None) -> None:
    """Answer on standard output what is asked on standard input, until that ends or says `quit`."""
    for answer in answers(sys.stdin, strength, odds):
        print(answer, flush=True)


def answers(lines: Iterable[str], strength: Strength, odds: Path | None = None) -> Iterator[str]:
    """Yield the answers to lines of the protocol. What nobody can follow ends in `error` and a reason."""
    house, reader = House(odds), None
    for line in lines:
        word, _, rest = line.rstrip("\r\n").partition(" ")
        try:
            if word == "hello":
                yield f"hello {VERSION} House {strength}"
            elif word == "game":
                reader = _begin(rest, strength)
            elif word == "told" and reader is not None:
                seat, _, token = rest.partition(" ")
                reader.play(int(seat) - 1, token)
            elif word == "go" and reader is not None:
                reader.settle()
                yield f"best {_best(house, reader.game)}"
            elif word == "quit":
                return
        except (ValueError, KeyError, TypeError, RulesError, ShutboxError) as error:
            yield f"error {' '.join(str(error).split())}"
            return


def _begin(told: str, strength: Strength) -> TileReader:
    facts: dict[str, Any] = json.loads(told)
    house = Player(facts["players"][facts["seat"] - 1], house=True, strength=strength)
    players = tuple(house if at == facts["seat"] else Player(name) for at, name in enumerate(facts["players"], 1))
    start = StartGame(players, facts["game"], facts.get("options", {}), read_marks(facts.get("marks", {})))
    game: Game | None = None
    for event in decide(None, start):
        after = evolve(game, event)
        if not isinstance(after, Game):
            raise ValueError(f"{facts['game']} is a race; engines play games of tiles")
        game = after
    assert game is not None  # noqa: S101  a game begins with an event
    return TileReader(game, "typed")


def _best(house: House, game: Game) -> str:
    if isinstance(game.phase, Choosing):
        return tiles_text(house.choose(game).tiles, game.board.layout)
    return f"dice {house.choose_dice(game)}"
