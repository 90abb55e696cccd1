"""A race that was played here, round by round: who took which chip, with which combination and dice."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.game import ChipReturned, ChipTaken, ClaimRefused, GameEvent, Race, evolve
from controller.rules.fleet import JOKER
from controller.web.pages.phrases import say_list
from controller.web.pages.table import TableView, say_joker, still_table
from controller.words import Language, Words, combination_title, words_in


@dataclass(frozen=True, slots=True)
class Taken:
    """One claim of a round. points: of the chip that it brought; None where it was refused. dice: none of the last one.

    tile: of the chip, and seats: who took it; by these it is found again where it was put back.
    """

    round: int
    seats: tuple[int, ...]
    tile: str
    points: int | None
    combinations: tuple[str | None, ...]
    dice: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class TakenLine:
    """One claim as it is read. what: the combination; empty of who had named none."""

    names: str
    points: int | None
    what: str
    dice: tuple[int, ...]
    spoken: str


@dataclass(frozen=True, slots=True)
class RaceStory:
    """A race as a page: its sheet, and each round with its claims in their order."""

    table: TableView
    rounds: tuple[tuple[int, tuple[TakenLine, ...]], ...]


def claims_of(events: Iterable[GameEvent]) -> tuple[Taken, ...]:
    """The claims of a race in their order, without those whose chip was put back."""
    found: list[Taken] = []
    race: Race | None = None
    for event in events:
        if race is not None:
            _note(found, race, event)
        after = evolve(race, event)
        race = after if isinstance(after, Race) else None
    return tuple(found)


def _note(found: list[Taken], race: Race, event: GameEvent) -> None:
    match event:
        case ChipTaken(seats, combinations, tile, dice):
            found.append(Taken(race.round, seats, tile, race.worth(tile), combinations, dice))
        case ClaimRefused(seat, combination, dice):
            found.append(Taken(race.round, (seat,), "", None, (combination,), (dice,)))
        case ChipReturned(seats, tile):
            # The chip of the last one, which followed from it, is put back with it; what was refused stays so.
            at = max((at for at, claim in enumerate(found) if (claim.seats, claim.tile) == (seats, tile)), default=0)
            found[at:] = [claim for claim in found[at:] if claim.points is None]


def tell_race(race: Race, claims: Iterable[Taken], language: Language) -> RaceStory:
    """The page of a race."""
    words = words_in(language)
    rounds: dict[int, list[TakenLine]] = {}
    for claim in claims:
        rounds.setdefault(claim.round, []).extend(_lines_of(claim, race, words))
    return RaceStory(still_table(race, language), tuple((number, tuple(lines)) for number, lines in rounds.items()))


def _lines_of(claim: Taken, race: Race, words: Words) -> Iterable[TakenLine]:
    """A line for each of those who took a chip together; mostly it is one alone."""
    joker = say_joker(race.rules.card.joker, words)
    shown = claim.dice or ((),) * len(claim.seats)
    for seat, combination, dice in zip(claim.seats, claim.combinations, shown, strict=True):
        title = combination_title(words, combination, race.rules.card.joker) if combination else ""
        spoken = say_list([joker if face == JOKER else str(face) for face in dice], words)
        yield TakenLine(race.players[seat].name, claim.points, title, dice, spoken)
