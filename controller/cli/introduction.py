"""What a game is about, in a few lines for somebody who sits down at it for the first time."""

from collections.abc import Mapping, Sequence

from controller.cli.race import introduce_race
from controller.game import Player, Strength, limit_of
from controller.rules import NO_MARKS, Marks, Ruleset, rules_of
from controller.rules.fleet import CARDS
from controller.words import ENGLISH, Words


def introduce(
    game: str,
    options: Mapping[str, object],
    marks: Marks = NO_MARKS,
    players: Sequence[Player] = (),
    words: Words = ENGLISH,
) -> list[str]:
    """The lines before a game: what is done, how the board is drawn, what hands may do, and who the house is."""
    if game in CARDS:
        return introduce_race(game, options, players, words)
    rules = rules_of(game, options, marks)
    return [
        f"{game}: {_describe_form(rules, words)}",
        _describe_turn(rules, words),
        *_describe_one_die(rules, words),
        *_describe_back_row(rules, words),
        _describe_board(rules, words),
        words.gettext(
            "On a real box you may tip tiles by hand, too: a move that fits counts after a moment. Where it says hands "
            "off, keep them away: the box moves the tiles."
        ),
        *_describe_match(rules, words),
        *_describe_house(players, words),
    ]


def _describe_form(rules: Ruleset, words: Words) -> str:
    """The summary of the game where it holds, but for when one die is thrown: that is told by itself."""
    if rules.is_as_published and " When " not in rules.preset.summary:
        return words.gettext(rules.preset.summary)
    if rules.layout.rows == 1:
        return words.gettext("One row.")
    return words.gettext("{rows} rows, one behind the other.").format(rows=rules.layout.rows)


def _describe_turn(rules: Ruleset, words: Words) -> str:
    what = words.pgettext("what is shut", "tiles that add up to the throw")
    if rules.options.each_die:
        what = words.pgettext("what is shut", "the tile of one of the dice, or of their sum")
    elif rules.layout.dominoes and rules.options.domino_match != "any_total":
        what = words.pgettext("what is shut", "a domino that fits")
    if rules.terms.race == "rotation":
        text = words.gettext("Everybody throws once, in turn, and shuts {what}. Whoever shuts the box first wins.")
        return text.format(what=what)
    text = words.gettext("Throw, shut {what}, and throw again, until nothing fits.")
    if rules.terms.alternate:
        text = words.gettext(
            "All play on one board: everybody throws once, in turn, and shuts {what}; who cannot is out."
        )
    return f"{text.format(what=what)} {_describe_points(rules, words)}"


def _describe_points(rules: Ruleset, words: Words) -> str:
    """What is left when nothing fits, by the option `score`."""
    return {
        "showing": words.gettext(
            "The numbers that still show, added up, are your points; whoever has the fewest wins."
        ),
        "standing": words.gettext(
            "All numbers that are still up, hidden ones too, added up, are your points; whoever has the fewest wins."
        ),
        "double_front": words.gettext(
            "All numbers that are still up, hidden ones too, added up, those in front twice, are your points; "
            "whoever has the fewest wins."
        ),
        "count": words.gettext("Each tile that still shows is a point; whoever has the fewest wins."),
        "digits": words.gettext(
            "The numbers that are still up, read as one number, are your points; whoever has the fewest wins."
        ),
    }[rules.options.score]


def _describe_one_die(rules: Ruleset, words: Words) -> list[str]:
    """When one die may be thrown, or must be."""
    options = rules.options
    if not rules.may_throw_fewer:
        return []
    if options.one_die_forced:
        text = words.gettext("When {when}, you throw one die.")
    else:
        text = words.gettext("When {when}, you may throw one die.")
    return [text.format(when=_describe_when(rules, words))]


