"""Whole races by house players on the simulated box: every variant comes to an end, replays, and repeats itself."""

import itertools
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from controller.box.compatibility import default_box_for
from controller.cli.demonstration import ClaimsSeen, DemoOrder, open_demonstration
from controller.game.core.commands import StartGame
from controller.game.core.events import GameStarted
from controller.game.core.players import default_players
from controller.game.fleet.commands import Claim, Shout
from controller.game.fleet.state import Race
from controller.game.table.engines import any_rules_of, decide, evolve
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from controller.referee.subscribers import Action
from tests.browser.whole_games import WHOLE_GAMES
from tests.campaigns.races.books import RaceBooks
from tests.support.races import RIGHT, WRONG, RaceByHand

# Of every variant of S003 one, with the readings that go with it.
VARIANTS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "V2 unannounced": ("flash", 2, {"challenge": "unannounced"}),
    "V1 announced": ("flash", 3, {"stake": 2}),
    "V3 in turn": ("fleet", 3, {"challenge": "in_turn", "namer": "rotation"}),
    "V3w the winner names": ("flash", 4, {"challenge": "in_turn", "namer": "winner", "first": "lowest"}),
    "V4 in order": ("fleet", 2, {"challenge": "in_order", "equal_shouts": "share"}),
    "V5 timer": ("flash", 3, {"timer": 5, "unfinished": "open", "wrong_shout": "no_chip"}),
    "V6 unfrozen": ("flash", 2, {"keeping": "unfrozen", "challenge": "unannounced", "equal_shouts": "again"}),
    "V7 expanded chips": ("fleet", 6, {"chips": "1-5-10-20-50-100", "challenge": "in_order"}),
    "no straight": ("fleet", 3, {"challenge": "in_order", "straight": "impossible"}),
}


async def demonstrate(folder: Path, variant: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The lines of two games, and what a second bookkeeper has otherwise."""
    game, players, options = VARIANTS[variant]
    start = StartGame(default_players(str(players), "careless" if players > 3 else "skilled"), game, options)
    order = DemoOrder(default_box_for(any_rules_of(game, options)), start, 1, 3, ())
    ticks = itertools.count()
    with Journal(folder / "demo.sqlite3") as journal:
        opening = open_demonstration(order, journal, folder, lambda: float(next(ticks)))
        async with opening as demonstration, aclosing(demonstration.play(1, start)) as games:
            played = [asdict(each) async for each in games]
        entries = journal.entries(1)
        race = replay_checked(entries)
    assert isinstance(race, Race)
    assert race.is_over
    first = entries[0].event
    assert isinstance(first, GameStarted)
    books = RaceBooks(first)
    for entry in entries[1:]:
        books.hear(entry.event)
    assert [dict(zip((p.name for p in race.players), race.totals, strict=True))] == [each["scores"] for each in played]
    return played, [*books.problems, *books.differences(race)]


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS if WHOLE_GAMES else ["V3w the winner names", "V5 timer"])
async def test_a_race_of_the_house_ends_by_itself_and_a_second_bookkeeper_agrees(tmp_path: Path, variant: str) -> None:
    [game], problems = await demonstrate(tmp_path, variant)
    assert not problems
    assert game["misreads"] == 0
    assert game["rounds"] == len(any_rules_of(VARIANTS[variant][0], {}).card.combinations)  # type: ignore[attr-defined]
    assert game["throws"] >= game["rounds"] * (VARIANTS[variant][1] - 1) - (8 if variant == "no straight" else 0)


@pytest.mark.long
async def test_the_same_seed_plays_a_race_again(tmp_path: Path) -> None:
    """But for the time of this machine. `shutbox demo --json` tells none, and is the same to the byte."""
    games = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        [game], _ = await demonstrate(tmp_path / name, "V2 unannounced")
        games.append({**game, "box_seconds": 0, "walls_s": ()})
    assert games[0] == games[1]


def heard(seen: ClaimsSeen, table: RaceByHand, *commands: Any) -> None:
    for command in commands:
        before = table.race
        events = decide(before, command)
        after: Any = before
        for event in events:
            after = evolve(after, event)
        seen(Action(1, before, events, after))
        table.do(command)


@pytest.mark.parametrize("equal", ["share", "again"])
def test_each_claim_is_counted_once_and_a_reading_that_differs_from_the_dice_is_told(equal: str) -> None:
    table = RaceByHand(3, equal_shouts=equal, challenge="in_order")
    table.begin()
    lie = {"Ann": (2,) * 6, "Bob": (2, 2, 2, 2, 2, 3)}
    seen = ClaimsSeen(lambda: lie, lambda: 0.0)
    heard(seen, table, Shout(None, "Ann"), Claim(WRONG, "Ann"))
    assert (len(seen.looks_s), seen.misreads) == (1, 1)
    right = Claim(RIGHT["all-twos"], "Ann"), Claim(RIGHT["all-twos"], "Bob")
    heard(seen, table, Shout(None, "Ann"), Shout(None, "Bob"), *right)
    assert (len(seen.looks_s), seen.misreads) == (3, 2 if equal == "share" else 1)
    seen.forget()
    assert (len(seen.looks_s), seen.misreads) == (0, 0)
