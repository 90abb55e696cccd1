"""The daemon's door: commands, refusals and the stream of snapshots, without a network."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import httpx
import pytest

from controller.game.core.actions import ActionKind
from controller.game.core.commands import Abandon, Believe, GoOn, Park, PutRight, StartGame, TryAgain
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, RollDice, TakeThrow
from controller.game.table.snapshot import SNAPSHOT, Snapshot
from controller.game.table.wire import COMMAND
from controller.rules.tiles import Marks
from controller.runtime.threads import run_in_background
from controller.web.app import make_app
from controller.web.client import Client, Refused
from controller.web.security.principal import LocalApp
from controller.web.server import listen, serve_terminal
from tests.support.strangers import Ears
from tests.support.tables import open_table_rig, until
from tests.support.together import together

if TYPE_CHECKING:
    from controller.referee.referee import Referee

START: dict[str, Any] = {"do": "start", "players": [{"name": "Ann"}]}


@asynccontextmanager
async def door(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with open_table_rig(folder) as table, table.referee() as referee:
        transport = httpx.ASGITransport(app=LocalApp(make_app(referee)))
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
            yield client


async def test_a_game_is_started_thrown_and_chosen_through_the_door(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        transport = httpx.ASGITransport(app=LocalApp(make_app(referee)))
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
            assert (await client.get("/api/state")).json()["phase"] == "idle"
            started = await client.post("/api/commands", json=START)
            assert (started.status_code, started.json()["phase"]) == (200, "moving")
            await until(referee, "awaiting_throw")
            await client.post("/api/commands", json={"do": "roll"})
            choosing = await until(referee, "choosing")
            move = {"do": "choose", "tiles": list(choosing.moves[0])}
            chosen = await client.post("/api/commands", json=move)
            assert chosen.json()["event"] == choosing.event + 1


@pytest.mark.parametrize(
    ("message", "status", "says"),
    [
        ({"do": "roll"}, 409, "no game is on"),
        ({"do": "dance"}, 422, "'do' must be one of"),
        ({"do": "start", "players": []}, 422, "players"),
        ({"do": "start", "players": [{"name": "Ann"}], "game": "chess"}, 422, "the games are two-level"),
        ({"do": "start", "players": [{"name": "Ann"}], "options": {"columns": 12}}, 422, "two-level-12"),
        ({"do": "start", "players": [{"name": "Ann"}, {"name": "Ann"}]}, 422, "different names"),
        ({"do": "dice", "dice": ["x"]}, 422, "dice"),
        ({"do": "roll", "count": 1, "colour": "red"}, 422, "colour"),
        ([], 422, "object"),
    ],
)
async def test_what_cannot_be_is_refused_with_one_line(tmp_path: Path, message: object, status: int, says: str) -> None:
    async with door(tmp_path) as client:
        refusal = await client.post("/api/commands", json=message)
        assert refusal.status_code == status
        assert says in refusal.json()["error"]
        assert "\n" not in refusal.json()["error"]
        assert (await client.get("/api/state")).json()["event"] == 0


async def test_a_refusal_at_the_wrong_moment_comes_with_the_state_and_what_can_be_done(tmp_path: Path) -> None:
    async with door(tmp_path) as client:
        refusal = (await client.post("/api/commands", json={"do": "roll"})).json()
        state = (await client.get("/api/state")).json()
    assert refusal["error"] == "you cannot throw the dice now: no game is on. You can start a game"
    assert refusal["state"] == state
    assert [action["kind"] for action in state["actions"]] == ["start"]


EXTRA = "is not known here"
NO_LIST = "must be a list"
NO_OBJECT = "must be an object"
NO_INTEGER = "must be a whole number"
NO_STRING = "must be a text"
NO_OPTION = "must be true or false, or must be a whole number, or must be a text"
TAGS = ", ".join(f"'{kind}'" for kind in get_args(ActionKind))


def start(players: object = START["players"], **fields: object) -> dict[str, object]:
    return {"do": "start", "players": players, **fields}


async def post(body: bytes) -> tuple[httpx.Response, list[object]]:
    """The answer to `body`, and what the referee was asked."""
    ears = Ears()
    transport = httpx.ASGITransport(app=LocalApp(make_app(cast("Referee", ears))))
    async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
        answer = await client.post("/api/commands", content=body, headers={"Content-Type": "application/json"})
    return answer, ears.heard


@together(
    ("message", "command"),
    [
        (start(), StartGame((Player("Ann"),))),
        (start([{"name": "x" * 24}]), StartGame((Player("x" * 24),))),
        (start([{"name": str(n)} for n in range(12)]), StartGame(tuple(Player(str(n)) for n in range(12)))),
        (start([{"name": "A", "house": True, "strength": "casual"}]), StartGame((Player("A", True, "casual"),))),
        (start([{"name": "A", "house": "yes"}]), StartGame((Player("A", True),))),
        (start(game="chess"), StartGame((Player("Ann"),), "chess")),
        (
            start(options={"a": 1, "b": True, "c": "3"}),
            StartGame((Player("Ann"),), options={"a": 1, "b": True, "c": "3"}),
        ),
        (start(marks={}), StartGame((Player("Ann"),))),
        (
            start(marks={"tiles": {"front-1": "sun"}, "values": {"sun": 3}, "faces": ["a", "b"]}),
            StartGame((Player("Ann"),), marks=Marks({"front-1": "sun"}, {"sun": 3}, ("a", "b"))),
        ),
        ({"do": "roll"}, RollDice()),
        ({"do": "roll", "count": None}, RollDice()),
        ({"do": "roll", "count": 6}, RollDice(6)),
        ({"do": "roll", "count": "3"}, RollDice(3)),
        ({"do": "dice", "dice": [5, 3]}, TakeThrow((5, 3), "typed")),
        ({"do": "dice", "dice": [0, -5, 10**30, 1, 1, 1]}, TakeThrow((0, -5, 10**30, 1, 1, 1), "typed")),
        ({"do": "choose", "tiles": ["x"] * 28}, Choose(("x",) * 28)),
        ({"do": "accept"}, AcceptLoss()),
        ({"do": "go_on"}, GoOn()),
        ({"do": "try_again"}, TryAgain()),
        ({"do": "correct", "dice": [5, 2]}, CorrectThrow((5, 2))),
        ({"do": "believe"}, Believe()),
        ({"do": "end_turn"}, EndTurn()),
        ({"do": "put_right"}, PutRight()),
        ({"do": "correct_game"}, CorrectGame()),
        ({"do": "park"}, Park()),
        ({"do": "abandon"}, Abandon()),
    ],
)
def test_a_body_is_handed_to_the_referee_as_the_command_it_says(message: object, command: object) -> None:
    answer, heard = asyncio.run(post(json.dumps(message).encode()))
    assert (answer.status_code, heard) == (200, [command])
    # True equals 1, but is no number of columns.
    assert repr(heard) == repr([command])


@together(
    ("message", "line"),
    [
        ([], f"message: {NO_OBJECT}"),
        (None, f"message: {NO_OBJECT}"),
        ("roll", f"message: {NO_OBJECT}"),
        ({}, "message: 'do' is missing"),
        ({"count": 1}, "message: 'do' is missing"),
        *(
            ({"do": do}, f"message: 'do' must be one of {TAGS}")
            for do in ("dance", "Roll", None, 1, "confirm_tiles", "report_fault", "ConfirmTiles", "ReportFault")
        ),
        ({"do": "roll", "count": 0}, "count: must be at least 1"),
        ({"do": "roll", "count": 7}, "count: must be at most 6"),
        ({"do": "roll", "count": 3.5}, f"count: {NO_INTEGER}"),
        ({"do": "roll", "count": "x"}, f"count: {NO_INTEGER}"),
        ({"do": "roll", "colour": "red"}, f"colour: {EXTRA}"),
        ({"do": "dice"}, "dice: is missing"),
        ({"do": "dice", "dice": []}, "dice: must hold at least 1"),
        ({"do": "dice", "dice": [1] * 7}, "dice: must hold at most 6"),
        ({"do": "dice", "dice": [True]}, f"dice.0: {NO_INTEGER}"),
        ({"do": "dice", "dice": ["3"]}, f"dice.0: {NO_INTEGER}"),
        ({"do": "dice", "dice": [5, 3.0]}, f"dice.1: {NO_INTEGER}"),
        ({"do": "dice", "dice": "53"}, f"dice: {NO_LIST}"),
        ({"do": "dice", "dice": {"0": 1}}, f"dice: {NO_LIST}"),
        ({"do": "dice", "dice": [5, 3], "source": "camera"}, f"source: {EXTRA}"),
        ({"do": "dice", "dice": [5, 3], "source": "typed"}, f"source: {EXTRA}"),
        ({"do": "choose", "tiles": []}, "tiles: must hold at least 1"),
        (
            {"do": "choose", "tiles": ["x"] * 29},
            "tiles: must hold at most 28",
        ),
        ({"do": "choose", "tiles": [1]}, f"tiles.0: {NO_STRING}"),
        ({"do": "choose", "tiles": "front-8"}, f"tiles: {NO_LIST}"),
        ({"do": "choose", "tiles": ["front-8"], "why": ""}, f"why: {EXTRA}"),
        ({"do": "choose", "tiles": ["front-8"], "why": "x"}, f"why: {EXTRA}"),
        ({"do": "start"}, "players: is missing"),
        (start([]), "players: must hold at least 1"),
        (
            start([{"name": str(n)} for n in range(13)]),
            "players: must hold at most 12",
        ),
        (start("Ann"), f"players: {NO_LIST}"),
        (start(["Ann"]), f"players.0: {NO_OBJECT}"),
        (start([{}]), "players.0.name: is missing"),
        (start([{"name": ""}]), "players.0.name: must have 1 characters or more"),
        (start([{"name": "x" * 25}]), "players.0.name: must have 24 characters at most"),
        (start([{"name": 1}]), f"players.0.name: {NO_STRING}"),
        (start([{"name": "A", "age": 3}]), f"players.0.age: {EXTRA}"),
        (
            start([{"name": "A", "strength": "mighty"}]),
            "players.0.strength: must be 'careless', 'casual', 'steady', 'skilled' or 'perfect'",
        ),
        (start(game=None), f"game: {NO_STRING}"),
        (start(options=[]), "options: must be an object"),
        *((start(options={"columns": value}), f"options.columns: {NO_OPTION}") for value in (3.0, None, [3])),
        (start(marks={"faces": [1]}), f"marks.faces.0: {NO_STRING}"),
        (start(marks={"tiles": {"front-1": 1}}), f"marks.tiles.front-1: {NO_STRING}"),
        (start(kind="x"), f"kind: {EXTRA}"),
        *(
            ({"do": do, "x": 1}, f"x: {EXTRA}")
            for do in (
                "accept",
                "go_on",
                "try_again",
                "believe",
                "end_turn",
                "put_right",
                "correct_game",
                "park",
                "abandon",
            )
        ),
        ({"do": "park", **{f"x{n}": n for n in range(4000)}}, f"x0: {EXTRA}"),
    ],
)
def test_a_body_that_is_no_command_is_refused_with_the_line_that_says_where(message: object, line: str) -> None:
    answer, heard = asyncio.run(post(json.dumps(message).encode()))
    assert (answer.status_code, heard) == (422, [])
    assert answer.json() == {"error": line, "code": "C-201"}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"marks": {"x": 1}}, f"marks.x: {EXTRA}"),
        ({"marks": {"faces": "abcdef"}}, f"marks.faces: {NO_LIST}"),
        ({"marks": None}, f"marks: {NO_OBJECT}"),
    ],
)
def test_a_mistake_in_the_marks_is_told_in_words_of_json(fields: dict[str, object], line: str) -> None:
    answer, _ = asyncio.run(post(json.dumps(start(**fields)).encode()))
    assert (answer.status_code, answer.json()) == (422, {"error": line, "code": "C-201"})


@pytest.mark.parametrize(
    ("body", "status", "line"),
    [
        (b"", 422, "message: is missing"),
        (b"{", 422, "message: is no JSON that can be read"),
        (b"[" * 60_000, 400, "message: is JSON that nobody can read: too deep, or a number too long"),
        (b'{"do": "park", "x": ' + b"[" * 300 + b"]" * 300 + b"}", 422, f"x: {EXTRA}"),
        (
            b'{"do": "roll", "count": ' + b"9" * 5000 + b"}",
            400,
            "message: is JSON that nobody can read: too deep, or a number too long",
        ),
        (b'{"do": "park", "x\\ny": 1}', 422, f"x?y: {EXTRA}"),
        (b'{"do": "park", "' + b"x" * 60_000 + b'": 1}', 422, "x" * 1000),
    ],
)
def test_a_body_that_nobody_can_read_is_refused_with_one_short_line(body: bytes, status: int, line: str) -> None:
    answer, heard = asyncio.run(post(body))
    assert (answer.status_code, heard) == (status, [])
    assert answer.json() == {"error": line, "code": "C-201"}


def test_a_client_posts_its_command_with_a_key_and_again_when_the_answer_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        posted.append(request.content)
        if len(posted) == 1:
            raise httpx.ReadError("the answer is lost")
        return httpx.Response(200, content=SNAPSHOT.dump_json(Snapshot(1, "two-level-9", "")))

    async def story() -> None:
        async with Client(tmp_path / "shutbox.sock") as client:
            await client.send(TakeThrow((5, 3)))

    monkeypatch.setattr(httpx, "AsyncHTTPTransport", lambda **_: httpx.MockTransport(answer))
    asyncio.run(story())
    asked = COMMAND.validate_json(posted[0])
    assert asked == TakeThrow((5, 3), key=asked.key)
    assert len(asked.key or "") == 32
    assert posted == [COMMAND.dump_json(asked, exclude_none=True)] * 2, "sent again, by the same key"


async def test_two_clients_at_the_socket_see_the_same_events(tmp_path: Path) -> None:
    socket = tmp_path / "shutbox.sock"

    with listen(socket) as sock:
        async with (
            open_table_rig(tmp_path) as table,
            table.referee() as referee,
            run_in_background(serve_terminal(make_app(referee), sock)),
            Client(socket) as ann,
            Client(socket) as bob,
            bob.snapshots() as seen,
        ):
            first = await anext(seen)
            assert (first.phase, (await ann.state()).phase) == ("idle", "idle")
            started = await ann.send(StartGame((Player("Ann"),)))
            assert await anext(seen) == started
            with pytest.raises(Refused, match=r"you cannot start a game now: .* or give the game up"):
                await bob.send(StartGame((Player("Bob"),)))
            assert socket.stat().st_mode & 0o777 == 0o660
    assert not socket.exists()


async def test_a_command_on_its_way_is_carried_out_though_its_sender_has_left(tmp_path: Path) -> None:
    socket = tmp_path / "shutbox.sock"

    with listen(socket) as sock:
        async with (
            open_table_rig(tmp_path) as table,
            table.referee() as referee,
            run_in_background(serve_terminal(make_app(referee), sock)),
        ):
            async with Client(socket) as ann:
                starting = asyncio.ensure_future(ann.send(StartGame((Player("Ann"),))))
                await asyncio.sleep(0)
                starting.cancel()
            assert referee.snapshot.players == ("Ann",)


def test_a_socket_path_that_is_too_long_is_one_line(tmp_path: Path) -> None:
    from controller.errors import SettingsError

    with pytest.raises(SettingsError, match="shorter path"), listen(tmp_path / ("x" * 120)):
        pass
