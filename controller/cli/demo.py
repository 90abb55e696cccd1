"""`shutbox demo`: run a demonstration, and tell it in words or as JSON Lines."""

import statistics
import time
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from controller.box.compatibility import check_box, default_box_for, known_boxes
from controller.box.faults import check_faults, parse_faults
from controller.cli.demonstration import DemoHalted, DemoOrder, PlayedGame, open_demonstration
from controller.cli.options import BoxName, Faults, GameName, Json, MarksFile, Match, Seed, Set, Variant, choose_game
from controller.game.core.commands import StartGame
from controller.game.core.english import count
from controller.game.core.players import DEFAULT_STRENGTH, default_players
from controller.game.table.engines import any_rules_of, decide
from controller.journal.files import remove_journal
from controller.journal.store import Journal
from controller.runtime.clock import run_jumping
from controller.runtime.home import Home, find_home
from controller.runtime.locks import lock_demonstration
from controller.runtime.output import Exit, fault_json, print_json
from controller.runtime.terminal import answers, say, words
from hardware.box import load_box


def demo(
    seed: Seed = 1,
    games: Annotated[int, typer.Option("--games", min=1, max=10_000, help="How many games.")] = 1,
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    match: Match = None,
    players: Annotated[
        str, typer.Option("--players", help="How many house players, or their names; Ann:perfect,Bea:careless.")
    ] = "2",
    strength: Annotated[
        str, typer.Option("--strength", help="How well they play: careless, casual, steady, skilled or perfect.")
    ] = DEFAULT_STRENGTH,
    box: BoxName = None,
    faults: Faults = None,
    json: Json = False,
) -> None:
    choice = choose_game(game, options, variant, marks, match)
    start = StartGame(default_players(players, strength), choice.game, choice.options, choice.marks)
    profile = load_box(box) if box else default_box_for(any_rules_of(start.game, start.options, start.marks))
    order = DemoOrder(profile, start, games, seed, parse_faults(faults))
    raise typer.Exit(run_demo(find_home(), order, as_json=json))


def run_demo(home: Home, order: DemoOrder, *, as_json: bool) -> Exit:
    """Play and tell games in a new journal in the home folder. NO if a fault ended it.

    Raises `BadPlayers`, `BoxTooSmall`, `InvalidOption`, `BadFault` or `DaemonRuns` before anything is played.
    """
    check_box(any_rules_of(order.start.game, order.start.options, order.start.marks), order.box, known_boxes())
    decide(None, order.start)
    check_faults(order.box, order.faults)
    home.make()
    with lock_demonstration(home.demo_journal):
        remove_journal(home.demo_journal)
        with Journal(home.demo_journal) as journal:
            return run_jumping(_play_and_tell(order, journal, home.odds, as_json=as_json))


async def _play_and_tell(order: DemoOrder, journal: Journal, odds: Path, *, as_json: bool) -> Exit:
    told: list[PlayedGame] = []
    try:
        async with open_demonstration(order, journal, odds, time.perf_counter) as demonstration:
            with Progress(console=words, transient=True, disable=not words.is_terminal) as progress:
                bar = progress.add_task("games", total=order.games)
                async with aclosing(demonstration.play(order.games, order.start)) as games:
                    async for played in games:
                        _tell_played(played, as_json=as_json)
                        told.append(played)
                        progress.advance(bar)
            # Of everything that was played: how well it was read, and the time it took.
            kind = told[0].throws_are if told else "throw"
            throws, misread = sum(game.throws for game in told), sum(game.misreads for game in told)
            refused = "" if kind == "claim" else f", {sum(game.refused for game in told)} thrown again"
            wall_ms = 1000 * statistics.median([wall_s for game in told for wall_s in game.walls_s] or [0.0])
            say(f"{count(throws, kind)}, {misread} misread{refused}; {wall_ms:.0f} ms of wall time a {kind} (median)")
    except DemoHalted as halted:
        if as_json:
            print_json({"fault": fault_json(halted.fault)})
        else:
            answers.print(str(halted.fault), markup=False)
        return Exit.NO
    say(f"Journal: {journal.path}")
    return Exit.DONE


def _tell_played(played: PlayedGame, *, as_json: bool) -> None:
    if as_json:
        # Without the time it took: the same seed prints the same line.
        left_out = {"walls_s", "throws_are"}
        left_out |= set() if played.coins else {"coins"}
        left_out |= set() if played.rounds > 1 else {"rounds"}
        print_json({key: value for key, value in asdict(played).items() if key not in left_out})
        return
    scores = ", ".join(f"{name} {score}" for name, score in played.scores.items())
    won = f"{' and '.join(played.winner) or 'nobody'} {'win' if len(played.winner) > 1 else 'wins'}"
    rounds = f" in {played.rounds} rounds" if played.rounds > 1 else ""
    coins = "".join(f"; {name} {coins:+d} coins" for name, coins in played.coins.items())
    time_taken = f"after {count(played.throws, played.throws_are)}{rounds}, {played.box_seconds} s at the box"
    answers.print(f"Game {played.game}: {scores}; {won} {time_taken}{coins}", markup=False)
