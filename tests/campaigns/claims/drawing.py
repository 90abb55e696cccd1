"""Draws claims: what somebody lays on the baize and claims, honestly or not, and how that must be answered."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.combinations import Combination
from controller.rules.fleet.dice import FACES, JOKER, NUMBERS, SET_SIZE, Dice, Face
from controller.rules.fleet.ruleset import FleetRules, fleet_rules_of
from tests.campaigns.claims.simulated_claims import ClaimOrder, Disturbance

Kind = Literal["right", "wrong", "two", "mixed", "seven", "five", "stranger", "hidden", "leaning", "over_edge"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# How a claim is answered: granted, or dice that are not the combination; else as `sort_claim` or the reader says.
GRANTED, NOT_IT = "granted", "not_it"
_HONEST = 0.5  # part of the claims in which nothing is wrong with the dice
_JOKERS = 0.25
_PLAYERS = (2, 5)
_BESIDE = (0, 0, 6, 18, 30)  # dice around the baize
_NO_DIE_OF_OURS = ("unexplained", "unsure")
_NOT_FLAT = (*_NO_DIE_OF_OURS, "stacked", "cocked")
_STRANGERS: tuple[Disturbance, ...] = ("colour", "size", "faces", "pips")
_COVERS: tuple[Disturbance, ...] = ("coin", "tile", "die")

Faces = tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """One player's claim of what lies there: his colour, and the answers that are right.

    is_true: whether all six dice are there and show it, so that nobody is wronged where it is granted all the same.
    """

    colour: str
    right: tuple[str, ...]
    is_true: bool = False


@dataclass(frozen=True, slots=True)
class _Laid:
    """What lies there, the first colour disturbed, and who claims it."""

    dice: tuple[tuple[str, Faces], ...]
    claimed: tuple[Claimed, ...]
    disturbance: Disturbance | None = None


@dataclass(frozen=True, slots=True)
class DrawnClaim:
    """One moment of a game: the combination that is claimed, the players' colours, what lies there, who claims."""

    kind: Kind
    rules: FleetRules
    combination: Combination
    players: tuple[str, ...]
    order: ClaimOrder
    claimed: tuple[Claimed, ...]


def draw_claim(seed: int, colours: tuple[str, ...]) -> DrawnClaim:
    """The claim of this seed, with dice of these colours. In half of them nothing is wrong with the dice."""
    chance = random.Random(f"claims/{seed}")
    mixed = tuple(chance.sample(colours, len(colours)))
    count = chance.randint(*_PLAYERS)
    rules = fleet_rules_of(chance.choice(list(CARDS)))
    combination = rules.combination(chance.choice(rules.card.combinations))
    kind = chance.choice(KINDS[:3] if chance.random() < _HONEST else KINDS[3:])
    laid = _LAID[kind](_Hands(chance, rules, combination, mixed[:count], mixed[count:]))
    order = ClaimOrder(laid.dice, laid.disturbance, chance.choice(_BESIDE), seed)
    return DrawnClaim(kind, rules, combination, mixed[:count], order, laid.claimed)


@dataclass(frozen=True, slots=True)
class _Hands:
    """The players of a game and their chance, the claimant first; `others` are colours that nobody plays with."""

    chance: random.Random
    rules: FleetRules
    combination: Combination
    players: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def own(self) -> str:
        """The claimant's colour."""
        return self.players[0]

    def throw(self, *, right: bool = True) -> Faces:
        """Six dice that are the combination, or lack it by one die."""
        while True:
            faces = self._right_throw()
            if not right:
                index = self.chance.randrange(SET_SIZE)
                faces = (*faces[:index], self.chance.choice(FACES), *faces[index + 1 :])
            if self.rules.has(Dice(faces), self.combination) is right:
                return faces

    def joker_first(self) -> Faces:
        """Six dice that are the combination, the first of them a joker, which may stand for any."""
        return JOKER, *self.throw()[1:]

    def _right_throw(self) -> Faces:
        repeats = self.rules.options.groups == "may_repeat"
        pattern = self.chance.choice(self.combination.patterns(repeats=repeats))
        faces = [face for face, count in zip(NUMBERS, pattern, strict=True) for _ in range(count)]
        faces += [JOKER] * (SET_SIZE - len(faces))
        self.chance.shuffle(faces)
        return tuple(JOKER if self.chance.random() < _JOKERS else face for face in faces)


