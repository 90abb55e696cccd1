"""`shutbox calibrate servos` on simulated boxes: the whole way, and every way out of it."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from controller.box.job_requests import ServoOrder
from controller.box.rigs import ServoRig
from controller.box.simulated import open_simulated_world
from controller.box.simulated_rigs import open_simulated_servo_rig
from controller.box.stored_calibration import (
    load_former_servos,
    load_real_servos,
    load_simulated_servos,
    previous_servos,
)
from controller.jobs.dialog import save_in_thread
from controller.jobs.jog import jog_session
from controller.jobs.servos import servo_session
from controller.jobs.terminal import Terminal, run_at_terminal, run_session
from controller.runtime.output import Exit
from firmware.calibration.strokes import LONGEST_PRESS_S
from firmware.errors import PulsesCut
from firmware.messages import TileCommand
from firmware.sim.i2c import ChipWires
from firmware.tiles.servos import Servos
from hardware.box import MOUNT_US
from hardware.calibration import ServoCalibration, ServoTile, load_calibration, save_section
from hardware.errors import CalibrationError
from hardware.sim.servo import Mounting, Servo, Tolerances
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import ServoChannel
from tests.conftest import Run
from tests.controller.conftest import Shutbox
from tests.support.calibrations import calibrated
from tests.support.small_box import RIGID, small_box
from tests.support.true_box import driven_tiles, end_errors_deg, end_points_us, is_free, longest_s, servo_of, stress_of

BOX = small_box(1, 1)
FRONT = TileId(1, 1)
EXACT = Tolerances(off_us=0.0, clock=0.0)
TIGHT = Tolerances(off_us=120.0, travel=0.05, mirrored=0.5)
LOOSE = Tolerances(off_us=120.0, loose=1.0)
ALL = ServoOrder((), {}, ask=True)
NAMED = ServoOrder((FRONT,), {}, ask=False)

Breaks = Callable[[World], None]


def files(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.iterdir()}


async def typing(lines: Iterable[str]) -> AsyncIterator[str]:
    for line in lines:
        yield line


def untouched(_world: World) -> None:
    """A sound box."""


def calibrating(
    run: Run,
    home: Path,
    order: ServoOrder,
    lines: Sequence[str] = (),
    *,
    tolerances: Tolerances = TIGHT,
    breaks: Breaks = untouched,
    by_keys: bool = False,
) -> tuple[Exit, World]:
    """Calibrate the small box with seed 1."""
    worlds: list[World] = []

    @asynccontextmanager
    async def open_rig() -> AsyncIterator[ServoRig]:
        async with open_simulated_servo_rig(BOX, 1, tolerances) as (rig, world):
            breaks(world)
            worlds.append(world)
            yield rig

    async def work() -> Exit:
        before = load_simulated_servos(home, BOX, 1)
        if by_keys:
            terminal = Terminal(typing(lines), waits=True, as_json=True, by_key=True)
            return (await run_session(jog_session(open_rig, home, before, order), terminal)).status
        session = servo_session(open_rig, home, before, order)
        return (await run_at_terminal(session, typing(lines), waits=order.ask, as_json=True)).status

    status: Exit = run(work())
    return status, worlds[0]


def saved(home: Path) -> ServoCalibration:
    servos = load_calibration(home, BOX.name).servos
    assert servos is not None
    return servos


def test_the_whole_way_finds_the_ends_and_saves_them_on_yes(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, world = calibrating(run, tmp_path, ALL, ("", "y"))
    answer = json.loads(capsys.readouterr().out)
    found = saved(tmp_path)
    tile = found.tiles[FRONT]
    assert status is Exit.DONE
    assert (answer["saved"], answer["saved_tiles"], answer["failed"]) == (True, ["front-1"], {})
    assert answer["tiles"]["front-1"]["open_us"] == tile.open_us
    assert (tile.verdict, found.simulated_seed, found.author) == ("good", 1, tile.author)
    assert max(map(abs, end_errors_deg(world, FRONT, tile.open_us, tile.shut_us))) < 3
    assert 0.1 < (tile.shut_s or 0) < (tile.open_s or 0) < 0.35
    # What was measured on a simulated box says nothing of a real one, nor of another simulated one.
    assert load_real_servos(tmp_path, BOX) is None
    assert load_simulated_servos(tmp_path, BOX, 2) is None


def test_what_is_saved_of_another_box_or_of_tiles_that_are_gone_hinders_nobody_to_measure_anew(
    tmp_path: Path,
) -> None:
    gone = TileId(3, 1)
    ours = old_servos().model_copy(update={"simulated_seed": None})
    ours = ours.model_copy(update={"tiles": {**ours.tiles, gone: ours.tiles[FRONT]}})
    save_section(tmp_path, BOX.name, "servos", ours)
    with pytest.raises(CalibrationError, match="calibrate its servos again"):
        load_real_servos(tmp_path, BOX)
    former = load_former_servos(tmp_path, BOX)
    assert former is not None
    assert list(former.tiles) == [FRONT]
    save_section(tmp_path, "another", "servos", ours)
    with pytest.raises(CalibrationError, match="calibration of the box another"):
        load_real_servos(tmp_path, BOX)
    assert load_former_servos(tmp_path, BOX) is None


async def test_a_result_is_written_beside_the_loop_and_to_its_end_whoever_is_cancelled(tmp_path: Path) -> None:
    began, goes_on = threading.Event(), threading.Event()

    def save() -> Path:
        began.set()
        assert goes_on.wait(60)
        (tmp_path / "kept").touch()
        return tmp_path / "kept"

    saving = asyncio.ensure_future(save_in_thread(save))
    await asyncio.to_thread(began.wait)
    saving.cancel()
    await asyncio.sleep(0)
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await saving
    assert (tmp_path / "kept").exists()


def old_servos() -> ServoCalibration:
    """What might have been saved of the small box with seed 1."""
    date, author = datetime(2026, 11, 3, 12, 30, tzinfo=UTC), "ann"
    tile = ServoTile(date=date, author=author, open_us=1100, shut_us=2050, verdict="good", reason="both ends found.")
    return ServoCalibration(date=date, author=author, simulated_seed=1, tiles={FRONT: tile})


def test_a_pulse_at_rest_that_was_not_measured_lies_as_in_the_profile_and_a_rigid_rod_has_none() -> None:
    old = old_servos()
    assert old.apply_to(BOX).rest_us(FRONT) == round(1100 + (1655 - 820) / (2090 - 820) * (2050 - 1100))
    measured = old.model_copy(update={"tiles": {FRONT: old.tiles[FRONT].model_copy(update={"rest_us": 1700})}})
    assert measured.apply_to(BOX).rest_us(FRONT) == 1700
    assert measured.apply_to(small_box(1, 1, motion=RIGID)).rest_us(FRONT) is None


def old_calibration(home: Path) -> dict[str, bytes]:
    save_section(home, BOX.name, "camera", calibrated())
    save_section(home, BOX.name, "servos", old_servos())
    return files(home)


LINES = {
    "quits at once": ("q",),
    "no": ("", "n"),
    "another word": ("", "maybe"),
    "end before the start": (),
}


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_who_does_not_want_it_changes_no_file(run: Run, tmp_path: Path, lines: Sequence[str]) -> None:
    before = old_calibration(tmp_path)
    assert calibrating(run, tmp_path, ALL, lines)[0] is Exit.NO
    assert files(tmp_path) == before


@pytest.mark.parametrize("lines", [("", "q", "y"), ("",)], ids=["quits", "nobody is there any more"])
def test_who_leaves_meanwhile_is_not_waited_for(run: Run, tmp_path: Path, lines: Sequence[str]) -> None:
    status, world = calibrating(run, tmp_path, ALL, lines)
    assert status is Exit.NO
    assert world.now() < 1
    assert world.position(FRONT) is Position.OPEN
    assert files(tmp_path) == {}


@pytest.mark.parametrize("transfer", [1, 30, 120, 400, 900])
def test_a_signal_after_any_transfer_changes_no_file_and_lets_go_of_the_tile(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transfer: int
) -> None:
    before = old_calibration(tmp_path)
    transfers, do_transfer = 0, ChipWires.transfer

    def counted(wires: ChipWires, address: int, data: bytes | None, count: int) -> bytes:
        nonlocal transfers
        transfers += 1
        if transfers == transfer:
            os.kill(os.getpid(), signal.SIGTERM)
        return do_transfer(wires, address, data, count)

    monkeypatch.setattr(ChipWires, "transfer", counted)
    status, world = calibrating(run, tmp_path, NAMED)
    assert transfers > transfer
    assert status is Exit.NO
    assert files(tmp_path) == before
    assert driven_tiles(world) == ()


def test_a_power_cut_in_the_last_moment_leaves_the_old_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old_calibration(tmp_path)

    def cut(_old: object, _new: object) -> None:
        raise OSError(5, "power cut")

    monkeypatch.setattr(os, "replace", cut)
    with pytest.raises(OSError, match="power cut"):
        calibrating(run, tmp_path, NAMED)
    assert files(tmp_path) == before


def test_a_closed_lid_is_said_and_nothing_moves(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, world = calibrating(run, tmp_path, NAMED, breaks=World.close_lid)
    assert status is Exit.NO
    assert "lid is closed" in capsys.readouterr().err
    assert world.position(FRONT) is Position.OPEN
    assert files(tmp_path) == {}


def test_a_tile_that_cannot_come_back_is_named(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrating(run, tmp_path, NAMED, breaks=lambda world: world.jam_up(FRONT))[0] is Exit.NO
    assert "Put front-1 back by hand: it is shut, it was open." in capsys.readouterr().err


class OtherHorn(Tolerances):
    """A horn that is longer than the drawing's."""

    def mounting(self, seed: int, tile: TileId) -> Mounting:
        return Mounting(travel=0.7)


