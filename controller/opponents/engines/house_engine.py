"""The house as an engine: it plays the game that it is told, and chooses as it does at the table."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from controller.errors import ShutboxError
from controller.game.core.commands import StartGame
from controller.game.core.players import Player, Strength
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game
from controller.game.stn.notation import tiles_text
from controller.game.stn.position import position_of, position_text, read_position
from controller.game.stn.tile_lines import TileReader
from controller.game.table.engines import decide, evolve
from controller.game.table.variants import read_marks
from controller.opponents.engines.minds import VERSION
from controller.opponents.house import House
from controller.rules.errors import RulesError


def serve(strength: Strength, odds: Path | None) -> None:
    """Answer on standard output what is asked on standard input, until that ends or says `quit`."""
    for answer in answers(sys.stdin or (), strength, odds):  # started with closed streams, Python has none
        print(answer, flush=True)


def answers(lines: Iterable[str], strength: Strength, odds: Path | None = None) -> Iterator[str]:
    """Yield the answers to lines of the protocol. What nobody can follow ends in `error` and a reason."""
    house, reader, position = House(odds), None, ""
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
            elif word == "position":
                position = rest
            elif word == "go" and (reader is not None or position):
                yield f"best {_best(house, _game_of(reader, position, strength))}"
            elif word == "go":
                yield "error nothing is known of the game: say `game`, or `position`, before `go`"
                return
            elif word == "quit":
                return
        except (ValueError, LookupError, TypeError, RulesError, ShutboxError) as error:
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


def _game_of(reader: TileReader | None, position: str, strength: Strength) -> Game:
    """Return the game that was told, unless its position is another than the one that was said last."""
    if reader is not None:
        reader.settle()
        if not position or position_text(position_of(reader.game)) == position:
            return reader.game
    return _game_at(position, strength)


def _game_at(line: str, strength: Strength) -> Game:
    """Return the game in the position of this line; what came before it is not known. Raises `RecordError`."""
    position = read_position(line)
    names = (f"Player {number}" for number in range(1, len(position.scores) + 1))
    players = [Player(name) for name in names]
    players[position.turn] = Player("House", house=True, strength=strength)
    rules = position.rules
    game = evolve(None, decide(None, StartGame(tuple(players), rules.name, rules.chosen))[0])
    assert isinstance(game, Game)  # noqa: S101  positions are of games of tiles
    phase = AwaitingThrow() if position.throw is None else Choosing(position.throw)
    return replace(game, board=position.board, turn=position.turn, scores=position.scores, phase=phase)


def _best(house: House, game: Game) -> str:
    if isinstance(game.phase, Choosing):
        return tiles_text(house.choose(game).tiles, game.board.layout)
    return f"dice {house.choose_dice(game)}"
