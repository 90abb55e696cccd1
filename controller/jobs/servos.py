"""The guided session of `shutbox calibrate servos`: measure every tile in small strokes, show a table, save or not.

Calibrated servos are shown as a table with end points as bars, a line for each tile that is not good, and as JSON.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.box.job_requests import ServoOrder
from controller.box.rigs import OpenServoRig, ServoRig
from controller.game.core.sight import JobQuestion
from controller.jobs.dialog import Dialog, GivenUp, Result, Session, confirm, file_json, save_in_thread, sign_now
from controller.runtime.output import Exit
from firmware.calibration.columns import Failure, LidClosed, Outcome, Stroker, measure_tiles
from firmware.calibration.measure import Proposal
from hardware.box import LEAST_US, MOST_US
from hardware.calibration import FILE_NAME, Measured, ServoCalibration, ServoTile, save_section
from hardware.phrase import Phrase, phrase
from hardware.tiles import Position, TileId

_BAR = 16  # characters; even
PLACES = {
    Position.OPEN: phrase("open"),
    Position.SHUT: phrase("shut"),
    Position.BETWEEN: phrase("between"),
    Position.UNKNOWN: phrase("unknown"),
}
_VERDICTS = {"good": phrase("good"), "fair": phrase("fair"), "poor": phrase("poor")}
_COLOURS = {"good": "green", "fair": "yellow", "poor": "red"}


def draw_servos(
    now: ServoCalibration, before: ServoCalibration | None, box: str, order: Collection[TileId], title: str = "Servos"
) -> Iterator[RenderableType]:
    """Yield the table of the tiles, with the changes since `before`, and the lines below it."""
    origin = "" if now.simulated_seed is None else f" (simulated, seed {now.simulated_seed})"
    heading = f"{title} of the box {box}{origin}"
    # It must fit into 80 columns, because numbers that do not are shortened.
    grid = Grid(title=heading, box=SIMPLE, padding=(0, 1), collapse_padding=True, title_justify="left")
    grid.add_column("tile", no_wrap=True)
    grid.add_column(f"{LEAST_US:<{_BAR // 2}}{MOST_US:>{_BAR // 2}}", no_wrap=True)
    for name in ("open", "rest", "shut", "change", "down s", "up s"):
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("mark", no_wrap=True)
    for tile in order:
        found = now.tiles.get(tile)
        if found is not None:
            was = before.tiles.get(tile) if before is not None else None
            grid.add_row(
                str(tile),
                _bar(found),
                str(found.open_us),
                str(found.rest_us or "-"),
                str(found.shut_us),
                f"{found.open_us - was.open_us:+d} {found.shut_us - was.shut_us:+d}" if was is not None else "new",
                _seconds(found.shut_s),
                _seconds(found.open_s),
                Text(found.verdict, style=_COLOURS[found.verdict]),
            )
    yield grid
    for tile in order:
        found = now.tiles.get(tile)
        if found is not None and found.verdict != "good":
            yield f"{tile} is {found.verdict}: {found.reason}"
    for measured, tiles in _by_date(now, order).items():
        some = "" if len(tiles) == len(now.tiles) else f": {', '.join(map(str, tiles))}"
        yield f"Measured {measured}{some}."
    yield f"Changes since {_day(before)} by {before.author}." if before else "There is no earlier version."
    for board, factor in now.clocks.items():
        yield f"Board {board}: pulses are {factor:.3f} times as long as asked for, and corrected."


def describe_missing(now: ServoCalibration, order: Iterable[TileId]) -> str:
    """Return a sentence about the tiles of which nothing was saved; "" if there are none."""
    missing = [str(tile) for tile in order if tile not in now.tiles]
    return f"Not calibrated, the profile's pulses are used: {', '.join(missing)}." if missing else ""


def describe_outcome(tile: TileId, outcome: Outcome, done: str) -> tuple[str, str]:
    """Return a line about the outcome of one tile, and its style. done: the progress, in words."""
    if isinstance(outcome, Failure):
        why = f"{outcome.seen}. {outcome.cure}"
        return phrase("{tile} ({done}): failed: {why}", tile=tile, done=done, why=why), "red"
    times = f"down {_seconds(outcome.shut_s)} s, up {_seconds(outcome.open_s)} s"
    rest = "" if outcome.rest_us is None else f"rest {outcome.rest_us} us, "
    ends = f"open {outcome.open_us} us, {rest}shut {outcome.shut_us} us"
    why = "" if outcome.verdict == "good" else f" {outcome.reason}"
    found = {"tile": tile, "done": done, "verdict": _VERDICTS[outcome.verdict], "found": f"{ends}, {times}.{why}"}
    return Phrase("{tile} ({done}): {verdict}: {found}", found), _COLOURS[outcome.verdict]


def outcome_json(outcomes: Mapping[TileId, Outcome]) -> dict[str, Any]:
    """Return the tiles that were measured and those that were not, in the form for programs."""
    tiles = {str(tile): proposal_json(each) for tile, each in outcomes.items() if isinstance(each, Proposal)}
    failed = {
        str(tile): {"seen": each.seen, "cure": each.cure}
        for tile, each in outcomes.items()
        if isinstance(each, Failure)
    }
    return {"tiles": tiles, "failed": failed}


def saved_json(saved: Iterable[TileId], file: Path | None) -> dict[str, Any]:
    """Return the tiles that were saved, and the file (None: nothing was saved)."""
    return {**file_json(file), "saved_tiles": [str(tile) for tile in saved] if file else []}


def proposal_json(proposal: Proposal) -> dict[str, Any]:
    """Return the measured values of one tile; times are rounded to 0.1 ms."""
    return {
        "open_us": proposal.open_us,
        "rest_us": proposal.rest_us,
        "shut_us": proposal.shut_us,
        "shut_s": _round_seconds(proposal.shut_s),
        "open_s": _round_seconds(proposal.open_s),
        "repeat_s": _round_seconds(proposal.repeat_s),
        "verdict": proposal.verdict,
        "reason": proposal.reason,
    }


def _round_seconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 4)


def _bar(found: ServoTile) -> str:
    opened, shut = _place(found.open_us), _place(found.shut_us)
    marks = {opened: "O", shut: "S"}
    inside = range(min(opened, shut), max(opened, shut))
    return "".join(marks.get(k, "━" if k in inside else "·") for k in range(_BAR))


def _place(pulse_us: int) -> int:
    return round((pulse_us - LEAST_US) / (MOST_US - LEAST_US) * (_BAR - 1))


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f}"


def _by_date(now: ServoCalibration, order: Iterable[TileId]) -> dict[str, list[TileId]]:
    found = sorted(((now.tiles[tile], tile) for tile in order if tile in now.tiles), key=lambda each: each[0].date)
    days: dict[str, list[TileId]] = {}
    for each, tile in reversed(found):
        days.setdefault(f"{_day(each)} by {each.author}", []).insert(0, tile)
    return days


def _day(measured: Measured) -> str:
    return measured.date.astimezone().strftime("%Y-%m-%d %H:%M")


HANDS_OFF = phrase("Open the lid, take your hands and the dice out of the box.")
_LID_CLOSED = phrase("The lid is closed: no tile is moved under it. Open it and begin again.")


def servo_session(open_rig: OpenServoRig, home: Path, before: ServoCalibration | None, order: ServoOrder) -> Session:
    """Measure servos and save the result in the folder `home`; every other outcome changes no file.

    before: the saved calibration of this same box. NO unless all requested tiles are saved. The work raises `BusFault`.
    """

    async def work(conversation: Dialog) -> Result:
        async with open_rig() as rig:
            return await _ServoSession(ServoTask(rig, home, before, order), conversation).run()

    return session_under_lid(work, saved_json((), None))


def session_under_lid(work: Callable[[Dialog], Awaitable[Result]], unsaved: Mapping[str, Any]) -> Session:
    """Return a session with servos, which ends if the lid is closed. unsaved: its answer without a result."""

    async def work_under_open_lid(conversation: Dialog) -> Result:
        try:
            return await work(conversation)
        except LidClosed:
            raise GivenUp(_LID_CLOSED) from None

    return Session(work_under_open_lid, unsaved)


@dataclass(frozen=True, slots=True)
class ServoTask:
    """The task of calibrating servos, whether they are measured or jogged with keys.

    home: the folder of the result.
    before: the saved calibration of this same box.
    """

    rig: ServoRig
    home: Path
    before: ServoCalibration | None
    order: ServoOrder

    @property
    def tiles(self) -> tuple[TileId, ...]:
        return self.order.of(self.rig.box)

    def stroker(self) -> Stroker:
        """Make the driver that moves the tiles of this rig in small strokes."""
        firmware = self.rig.firmware
        return Stroker(self.rig.box, firmware.servos, firmware.sensors, firmware.panel)

    def save(self, calibration: ServoCalibration) -> Path:
        """Write the servos' section and return the file. Raises `CalibrationError`, `OSError`."""
        save_section(self.home, self.rig.box.name, "servos", calibration)
        return self.home / FILE_NAME


