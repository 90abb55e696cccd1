"""The lines of a game of tiles: a turn each, its throws and what became of them.

A line tells causes alone: throws, choices, corrections, what was taken back or let stand. What follows from them by the
rules (ends of turns, rounds and games) is worked out when it is read; the score of a turn alone is told again, as a
check.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from controller.game.core.commands import Command, ConfirmTiles
from controller.game.core.events import GameEvent, GameResumed
from controller.game.core.phases import Halted, Moving, Parked, TileMismatch
from controller.game.core.players import Door, Origin, Source
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, EndTurn, TakeThrow
from controller.game.shutbox.decide import decide_box_game
from controller.game.shutbox.events import (
    BoardCorrected,
    ChoiceUndone,
    DiceThrown,
    FirstRolled,
    MoveChosen,
    ThrowCorrected,
    TurnEnded,
    TurnPassed,
)
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.state import Choosing, Game, TurnLost
from controller.game.stn.notation import FULL_LINE, dice_of, dice_text, tiles_of, tiles_text
from controller.rules.board import Board
from hardware.errors import Fault

_ACTS = r":[0-9A-Ob-f]+h?|!|~|\.|>[0-9,]+|=[0-9A-Ob-f]+|=-"
# A throw, or one for who begins, and what came of it. The last letter of a choice: it was made by hand.
_TOKEN = re.compile(rf"(?P<dice>\??[0-9,]+'?)?(?P<acts>(?:{_ACTS})*)")
_ACT = re.compile(_ACTS)
_LINE = re.compile(r"(?P<seat>[1-9][0-9]?)(?P<tokens>(?: [^ #/]+)+)(?P<end>#[0-9]+|/)?")
# A turn that is ended by hand is one that a fault has stopped; which one it was is no part of a record.
_SOME_FAULT = Fault("H-301", "box", "", "", "")


@dataclass(slots=True)
class TileLines:
    """The lines of a game of tiles, made of its events one after another. source: of throws without `'`."""

    source: Source
    lines: list[str] = field(default_factory=list)
    _game: Game | None = None
    _before: GameEvent | None = None
    _is_open: bool = False

    def tell(self, event: GameEvent, origin: Origin) -> None:
        """Add the next event."""
        game = self._game
        if game is not None:
            self._tell(game, event, origin)
        self._game = evolve_box_game(game, event)
        self._before = event

    def _tell(self, game: Game, event: GameEvent, origin: Origin) -> None:
        match event:
            case FirstRolled(player, dice, source):
                self._throw(player, f"?{self._dice(game, dice)}{self._by(source)}")
            case DiceThrown(dice, source):
                self._throw(game.turn, f"{self._dice(game, dice)}{self._by(source)}")
            case ThrowCorrected(_, dice):
                self._act(game.turn, f">{self._dice(game, dice)}")
            case MoveChosen(tiles):
                shut = tiles_text(tiles, game.board.layout)
                self._act(game.turn, f":{shut}{'h' if origin.door == 'hands' else ''}")
            case ChoiceUndone(player):
                self._act(player, "~")
            case BoardCorrected(standing):
                lying = (name for name in game.board.layout.by_name if name not in standing)
                self._act(game.turn, f"={tiles_text(lying, game.board.layout)}")
            case TurnEnded(score=score) if not isinstance(self._before, TurnEnded):
                self._end(game, f"#{score}")
            case TurnPassed():
                self._end(game, "/")

    def _dice(self, game: Game, dice: Sequence[int]) -> str:
        return dice_text(dice, game.rules.sides)

    def _by(self, source: Source) -> str:
        return "" if source == self.source else "'"

    def _throw(self, seat: int, token: str) -> None:
        self._line(seat)
        self.lines[-1] += f" {token}"
        if token[0] == "?":
            self._is_open = False

    def _act(self, seat: int, act: str) -> None:
        self._line(seat)
        self.lines[-1] += act if " " in self.lines[-1] else f" {act}"

    def _end(self, game: Game, end: str) -> None:
        if isinstance(game.resting, TurnLost):
            self._act(game.turn, "!")
        elif isinstance(self._before, GameResumed):
            self._act(game.turn, ".")
        self._line(game.turn)
        self.lines[-1] += end
        self._is_open = False

    def _line(self, seat: int) -> None:
        if not self._is_open or len(self.lines[-1]) > FULL_LINE:
            self.lines.append(f"{seat + 1}")
            self._is_open = True


@dataclass(slots=True)
class TileReader:
    """Plays the lines of a record. game: so far. told: the events that they tell of, and what followed from them.

    tokens: the throws that were played, with what became of each, and the seat.
    """

    game: Game
    source: Source
    told: list[tuple[GameEvent, Origin]] = field(default_factory=list)
    tokens: list[tuple[int, str]] = field(default_factory=list)
    _end: TurnEnded | TurnPassed | None = None

    def read(self, line: str) -> None:
        """Play one line. Raises `ValueError` or an error of the rules or of the game, which say what is wrong."""
        found = _LINE.fullmatch(line)
        if found is None:
            raise ValueError("a line is a seat, throws, and the end of the turn: 1 53:8 62!#37")
        self._end, seat = None, int(found["seat"]) - 1
        for token in found["tokens"].split():
            self._play(seat, token)
        self._check_end(found["end"] or "")

    def play(self, seat: int, token: str) -> None:
        """Play one throw, or what became of one, wherever its line ends. Raises as `read`."""
        self._end = None
        self._play(seat, token)

    def _play(self, seat: int, token: str) -> None:
        found = _TOKEN.fullmatch(token)
        if found is None or not token:
            raise ValueError(f"{token!r} is no throw with what became of it, such as 53:8 or 62>63:b42h")
        if found["dice"] is not None:
            self._throw(seat, found["dice"])
        for act in _ACT.findall(found["acts"]):
            self._act(seat, act)
        self.tokens.append((seat, token))

    def _throw(self, seat: int, text: str) -> None:
        self.settle()
        if self._end is not None:
            raise ValueError(f"the turn is over before {text}, with {_end_text(self._end)}")
        if self.game.turn != seat:
            raise ValueError(f"it is the turn of seat {self.game.turn + 1}, not of {seat + 1}")
        is_first = text.startswith("?")
        if is_first != bool(self.game.match.rolling):
            raise ValueError(f"{text}: this throw is {'of a turn' if is_first else 'for who begins, written ?'}")
        source = self.source
        if text.endswith("'"):
            source = "typed" if source == "camera" else "camera"
        dice = dice_of(text.strip("?'"), self.game.rules.sides)
        self._do(TakeThrow(dice, source), Origin("camera" if source == "camera" else "script", seat))

    def _act(self, seat: int, act: str) -> None:
        sign, words = act[0], act[1:]
        origin = Origin("script", seat)
        if sign == ":":
            self._choose(seat, words)
        elif sign == "!":
            self.settle()
            self._do(AcceptLoss(), origin)
        elif sign == "~":
            self._take_back(seat)
        elif sign == ".":
            self._end_by_hand(origin)
        elif sign == ">":
            self._correct(dice_of(words, self.game.rules.sides), origin)
        else:
            self._put_board_right(tiles_of(words, self.game.board.layout), origin)

    def _choose(self, seat: int, words: str) -> None:
        self.settle()
        is_by_hand = words.endswith("h")
        tiles = tiles_of(words.removesuffix("h"), self.game.board.layout)
        door: Door = "hands" if is_by_hand else "house" if self.game.player.house else "script"
        self._do(Choose(tiles), Origin(door, seat))

    def _take_back(self, seat: int) -> None:
        if self.game.earlier is None:
            raise ValueError("there is nothing to take back")
        before, known = self.game.earlier, self.game.board.layout.by_name
        back = (name for name, tile in known.items() if before.board.stands(tile) and not self.game.board.stands(tile))
        # Whether it was allowed is no question: it was done, and a correction of the dice may always take back.
        self._tell((ChoiceUndone(before.turn, tuple(back)),), Origin("script", seat))
        self._end = None

    def _end_by_hand(self, origin: Origin) -> None:
        rest = self.game.resting
        self._tell(decide_box_game(replace(self.game, phase=Halted(_SOME_FAULT, rest)), EndTurn()), origin)

    def _correct(self, dice: tuple[int, ...], origin: Origin) -> None:
        self.settle()
        read = self.game.phase
        if not isinstance(read, Choosing | TurnLost):
            raise ValueError("there is no throw that could be corrected")
        self._do(CorrectThrow(dice), origin)

    def _put_board_right(self, lying: Sequence[str], origin: Origin) -> None:
        layout = self.game.board.layout
        shut = tuple(sum(tile.name in lying for tile in column) for column in layout.by_column)
        board = Board(layout, shut)
        standing = tuple(tile.name for tile in board.standing)
        if set(standing) | set(lying) != set(layout.by_name) or set(standing) & set(lying):
            raise ValueError("a tile lies behind one that stands")
        self._tell((BoardCorrected(standing),), origin)

    def settle(self) -> None:
        """Let the tiles arrive that are on their way."""
        while isinstance(self.game.phase, Moving | Parked | TileMismatch):
            self._do(ConfirmTiles(), Origin())

    def _check_end(self, text: str) -> None:
        if text and self._end is None:
            self.settle()
        told = _end_text(self._end) if self._end is not None else ""
        if text != told:
            raise ValueError(f"the turn ends with {told or 'nothing yet'}, and the record says {text or 'nothing'}")

    def _do(self, command: Command, origin: Origin) -> None:
        self._tell(decide_box_game(self.game, command), origin)

    def _tell(self, events: Iterable[GameEvent], origin: Origin) -> None:
        for event in events:
            self.game = evolve_box_game(self.game, event)
            self.told.append((event, origin))
            if isinstance(event, TurnEnded | TurnPassed) and self._end is None:
                self._end = event


def _end_text(end: TurnEnded | TurnPassed) -> str:
    return f"#{end.score}" if isinstance(end, TurnEnded) else "/"