def _lay_right(hands: _Hands) -> _Laid:
    return _Laid(((hands.own, hands.throw()),), (Claimed(hands.own, (GRANTED,), is_true=True),))


def _lay_wrong(hands: _Hands) -> _Laid:
    return _Laid(((hands.own, hands.throw(right=False)),), (Claimed(hands.own, (NOT_IT,)),))


def _lay_two(hands: _Hands) -> _Laid:
    rights = [hands.chance.random() < 0.5 for _ in range(2)]
    dice = tuple((colour, hands.throw(right=right)) for colour, right in zip(hands.players, rights, strict=False))
    answers = [(GRANTED if right else NOT_IT,) for right in rights]
    return _Laid(dice, tuple(Claimed(colour, right) for (colour, _), right in zip(dice, answers, strict=True)))


def _lay_mixed(hands: _Hands) -> _Laid:
    """Some of the six, or more than these, are another player's."""
    faces, count = hands.throw(), hands.chance.randint(1, 3)
    own = faces if hands.chance.random() < 0.3 else faces[count:]
    return _Laid(((hands.own, own), (hands.players[1], faces[:count])), (Claimed(hands.own, ("mixed",)),))


def _lay_seven(hands: _Hands) -> _Laid:
    faces = (*hands.throw(), hands.chance.choice(FACES))
    return _Laid(((hands.own, faces),), (Claimed(hands.own, ("too_many",)),))


def _lay_five(hands: _Hands) -> _Laid:
    return _Laid(((hands.own, hands.throw()[1:]),), (Claimed(hands.own, ("too_few",)),))


def _lay_stranger(hands: _Hands) -> _Laid:
    """A stranger's die in place of one of the six, or a seventh: not taught, or of a colour that nobody plays with."""
    faces = hands.throw()
    if hands.chance.random() < 0.5:
        faces = (*faces, hands.chance.choice(FACES))
    how = hands.chance.choice((*_STRANGERS, None))
    if how is not None:
        right = _NO_DIE_OF_OURS if how != "size" else (*_NO_DIE_OF_OURS, "stacked")
        return _Laid(((hands.own, faces),), (Claimed(hands.own, right),), how)
    strange = (hands.chance.choice(hands.others), faces[-1:])
    return _Laid(((hands.own, faces[:-1]), strange), (Claimed(hands.own, ("stranger",)),))


def _lay_hidden(hands: _Hands) -> _Laid:
    """Half of a joker is hidden by a coin, a tile, or by one of the six or a seventh die."""
    how, faces = hands.chance.choice(_COVERS), hands.joker_first()
    if how == "die" and hands.chance.random() < 0.5:
        faces = (*faces, hands.chance.choice(FACES))
    return _Laid(((hands.own, faces),), (Claimed(hands.own, _NOT_FLAT),), how)


def _lay_leaning(hands: _Hands) -> _Laid:
    return _Laid(((hands.own, hands.throw()),), (Claimed(hands.own, _NOT_FLAT, is_true=True),), "leaning")


def _lay_over_edge(hands: _Hands) -> _Laid:
    return _Laid(((hands.own, hands.throw()),), (Claimed(hands.own, ("off_field",)),), "over_edge")


_LAID: Mapping[Kind, Callable[[_Hands], _Laid]] = {
    "right": _lay_right,
    "wrong": _lay_wrong,
    "two": _lay_two,
    "mixed": _lay_mixed,
    "seven": _lay_seven,
    "five": _lay_five,
    "stranger": _lay_stranger,
    "hidden": _lay_hidden,
    "leaning": _lay_leaning,
    "over_edge": _lay_over_edge,
}
