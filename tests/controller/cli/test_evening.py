"""Evenings of many matches at the command line, and called to boxes by a client of their daemons."""

import asyncio
import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli.evening.director import call_matches
from controller.cli.evening.ladder import ladder_of
from controller.cli.evening.store import EveningFile
from controller.errors import EveningError
from controller.game.core.commands import Abandon, StartGame
from controller.game.core.players import Player
from controller.game.evening.decide import finish, open_evening, withdraw
from controller.game.evening.evening import replay
from controller.game.evening.events import MOST_PLAYERS, Finished, Opened
from controller.game.stn.record import read_records
from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.runtime.locks import lock_evening
from controller.web.client import Client
from tests.controller.cli.test_documented_lines import LINES
from tests.support.any_evening import AT
from tests.support.served_box import open_served_box

Shutbox = Callable[..., tuple[int, str, str]]
PATIENCE_S = 20_000.0  # of a clock that jumps

pytest.importorskip("networkx", reason="no networkx here: make lanes")
pytest.importorskip("glicko2", reason="no glicko2 here: make lanes")


def open_autumn(shutbox: Shutbox, *words: str) -> str:
    status, out, err = shutbox("evening", "open", "autumn", "--players", "Ann,Bea,Carl", "--game", "pub", *words)
    assert (status, err) == (0, "")
    return out


def test_an_evening_is_opened_told_corrected_and_shown(shutbox: Shutbox) -> None:
    out = open_autumn(shutbox, "--form", "swiss")
    assert out.splitlines()[:3] == ["Round 1", "  1. Ann against Bea", "  Carl has a bye"]
    status, out, err = shutbox("evening", "result", "autumn", "1", "Bea")
    assert (status, err) == (0, "")
    assert "  1. Ann against Bea: Bea won (by somebody's word)" in out
    assert "Round 2" in out
    status, out, _ = shutbox("evening", "withdraw", "autumn", "Ann")
    assert "has gone home" in out
    shown = json.loads(shutbox("evening", "show", "autumn", "--json")[1])
    assert [row["name"] for row in shown["table"] if row["withdrawn"]] == ["Ann"]
    rows = list(csv.DictReader(io.StringIO(shutbox("evening", "export", "autumn")[1])))
    assert {row["how"] for row in rows} >= {"said", "bye"}
    assert rows[0] == {
        "round": "1",
        "match": "1",
        "first": "Ann",
        "second": "Bea",
        "winners": "Bea",
        "how": "said",
        "first_score": "",
        "second_score": "",
        "box": "",
        "game": "",
    }
    ladder = json.loads(shutbox("evening", "ladder", "--json")[1])["ladder"]
    assert [each["name"] for each in ladder] == ["Bea", "Ann"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("open", "autumn", "--players", "Ann,Bea"), "there is an evening of that name"),
        (("open", "Autumn", "--players", "Ann,Bea"), "1 to 24 small letters, digits and -, not 'Autumn'"),
        (("open", "spring", "--players", "Ann"), "2 to 24 names by commas, not 1"),
        (("open", "spring", "--players", "Ann,House:mighty"), "the house plays careless"),
        (("open", "spring", "--players", "Ann,Ann"), "two players have one name: Ann, Ann"),
        (("open", "spring", "--players", "Ann,Bea", "--rounds", "2"), "--rounds is for --form swiss"),
        (("open", "spring", "--players", "Ann,Bea", "--game", "whist"), "no game 'whist'"),
        (("open", "spring", "--players", "Ann,Bea", "--set", "ties=never"), "ties=never is not possible"),
        (("show", "spring"), "there is no evening"),
        (("result", "autumn", "9", "Ann"), "there is no match 9"),
        (("result", "autumn", "1", "Zoe"), "or tie, not Zoe"),
        (("withdraw", "autumn", "Zoe"), "Zoe is not here"),
        (("run", "autumn", "--box", "Red"), "say NAME=SOCKET, each name once"),
        (("run", "autumn", "--box", "R" * 25 + "=x.sock"), "of 24 characters at most"),
    ],
)
def test_what_cannot_be_is_one_line_and_nothing_changes(
    words: tuple[str, ...], line: str, shutbox: Shutbox, shutbox_home: Path
) -> None:
    open_autumn(shutbox)
    before = {path.name: path.read_bytes() for path in shutbox_home.glob("evening-*.json")}
    status, out, err = shutbox("evening", *words)
    assert (status, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in shutbox_home.glob("evening-*.json")} == before


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "the file"),
        ('{"format": 2, "events": []}', "it has format 2, and this version reads 1"),
        ('{"format": 1, "events": []}', "begins with its opening"),
        ('{"format": 1, "events": [{"kind": "called", "match": 0, "box": "Red", "after": 0}]}', "events.0"),
    ],
)
def test_a_file_that_cannot_be_read_says_where(text: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "evening-autumn.json"
    path.write_text(text)
    with pytest.raises(EveningError, match=line):
        EveningFile(path).load()


def test_the_lines_of_its_page_run_one_after_the_other(shutbox: Shutbox) -> None:
    lines = [words for words in LINES["docs/howto/evening.md"] if words[0] == "shutbox" and words[2] != "run"]
    assert len(lines) == 5
    assert [shutbox(*words[1:])[0] for words in lines] == [0] * 5


def test_a_ladder_rises_by_winning_and_gets_surer(tmp_path: Path) -> None:
    evenings = []
    for number in range(2):
        opened = Opened(f"e{number}", f"2026-12-0{number + 1}T20:00", "round-robin", ("Ann", "Bea", "Carl"), "pub")
        file = EveningFile(tmp_path / f"evening-e{number}.json")
        evening = file.create(open_evening(opened))
        for match in evening.matches:
            winner = min(match.players)
            result = Finished(match.number, (winner,), "played", AT)
            evening = file.change(lambda evening, result=result: finish(evening, result))  # type: ignore[misc]
        evenings.append(evening)
    once, twice = ladder_of(evenings[:1]), ladder_of(evenings)
    assert [each.name for each in twice] == ["Ann", "Bea", "Carl"]
    assert [each.matches for each in twice] == [4, 4, 4]
    # By the paper's formulas, worked out by hand for two games against 1500 and 350: v = 4.468, phi' = 1.4588.
    assert [each.rating for each in once] == [pytest.approx(value, abs=0.2) for value in (1747.3, 1500.0, 1252.7)]
    assert once[0].deviation == pytest.approx(253.4, abs=0.1)
    assert all(after.deviation < before.deviation < 350 for before, after in zip(once, twice, strict=True))


def test_a_walkover_counts_for_nobody_on_the_ladder(tmp_path: Path) -> None:
    file = EveningFile(tmp_path / "evening-autumn.json")
    file.create(open_evening(Opened("autumn", AT, "knock-out", ("Ann", "Bea"), "pub")))
    assert ladder_of([file.change(lambda evening: withdraw(evening, "Ann", AT))]) == ()


async def until(client: Client, is_so: Callable[[Snapshot], bool]) -> None:
    async with client.snapshots() as snapshots:
        async for snapshot in snapshots:
            if is_so(snapshot):
                return


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path, fixed=True)


