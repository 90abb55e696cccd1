"""The state of a race of Fleet! or Flash!: who races for what, who has shouted, who has which chip. Immutable."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Optional

from controller.game.core.ledger import Ledger
from controller.game.core.phases import Ended, Halted, Held, Moving, Parked, PhaseName, TileMismatch
from controller.game.core.players import Player, Source
from controller.rules.board import Board
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import FleetRules


@dataclass(frozen=True, slots=True)
class RollingOff:
    """The players throw to decide who names first."""

    word: ClassVar[PhaseName] = "rolling_off"


@dataclass(frozen=True, slots=True)
class Naming:
    """The players, or the player whose turn it is, name the combination of the round."""

    word: ClassVar[PhaseName] = "naming"


@dataclass(frozen=True, slots=True)
class Ready:
    """Everything is named; the box waits until somebody says that everybody is ready."""

    word: ClassVar[PhaseName] = "ready"


@dataclass(frozen=True, slots=True)
class Counting:
    """The box counts 1-2-3."""

    word: ClassVar[PhaseName] = "counting"


@dataclass(frozen=True, slots=True)
class Racing:
    """Everybody throws, keeps and shouts."""

    word: ClassVar[PhaseName] = "racing"


RaceResting = RollingOff | Naming | Ready | Counting | Racing | Ended
RacePhase = RaceResting | Held[RaceResting]
# Two people who shout within this time have shouted at once: a phone and its network differ by as much.
EQUAL_MS = 100
# They count in every race, whether they are chips of it or lie beside them.
COUNT_TILES = ("front-3", "front-2", "front-1")


@dataclass(frozen=True, slots=True)
class Cry:
    """A shout whose dice must still be seen, or compared with those of another shout at the same time.

    seat: None until the dice on the baize tell whose shout it was. dice: the dice of a claim that is right and waits
    for earlier shouts. source: who said what the dice show.
    """

    seat: int | None
    combination: str | None
    at_ms: int
    dice: Dice | None = None
    source: Source = "typed"


@dataclass(frozen=True, slots=True)
class Box:
    """A box of the score sheet that is filled in: a combination, and the points of the chip; 0 without a chip."""

    combination: str
    points: int


@dataclass(frozen=True, slots=True)
class Finish:
    """A chip that was taken in this round: by whom, its tile, its points, and with which combination.

    combination: None for the last player if they had named none.
    """

    seat: int
    tile: str
    points: int
    combination: str | None


@dataclass(frozen=True, slots=True)
class Race:
    """One game of a race; seats count from 0.

    board: the chips, which are tiles: those that stand can still be taken. round: its number, from 1. sheets: the
    filled boxes of each seat. named: the combination that each seat races for in this round. namer: the seat that names
    for all, if one does. rolling: the seats that throw to decide who names first. rolls: the total of each seat's throw
    (None: not yet). cries: the shouts that must be checked, in their order. finishes: the chips taken in this round, in
    their order. out: the seats that take no chip in this round. left_s: the seconds that the last player still has;
    None if that time does not run. believed: the tiles that somebody says are where they should be. last: the chip that
    was handed out last, perhaps to several players at once. earlier: the race before that, as long as the chip can be
    put back.
    """

    rules: FleetRules
    players: tuple[Player, ...]
    board: Board
    round: int
    sheets: tuple[tuple[Box, ...], ...]
    named: tuple[str | None, ...]
    namer: int
    phase: RacePhase
    ledger: Ledger
    rolling: tuple[int, ...] = ()
    rolls: tuple[int | None, ...] = ()
    cries: tuple[Cry, ...] = ()
    finishes: tuple[Finish, ...] = ()
    out: frozenset[int] = frozenset()
    left_s: int | None = None
    believed: frozenset[str] = frozenset()
    last: tuple[Finish, ...] = ()
    earlier: Optional["Race"] = None

    @property
    def is_over(self) -> bool:
        """True if nothing more can happen in this game."""
        return isinstance(self.phase, Ended)

    @property
    def resting(self) -> RaceResting:
        """The phase that it is in once its tiles are in place and no fault, pause or question holds it."""
        phase = self.phase
        return phase.then if isinstance(phase, Moving | Halted | Parked | TileMismatch) else phase

    @property
    def signs(self) -> tuple[str, ...]:
        """The tiles by which the box counts 3, 2, 1 while it does, in that order: only then are they where it likes."""
        return COUNT_TILES if isinstance(self.resting, Counting) else ()

    @property
    def is_on(self) -> bool:
        """True while a round is raced, also while the tile of a chip is on its way."""
        return isinstance(self.resting, Racing)

    @property
    def tells_odds(self) -> bool:
        """False while it is on and nobody may be told its odds, as agreed."""
        return self.is_over or self.rules.terms.hints == "always"

    @property
    def rounds(self) -> int:
        """How many rounds the card has."""
        return len(self.rules.card.combinations)

    @property
    def racing(self) -> tuple[int, ...]:
        """The seats that have no chip yet and may take one in this round."""
        done = {finish.seat for finish in self.finishes} | self.out
        return tuple(seat for seat in range(len(self.players)) if seat not in done)

    @property
    def active(self) -> tuple[int, ...]:
        """All seats: who races is to the end."""
        return tuple(range(len(self.players)))

    @property
    def scores(self) -> tuple[int | None, ...]:
        """Per seat the points of its chip in this round; None where it has none yet."""
        points = {finish.seat: finish.points for finish in self.finishes}
        return tuple(map(points.get, self.active))

    @property
    def standing(self) -> tuple[int, ...]:
        """The points of each seat in all."""
        return self.totals

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat in all."""
        return tuple(sum(box.points for box in sheet) for sheet in self.points_by_round)

    @property
    def points_by_round(self) -> tuple[tuple[Box, ...], ...]:
        """Per seat the boxes of its sheet, those of chips that are taken in this round among them."""
        taken: list[list[Box]] = [[] for _ in self.players]
        for finish in self.finishes:
            taken[finish.seat].append(Box(finish.combination or "", finish.points))
        return tuple((*sheet, *now) for sheet, now in zip(self.sheets, taken, strict=True))

    def left(self, seat: int) -> tuple[str, ...]:
        """The combinations of the card that a seat has not used up, in the order of the sheet."""
        used = {box.combination for box in self.sheets[seat]}
        return tuple(name for name in self.rules.card.combinations if name not in used)

    def worth(self, tile: str) -> int:
        """What the chip of a tile is worth."""
        names = list(self.board.layout.by_name)
        return self.rules.terms.worths(len(self.players))[names.index(tile)]

    @property
    def chips(self) -> tuple[str, ...]:
        """The tiles of the chips that are still to be had, in ascending order of their worth."""
        return tuple(tile.name for tile in self.board.standing)

    def cry_of(self, seat: int) -> Cry | None:
        """The shout of a seat that is looked at; None where it has not shouted."""
        return next((cry for cry in self.cries if cry.seat == seat), None)

    @property
    def due_to_name(self) -> Iterator[int]:
        """The seats that are still to name something."""
        if self.rules.terms.challenge == "in_turn":
            return iter(() if self.named[self.namer] else (self.namer,))
        return (seat for seat, name in enumerate(self.named) if name is None)

    @property
    def foremost(self) -> tuple[Cry, ...]:
        """The shouts that are decided next: the earliest, and those at the same time where that makes a difference."""
        first, equal = self.cries[:1], self.rules.terms.equal_shouts != "earlier"
        return tuple(cry for cry in self.cries if equal and abs(cry.at_ms - first[0].at_ms) <= EQUAL_MS) or first
