"""The rules of a race in sentences, made from its options, and its combinations with an example throw each. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Literal

from controller.messages.names import combination_title
from controller.messages.words import Words
from controller.rules.fleet.combinations import Combination
from controller.rules.fleet.dice import FACES, JOKER, SET_SIZE, Dice
from controller.rules.fleet.ruleset import FleetRules
from controller.web.pages.phrases import say_list
from controller.web.pages.table.race import say_joker

RaceChapterName = Literal["goal", "challenge", "round", "shout", "chips", "last", "end", "coins", "undo", "hints"]


@dataclass(frozen=True, slots=True)
class RaceChapter:
    """One part of the rules."""

    name: RaceChapterName
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CombinationLine:
    """A row of the sheet: its requirement, and six dice that meet it; no dice if these options make that impossible."""

    title: str
    wants: str
    dice: tuple[int, ...]
    spoken: str


def race_chapters(rules: FleetRules, words: Words) -> tuple[RaceChapter, ...]:
    """Return the rules, part by part; parts that do not apply to the race are left out."""
    _ = words.gettext
    parts: tuple[tuple[RaceChapterName, str, Callable[[FleetRules, Words], Iterator[str]]], ...] = (
        ("goal", _("The game"), _goal),
        ("challenge", _("What a round is for"), _challenge),
        ("round", _("The round"), _round),
        ("shout", _("The shout"), _shout),
        ("chips", _("The chips"), _chips),
        ("last", _("The last one"), _last),
        ("end", _("Who wins"), _end),
        ("coins", _("Coins"), _coins),
        ("undo", _("Taking back"), _undo),
        ("hints", _("The odds"), _hints),
    )
    told = (RaceChapter(name, title, tuple(tell(rules, words))) for name, title, tell in parts)
    return tuple(chapter for chapter in told if chapter.sentences)


def combination_lines(rules: FleetRules, words: Words) -> tuple[CombinationLine, ...]:
    """Return the combinations of the card, in the order of the sheet."""
    joker = say_joker(rules.card.joker, words)
    lines = []
    for name in rules.card.combinations:
        combination = rules.combination(name)
        dice = example_of(rules, combination)
        spoken = say_list([joker if face == JOKER else str(face) for face in dice], words)
        title = combination_title(words, combination.name, rules.card.joker)
        lines.append(CombinationLine(title, _say_wants(combination, rules, words), dice, spoken))
    return tuple(lines)


@cache
def example_of(rules: FleetRules, combination: Combination) -> tuple[int, ...]:
    """Return six dice that form a combination, preferably with one joker; empty if none do."""
    throws = (Dice(faces) for faces in combinations_with_replacement(FACES, SET_SIZE))
    found = sorted((dice for dice in throws if rules.has(dice, combination)), key=lambda dice: abs(dice.jokers - 1))
    return found[0].faces if found else ()


def _goal(rules: FleetRules, words: Words) -> Iterator[str]:
    _ = words.gettext
    given = {"count": len(rules.card.combinations), "joker": say_joker(rules.card.joker, words)}
    yield _("Two to six players race, each with six dice of one colour, in {count} rounds.").format(**given)
    yield _("A die shows 2, 3, 4, 5, 6 and a {joker}, which stands for any number from 2 to 6.").format(**given)


def _challenge(rules: FleetRules, words: Words) -> Iterator[str]:
    _ = words.gettext
    yield {
        "announced": _("Before a round each names a combination of his own sheet; the others learn it when all have."),
        "unannounced": _("Nobody names anything before: who shouts says which combination of his sheet it is."),
        "in_turn": _("One player names a combination for all."),
        "in_order": _("All race for the same combination, in the order of the sheet."),
    }[rules.terms.challenge]
    if rules.terms.challenge == "in_turn":
        yield (
            _("Then it is the next one's turn to name.")
            if rules.terms.namer == "rotation"
            else _("Who won the last round names the next one.")
        )
        yield {
            "highest": _("All throw for who names first: the highest total does."),
            "lowest": _("All throw for who names first: the lowest total does."),
            "chosen": _("The first in the list names first."),
        }[rules.terms.first]
    yield _("Each combination is played for once by each player.")


def _round(rules: FleetRules, words: Words) -> Iterator[str]:
    _ = words.gettext
    yield _("At GO all throw at once, keep what serves and throw the rest again, as often and as fast as they like.")
    if rules.options.keeping == "frozen":
        yield _("A die that is kept stays for the round.")
    else:
        yield _("A die that was kept may be thrown again.")


def _shout(rules: FleetRules, words: Words) -> Iterator[str]:
    _ = words.gettext
    shout = f"{rules.name.title()}!"
    yield _("Who has the combination shouts {shout} and lays the six dice on the baize; the others play on.").format(
        shout=shout
    )
    if rules.terms.wrong_shout == "play_on":
        yield _("Who shouts wrongly plays on.")
    else:
        yield _("Who shouts wrongly takes no chip in this round.")
    yield {
        "earlier": _("Of two shouts the earlier one counts."),
        "share": _("Two who shout at the same time share the chip."),
        "again": _("Two who shout at the same time, and rightly, throw again."),
    }[rules.terms.equal_shouts]


def _chips(rules: FleetRules, words: Words) -> Iterator[str]:
    _ = words.gettext
    chips = say_list(rules.terms.chips.split("-"), words)
    yield _("There is a chip for each player, and who finishes takes the highest that is left.")
    yield _("The chips are worth {chips}.").format(chips=chips)
    if rules.terms.few_chips == "lowest":
        yield _("Fewer than six players play for the lowest of them.")
    else:
        yield _("Fewer than six players play for the highest of them.")


def _last(rules: FleetRules, words: Words) -> Iterator[str]:
    _, seconds = words.gettext, rules.terms.timer
    if seconds:
        yield words.ngettext(
            "Once all others have shouted, the last one has {count} second for the lowest chip, or takes none.",
            "Once all others have shouted, the last one has {count} seconds for the lowest chip, or takes none.",
            seconds,
        ).format(count=seconds)
    else:
        yield _("Once all others have shouted, the round is over, and the last one takes the lowest chip.")
    if rules.terms.unfinished == "used_up":
        yield _("What was not finished is used up all the same.")
    else:
        yield _("What was not finished can be named again.")


def _end(_rules: FleetRules, words: Words) -> Iterator[str]:
    yield words.gettext("When the sheet is full, the most points win; who has as many shares the win.")


def _coins(rules: FleetRules, words: Words) -> Iterator[str]:
    if rules.terms.stake:
        yield words.ngettext(
            "Each player pays {count} coin into the pool, and the winner takes it.",
            "Each player pays {count} coins into the pool, and the winner takes it.",
            rules.terms.stake,
        ).format(count=rules.terms.stake)


def _undo(rules: FleetRules, words: Words) -> Iterator[str]:
    _ = words.gettext
    if rules.terms.undo == "anybody":
        yield _("A chip that was handed out may be put back until the next shout or GO.")
    else:
        yield _("A chip that was handed out stays.")


def _hints(rules: FleetRules, words: Words) -> Iterator[str]:
    if rules.terms.hints == "never":
        yield words.gettext("Nobody is told the odds while this game is on.")


def _say_wants(combination: Combination, rules: FleetRules, words: Words) -> str:
    """Return the requirement of a combination in a sentence."""
    _ = words.gettext
    if combination.name.startswith("all-") and combination.sizes == (SET_SIZE,):
        return _("Six dice that show {number}.").format(number=combination.numbers[0])
    groups = "" if rules.options.groups == "may_repeat" else _("No two groups of one number.")
    said = {
        "three-pairs": _("Two, two and two equal dice."),
        "pair-and-four": _("Two equal dice, and four."),
        "two-threes": _("Three equal dice, and three."),
        "straight": _("2, 3, 4, 5 and 6, and a joker as the sixth."),
        "all-jokers": _("Six jokers."),
        "six-of-a-kind": _("Six equal dice."),
        "all-even": _("Only 2, 4 and 6."),
        "all-odd": _("Only 3 and 5."),
    }[combination.name]
    if combination.name == "straight" and rules.options.straight == "impossible":
        return _("2 to 6 and a sixth number: no dice make that, as agreed.")
    if combination.by_parity and not rules.options.even_odd_jokers:
        beside = _("A joker does not count here.")
        return f"{said} {beside}"
    return f"{said} {groups}".strip() if combination.repeats is None else said
