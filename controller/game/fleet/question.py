"""Questions about the odds of Fleet! and Flash! from a command line or a file: how they are read.

They are answered in `controller.strategy.fleet_book`.
"""

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr, ValidationError

from controller.game.english import join_and
from controller.game.variants import GameChoice
from controller.rules import NO_MARKS, InvalidNotation, InvalidOption
from controller.rules.fleet import COMBINATIONS, SET_SIZE, Combination, Dice, FleetRules, fleet_rules_of
from hardware.toml_file import describe_mistake

Faces = list[StrictInt | StrictStr] | StrictStr

# The one aim there is: few throws.
AIM = "throws"


class FleetQuestion(BaseModel):
    """One line of a batch, with the words of the command line as keys. Dice are a text, or a list of their faces."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: StrictStr
    set: dict[str, StrictBool | StrictInt | StrictStr] = {}
    combination: StrictStr | None = None
    throw: Faces | None = None
    kept: Faces | None = None
    aim: StrictStr | None = None

    @classmethod
    def about(cls, choice: GameChoice, **words: object) -> Self:
        """A question from the command line; a word that is None was not said. Raises `InvalidNotation` in one line."""
        given = {name: word for name, word in words.items() if word is not None}
        foreign = [name for name in given if name not in cls.model_fields]
        foreign += ["marks"] if choice.marks != NO_MARKS else []
        if foreign:
            raise InvalidNotation(f"{choice.game} is a race without tiles: leave out {join_and(foreign)}")
        try:
            return cls.model_validate({"game": choice.game, "set": choice.options, **given})
        except ValidationError as error:
            first = error.errors()[0]
            raise InvalidNotation(f"{first['loc'][0]}: {describe_mistake(first)}") from error

    def rules(self) -> FleetRules:
        """The rules it is about. Raises `InvalidOption`, also for an aim that this game has not."""
        if self.aim not in (None, AIM):
            raise InvalidOption(f"no aim {self.aim!r} in {self.game}; there is {AIM}")
        return fleet_rules_of(self.game, self.set)

    def parse_combination(self, rules: FleetRules) -> Combination:
        """The combination it is about. Raises `InvalidNotation`, also where it names none."""
        if self.combination is None:
            raise InvalidNotation(f"a combination is needed, one of {', '.join(COMBINATIONS)}")
        return rules.combination(self.combination)

    def parse_kept(self, rules: FleetRules) -> Dice:
        """The dice kept before the throw, 0 to 5; none where it names none. Raises `RulesError`."""
        kept = _parse(rules, self.kept or "")
        if len(kept) and rules.options.keeping == "unfrozen":
            raise InvalidOption("kept: with keeping=unfrozen no die is kept for good; say all six as the throw")
        if len(kept) == SET_SIZE:
            raise InvalidNotation(f"kept {kept}: with all {SET_SIZE} kept there is nothing to throw")
        return kept

    def parse_throw(self, rules: FleetRules, kept: Dice) -> Dice | None:
        """The throw of the dice that were not kept; None before it. Raises `InvalidNotation`."""
        return None if self.throw is None else rules.check_throw(_parse(rules, self.throw), kept)


def _parse(rules: FleetRules, faces: Sequence[int | str] | str) -> Dice:
    return rules.dice(faces) if isinstance(faces, str) else Dice.of_words(faces, rules.card.joker)