def test_a_poor_tile_is_not_saved_unless_it_is_named(run: Run, tmp_path: Path) -> None:
    nobody_asked = ServoOrder((), {}, ask=False)
    assert calibrating(run, tmp_path, nobody_asked, tolerances=OtherHorn())[0] is Exit.NO
    assert files(tmp_path) == {}


# --tile is a name too.
@pytest.mark.parametrize(("order", "lines"), [(ALL, ("", "front-1", "y")), (NAMED, ())], ids=["asked", "--tile"])
def test_a_poor_tile_is_saved_by_name(run: Run, tmp_path: Path, order: ServoOrder, lines: Sequence[str]) -> None:
    assert calibrating(run, tmp_path, order, lines, tolerances=OtherHorn())[0] is Exit.DONE
    assert saved(tmp_path).tiles[FRONT].verdict == "poor"


def test_a_loose_tile_on_a_slotted_rod_is_measured_as_it_is_and_moves(run: Run, tmp_path: Path) -> None:
    """The edges are those of its wood, so its play moves all three pulses: up to 7.5 degrees either way, not 1.8."""
    status, world = calibrating(run, tmp_path, NAMED, tolerances=LOOSE)
    tile = saved(tmp_path).tiles[FRONT]
    assert (status, tile.verdict) == (Exit.DONE, "good")
    assert max(map(abs, end_errors_deg(world, FRONT, tile.open_us, tile.shut_us))) < 5.7


