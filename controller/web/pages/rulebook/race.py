"""The rules of a race in sentences, made from its options, and its combinations with an example throw each. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.messages.names import combination_title
from controller.messages.words import Words
from controller.rules.fleet.combinations import Combination
from controller.rules.fleet.dice import JOKER, SET_SIZE
from controller.rules.fleet.ruleset import FleetRules, example_of
from controller.web.pages.rulebook.chapters import Chapter, make_chapters
from controller.web.pages.table.race import say_joker


@dataclass(frozen=True, slots=True)
class CombinationLine:
    """A row of the sheet: its requirement, and six dice that meet it; no dice if these options make that impossible."""

    title: str
    wants: str
    dice: tuple[int, ...]
    spoken: str


def race_chapters(rules: FleetRules, words: Words) -> tuple[Chapter, ...]:
    """Return the rules, part by part; parts that do not apply to the race are left out."""
    return make_chapters(*_chapters_of_round(rules, words), *_chapters_of_end(rules, words))


def _chapters_of_round(rules: FleetRules, words: Words) -> Iterator[tuple[str, str, Iterable[str]]]:
    _, terms = words.gettext, rules.terms
    given = {"count": len(rules.card.combinations), "joker": say_joker(rules.card.joker, words)}
    goal = (
        _("Two to six players race, each with six dice of one colour, in {count} rounds.").format(**given),
        _("A die shows 2, 3, 4, 5, 6 and a {joker}, which stands for any number from 2 to 6.").format(**given),
    )
    yield "goal", _("The game"), goal
    challenge = {
        "announced": _("Each player names a combination from their own sheet; the others see it when all have."),
        "unannounced": _("Nobody names anything before: a player who shouts says which combination it is."),
        "in_turn": _("One player names a combination for all."),
        "in_order": _("All race for the same combination, in the order of the sheet."),
    }
    next_namer = {
        "rotation": _("Then it is the next player's turn to name."),
        "winner": _("The winner of the last round names the next combination."),
    }
    first_namer = {
        "highest": _("All throw for who names first: the highest total does."),
        "lowest": _("All throw for who names first: the lowest total does."),
        "chosen": _("The first in the list names first."),
    }
    namers = (next_namer[terms.namer], first_namer[terms.first]) if terms.challenge == "in_turn" else ()
    once = _("Each combination is played for once by each player.")
    yield "challenge", _("What a round is for"), (challenge[terms.challenge], *namers, once)
    race = (
        _("At GO everybody throws, keeps the useful dice and throws the rest again, as fast as they like."),
        _("A die that is kept stays for the round.")
        if rules.options.keeping == "frozen"
        else _("A die that was kept may be thrown again."),
    )
    yield "round", _("The round"), race
    shout = _("A player who has the combination shouts {shout} and lays the six dice on the baize; the others go on.")
    wrong = {
        "play_on": _("A player who shouts wrongly keeps playing."),
        "no_chip": _("A player who shouts wrongly takes no chip in this round."),
    }
    equal = {
        "earlier": _("Of two shouts the earlier one counts."),
        "share": _("Two players who shout at the same time share the chip."),
        "again": _("Two players who shout at the same time, and are right, throw again."),
    }
    shouts = (shout.format(shout=f"{rules.name.title()}!"), wrong[terms.wrong_shout], equal[terms.equal_shouts])
    yield "shout", _("The shout"), shouts


def _chapters_of_end(rules: FleetRules, words: Words) -> Iterator[tuple[str, str, Iterable[str]]]:
    _, terms = words.gettext, rules.terms
    chips = (
        _("There is a chip for each player, and a player who finishes takes the highest one left."),
        _("The chips are worth {chips}.").format(chips=words.all_of(terms.chips.split("-"))),
        _("Fewer than six players play for the lowest of them.")
        if terms.few_chips == "lowest"
        else _("Fewer than six players play for the highest of them."),
    )
    yield "chips", _("The chips"), chips
    over = _("Once all others have shouted, the round is over, and the last player takes the lowest chip.")
    if terms.timer:
        over = words.ngettext(
            "Once all others have shouted, the last player has {count} second for the lowest chip, or takes none.",
            "Once all others have shouted, the last player has {count} seconds for the lowest chip, or takes none.",
            terms.timer,
        ).format(count=terms.timer)
    unfinished = (
        _("A combination that was not finished is used up all the same.")
        if terms.unfinished == "used_up"
        else _("A combination that was not finished can be named again.")
    )
    yield "last", _("The last player"), (over, unfinished)
    yield "end", _("Who wins"), (_("When the sheet is full, the most points win; level players share the win."),)
    stake = words.ngettext(
        "Each player pays {count} coin into the pool, and the winner takes it.",
        "Each player pays {count} coins into the pool, and the winner takes it.",
        terms.stake,
    ).format(count=terms.stake)
    yield "coins", _("Coins"), (stake,) if terms.stake else ()
    undo = (
        _("A chip that was handed out may be put back until the next shout or GO.")
        if terms.undo == "anybody"
        else _("A chip that was handed out stays.")
    )
    yield "undo", _("Taking back"), (undo,)
    hints = _("Nobody sees the odds while this game is on.")
    yield "hints", _("The odds"), (hints,) if terms.hints == "never" else ()


def combination_lines(rules: FleetRules, words: Words) -> tuple[CombinationLine, ...]:
    """Return the combinations of the card, in the order of the sheet."""
    joker = say_joker(rules.card.joker, words)
    lines = []
    for name in rules.card.combinations:
        combination = rules.combination(name)
        dice = example_of(rules, combination)
        spoken = words.all_of(joker if face == JOKER else str(face) for face in dice)
        title = combination_title(words, combination.name, rules.card.joker)
        lines.append(CombinationLine(title, _say_wants(combination, rules, words), dice, spoken))
    return tuple(lines)


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
