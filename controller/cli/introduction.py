"""What a game is about, in a few lines for somebody who sits down at it for the first time."""

from collections.abc import Mapping, Sequence

from controller.game import Player, Strength, join_and
from controller.rules import NO_MARKS, Marks, Ruleset, rules_of

# What is left when nothing fits, by the option `score`.
_SCORES: Mapping[str, str] = {
    "showing": "The numbers that still show, added up, are your points",
    "standing": "All numbers that are still up, hidden ones too, added up, are your points",
    "double_front": "All numbers that are still up, hidden ones too, added up, those in front twice, are your points",
    "count": "Each tile that still shows is a point",
    "digits": "The numbers that are still up, read as one number, are your points",
}
_STRENGTHS: Mapping[Strength, str] = {
    "careless": "any move that fits",
    "casual": "fairly well, with many a mistake",
    "steady": "well, with a mistake now and then",
    "skilled": "very well, with a small mistake now and then",
    "perfect": "without a mistake",
}


def introduce(
    game: str, options: Mapping[str, object], marks: Marks = NO_MARKS, players: Sequence[Player] = ()
) -> list[str]:
    """The lines before a game: what is done, how the board is drawn, what hands may do, and who the house is."""
    rules = rules_of(game, options, marks)
    return [
        f"{game}: {_describe_form(rules)}",
        _describe_turn(rules),
        *_describe_one_die(rules),
        *_describe_back_row(rules),
        _describe_board(rules),
        "On a real box you may tip tiles by hand, too: a move that fits counts after a moment. Where it says hands "
        "off, keep them away: the box moves the tiles.",
        *_describe_match(rules),
        *_describe_house(players),
    ]


def _describe_form(rules: Ruleset) -> str:
    """The summary of the game, but for when one die is thrown: that may be agreed on otherwise."""
    form, when, _ = rules.preset.summary.partition(" When ")
    return form if when else rules.preset.summary


def _describe_turn(rules: Ruleset) -> str:
    what = "tiles that add up to the throw"
    if rules.options.each_die:
        what = "the tile of one of the dice, or of their sum"
    elif rules.layout.dominoes and rules.options.domino_match != "any_total":
        what = "a domino that fits"
    if rules.terms.race == "rotation":
        return f"Everybody throws once, in turn, and shuts {what}. Whoever shuts the box first wins."
    points = f"{_SCORES[rules.options.score]}; whoever has the fewest wins."
    if rules.terms.alternate:
        return f"All play on one board: everybody throws once, in turn, and shuts {what}; who cannot is out. {points}"
    return f"Throw, shut {what}, and throw again, until nothing fits. {points}"


def _describe_one_die(rules: Ruleset) -> list[str]:
    """When one die may be thrown, or must be."""
    options = rules.options
    if options.one_die == "never":
        return []
    which = "is up" if options.one_die_total == "standing" else "shows"
    when = {
        "only1": "only the 1 is up",
        "high_covered": "7 and all higher numbers are shut",
        "at_most": f"all that {which} makes {options.one_die_limit} or less together",
    }[options.one_die]
    return [f"When {when}, you {'' if options.one_die_forced else 'may '}throw one die."]


def _describe_back_row(rules: Ruleset) -> list[str]:
    """How the rows stand behind each other, where there are several."""
    if rules.layout.rows == 1 or rules.layout.columns == 1:
        return []
    first, second = rules.layout.by_column[:2]
    free = "adds no points, and " if rules.options.score in ("showing", "count") else ""
    when = "together with the one before it" if rules.takes_revealed else "by a throw after the one before it was shut"
    return [
        f"Behind the {first[0].mark} stands the {first[1].mark}, behind the {second[0].mark} the {second[1].mark}, and "
        f"so on. A hidden tile {free}can be shut only {when}."
    ]


def _describe_board(rules: Ruleset) -> str:
    hidden = "(9) is hidden behind another, " if rules.layout.rows > 1 else ""
    return f"On the board [9] is up, {hidden}_9_ is shut, and !9! is not where it should be."


def _describe_match(rules: Ruleset) -> list[str]:
    """When a match of several rounds ends, and who wins it."""
    terms = rules.terms
    match terms.match:
        case "points":
            return [f"{terms.rounds} rounds are played; whoever wins most of them wins the match."]
        case "tournament":
            return [f"Points add up until somebody has {terms.match_limit or 100}; then whoever has the fewest wins."]
        case "drop-out":
            return [f"Points add up; at {terms.match_limit or 45} one is out, and the last one left wins."]
    return []


def _describe_house(players: Sequence[Player]) -> list[str]:
    """Who plays for the box, and how well."""
    by_strength: dict[Strength, list[str]] = {}
    for player in players:
        if player.house and player.strength is not None:
            by_strength.setdefault(player.strength, []).append(player.name)
    return [
        f"The box plays for {join_and(names)}: {_STRENGTHS[strength]}. You throw the dice for it."
        for strength, names in by_strength.items()
    ]