def open_house_evening(home: Home) -> EveningFile:
    """An evening of three houses, so that it plays itself."""
    file = EveningFile(home.evening("autumn"))
    players = ("Ann:casual", "Bea:careless", "Carl:casual")
    file.create(open_evening(Opened("autumn", AT, "round-robin", players, "unlucky-7")))
    return file


async def test_an_evening_is_played_at_a_box_and_shown_there(home: Home) -> None:
    told: list[str] = []
    async with open_served_box(home) as box, asyncio.timeout(PATIENCE_S):
        file = open_house_evening(home)
        await call_matches(file, [], {"box": home.socket}, 20, told.append)
        shown = (await box.terminal.ask("GET", "/api/evening")).json()
        games = (await box.terminal.ask("GET", "/api/history")).json()["games"]
        pages = [(await box.terminal.ask("GET", f"/evening{part}")).text for part in ("", "/parts/soon", "/parts/wall")]
    evening = file.load()
    assert shown["is_over"]
    assert [row["name"] for row in shown["ladder"]] == [each.name for each in ladder_of([evening])]
    assert sorted(game["players"] for game in games) == sorted(list(match.players) for match in evening.matches)
    assert told[0] == "Match 1: Carl against Bea, at box."
    assert len(told) == 6
    for match in evening.matches:
        (game,) = match.games
        (record,) = read_records(game.record)
        assert tuple(player.name for player in record.game.players) == match.players
        assert game.scores
    whole, soon, wall = pages
    assert all(name in whole and name in wall for name in evening.players)
    assert "The evening is over" in soon


async def test_the_largest_evening_is_shown(home: Home) -> None:
    names = tuple("\N{GAME DIE}" * 22 + f"{place:02}" for place in range(MOST_PLAYERS))
    told = [*open_evening(Opened("autumn", AT, "round-robin", names, "against-all-odds"))]
    while (evening := replay(told)).open_matches:
        for match in evening.open_matches:
            scores = dict.fromkeys(match.players, 45)
            told += finish(evening, Finished(match.number, match.players, "said", AT, scores, "R" * 24))
    file = EveningFile(home.evening("autumn"))
    file.create(told)
    async with open_served_box(home) as box, asyncio.timeout(PATIENCE_S):
        said: list[str] = []
        await call_matches(file, [], {"box": home.socket}, 1, said.append)
        shown = await box.terminal.ask("GET", "/api/evening")
    assert said == []
    assert len(shown.content) > 64 * 1024
    assert sum(map(len, shown.json()["rounds"])) == MOST_PLAYERS * (MOST_PLAYERS - 1) // 2