def test_a_tile_that_fails_keeps_what_was_saved_of_it(run: Run, tmp_path: Path) -> None:
    before = old_calibration(tmp_path)
    assert calibrating(run, tmp_path, NAMED, breaks=lambda world: world.jam(FRONT))[0] is Exit.NO
    assert files(tmp_path) == before


def test_what_was_saved_before_stays_beside_it(run: Run, tmp_path: Path) -> None:
    old_calibration(tmp_path)
    assert calibrating(run, tmp_path, NAMED)[0] is Exit.DONE
    assert saved(tmp_path) != old_servos()
    assert previous_servos(tmp_path, saved(tmp_path)) == old_servos()


def test_a_calibration_with_a_tile_that_the_box_lacks_is_refused(tmp_path: Path) -> None:
    strange = {TileId(2, 1): old_servos().tiles[FRONT]}
    save_section(tmp_path, BOX.name, "servos", old_servos().model_copy(update={"tiles": strange}))
    with pytest.raises(CalibrationError, match="small has no back-1"):
        load_simulated_servos(tmp_path, BOX, 1)


async def test_the_calibrated_box_moves_by_what_was_measured(tmp_path: Path) -> None:
    """Seed 2 has servos mounted the other way round: without the calibration no such tile would move."""
    box = small_box(1, 3)

    @asynccontextmanager
    async def open_rig() -> AsyncIterator[ServoRig]:
        async with open_simulated_servo_rig(box, 2) as (rig, world):
            assert any(end_points_us(world, tile)[0] > end_points_us(world, tile)[1] for tile in box.tile_ids)
            yield rig

    order = ServoOrder(box.tile_ids, {}, ask=False)
    session = servo_session(open_rig, tmp_path, None, order)
    await run_at_terminal(session, typing(()), waits=False, as_json=True)
    servos = load_simulated_servos(tmp_path, box, 2)
    assert servos is not None
    async with open_simulated_world(box, seed=2, servos=servos) as (table, world):
        for to in (Position.SHUT, Position.OPEN):
            await table.firmware.bank.execute([TileCommand(tile, to) for tile in box.tile_ids])
            assert {world.position(tile) for tile in box.tile_ids} == {to}
        for tile in box.tile_ids:
            world.hand_moves(tile, Position.SHUT)


