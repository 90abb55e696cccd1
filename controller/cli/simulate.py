"""`shutbox simulate`: many turns or games by chance, and their outcome."""

from typing import Annotated

import typer

from controller.cli.options import GameName, Json, MarksFile, Set, Variant, choose_game
from controller.cli.progress import show_progress
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.tiles import NO_MARKS
from controller.runtime.home import find_home
from controller.runtime.output import print_json
from controller.runtime.terminal import answers

_MANY = 100_000  # turns or games, if no number is given


def simulate(
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    player: Annotated[
        str | None, typer.Option("--player", help="Who plays alone: best (the default), or a strength of the house.")
    ] = None,
    turns: Annotated[
        int | None, typer.Option("--turns", min=1, max=1_000_000_000, help="How many turns they play; 100000 if none.")
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", help="Who plays against whom, by commas: steady,skilled.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", min=1, max=100_000_000, help="How many games they play; 100000 if none.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the dice.")] = 1,
    json: Json = False,
) -> None:
    choice = choose_game(game, options, variant, marks)
    names = [word.strip() for word in players.split(",")] if players is not None else None
    if choice.game in CARDS:
        if player is not None or turns is not None or choice.marks != NO_MARKS:
            raise typer.BadParameter(f"{choice.game} is raced for: say --players best,thumb and --games")
        fleet, racers = fleet_rules_of(choice.game, choice.options), names or ["best", "best"]
        with show_progress("racing") as progress:
            # Loading this takes a while, during which the progress is shown; so do the other two.
            from controller.odds.fleet.races import play_races

            races = play_races(fleet, racers, games or _MANY, seed, progress)
        from controller.cli.odds_drawing import draw_races
        from controller.opponents.simulation import races_json

        if json:
            print_json(races_json(fleet, racers, seed, races))
        else:
            answers.print(draw_races(fleet, racers, races, answers.width))
        return
    rules, folder = rules_of(choice.game, choice.options, choice.marks), find_home().odds
    if names is not None:
        if player is not None or turns is not None:
            raise typer.BadParameter("--players play games, not turns; leave out --player and --turns")
        with show_progress("playing games") as progress:
            from controller.opponents.simulation import play_rounds

            wins = play_rounds(rules, names, games or _MANY, seed, folder=folder, progress=progress)
        from controller.cli.odds_drawing import draw_wins
        from controller.opponents.simulation import wins_json

        if json:
            print_json(wins_json(rules, names, seed, wins))
        else:
            answers.print(draw_wins(names, wins, answers.width))
        return
    if games is not None:
        raise typer.BadParameter("--games are of several players; say --players steady,skilled, or --turns")
    with show_progress("playing turns") as progress:
        from controller.opponents.simulation import simulate as simulate_turns

        alone = player or "best"
        tally = simulate_turns(rules, alone, turns or _MANY, seed, folder=folder, progress=progress)
    from controller.cli.odds_drawing import draw_tally
    from controller.opponents.simulation import tally_json

    print_json(tally_json(rules, alone, seed, tally)) if json else answers.print(draw_tally(tally, answers.width))
