"""Teaching a set of dice, shot by shot: which shot comes next, and whether the one shown is taken.

A pure state machine: observations of the baize go in, advice comes out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hardware.phrase import phrase
from vision.capture.frame import Pixels, colour_name
from vision.capture.quality import BLURRED_SAY, is_blurred, refuse_bad_light
from vision.custom_dice.body import Body, body_of
from vision.custom_dice.fitting import correlate, cut_out, middle_of, spectra_of
from vision.custom_dice.learning import LEAST_SHOTS, Lesson, Shot, learn, top_of
from vision.custom_dice.shapes import Shape
from vision.custom_dice.showing import ShownDice, ShownDie, look_for_dice
from vision.field.field import Field
from vision.field.view import PX_PER_MM
from vision.reading import Reason, Sides

Problem = Literal[
    "hand", "no_die", "two_things", "edge", "plain", "alike", "unlike", "otherwise", "colour", "blurred", "dark"
]

_SAYS: dict[str, str] = {
    "hand": phrase("Take your hand out of the field."),
    "no_die": phrase("I see no die on the baize, or it looks too much like the baize."),
    "two_things": phrase(
        "I see two things that touch, or no such die, or one that hardly stands out: lay each by itself."
    ),
    "edge": phrase("A die lies too near the edge: lay it further in."),
    "plain": phrase("I see nothing drawn on the top of a die."),
}
_ALIKE_MM, _ALIKE_RAD = 4.0, 0.2
_SAME_FACE = 0.7  # shots of one face correlate better than this
_COLOUR = 2.0  # a die whose colour is more unlike all that were shown is not of the set


@dataclass(frozen=True, slots=True)
class WantedShot:
    """The shot that is asked for: dice with the face of this value on top, or one die of this colour."""

    say: str
    value: int | None = None
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """The problem with the dice shown, or None when they were taken; one sentence."""

    problem: Problem | None
    say: str


@dataclass(frozen=True, slots=True, eq=False)
class _TakenShot:
    """A shot, the place of its die in mm, and the number of its picture."""

    shot: Shot
    at_mm: tuple[float, float]
    picture: int


@dataclass(frozen=True)
class Teaching:
    """The state of a teaching; every step gives a new one, so that the advice depends only on what was shown."""

    name: str
    sides: Sides
    labels: tuple[tuple[int, str], ...]  # values and names of the faces
    colours: tuple[str, ...] = ()  # names of the bodies; none: all dice have one colour, under its everyday name
    shots: int = 5  # number wanted of each face
    shape: Shape | None = None
    bodies: tuple[Body, ...] = ()
    taken: tuple[_TakenShot, ...] = ()

    def __post_init__(self) -> None:
        if self.shots < LEAST_SHOTS:
            raise ValueError(f"at least {LEAST_SHOTS} shots of each face, not {self.shots}")

    @property
    def wanted(self) -> WantedShot | None:
        """Return the shot that comes next; None when everything has been shown."""
        missing = self.colours[len(self.bodies) :]
        if missing:
            return WantedShot(
                phrase("Lay one {colour} die by itself on the baize, any side up.", colour=missing[0]),
                colour=missing[0],
            )
        for value, label in self.labels:
            count = self.count_of(value)
            if count < self.shots:
                more = phrase("elsewhere and turned otherwise") if count else phrase("one or more dice, each by itself")
                return WantedShot(
                    phrase(
                        "Lay the dice with {label} on top, {more} ({count} of {shots}).",
                        label=label,
                        more=more,
                        count=count,
                        shots=self.shots,
                    ),
                    value=value,
                )
        return None

    @property
    def progress(self) -> float:
        """Return the part of the shots that have been taken, 0..1."""
        taken = sum(min(self.count_of(value), self.shots) for value, _ in self.labels)
        return taken / (self.shots * len(self.labels))

    def count_of(self, value: int) -> int:
        """Return the number of shots of a face that have been taken."""
        return sum(taken.shot.value == value for taken in self.taken)

    def look(self, pixels: Pixels, field: Field) -> tuple["Teaching", Advice]:
        """Look at the baize once: the advice, and the teaching with the shots added if they were good."""
        wanted = self.wanted
        if wanted is None:
            return self, Advice("otherwise", phrase("Everything has been shown."))
        light = refuse_bad_light(pixels)
        if light is not None:
            too_dark = light.reason is Reason.DARK
            return self, Advice("dark", phrase("It is too dark: switch the lamp on.") if too_dark else light.say)
        if is_blurred(pixels):
            return self, Advice("blurred", BLURRED_SAY)
        seen = look_for_dice(pixels, field, self.sides, self.shape.edge_mm if self.shape else None)
        if seen.trouble is not None:
            return self, Advice(seen.trouble, _SAYS[seen.trouble])
        if not wanted.colour:
            return self._with_face(seen, wanted.value or 0)
        if len(seen.dice) > 1:
            return self, Advice("two_things", phrase("Lay only the {colour} die.", colour=wanted.colour))
        die = seen.dice[0]
        body = body_of(wanted.colour, top_of(die.crop, die.shape))
        other = next((one for one in self.bodies if one.unlikeness(body.bgr) < _COLOUR), None)
        if other is not None:
            return self, Advice("colour", phrase("I cannot tell this colour from the {name} die's.", name=other.name))
        return replace(self, bodies=(*self.bodies, body), shape=self.shape or die.shape), Advice(None, phrase("Taken."))

    def lesson(self) -> Lesson:
        """Learn from all the shots. Raises `ValueError` when there are too few."""
        if self.shape is None:
            raise ValueError("nothing has been shown")
        return learn(self.name, self.shape, self.labels, [taken.shot for taken in self.taken], self.bodies)

    def _with_face(self, seen: ShownDice, value: int) -> tuple["Teaching", Advice]:
        taught = self
        if not self.bodies:
            first = seen.dice[0]
            body = body_of("", top_of(first.crop, first.shape))
            taught = replace(self, bodies=(replace(body, name=colour_name(body.bgr)),), shape=first.shape)
        new: list[_TakenShot] = []
        pictures = {taken.picture for taken in self.taken if taken.shot.value == value}
        number = 1 + max((taken.picture for taken in self.taken), default=0)
        for die in seen.dice:
            body = min(taught.bodies, key=lambda one: one.unlikeness(die.bgr))
            problem = taught._problem(die, value, body)
            if problem is not None and problem.problem == "unlike" and len(pictures) == 1:
                # One of the two pictures shows another face, and it is unknown which.
                return replace(self, taken=tuple(taken for taken in self.taken if taken.shot.value != value)), problem
            if problem is None and not pictures and new and taught._unlike_before(die, body, new[0].shot):
                label = self._label(value)
                problem = Advice(
                    "unlike", phrase("These dice do not look alike: lay only dice with {label} on top.", label=label)
                )
            if problem is not None:
                return self, problem
            new.append(_TakenShot(Shot(value, body.name, die.crop, die.turn_rad), die.at_mm, number))
        say = phrase("Taken.") if len(new) == 1 else phrase("Taken: {count} dice.", count=len(new))
        return replace(taught, taken=(*taught.taken, *new)), Advice(None, say)

    def _problem(self, die: ShownDie, value: int, body: Body) -> Advice | None:
        if body.unlikeness(die.bgr) > _COLOUR:
            known = ", ".join(one.name for one in self.bodies)
            return Advice("colour", phrase("A die has none of the colours of this set ({known}).", known=known))
        same = [taken for taken in self.taken if taken.shot.value == value]
        for number, taken in enumerate(same, 1):
            near = math.dist(taken.at_mm, die.at_mm) < _ALIKE_MM
            if near and abs(taken.shot.turn_rad - die.turn_rad) < _ALIKE_RAD:
                return Advice(
                    "alike", phrase("This is too like shot {number}: lay the die elsewhere and turn it.", number=number)
                )
        if same and self._unlike_before(die, body, same[0].shot):
            label = self._label(value)
            return Advice(
                "unlike",
                phrase("This does not look like the {label} that you showed before: show it once more.", label=label),
            )
        return None

    def _label(self, value: int) -> str:
        return next(label for known, label in self.labels if known == value)

    def _unlike_before(self, die: ShownDie, body: Body, before: Shot) -> bool:
        radius = die.shape.drawn_mm * PX_PER_MM
        first = next(one for one in self.bodies if one.name == before.colour).ink(before.crop)
        known = spectra_of(cut_out(first, middle_of(first), before.turn_rad, radius))
        return float(correlate(body.ink(die.crop), known, radius, reach_mm=3.0).score[0]) < _SAME_FACE


def alike_sentences(pairs: Sequence[tuple[int, int]], labels: Sequence[tuple[int, str]]) -> list[str]:
    """Return one sentence for each pair of faces that cannot be told apart."""
    names = dict(labels)
    return [
        phrase(
            "{one} and {other} cannot be told apart: when either lies on top, I shall ask.",
            one=names[one],
            other=names[other],
        )
        for one, other in pairs
    ]