# To where it falls, and back to where it stands up.
EDGES = ">" * 7 + "s" + "<" * 16 + "o"
KEYS = {
    "marks both": (f"{EDGES}ny", Exit.DONE),
    "says no": (f"{EDGES}nn", Exit.NO),
    "quits": (f"{EDGES}q", Exit.NO),
    "ends": (f"{EDGES}n", Exit.NO),
    "marks nothing": ("+<?d", Exit.NO),
    "no travel": ("o>sndq", Exit.NO),
    "one end": ("ondq", Exit.NO),
}


@pytest.mark.parametrize(("keys", "status"), KEYS.values(), ids=KEYS)
def test_by_keys_both_edges_are_marked_and_saved_on_yes_alone(
    run: Run, tmp_path: Path, keys: str, status: Exit
) -> None:
    ended, world = calibrating(run, tmp_path, ALL, keys, by_keys=True)
    assert ended is status
    assert (files(tmp_path) != {}) == (status is Exit.DONE)
    if status is Exit.DONE:
        tile = saved(tmp_path).tiles[FRONT]
        assert tile.verdict == "fair"
        # Steps of 50 us are 4.5 degrees.
        assert max(map(abs, end_errors_deg(world, FRONT, tile.open_us, tile.shut_us))) < 6
        assert is_free(world, FRONT)