@pytest.mark.long
async def test_an_evening_that_was_cut_off_goes_on_with_the_same_games(home: Home) -> None:
    async with open_served_box(home), asyncio.timeout(PATIENCE_S), Client(home.socket) as client:
        file = open_house_evening(home)
        cuts = 0
        while file.load().open_matches:
            calling = asyncio.create_task(call_matches(file, [], {"box": home.socket}, 3, lambda _line: None))
            await asyncio.wait([calling], timeout=7 + cuts)
            calling.cancel()
            await asyncio.gather(calling, return_exceptions=True)
            cuts += 1
        last = (await client.state()).game_id
    assert cuts > 5
    assert last == 3
    assert [len(match.games) for match in file.load().matches] == [1, 1, 1]


@pytest.mark.long
async def test_the_end_of_a_game_that_came_while_nobody_looked_counts(home: Home) -> None:
    async with open_served_box(home), asyncio.timeout(PATIENCE_S), Client(home.socket) as client:
        file = open_house_evening(home)
        calling = asyncio.create_task(call_matches(file, [], {"box": home.socket}, 0, lambda _line: None))
        await until(client, lambda snapshot: snapshot.phase != "idle")
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        await until(client, lambda snapshot: snapshot.phase == "ended")
        # Somebody plays something else before the evening goes on.
        await client.send(StartGame((Player("Zoe", house=True), Player("Yan", house=True)), "pub", {"first": "chosen"}))
        await until(client, lambda snapshot: snapshot.phase == "ended")
        await call_matches(file, [], {"box": home.socket}, 0, lambda _line: None)
    games = [game.game_id for match in file.load().matches for game in match.games]
    assert games == [1, 3, 4]


async def test_a_game_that_was_given_up_is_called_again(home: Home) -> None:
    told: list[str] = []
    async with open_served_box(home), asyncio.timeout(PATIENCE_S), Client(home.socket) as client:
        file = open_house_evening(home)
        calling = asyncio.create_task(call_matches(file, [], {"box": home.socket}, 5, told.append))
        await until(client, lambda snapshot: snapshot.phase != "idle")
        await client.send(Abandon())
        await calling
    assert told[:3] == [
        "Match 1: Carl against Bea, at box.",
        "Match 1 was given up: it waits again.",
        "Match 1: Carl against Bea, at box.",
    ]
    assert file.load().matches[0].calls == 2


async def test_a_match_that_is_decided_meanwhile_frees_its_box(home: Home) -> None:
    async with open_served_box(home), asyncio.timeout(PATIENCE_S), Client(home.socket) as client:
        file = open_house_evening(home)
        calling = asyncio.create_task(call_matches(file, [], {"box": home.socket}, 5, lambda _line: None))
        await until(client, lambda snapshot: snapshot.is_game_on)
        await asyncio.sleep(2)
        file.change(lambda evening: withdraw(evening, "Carl", AT))
        await calling
        games = [await client.history(game_id) for game_id in (1, 2)]
    assert [game["game"]["outcome"] for game in games] == ["given_up", "won"]
    assert games[1]["game"]["players"] == ["Ann", "Bea"]


@pytest.mark.long
async def test_a_box_that_is_away_is_waited_for_and_its_matches_wait_if_it_is_not_named(home: Home) -> None:
    told: list[str] = []
    file = open_house_evening(home)
    calling = asyncio.create_task(call_matches(file, [], {"box": home.socket}, 5, told.append))
    await asyncio.sleep(30)
    async with open_served_box(home), asyncio.timeout(PATIENCE_S), Client(home.socket) as client:
        await until(client, lambda snapshot: snapshot.is_game_on)
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        await call_matches(file, [], {"other": home.socket}, 5, told.append)
    assert len([line for line in told if line.startswith("box is away")]) == 1
    assert "Match 1 was called to box, which is not here: it waits again." in told
    assert not file.load().open_matches


def test_only_one_process_calls_the_matches_of_an_evening(home: Home) -> None:
    file = open_house_evening(home)
    with (
        lock_evening(file.path),
        pytest.raises(EveningError, match="another process calls the matches"),
        lock_evening(file.path),
    ):
        pass
