"""Campaign `records`: does every game read from its text as it was played, and does no text do harm?"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from controller.errors import RecordError
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.fleet.events import ChipTaken, ClaimHeld, ClaimRefused, RaceRolled
from controller.game.shutbox.events import DiceThrown, FirstRolled
from controller.game.stn.record import facts_of, read_record, write_record
from controller.game.table.engines import evolve
from controller.rules.fleet.cards import CARDS
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from tests.campaigns.campaign import Campaign, print_report
from tests.campaigns.pool import silence
from tests.campaigns.records.games import KINDS, Mode, Told, told_by_chance

_IN_PLACE = 60  # games: see `Campaign.in_place`
_SPOILED, _EVERY = 4, 20  # so many texts are made of one in so many games by changing bytes of it
_MODES: tuple[Mode, ...] = ("published", "any", "troubled")
_THROWS = (DiceThrown, FirstRolled, RaceRolled, ClaimHeld, ClaimRefused, ChipTaken)
_SIGNS = b"0123456789abcdefhABCO:!~.>=#/[]{}\"', \n\xc3\x00xt&^-?|"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: its kind, how it was played (see `told_by_chance`), and what went wrong.

    throws, size: how many throws, or claims, and the bytes of its lines without the tags. spoiled: the bytes of texts
    that were changed and read.
    """

    kind: str
    seed: int
    mode: Mode
    throws: int = 0
    size: int = 0
    spoiled: int = 0
    problems: tuple[str, ...] = ()


def try_record(seed: int) -> Outcome:
    """Play one game by chance, tell it as text, read that, and read what comes of changing it."""
    chance = random.Random(f"{seed}/records")
    kind, mode = KINDS[seed % len(KINDS)], _MODES[seed // len(KINDS) % len(_MODES)]
    told = told_by_chance(chance, kind, mode)
    try:
        text = write_record(told, box="two-level-9", date="2026-11-28T19:30:00+01:00")
        problems = tuple(_differences(told, text))
    except RecordError as error:
        return Outcome(kind, seed, mode, problems=(str(error),))
    spoiled = [_spoil(chance, text) for _ in range(_SPOILED if chance.randrange(_EVERY) == 0 else 0)]
    problems += tuple(problem for each in spoiled for problem in _harm(each))
    throws = sum(isinstance(event, _THROWS) for event, _ in told)
    size = len(text.partition("\n\n")[2].encode())
    return Outcome(kind, seed, mode, throws, size, sum(map(len, spoiled)), problems)


def _differences(told: Told, text: str) -> list[str]:
    start: AnyGame | None = None
    played = reduce(evolve, (event for event, _ in told), start)
    read = read_record(text)
    assert played is not None
    found = []
    if facts_of(read.game) != facts_of(played):
        found.append("another game is read than was played")
    if _throws(read.events) != _throws([event for event, _ in told]):
        found.append("other throws are read than were thrown")
    if write_record(read.told, box=read.box, date=read.date) != text:
        found.append("what was read is told in other words")
    return found


def _throws(events: Sequence[GameEvent]) -> list[tuple[object, object]]:
    return [
        (getattr(each, "dice", None), getattr(each, "source", None)) for each in events if isinstance(each, _THROWS)
    ]


def _spoil(chance: random.Random, text: str) -> bytes:
    """The text with a few of its bytes changed, doubled, left out or exchanged for a part of it."""
    spoiled = bytearray(text.encode())
    for _ in range(chance.choice((1, 1, 2, 8))):
        at, length = chance.randrange(len(spoiled)), chance.choice((1, 1, 3, 40))
        other = chance.randrange(len(spoiled))
        new = chance.choice((b"", bytes([chance.choice(_SIGNS)]), bytes(spoiled[other : other + length])))
        spoiled[at : at + chance.choice((0, length))] = new
    return bytes(spoiled)


def _harm(spoiled: bytes) -> list[str]:
    try:
        read = read_record(spoiled.decode(errors="replace"))
        write_record(read.told)
    except RecordError as error:
        return [] if "\n" not in str(error) and len(str(error)) < 2000 else ["a refusal that is no line"]
    except Exception as error:
        return [f"{type(error).__name__}: {error} for {spoiled!r}"]
    return []


@dataclass(frozen=True, slots=True)
class RecordReport:
    """The outcomes of all games. It has passed if each was read as it was played and no text did harm."""

    outcomes: Sequence[Outcome]

    @property
    def passed(self) -> bool:
        """True if there is nothing to tell."""
        return not any(each.problems for each in self.outcomes)

    @property
    def sizes(self) -> Mapping[str, float]:
        """The bytes of a throw by the kind of game, with the options of its document; of a race, of a claim."""
        throws, size = Counter[str](), Counter[str]()
        for each in self.outcomes:
            if each.mode == "published" or each.kind in CARDS:
                throws[each.kind] += each.throws
                size[each.kind] += each.size
        return {kind: size[kind] / throws[kind] for kind in throws if throws[kind]}

    def bytes_a_throw(self, mode: Mode) -> float:
        """The bytes of a throw in games of tiles that were played so."""
        of_mode = [each for each in self.outcomes if each.mode == mode and each.kind not in CARDS]
        return sum(each.size for each in of_mode) / max(1, sum(each.throws for each in of_mode))

    def as_json(self) -> Mapping[str, Any]:
        """All of it, for a program."""
        return {
            "passed": self.passed,
            "games": len(self.outcomes),
            "throws": sum(each.throws for each in self.outcomes),
            "spoiled_bytes": sum(each.spoiled for each in self.outcomes),
            "bytes_a_throw": {mode: self.bytes_a_throw(mode) for mode in _MODES},
            "by_game": dict(self.sizes),
            "problems": [{"seed": each.seed, "game": each.kind, "what": each.problems} for each in self._wrong],
        }

    def show(self) -> None:
        """Print it for a person."""
        told = self.as_json()
        answers.print(
            f"{told['games']} games with {told['throws']} throws, {told['spoiled_bytes']} bytes of spoiled texts"
        )
        modes = ", ".join(f"{mode} {size:.2f}" for mode, size in told["bytes_a_throw"].items())
        kinds = ", ".join(f"{kind} {size:.2f}" for kind, size in self.sizes.items())
        answers.print(f"bytes a throw: {modes}; as published: {kinds}")
        for each in self._wrong[:20]:
            answers.print(f"seed {each.seed}, {each.kind}: {'; '.join(each.problems)[:500]}", markup=False)

    @property
    def _wrong(self) -> list[Outcome]:
        return [each for each in self.outcomes if each.problems]


def bench_records(games: int, seed: int, *, as_json: bool) -> Exit:
    """Make the campaign and print its report; NO if it has not passed."""
    campaign = Campaign("records", range(seed, seed + games), try_record, _IN_PLACE, chunk=50, begin=silence)
    results = campaign.run()
    return print_report(RecordReport(results.outcomes), results, as_json=as_json)
