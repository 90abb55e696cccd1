"""Fleet! or Flash! with its options chosen: which throws are a combination, and what others lack."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import Any

from controller.rules.errors import InvalidNotation, InvalidOption, describe_known
from controller.rules.fleet.cards import CARDS, CHOICES, Card, FleetOptions, FleetTerms
from controller.rules.fleet.combinations import COMBINATIONS, Combination, Pattern, missing_dice, serving
from controller.rules.fleet.dice import FACES, JOKER, NUMBERS, SET_SIZE, Dice
from controller.rules.options import Value, apply_choices, read_choices
from controller.rules.tiles import Layout

# "first through sixth sets of six dice" (S003, detailed description); more would need more sets and chips.
MOST_RACERS = 6

_patterns_of = cache(Combination.patterns)


def fleet_rules_of(game: str, given: Mapping[str, object] | None = None) -> "FleetRules":
    """Return the rules of `fleet` or `flash` with the options `given`. Raises `InvalidOption` listing the allowed."""
    if game not in CARDS:
        raise InvalidOption(f"no game {game!r}; {describe_known(CARDS, game, 'the games are')}")
    chosen: dict[str, Any] = read_choices(CHOICES, given or {})
    return FleetRules(CARDS[game], chosen, apply_choices(FleetOptions(), chosen), apply_choices(FleetTerms(), chosen))


@dataclass(frozen=True)
class FleetRules:
    """A card and the options chosen for it, by name (`chosen`) and as fields (`options`, `terms`).

    Immutable; every method is a pure function.
    """

    card: Card
    chosen: Mapping[str, Value] = field(compare=False)
    options: FleetOptions
    terms: FleetTerms

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def sides(self) -> int:
        return len(FACES)

    @cached_property
    def layout(self) -> Layout:
        """The tiles that serve as chips: one for each set of dice."""
        return Layout(1, MOST_RACERS)

    def combination(self, name: str) -> Combination:
        """Return a combination by its name, of this card or the other: sheets may be extended (S003, after FIG. 4).

        Raises `InvalidNotation` that lists them.
        """
        if name not in COMBINATIONS:
            raise InvalidNotation(f"no combination {name!r}; {describe_known(COMBINATIONS, name, 'there are')}")
        return COMBINATIONS[name]

    def dice(self, text: str) -> Dice:
        """Parse some dice; the joker is written as its picture, or `joker`. Raises `InvalidNotation`."""
        return Dice.parse(text, self.card.joker)

    def throw(self, text: str) -> Dice:
        """Parse a throw of all six dice. Raises `InvalidNotation`."""
        return self.check_throw(self.dice(text))

    def check_throw(self, throw: Dice, kept: Dice = Dice()) -> Dice:  # noqa: B008 - frozen
        """Return `throw` if it has all dice that are not kept. Raises `InvalidNotation`."""
        dice = SET_SIZE - len(kept)
        if len(throw) != dice:
            beside = f" with {len(kept)} kept" if len(kept) else ""
            raise InvalidNotation(f"throw {throw}: it is made with {dice} dice{beside}, not {len(throw)}")
        return throw

    def total_for_first(self, dice: Dice) -> int:
        """Return the total of a throw for who names first; a joker is the number that serves best.

        "the joker icon on each die can be used to signify any other number" (S003)
        """
        best = min(NUMBERS) if self.terms.first == "lowest" else max(NUMBERS)
        return sum(best if face == JOKER else face for face in dice.faces)

    def title(self, combination: Combination) -> str:
        """Return the name of the combination on this card's sheet."""
        return combination.title.format(jokers=f"{self.card.joker.title()}s")

    def has(self, dice: Dice, combination: Combination) -> bool:
        """Return whether six dice are the combination. Fewer dice never are."""
        if len(dice) < SET_SIZE:
            return False
        needed = SET_SIZE - self._wild(dice, combination)
        return any(serving(dice, pattern) == needed for pattern in self._patterns(combination))

    def missing(self, dice: Dice, combination: Combination) -> tuple[Dice, ...]:
        """Return each selection of dice that six dice lack to be the combination, all equally many.

        Empty if they are it, or if by these options no dice make one.
        """
        if self.has(dice, combination):
            return ()
        return missing_dice(dice, self._wild(dice, combination), self._patterns(combination))

    def _patterns(self, combination: Combination) -> tuple[Pattern, ...]:
        if combination.name == "straight" and self.options.straight == "impossible":
            return ()
        return _patterns_of(combination, repeats=self.options.groups == "may_repeat")

    def _wild(self, dice: Dice, combination: Combination) -> int:
        """Return the number of dice that may stand for what the combination lacks.

        "the joker icon on each die can be used to signify any other number or other indicia on the die" (S003)
        """
        if dice.jokers == SET_SIZE and combination.sizes:
            return SET_SIZE if self.options.six_jokers else 0
        return 0 if combination.by_parity and not self.options.even_odd_jokers else dice.jokers


@cache
def example_of(rules: FleetRules, combination: Combination) -> tuple[int, ...]:
    """Return six dice that form a combination, preferably with one joker; empty if none do."""
    throws = (Dice(faces) for faces in combinations_with_replacement(FACES, SET_SIZE))
    found = sorted((dice for dice in throws if rules.has(dice, combination)), key=lambda dice: abs(dice.jokers - 1))
    return found[0].faces if found else ()