def test_by_keys_no_servo_leaves_its_range_or_presses_for_long(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulses: list[float] = []

    command = Servo.command

    def noted(servo: Servo, pulse_us: float | None, now_s: float, runt_us: float | None = None) -> None:
        pulses.append(pulse_us or 0.0)
        command(servo, pulse_us, now_s, runt_us)

    monkeypatch.setattr(Servo, "command", noted)
    status, world = calibrating(run, tmp_path, ALL, ">" * 30 + "s" + "<" * 60 + "ony", by_keys=True)
    assert status is Exit.DONE
    assert (saved(tmp_path).tiles[FRONT].open_us, saved(tmp_path).tiles[FRONT].shut_us) == (500, 2400)
    assert 2300 < max(pulses) < 2600
    assert longest_s(stress_of(world)) <= LONGEST_PRESS_S


def test_by_keys_a_servo_goes_where_its_horn_is_mounted_and_is_let_go(run: Run, tmp_path: Path) -> None:
    status, world = calibrating(run, tmp_path, ALL, ">>>mq", by_keys=True, tolerances=EXACT)
    assert status is Exit.NO
    assert servo_of(world, FRONT).horn_us == pytest.approx(MOUNT_US, abs=15)
    assert not driven_tiles(world)


def test_one_tile_from_the_command_line_and_what_is_shown_of_it(shutbox: Shutbox, tmp_path: Path) -> None:
    words = ("calibrate", "servos", "--mock", "--tile", "front-7", "--yes")
    status, out, err = shutbox(*words)
    assert status == 0
    assert "front-7 (1 of 1): good" in err
    assert "front-7" in out
    status, out, _ = shutbox("calibrate", "--show")
    assert status == 0
    assert "no earlier version" in out
    assert "Not calibrated" in out
    assert "━" in out
    assert "…" not in out, "the table fits into 80 columns"
    assert shutbox(*words, "--clock", "0x40=1.05")[0] == 0
    status, out, _ = shutbox("calibrate", "servos", "--show", "--json")
    shown = json.loads(out)
    now, before = (each["tiles"]["front-7"]["open_us"] for each in (shown, shown["before"]))
    # The pulses that the tile gets are the same; the board is asked for longer ones.
    assert now == pytest.approx(1.05 * before, abs=20)
    assert shown["clocks"] == {"0x40": 1.05}


def test_nothing_to_show_is_said(shutbox: Shutbox) -> None:
    status, _, err = shutbox("calibrate", "--show")
    assert status == 1
    assert "not calibrated" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "servos, camera, dice"),
        (("servos",), "--mock"),
        (("servos", "--mock", "--tile", "front-10"), "two-level-9 has no front-10"),
        (("servos", "--mock", "--tile", "lid"), "is not a tile"),
        (("servos", "--mock", "--clock", "0x50=1.03"), "0x40, 0x41"),
        (("servos", "--mock", "--clock", "0x40=2"), "0.9 to 1.1"),
        (("servos", "--mock", "--clock", "0x40=1.03", "--clock", "0x40=1.05"), "0x40 is given twice: 1.03 and 1.05"),
        (("servos", "--mock", "--manual", "--yes"), "--manual"),
        (("servos", "--mock", "--faults", "jam:lid"), "front-1"),
    ],
)
def test_a_wrong_call_is_one_line(shutbox: Shutbox, words: Sequence[str], said: str) -> None:
    status, _, err = shutbox("calibrate", *words)
    assert (status, err.count("\n")) == (2, 1)
    assert said in err


@pytest.mark.parametrize("times", [1, 4, 9])
def test_a_computer_that_is_busy_for_a_moment_costs_a_stroke_and_not_the_work(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    drive, cuts = Servos.drive, iter(range(times))
    strokes = count()

    async def held_up(servos: Servos, wire: ServoChannel, pulse_us: float) -> None:
        if next(strokes) >= 4 and next(cuts, None) is not None:
            raise PulsesCut("/OE", expected="every servo let go in time", seen="one that was still driven")
        await drive(servos, wire, pulse_us)

    monkeypatch.setattr(Servos, "drive", held_up)
    if times < 5:
        assert calibrating(run, tmp_path, NAMED)[0] is Exit.DONE
    else:
        with pytest.raises(PulsesCut, match="H-222"):
            calibrating(run, tmp_path, NAMED)