class _ServoSession:
    """One calibration."""

    def __init__(self, task: ServoTask, conversation: Dialog) -> None:
        self._task = task
        self._rig = task.rig
        self._order = task.order
        self._talk = conversation
        self._asked = task.tiles
        self._outcomes: dict[TileId, Outcome] = {}

    async def run(self) -> Result:
        """Measure, show the result, ask, and save."""
        began = await self._begin()
        outcomes = await measure_tiles(self._task.stroker(), self._rig.box, self._asked, self._tell)
        self._outcomes.update(outcomes)
        self._propose(None)
        # No servo is powered while the operator reads the table and decides.
        await self._rig.firmware.servos.stop_all()
        now = await self._rig.firmware.bank.look()
        for tile, at in began.items():
            if now[tile] != at:
                put_back = phrase(
                    "Put {tile} back by hand: it is {now}, it was {before}.",
                    tile=tile,
                    now=PLACES[now[tile]],
                    before=PLACES[at],
                )
                self._talk.say(put_back, "yellow")
        proposals = {tile: each for tile, each in outcomes.items() if isinstance(each, Proposal)}
        if proposals:
            shown = calibration_of(self._rig, proposals, None)
            title = "Servos, not saved yet,"
            for part in draw_servos(shown, self._task.before, self._rig.box.name, self._asked, title):
                self._talk.show(part)
        chosen = await self._choose(proposals)
        question = phrase("Save {chosen} of {count} tiles?", chosen=len(chosen), count=len(self._asked))
        file = None
        if chosen and (not self._order.ask or await confirm(self._talk, question)):
            calibration = calibration_of(self._rig, chosen, self._task.before)
            file = await save_in_thread(partial(self._task.save, calibration))
        self._talk.tell_saved(file)
        status = Exit.DONE if file is not None and chosen.keys() == set(self._asked) else Exit.NO
        return Result(status, {**outcome_json(outcomes), **saved_json(chosen, file)})

    async def _begin(self) -> Mapping[TileId, Position]:
        """Warn the operator, arm the servos, and return where the tiles are. Raises `LidClosed`."""
        firmware = self._rig.firmware
        count = len(self._asked)
        self._talk.say(
            phrase("Every tile is moved to and fro by itself, {count} of them, a minute or two each.", count=count)
        )
        self._talk.say(HANDS_OFF)
        self._talk.say_keys("Ctrl-C, or q and Enter, ends without a change.")
        if self._order.ask:
            self._talk.say_keys("Then press Enter.")
            await self._talk.ask(JobQuestion(HANDS_OFF, ("go_on",)))
        if firmware.panel.lid_is_closed:
            raise LidClosed
        seen = await firmware.bank.look()
        unclear = [str(tile) for tile, at in seen.items() if at is Position.UNKNOWN]
        if unclear:
            self._talk.say(
                phrase("Sensors that contradict themselves or flicker: {names}.", names=", ".join(unclear)), "yellow"
            )
        await firmware.servos.arm()
        return seen

    def _tell(self, tile: TileId, outcome: Outcome | None) -> None:
        self._talk.check()
        if outcome is None:
            self._talk.say(phrase("{tile}: looking for its ends ...", tile=tile), "dim")
            self._propose(tile)
            return
        self._outcomes[tile] = outcome
        count = len(self._outcomes)
        self._talk.advance(count / len(self._asked))
        self._propose(None)
        self._talk.say(
            *describe_outcome(tile, outcome, phrase("{count} of {total}", count=count, total=len(self._asked)))
        )

    def _propose(self, now: TileId | None) -> None:
        """Hand over what is measured so far. now: the tile that moves."""
        before = {} if self._task.before is None else self._task.before.tiles
        self._talk.propose(
            {
                **outcome_json(self._outcomes),
                "wanted": list(map(str, self._asked)),
                "before": {str(tile): found.pulses_us for tile, found in before.items() if tile in self._asked},
                "now": None if now is None else str(now),
            }
        )

    async def _choose(self, proposals: Mapping[TileId, Proposal]) -> dict[TileId, Proposal]:
        """Choose the tiles to save: a poor result only if the operator names its tile."""
        poor = [tile for tile, each in proposals.items() if each.verdict == "poor" and tile not in self._order.tiles]
        named: set[str] = set()
        if poor:
            names = ", ".join(map(str, poor))
            self._talk.say(phrase("Poor, and not saved: {names}.", names=names), "yellow")
            if self._order.ask:
                question = phrase("Name those that you want saved all the same.")
                self._talk.say_keys("Enter alone names none.")
                answer = await self._talk.ask(JobQuestion(question, ("some",), tuple(map(str, poor))))
                named = set(answer.names)
        return {tile: each for tile, each in proposals.items() if tile not in poor or str(tile) in named}


def calibration_of(
    rig: ServoRig, proposals: Mapping[TileId, Proposal], before: ServoCalibration | None
) -> ServoCalibration:
    """Return the calibration to save: the new proposals, and the tiles of `before` that were not measured now."""
    measured = sign_now()
    base = before or ServoCalibration(date=measured.date, author=measured.author, simulated_seed=rig.simulated_seed)
    # Pulses measured earlier with another clock of their board are converted to the present one.
    base = base.with_clocks(rig.box.clocks, rig.box)
    tiles = dict(base.tiles)
    for tile, each in proposals.items():
        values = proposal_json(each)
        values["repeat_s"] = values["repeat_s"] or 0.0
        tiles[tile] = ServoTile(**values, date=measured.date, author=measured.author)
    ordered = {tile: tiles[tile] for tile in rig.box.tile_ids if tile in tiles}
    return base.model_copy(update={"date": measured.date, "author": measured.author, "tiles": ordered})
