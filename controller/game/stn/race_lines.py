"""The lines of a race: a round each, with what was named, shouted and shown, in the order in which it happened.

In a race the events are the facts themselves: who shouted first, and what became of it, is told and not worked out.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.game.core.events import GameEvent
from controller.game.core.players import Origin, Source
from controller.game.fleet.events import (
    ChipReturned,
    ChipTaken,
    ClaimHeld,
    ClaimRefused,
    CombinationNamed,
    GoCalled,
    RaceEnded,
    RaceRolled,
    RoundBegan,
    SecondPassed,
    Shouted,
    ShoutsVoided,
    ShoutWithdrawn,
)
from controller.game.fleet.evolve import evolve_race
from controller.game.fleet.state import Counting, Naming, Race, Racing, Ready, RollingOff
from controller.game.stn.notation import FULL_LINE, tiles_of, tiles_text
from controller.rules.fleet.dice import Dice

_SEATS = r"[1-9][0-9]?(?:&[1-9][0-9]?)*"
_DICE = r"[2-7]{6}'?"
_CLAIM = rf"(?:{_DICE})?(?:=[a-z-]*)?"
_NOTHING = "-"  # the combination of the last player, who had named none
# Each word by what it tells; a seat first, counted from 1.
_WORDS: Mapping[str, re.Pattern[str]] = {
    "rolled": re.compile(rf"(?P<seat>[1-9][0-9]?)\?(?P<dice>{_DICE})"),
    "named": re.compile(r"(?P<seat>[1-9][0-9]?)=(?P<name>[a-z-]+)"),
    "ready": re.compile("ready"),
    "go": re.compile("go"),
    "shouted": re.compile(r"(?P<seat>[1-9][0-9]?)?!(?P<ms>[0-9]{1,15})(?:=(?P<name>[a-z-]+))?"),
    "withdrawn": re.compile(r"(?P<seat>[1-9][0-9]?)?\^"),
    "refused": re.compile(rf"(?P<seat>[1-9][0-9]?)(?P<costs>[xX])(?P<dice>{_DICE})=(?P<name>[a-z-]+)"),
    "held": re.compile(rf"(?P<seat>[1-9][0-9]?)h(?P<dice>{_DICE})=(?P<name>[a-z-]+)"),
    "chip": re.compile(rf"(?P<claims>[1-9][0-9]?:{_CLAIM}(?:&[1-9][0-9]?:{_CLAIM})*)>(?P<tile>[0-9]+)(?P<by>'?)"),
    "voided": re.compile(rf"(?P<seats>{_SEATS})\|"),
    "seconds": re.compile("t(?P<count>[1-9][0-9]{0,3})"),
    "ended": re.compile(rf"#(?P<seats>{_SEATS})?(?P<time>t?)"),
    "returned": re.compile(rf"(?P<seats>{_SEATS})~(?P<tile>[0-9]+)"),
}
_CLAIM_WORD = re.compile(r"(?P<seat>[1-9][0-9]?):(?P<dice>[2-7]{6})?(?:=(?P<name>[a-z-]+))?")


@dataclass(slots=True)
class RaceLines:
    """The lines of a race, made of its events one after another. source: of claims without `'`."""

    source: Source
    lines: list[str] = field(default_factory=list)
    _race: Race | None = None
    _seconds: int = 0

    def tell(self, event: GameEvent, _origin: Origin) -> None:
        """Add the next event."""
        race = self._race
        self._race = evolve_race(race, event)
        if race is None:
            return
        if isinstance(event, SecondPassed):
            self._seconds += 1
            return
        word = self._word(race, event)
        if not word:
            return
        if self._seconds:
            self._add(race, f"t{self._seconds}")
            self._seconds = 0
        self._add(race, word)

    def close(self) -> None:
        """Write what has only been counted so far."""
        if self._seconds and self._race is not None:
            self._add(self._race, f"t{self._seconds}")
            self._seconds = 0

    def _add(self, race: Race, word: str) -> None:
        head = f"{race.round}."
        if not self.lines or self.lines[-1].split(" ", 1)[0] != head or len(self.lines[-1]) > FULL_LINE:
            self.lines.append(head)
        self.lines[-1] += f" {word}"

    def _word(self, race: Race, event: GameEvent) -> str:
        match event:
            case RaceRolled(player, dice, source):
                return f"{player + 1}?{_faces(dice)}{self._by(source)}"
            case CombinationNamed(player, combination):
                return f"{player + 1}={combination}"
            case GoCalled():
                return "ready"
            case RoundBegan():
                return "go"
            case Shouted(player, combination, at_ms):
                is_known = player is None or combination == race.named[player]
                return f"{_seat(player)}!{at_ms}{'' if is_known or combination is None else f'={combination}'}"
            case ShoutWithdrawn(player):
                return f"{_seat(player)}^"
            case ClaimRefused(player, combination, dice, source, costs):
                return f"{player + 1}{'X' if costs else 'x'}{_faces(dice)}{self._by(source)}={combination}"
            case ClaimHeld(player, combination, dice, source):
                return f"{player + 1}h{_faces(dice)}{self._by(source)}={combination}"
            case ChipTaken():
                return self._chip(race, event)
            case ShoutsVoided(players):
                return f"{_seats(players)}|"
            case RaceEnded(unfinished, by_time):
                return f"#{_seats(unfinished)}{'t' if by_time else ''}"
            case ChipReturned(players, tile):
                return f"{_seats(players)}~{tiles_text([tile], race.board.layout)}"
        return ""

    def _chip(self, race: Race, event: ChipTaken) -> str:
        shown = event.dice or ((),) * len(event.players)
        claims = []
        for seat, name, dice in zip(event.players, event.combinations, shown, strict=True):
            said = "" if name is not None and name == race.named[seat] else f"={name or _NOTHING}"
            claims.append(f"{seat + 1}:{_faces(dice)}{said}")
        return f"{'&'.join(claims)}>{tiles_text([event.tile], race.board.layout)}{self._by(event.source)}"

    def _by(self, source: Source) -> str:
        return "" if source == self.source else "'"


def _seat(player: int | None) -> str:
    return "" if player is None else str(player + 1)


def _seats(players: Sequence[int]) -> str:
    return "&".join(str(player + 1) for player in players)


def _faces(dice: Sequence[int]) -> str:
    return "".join(map(str, dice))


@dataclass(slots=True)
class RaceReader:
    """Plays the lines of a record. game: the race so far. told: the events that they tell of."""

    game: Race
    source: Source
    told: list[tuple[GameEvent, Origin]] = field(default_factory=list)

    def read(self, line: str) -> None:
        """Play one line. Raises `ValueError` or an error of the rules, which say what is wrong."""
        head, *words = line.split(" ")
        if head != f"{self.game.round}.":
            raise ValueError(f"this is round {self.game.round}: its line begins with {self.game.round}.")
        for word in words:
            for event in self._events(word):
                self.game = evolve_race(self.game, event)
                self.told.append((event, Origin("script")))

    def _events(self, word: str) -> list[GameEvent]:
        for kind, pattern in _WORDS.items():
            if (found := pattern.fullmatch(word)) is not None:
                return self._making[kind](self, found)
        raise ValueError(f"{word!r} tells of nothing that happens in a race")

    def _rolled(self, found: re.Match[str]) -> list[GameEvent]:
        self._check(RollingOff)
        seat = self._player(found["seat"])
        if seat not in self.game.rolling or self.game.rolls[seat] is not None:
            raise ValueError(f"seat {seat + 1} does not throw for who names first now")
        dice, source = self._seen(found["dice"])
        return [RaceRolled(seat, dice, source)]

    def _named(self, found: re.Match[str]) -> list[GameEvent]:
        self._check(Naming, Ready)
        seat = self._player(found["seat"])
        return [CombinationNamed(seat, self._left(seat, found["name"]))]

    def _ready(self, _found: re.Match[str]) -> list[GameEvent]:
        self._check(Ready)
        return [GoCalled()]

    def _go(self, _found: re.Match[str]) -> list[GameEvent]:
        self._check(Counting)
        return [RoundBegan()]

    def _shouted(self, found: re.Match[str]) -> list[GameEvent]:
        self._check(Racing)
        at_ms = int(found["ms"])
        if found["seat"] is None:
            if any(cry.seat is None for cry in self.game.cries):
                raise ValueError("the button was pressed already, and nobody has said whose shout that was")
            return [Shouted(None, None, at_ms)]
        seat = self._racer(found["seat"])
        if self.game.cry_of(seat) is not None:
            raise ValueError(f"seat {seat + 1} has shouted already")
        name = found["name"] or self.game.named[seat]
        return [Shouted(seat, name if name is None else self._left(seat, name), at_ms)]

    def _withdrawn(self, found: re.Match[str]) -> list[GameEvent]:
        seat = None if found["seat"] is None else self._player(found["seat"])
        if self.game.cry_of(seat) is None if seat is not None else all(cry.seat is not None for cry in self.game.cries):
            raise ValueError("there is no such shout to be taken back")
        return [ShoutWithdrawn(seat)]

    def _refused(self, found: re.Match[str]) -> list[GameEvent]:
        seat, (dice, source) = self._claimant(found["seat"]), self._seen(found["dice"])
        name = self._left(seat, found["name"])
        if self.game.rules.has(Dice(dice), self.game.rules.combination(name)):
            raise ValueError(f"{found['dice']} is {name}, and the claim was refused")
        return [ClaimRefused(seat, name, dice, source, found["costs"] == "X")]

    def _held(self, found: re.Match[str]) -> list[GameEvent]:
        seat, (dice, source) = self._claimant(found["seat"]), self._seen(found["dice"])
        return [ClaimHeld(seat, self._right(seat, found["name"], dice), dice, source)]

    def _chip(self, found: re.Match[str]) -> list[GameEvent]:
        self._check(Racing)
        (tile,) = tiles_of(found["tile"], self.game.board.layout)
        if tile not in self.game.chips:
            raise ValueError(f"the chip of {tile} is not to be had")
        seats: list[int] = []
        names: list[str | None] = []
        dice: list[tuple[int, ...]] = []
        for words in found["claims"].split("&"):
            claim = _CLAIM_WORD.fullmatch(words)
            if claim is None:
                raise ValueError(f"{words!r} is no claim")
            seat = self._racer(claim["seat"])
            name = None if claim["name"] == _NOTHING else claim["name"] or self.game.named[seat]
            if claim["dice"]:
                shown = Dice(tuple(map(int, claim["dice"]))).faces
                dice.append(shown)
                name = self._right(seat, name or "", shown)
            seats.append(seat)
            names.append(name)
        if dice and len(dice) != len(seats):
            raise ValueError("some of these claims have dice and others none")
        source = self._other if found["by"] else self.source
        return [ChipTaken(tuple(seats), tuple(names), tile, tuple(dice), source)]

    def _voided(self, found: re.Match[str]) -> list[GameEvent]:
        return [ShoutsVoided(tuple(self._claimant(each) for each in found["seats"].split("&")))]

    def _seconds(self, found: re.Match[str]) -> list[GameEvent]:
        self._check(Racing)
        if self.game.left_s is None or int(found["count"]) > self.game.left_s:
            raise ValueError("no such time runs")
        return [SecondPassed()] * int(found["count"])

    def _ended(self, found: re.Match[str]) -> list[GameEvent]:
        self._check(Racing)
        seats = tuple(self._racer(each) for each in found["seats"].split("&")) if found["seats"] else ()
        return [RaceEnded(seats, bool(found["time"]))]

    def _returned(self, found: re.Match[str]) -> list[GameEvent]:
        seats = tuple(finish.seat for finish in self.game.last)
        tile = self.game.last[0].tile if seats else ""
        if not seats or found.string != f"{_seats(seats)}~{tiles_text([tile], self.game.board.layout)}":
            raise ValueError("that is not the chip that was handed out last")
        return [ChipReturned(seats, tile)]

    def _check(self, *phases: type[object]) -> None:
        if not isinstance(self.game.resting, phases):
            raise ValueError(f"that does not happen while the race is {self.game.resting.word.replace('_', ' ')}")

    def _player(self, words: str) -> int:
        seat = int(words) - 1
        if seat >= len(self.game.players):
            raise ValueError(f"there is no seat {words}")
        return seat

    def _racer(self, words: str) -> int:
        self._check(Racing)
        seat = self._player(words)
        if seat not in self.game.racing:
            raise ValueError(f"seat {words} does not race for a chip any more")
        return seat

    def _claimant(self, words: str) -> int:
        seat = self._racer(words)
        if self.game.cry_of(seat) is None and all(cry.seat is not None for cry in self.game.cries):
            raise ValueError(f"seat {words} has not shouted")
        return seat

    def _left(self, seat: int, name: str) -> str:
        if name not in self.game.left(seat):
            raise ValueError(f"seat {seat + 1} has no {name} left")
        return name

    def _right(self, seat: int, name: str, dice: tuple[int, ...]) -> str:
        self._left(seat, name)
        if not self.game.rules.has(Dice(dice), self.game.rules.combination(name)):
            raise ValueError(f"{_faces(dice)} is no {name}")
        return name

    def _seen(self, words: str) -> tuple[tuple[int, ...], Source]:
        dice = Dice(tuple(map(int, words.rstrip("'")))).faces
        return dice, self._other if words.endswith("'") else self.source

    @property
    def _other(self) -> Source:
        return "typed" if self.source == "camera" else "camera"

    _making: "Mapping[str, Callable[[RaceReader, re.Match[str]], list[GameEvent]]]" = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._making = {kind: getattr(RaceReader, f"_{kind}") for kind in _WORDS}