def _describe_when(rules: Ruleset, words: Words) -> str:
    options = rules.options
    # Hidden tiles may stand behind what shows.
    shows = rules.layout.rows > 1 and options.one_die_total == "showing"
    match options.one_die:
        case "only1" if shows:
            return words.pgettext("behind: when", "a 1 alone shows")
        case "only1":
            return words.pgettext("behind: when", "only the 1 is up")
        case "high_covered" if shows:
            return words.pgettext("behind: when", "no number above 6 shows")
        case "high_covered":
            return words.pgettext("behind: when", "7 and all higher numbers are shut")
    text = words.pgettext("behind: when", "all that shows makes {limit} or less together")
    if options.one_die_total == "standing":
        text = words.pgettext("behind: when", "all that is up makes {limit} or less together")
    return text.format(limit=options.one_die_limit)


def _describe_back_row(rules: Ruleset, words: Words) -> list[str]:
    """How the rows stand behind each other, where there are several."""
    if rules.layout.rows == 1 or rules.layout.columns == 1:
        return []
    first, second = rules.layout.by_column[:2]
    text = words.gettext("Behind the {first} stands the {third}, behind the {second} the {fourth}, and so on.")
    marks = {"first": first[0].mark, "second": second[0].mark, "third": first[1].mark, "fourth": second[1].mark}
    stands = text.format(**marks)
    return [f"{stands} {_describe_hidden(rules, words)}"]


def _describe_hidden(rules: Ruleset, words: Words) -> str:
    match rules.takes_revealed, rules.options.score in ("showing", "count"):
        case True, True:
            return words.gettext("A hidden tile adds no points, and can be shut only together with the one before it.")
        case True, False:
            return words.gettext("A hidden tile can be shut only together with the one before it.")
        case False, True:
            return words.gettext(
                "A hidden tile adds no points, and can be shut only by a throw after the one before it was shut."
            )
    return words.gettext("A hidden tile can be shut only by a throw after the one before it was shut.")


def _describe_board(rules: Ruleset, words: Words) -> str:
    if rules.layout.rows > 1:
        return words.gettext(
            "On the board [9] is up, (9) is hidden behind another, _9_ is shut, and !9! is not where it should be."
        )
    return words.gettext("On the board [9] is up, _9_ is shut, and !9! is not where it should be.")


def _describe_match(rules: Ruleset, words: Words) -> list[str]:
    """When a match of several rounds ends, and who wins it."""
    terms = rules.terms
    match terms.match:
        case "points":
            text = words.ngettext(
                "{rounds} round is played; whoever wins most of them wins the match.",
                "{rounds} rounds are played; whoever wins most of them wins the match.",
                terms.rounds,
            )
            return [text.format(rounds=terms.rounds)]
        case "tournament":
            text = words.gettext("Points add up until somebody has {limit}; then whoever has the fewest wins.")
            return [text.format(limit=limit_of(terms))]
        case "drop-out":
            text = words.gettext("Points add up; at {limit} one is out, and the last one left wins.")
            return [text.format(limit=limit_of(terms))]
    return []


def _describe_house(players: Sequence[Player], words: Words) -> list[str]:
    """Who plays for the box, and how well."""
    by_strength: dict[Strength, list[str]] = {}
    for player in players:
        if player.house and player.strength is not None:
            by_strength.setdefault(player.strength, []).append(player.name)
    text = words.gettext("The box plays for {names}: {how}. You throw the dice for it.")
    return [
        text.format(names=words.all_of(names), how=_describe_strength(strength, words))
        for strength, names in by_strength.items()
    ]


def _describe_strength(strength: Strength, words: Words) -> str:
    return {
        "careless": words.pgettext("how the box plays", "any move that fits"),
        "casual": words.pgettext("how the box plays", "fairly well, with many a mistake"),
        "steady": words.pgettext("how the box plays", "well, with a mistake now and then"),
        "skilled": words.pgettext("how the box plays", "very well, with a small mistake now and then"),
        "perfect": words.pgettext("how the box plays", "without a mistake"),
    }[strength]
