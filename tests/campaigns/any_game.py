"""Any game there is, with any of its options, drawn and played by chance for campaigns: of sizes played in seconds."""

import random
from collections.abc import Callable, Mapping

from controller.game.core.commands import Command, ConfirmTiles
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost
from controller.rules.errors import InvalidOption
from controller.rules.options import Choice, Value
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.tiles import NO_MARKS, Marks

# Every other option takes any of its values.
_SIZES: Mapping[str, tuple[Value, ...]] = {
    "columns": (1, 2, 3, 4, 9, 12),
    "rows": (1, 2, 3, 4, 5, 6),
    "dice": (1, 2, 3, 4),
    "max_tiles": (0, 1, 2, 3),
    "match_limit": (0, 8, 20, 60),
    "rounds": (1, 2, 3),
    "stake": (0, 1, 2, 5),
}
_SIGNS = ("sun", "moon", "star", "ship", "fish", "bell")
_LEFT_AS_IT_IS = 0.5  # of all options, in a game whose document says what they are


def draw_rules(chance: random.Random, name: str, is_fit: Callable[[Ruleset], bool], **said: Value) -> Ruleset:
    """A game of this name with options that go together, each at random but those that are `said`, until it is fit.

    Every second one has its document's own options in the greater part, every fourth one marks.
    """
    while True:
        kept = _LEFT_AS_IT_IS if chance.random() < 0.5 else 0.0
        given = {each.name: _draw_value(chance, each) for each in GAMES[name].choices if chance.random() >= kept}
        given |= {option: value for option, value in said.items() if option in _options_of(name)}
        try:
            rules = rules_of(name, given)
            marked = rules_of(name, given, _draw_marks(chance, rules))
        except InvalidOption:
            continue
        if is_fit(marked):
            return marked


def next_by_chance(game: Game, chance: random.Random) -> Command:
    """What is done next in a game that is on, if dice and people do what comes to mind and tiles what they are told."""
    match game.phase:
        case AwaitingThrow():
            dice = chance.choice(sorted(game.dice_allowed))
            return TakeThrow(tuple(chance.randint(1, game.rules.sides) for _ in range(dice)))
        case Choosing(throw):
            move = chance.choice(game.rules.legal_moves(game.board, throw))
            return Choose(tuple(tile.name for tile in move))
        case TurnLost():
            return AcceptLoss()
    return ConfirmTiles()


def _options_of(name: str) -> set[str]:
    return {each.name for each in GAMES[name].choices}


def _draw_value(chance: random.Random, choice: Choice) -> Value:
    sizes = [size for size in _SIZES.get(choice.name, choice.allowed) if size in choice.allowed]
    return chance.choice(sizes or choice.allowed)


def _draw_marks(chance: random.Random, rules: Ruleset) -> Marks:
    """Signs on the first tiles, some of them worth something else than the number below, and on the dice."""
    names = [tile.name for tile in rules.start().standing if tile.row == 1][: len(_SIGNS)]
    if chance.random() >= 0.25 or rules.layout.dominoes:
        return NO_MARKS
    tiles = dict(zip(names, _SIGNS, strict=False))
    values = {sign: chance.randint(1, 12) for sign in tiles.values() if chance.random() < 0.3}
    return Marks(tiles, values, _SIGNS if rules.sides == len(_SIGNS) else ())
