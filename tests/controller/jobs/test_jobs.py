"""Jobs of a daemon through its API: each kind cancelled at its steps and then saved; two operators; nobody left.

All steps, on a box of any size: `JOB_STEPS=all JOB_BOX=two-level-9 pytest tests/controller/jobs/test_jobs.py`.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.box.choose import ChosenBox
from controller.box.table import Table
from controller.errors import NotNow
from controller.game.core.commands import GoOn, Park, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import TakeThrow
from controller.jobs.jobs import AWAY_S, GONE_S
from controller.settings import load_settings
from firmware.errors import BusHung
from hardware.calibration import load_calibration
from hardware.sim.store import TileStore
from hardware.tiles import Position, TileId
from tests.support.long import long_but_every
from tests.support.operators import ORDERS, JobRig, Operator, State, open_job_rig
from tests.support.tables import until
from vision.custom_dice.storage import DiceFolder

BOX = os.environ.get("JOB_BOX", "")
ALL_STEPS = os.environ.get("JOB_STEPS") == "all"
# Lines said and questions asked when it is cancelled: at once, amid the work, and as it asks whether to save.
STEPS = {"servos": (0, 6), "camera": (9,), "dice": (4, 21), "selftest": (3,), "wiring": (1,), "bringup": (2, 6, 11)}
# Tiles that a self-test has moved stay where they are, and the book of them tells of it: wood is no file.
WOOD = ("simulated-", "wear-")


def at_rest(rig: JobRig) -> bool:
    return rig.referee.snapshot.job is None


@pytest.mark.parametrize("kind", long_but_every(3, ORDERS))
async def test_a_job_that_is_cancelled_at_any_step_changes_no_file(kind: str, tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box=BOX) as rig:
        untouched = WOOD if kind == "selftest" else ()
        before, step, ended = rig.files(*untouched), 0, False
        steps = iter(range(10_000) if ALL_STEPS else STEPS[kind])
        while not ended and (step := next(steps, -1)) >= 0:
            assert (await rig.ann.begin(**ORDERS[kind])).status_code == 200
            state = await rig.ann.follow(stop_at=step)
            await rig.until_open()
            ended = ALL_STEPS and state["lines"][-1]["text"] != "Cancelled: nothing was changed."
            if not ended:
                assert state["lines"][-1]["text"] == "Cancelled: nothing was changed.", step
                assert state["status"] == 1
                assert rig.files(*untouched) == before, step


@pytest.mark.parametrize("kind", long_but_every(2, ORDERS))
async def test_a_job_goes_on_by_answers_to_its_end_and_what_it_has_measured_is_used(kind: str, tmp_path: Path) -> None:
    opened: list[Table] = []
    async with open_job_rig(tmp_path, box=BOX, change=lambda chosen: noting(chosen, opened)) as rig:
        assert (await rig.ann.begin(**ORDERS[kind])).status_code == 200
        state = await rig.ann.follow()
        await rig.until_open()
        page = (await rig.client.get("/api/job/page")).text
        alone = (await rig.client.get("/api/job/page?alone=true")).text

    assert (state["status"], state["is_over"], state["view"]["progress"]) == (0, True, 1.0)
    home = rig.home
    saved = load_calibration(home.data, opened[0].box.name)
    match kind:
        case "servos":
            assert saved.servos is not None
            assert set(map(str, saved.servos.tiles)) == set(state["draft"]["tiles"])
            # The very table that is opened next drives its tiles to the ends that were found.
            tile = opened[-1].box.tile_ids[0]
            ends = state["answer"]["tiles"][str(tile)]
            now = opened[-1].firmware.box.tiles[tile]
            assert (now.open_us, now.shut_us) == (ends["open_us"], ends["shut_us"])
        case "camera":
            assert saved.camera is not None
            assert saved.camera.views == 8
        case "dice":
            assert DiceFolder(home.data).load("fleet").label_of(1) == "boat"
            assert load_settings(home.settings).dice == "fleet"
        case "selftest":
            assert state["answer"]["passed"]
            # As the box serves it, its own policy lets the page have no sheet inside; a file has nothing else.
            assert ("<style" in page, "<link" in page) == (False, True)
            assert ("<style" in alone, "<link" in alone) == (True, False)
        case "bringup":
            # It was wired as its profile says, so there was nothing to write.
            assert (state["answer"]["findings"], state["answer"]["saved"]) == ([], False)
            assert {tile["state"] for tile in state["draft"]["tiles"]} == {"answers"}
        case "wiring":
            parts = {part["part"]: part["seen"] for part in state["answer"]["parts"]}
            assert {"0x40", "front-1", "camera"} <= set(parts)
            assert parts["front-1"] == "up"


def noting(chosen: ChosenBox, opened: list[Table]) -> ChosenBox:
    """The box, with each table noted that is opened."""

    @asynccontextmanager
    async def open_table() -> AsyncIterator[Table]:
        async with chosen.open_table() as table:
            opened.append(table)
            yield table

    return replace(chosen, open_table=open_table)


async def test_everybody_sees_a_job_and_nobody_plays_meanwhile(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig, rig.referee.watch() as snapshots:
        daemon = rig.referee.snapshot.daemon
        assert (await rig.ann.begin(kind="servos")).status_code == 200
        while (job := (seen := await snapshots.get()).job) is None or job.question is None:
            pass
        assert seen.say.startswith("The servos are being calibrated. Open the lid")
        assert (seen.actions, job.question.answers, seen.daemon) == ((), ("go_on",), daemon)
        with pytest.raises(NotNow, match=r"The servos are being calibrated\. Wait until that is over"):
            await rig.referee.ask(StartGame((Player("Ann"),)))

        # A pause stops whatever moves, whoever asks for it.
        await rig.referee.ask(Park())
        state = await rig.ann.follow()
        await rig.until_open()
        assert state["lines"][-1]["text"] == "Cancelled: nothing was changed."
        assert (rig.referee.snapshot.say, rig.referee.snapshot.job) == ("No game is on. Start one.", None)
        numbers = [seen.number]
        while not snapshots.empty():
            numbers.append(snapshots.get_nowait().number)
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "a watcher misses nothing"


async def test_a_job_waits_for_a_pause_and_the_game_is_as_it_was_afterwards(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box="two-level-9") as rig:
        ticket = await rig.referee.seating.sit(("Ann",), "page", "player")
        await rig.referee.ask(StartGame((Player("Ann"),)))
        await until(rig.referee, "awaiting_throw")
        refused = await rig.ann.begin(kind="wiring")
        assert (refused.status_code, refused.json()["error"]) == (
            409,
            "a game is on; pause it first (park), then the box is free for this",
        )
        await rig.referee.ask(TakeThrow((5, 3)))
        await rig.referee.ask(Park())
        paused = rig.referee.snapshot
        assert (await rig.ann.begin(kind="wiring")).status_code == 200
        state = await rig.ann.follow()
        assert state["status"] == 0
        await rig.until_open()

        now = rig.referee.snapshot
        assert (now.phase, now.event, now.board, now.throw) == ("parked", paused.event, paused.board, paused.throw)
        assert rig.referee.seating.caller(ticket.token).seats == {"Ann"}
        await rig.referee.ask(GoOn())
        assert (await until(rig.referee, "choosing")).throw == (3, 5)


async def test_of_two_operators_the_second_sees_and_may_not_answer_while_the_first_is_there(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        begun = await asyncio.gather(rig.ann.begin(kind="servos"), rig.bob.begin(kind="wiring"))
        assert [each.status_code for each in begun] == [200, 409]
        assert "The servos are being calibrated" in begun[1].json()["error"]
        asked = await rig.ann.until_asked()
        seen = await rig.bob.see()
        assert (seen["view"], seen["is_yours"]) == (asked["view"], False)
        for refused in (await rig.bob.answer(1, answer="go_on"), await rig.bob.cancel(), await rig.bob.take_over()):
            assert (refused.status_code, refused.json()["code"]) == (403, "C-318")
        assert (await rig.bob.see())["view"]["question"] is not None

        await asyncio.sleep(AWAY_S + 1)
        assert (await rig.bob.take_over()).json()["is_yours"]
        assert not (await rig.ann.see())["is_yours"]
        assert (await rig.ann.answer(1, answer="go_on")).status_code == 403
        assert (await rig.bob.follow())["status"] == 0


@pytest.mark.parametrize("kind", ["servos", "dice"])
async def test_a_job_that_nobody_asks_after_waits_and_then_ends_with_nothing_changed(kind: str, tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        before = rig.files()
        await rig.ann.begin(**ORDERS[kind])
        await rig.ann.until_asked()
        await asyncio.sleep(GONE_S - 1)
        assert not at_rest(rig)
        # Whoever only looks is not there for it.
        assert not (await rig.bob.see())["is_over"]
        await asyncio.sleep(2)
        await rig.until_open()
        state = await rig.bob.see()
        assert (state["is_over"], state["status"]) == (True, 1)
        assert [line["text"] for line in state["lines"]][-2:] == [
            "Nobody has asked after this for 60 seconds.",
            "Cancelled: nothing was changed.",
        ]
        assert rig.files() == before


async def test_an_answer_is_given_once_and_to_the_question_that_is_asked(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        await rig.ann.begin(**ORDERS["dice"])
        first = await rig.ann.until_asked()
        wrong = await rig.ann.answer(first["asked"], answer="yes")
        assert (wrong.status_code, wrong.json()["error"]) == (409, "the answers are go_on")
        assert (await rig.ann.answer(first["asked"] + 1, answer="go_on")).json()["code"] == "C-317"
        # The word that it was heard may get lost: it is given again, when something else is asked.
        assert (await rig.ann.answer(first["asked"], answer="go_on")).status_code == 200
        await asyncio.sleep(2)
        assert (await rig.ann.answer(first["asked"], answer="go_on")).status_code == 200
        assert (await rig.ann.see())["asked"] == first["asked"] + 1
        again = await rig.ann.begin(**ORDERS["dice"])
        assert (again.status_code, again.json()["asked"]) == (200, first["asked"] + 1)
        await rig.ann.cancel()
        assert (await rig.ann.follow())["status"] == 1


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"kind": "servos", "tiles": ["back-1"]}, "two-tiles has no back-1; it has front-1, front-2"),
    ({"kind": "servos", "tiles": [7]}, "is not a tile"),
    ({"kind": "servos", "clocks": {"0x41": 1.0}}, "has no board 0x41"),
    ({"kind": "servos", "clocks": {"0x40": 2.0}}, "at most 1.1"),
    ({"kind": "camera", "views": 7}, "at least 8"),
    ({"kind": "dice", "name": "pips", "sides": 6, "labels": [[1, "1"]]}, "pips"),
    ({"kind": "dice", "name": "x", "sides": 6, "labels": [[7, "7"]]}, "from 1 to 6"),
    ({"kind": "dice", "name": "x", "sides": 6, "labels": [[1, "1"], [2, "1"]]}, "of its own"),
    ({"kind": "selftest", "fast": True}, "is not known here"),
    ({"kind": "tea"}, "kind"),
]


async def test_an_order_that_cannot_be_is_refused_before_anything_is_closed(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        before = rig.referee.snapshot
        for order, says in REFUSED:
            refused = await rig.ann.begin(**order)
            assert (refused.status_code, says in refused.json()["error"]) == (422, True), refused.json()
        assert rig.referee.snapshot is before
        assert (await rig.client.get("/api/job")).json() is None


async def test_a_chip_that_fails_ends_the_job_in_words_and_the_table_is_opened_again(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, faults=("silent:0x40",)) as rig:
        await rig.ann.begin(kind="servos")
        state = await rig.ann.follow()
        assert (state["status"], "0x40" in state["lines"][-1]["text"]) == (1, True)
        assert state["lines"][-1]["text"].endswith("Nothing was changed.")
        await rig.until_open()
        await rig.bob.begin(kind="wiring")
        state = await rig.bob.follow()
        assert state["lines"][-1]["text"] == "Not as it should be: 0x40."


async def test_a_table_that_cannot_be_opened_again_ends_the_daemon(tmp_path: Path) -> None:
    def once(chosen: ChosenBox) -> ChosenBox:
        left = [chosen.open_table, chosen.open_table]  # to play on, and by the wiring check

        @asynccontextmanager
        async def open_table() -> AsyncIterator[Table]:
            if not left:
                raise BusHung("bus", expected="an answer", seen="none")
            async with left.pop()() as table:
                yield table

        return replace(chosen, open_table=open_table)

    async def begin_and_wait() -> None:
        async with open_job_rig(tmp_path, change=once) as rig:
            await rig.ann.begin(kind="wiring")
            await asyncio.Event().wait()

    with pytest.raises(ExceptionGroup) as raised:
        await begin_and_wait()
    assert raised.group_contains(BusHung)


async def test_a_daemon_that_ends_amid_a_job_has_changed_nothing(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        before = rig.files("journal", *WOOD)
        await rig.ann.begin(kind="servos")
        await rig.ann.answer((await rig.ann.until_asked())["asked"], answer="go_on")
        await asyncio.sleep(10)
    assert rig.files("journal", *WOOD) == before


async def test_where_tiles_lay_they_lie_afterwards(tmp_path: Path) -> None:
    lying, standing = TileId(1, 2), TileId(1, 1)
    place = tmp_path / "home" / "simulated-two-tiles.json"
    place.parent.mkdir()
    TileStore(place, "two-tiles", (standing, lying)).save({standing: 0.0, lying: 90.0})
    opened: list[Table] = []
    async with open_job_rig(tmp_path, change=lambda chosen: noting(chosen, opened)) as rig:
        await rig.ann.begin(kind="servos")
        await rig.ann.follow()
        await rig.until_open()
        seen = await opened[-1].firmware.bank.look()
    assert (seen[standing], seen[lying], len(opened)) == (Position.OPEN, Position.SHUT, 2)


async def test_a_job_ends_with_the_device_of_who_does_it(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box=BOX) as rig:
        before = rig.files(*WOOD)
        await rig.pair("Ann's phone")
        await Operator(rig.network).begin(kind="selftest")
        await asyncio.sleep(1)
        assert not at_rest(rig)
        await rig.access.revoke_all()
        await asyncio.sleep(1)
        state = await rig.bob.see()
        await rig.until_open()
        assert rig.files(*WOOD) == before

    said = [line["text"] for line in state["lines"][-2:]]
    assert said == [
        "The person who was doing this is no longer an operator.",
        "Cancelled: nothing was changed.",
    ]
    assert (state["is_over"], state["status"]) == (True, 1)


async def test_a_job_that_another_has_gone_on_with_is_his(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box=BOX) as rig:
        await rig.pair("Ann's phone")
        await Operator(rig.network).begin(kind="servos")
        await asyncio.sleep(AWAY_S + 1)
        await rig.bob.take_over()
        await rig.access.revoke_all()
        state = await rig.bob.follow()
        await rig.until_open()

    assert state["status"] == 0


async def test_tiles_are_set_by_hand_with_buttons(tmp_path: Path) -> None:
    # A slotted rod needs both marks: where the tile stands, and where it lies.
    keys = iter((*"<<<<<<<<<<o", *">>>>>>>>>>>>>>>>>>>>s", "d"))

    def press(state: State) -> dict[str, object] | None:
        question = state["view"]["question"]
        return {"answer": "yes"} if "yes" in question["answers"] else {"answer": "some", "names": [next(keys)]}

    async with open_job_rig(tmp_path) as rig:
        assert (await rig.ann.begin(kind="servos", by_hand=True)).status_code == 200
        assert (await rig.ann.until_asked())["draft"]["jog"]["tile"] == "front-1"
        state = await rig.ann.follow(press)
        await rig.until_open()
    assert (state["status"], state["answer"]["saved_tiles"]) == (0, ["front-1"])
    saved = load_calibration(rig.home.data, "two-tiles").servos
    assert saved is not None
    assert saved.tiles[TileId(1, 1)].reason == "set by hand."


async def test_what_the_camera_sees_is_shown_while_it_is_calibrated_and_not_afterwards(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig, rig.referee.watch() as snapshots:
        assert (await rig.client.get("/api/job/picture")).status_code == 404
        await rig.ann.begin(kind="camera", views=8)
        while (shown := await rig.client.get("/api/job/picture")).status_code == 404:
            await snapshots.get()
        assert (await rig.network.get("/api/job/picture")).status_code == 403
        await rig.ann.cancel()
        await rig.until_open()
        assert (await rig.client.get("/api/job/picture")).status_code == 404
    assert (shown.headers["content-type"], shown.content[:2]) == ("image/jpeg", b"\xff\xd8")
