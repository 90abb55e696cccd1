"""`shutbox simulate`: turns by chance, and what they come to."""

from typing import Annotated

import typer

from controller.cli.drawing import draw_tally, show_progress
from controller.cli.options import GameName, Json, MarksFile, Set, Variant, choose_game
from controller.process import answers, print_json
from controller.rules import rules_of
from controller.settings import find_home
from controller.strategy import run_turns, tally_json


def simulate(
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    player: Annotated[str, typer.Option("--player", help="best, or a house player's strength.")] = "best",
    turns: Annotated[int, typer.Option("--turns", min=1, max=1_000_000_000, help="How many turns.")] = 100_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the dice.")] = 1,
    json: Json = False,
) -> None:
    """Play many turns by chance: the check of the odds, and of a pair of dice by its owner."""
    choice = choose_game(game, options, variant, marks)
    rules = rules_of(choice.game, choice.options, choice.marks)
    with show_progress("turns") as progress:
        tally = run_turns(rules, player, turns, seed, find_home().odds, progress)
    print_json(tally_json(rules, player, seed, tally)) if json else answers.print(draw_tally(tally))
