"""Who chooses for a seat: the house in this process, or an engine in a process of its own. Both are asked alike."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TextIO

from controller.errors import EngineError
from controller.game.core.players import DEFAULT_STRENGTH, Player, Strength, read_players, wrong_name
from controller.game.shutbox.state import Choosing, Game
from controller.game.stn.notation import tiles_of, tiles_text
from controller.game.stn.position import position_of, position_text
from controller.game.stn.tags import tags_of_rules
from controller.opponents.engines.process import EngineProcess, Overhear, unheard
from controller.opponents.house import House, wins_matter
from controller.rules.errors import RulesError
from controller.rules.shutbox.ruleset import Ruleset

VERSION = 1
HELLO_S, MOVE_S = 10.0, 10.0
_MOST_NAMED = 8  # of the choices that would be right


@dataclass(frozen=True, slots=True)
class Seating:
    """A game that begins: its rules, the names at the table, the seat (from 0) of who is told, and its chance."""

    rules: Ruleset
    players: tuple[str, ...]
    seat: int
    seed: int


class Mind(Protocol):
    """Chooses for one seat. Every method may raise `EngineError`."""

    @property
    def name(self) -> str:
        """What it calls itself."""

    def begin(self, seating: Seating) -> None:
        """A game begins."""

    def tell(self, seat: int, token: str) -> None:
        """Something has happened: a throw, or what became of it, as a line of STN has it."""

    def choose(self, game: Game) -> tuple[str, ...]:
        """Return the tiles to shut with the throw that lies."""

    def choose_dice(self, game: Game) -> int:
        """Return the number of dice for the throw that is due."""

    def close(self) -> None:
        """It is asked no more."""


@dataclass
class HouseMind:
    """The house of this strength, in this process. odds: where the tables of big games are kept."""

    strength: Strength
    odds: Path | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = f"House {self.strength}"
        self._house = House(self.odds)

    def begin(self, seating: Seating) -> None:
        """It keeps nothing of a game."""

    def tell(self, seat: int, token: str) -> None:
        """It sees the game itself."""

    def choose(self, game: Game) -> tuple[str, ...]:
        return self._house.choose(self._as_house(game)).tiles

    def choose_dice(self, game: Game) -> int:
        return self._house.choose_dice(self._as_house(game))

    def close(self) -> None:
        """It holds nothing."""

    def _as_house(self, game: Game) -> Game:
        players = list(game.players)
        players[game.turn] = Player(game.player.name, house=True, strength=self.strength)
        return replace(game, players=tuple(players))


class EngineMind:
    """An engine that is asked over its pipes. It is started at once, and says its name."""

    def __init__(
        self, command: str, *, hello_s: float = HELLO_S, move_s: float = MOVE_S, overhear: Overhear = unheard
    ) -> None:
        """hello_s, move_s: the seconds for its first word, and for each choice. overhear: as the process has it."""
        self._move_s = move_s
        self._untold: list[str] = []
        self._process = EngineProcess(command, overhear=overhear)
        try:
            version, _, name = self._process.ask([f"hello {VERSION}"], "hello", hello_s).partition(" ")
            if version != str(VERSION):
                raise EngineError(f"it speaks version {version[:20]!r} of the protocol, and this box version {VERSION}")
            self.name = name.strip()
            if wrong_name(self.name) is not None:
                raise EngineError(f"it calls itself {self.name[:40]!r}, which is no name of a player")
        except EngineError:
            self._process.close()
            raise

    def begin(self, seating: Seating) -> None:
        self._untold = [game_line(seating)]

    def tell(self, seat: int, token: str) -> None:
        self._untold.append(f"told {seat + 1} {token}")

    def choose(self, game: Game) -> tuple[str, ...]:
        answer = self._ask(game, "")
        layout, phase, said = game.board.layout, game.phase, f"it answers `best {answer[:40]}`"
        try:
            tiles = tiles_of(answer, layout)
            move = game.rules.move(tiles)
        except (ValueError, RulesError) as error:
            raise EngineError(f"{said}: {error}") from error
        legal = game.rules.legal_moves(game.board, phase.throw) if isinstance(phase, Choosing) else ()
        if move not in legal:
            could = [tiles_text([tile.name for tile in each], layout) for each in legal]
            more = f" and {len(could) - _MOST_NAMED} more" if len(could) > _MOST_NAMED else ""
            right = f"right are {', '.join(could[:_MOST_NAMED])}{more}"
            raise EngineError(f"{said} to {position_text(position_of(game))}: {right}")
        return tiles

    def choose_dice(self, game: Game) -> int:
        allowed = sorted(game.dice_allowed)
        answer = self._ask(game, f" dice={','.join(map(str, allowed))}")
        word, _, number = answer.partition(" ")
        if word != "dice" or number not in map(str, allowed):
            raise EngineError(f"it answers `best {answer[:40]}`: it is asked for {' or '.join(map(str, allowed))} dice")
        return int(number)

    def close(self) -> None:
        self._process.close()

    def _ask(self, game: Game, what: str) -> str:
        aim = "win" if wins_matter(game) else "score"
        lines = [
            *self._untold,
            f"position {position_text(position_of(game))}",
            f"go{what} aim={aim} time={round(self._move_s * 1000)}",
        ]
        self._untold = []
        self._process.forget()
        return self._process.ask(lines, "best", self._move_s)


def game_line(seating: Seating) -> str:
    """Return the line that tells an engine of a game which begins."""
    rules = seating.rules
    tags = tags_of_rules(rules.name, rules.chosen, rules.marks, rules.sides)
    told: dict[str, Any] = {"players": list(seating.players), "seat": seating.seat + 1, "seed": seating.seed}
    told = {tag.lower(): value for tag, value in tags.items()} | told
    return f"game {json.dumps(told, ensure_ascii=False, separators=(',', ':'))}"


def house_strength(word: str) -> Strength:
    """Return the strength of this name. Raises `BadPlayers`, which lists them."""
    (player,) = read_players([f"House:{word}"], (), DEFAULT_STRENGTH)
    return player.strength or DEFAULT_STRENGTH


@contextmanager
def open_minds(
    words: Iterable[str], odds: Path | None, *, move_s: float = MOVE_S, log: Path | None = None
) -> Iterator[list[Mind]]:
    """Open who is meant by `house:skilled`, `house`, or the command of an engine; all are closed afterwards.

    log: a file for what engines are told (`<`), say (`>`) and write to standard error (`!`), each with its number, from
    1. Raises `OSError` if it cannot be written, `EngineError` with the command of an engine that does not start, or
    `BadPlayers`.
    """
    with ExitStack() as stack:
        minds: list[Mind] = []
        file = None if log is None else stack.enter_context(log.open("w", encoding="utf-8", buffering=1))
        for number, word in enumerate(words, 1):
            name, _, strength = word.partition(":")
            mind: Mind
            if name == "house":
                mind = HouseMind(house_strength(strength or DEFAULT_STRENGTH), odds)
            else:
                mind = _open_engine(word.removeprefix("engine:"), move_s, _writing(file, number))
            stack.callback(mind.close)
            minds.append(mind)
        yield minds


def _open_engine(command: str, move_s: float, overhear: Overhear) -> EngineMind:
    try:
        return EngineMind(command, move_s=move_s, overhear=overhear)
    except EngineError as error:
        raise EngineError(f"engine {command[:80]!r}: {error}") from error


def _writing(file: TextIO | None, number: int) -> Overhear:
    if file is None:
        return unheard
    return lambda sign, line: print(number, sign, line, file=file)


def names_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, those that are there twice with a number."""
    found: list[str] = []
    for name in names:
        apart, number = name, 2
        while apart in found:
            apart = f"{name[:20]} {number}"
            number += 1
        found.append(apart)
    return tuple(found)
