"""A race that was played here, round by round: the chips with their takers, combinations and dice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from controller.game.core.events import GameEvent
from controller.game.fleet.events import ChipReturned, ChipTaken, ClaimRefused
from controller.game.fleet.state import Race
from controller.game.table.engines import evolve
from controller.messages.names import combination_title
from controller.messages.words import Words
from controller.rules.fleet.dice import JOKER
from controller.web.pages.table.race import say_joker


@dataclass(frozen=True, slots=True)
class ChipClaim:
    """One claim of a round."""

    round: int
    seats: tuple[int, ...]  # the players who made it
    tile: str  # of the chip. With `seats` it identifies the claim when the chip is put back.
    points: int | None  # of the chip; None if the claim was refused
    combinations: tuple[str | None, ...]
    dice: tuple[tuple[int, ...], ...]  # empty for the last chip of a round, which needs none


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """One claim as a line of the page. what: the combination; empty if none was named."""

    names: str
    points: int | None
    what: str
    dice: tuple[int, ...]
    spoken: str


def claims_of(events: Iterable[GameEvent]) -> tuple[ChipClaim, ...]:
    """Return the claims of a race in order, without those whose chip was put back."""
    found: list[ChipClaim] = []
    race: Race | None = None
    for event in events:
        match event:
            case ChipTaken(seats, combinations, tile, dice) if race is not None:
                found.append(ChipClaim(race.round, seats, tile, race.worth(tile), combinations, dice))
            case ClaimRefused(seat, combination, thrown) if race is not None:
                found.append(ChipClaim(race.round, (seat,), "", None, (combination,), (thrown,)))
            case ChipReturned(seats, tile) if race is not None:
                # The last player's chip, which followed from this one, is put back with it; refused claims stay.
                places = (at for at, claim in enumerate(found) if (claim.seats, claim.tile) == (seats, tile))
                at = max(places, default=0)
                found[at:] = [claim for claim in found[at:] if claim.points is None]
        after = evolve(race, event)
        race = after if isinstance(after, Race) else None
    return tuple(found)


def rounds_of(race: Race, claims: Iterable[ChipClaim], words: Words) -> Mapping[int, Sequence[ClaimLine]]:
    """Return the claims as lines, by the number of their round."""
    joker = say_joker(race.rules.card.joker, words)
    rounds: dict[int, list[ClaimLine]] = {}
    for claim in claims:
        shown = claim.dice or ((),) * len(claim.seats)
        # A line for each player; usually one takes a chip alone.
        for seat, combination, dice in zip(claim.seats, claim.combinations, shown, strict=True):
            title = combination_title(words, combination, race.rules.card.joker) if combination else ""
            spoken = words.all_of(joker if face == JOKER else str(face) for face in dice)
            line = ClaimLine(race.players[seat].name, claim.points, title, dice, spoken)
            rounds.setdefault(claim.round, []).append(line)
    return rounds
