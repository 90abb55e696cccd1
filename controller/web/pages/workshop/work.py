"""The pages of guided work (calibrating, teaching, testing): what to begin, and the job under way as a part."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from controller.box.stored_calibration import load_readable
from controller.errors import NotThere
from controller.game.core.sight import JobKind, JobQuestion
from controller.jobs.jobs import JobState, Line
from controller.messages.words import Words, words_in
from controller.runtime.home import Home
from controller.web.dependencies import AnyHold, TheJobs, TheLookups, TheReferee, language_of
from controller.web.pages.page import PageRoute, draw_page
from controller.web.pages.phrases import now_here, say_number, say_when
from controller.web.pages.selftest import describe_selftest
from controller.web.pages.workshop.servos import draw_measured, draw_saved
from hardware.box import Box
from hardware.wiring.checklist import Step, checklist_of
from hardware.wiring.plan import plan_of

if TYPE_CHECKING:
    from vision.calibration.viewfinder import Scores

T = TypeVar("T")
Shape = Literal["go_on", "yes", "take", "keys", "some", "one"]
_LINES = 200  # the last of them are on the page
_KEPT_IN_A_FILE = ("servos", "camera", "dice")
# What a chip at another address, swapped plugs or a reversed servo look like to a self-test.
_LIKE_WRONG_WIRES = frozenset({"H-202", "H-301", "H-302", "H-307"})

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class Told:
    """A line of a job. is_english: there is no translation of it."""

    text: str
    is_english: bool
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a job: its number and sentence. shape: of its answers. names: those that may be chosen."""

    number: int
    say: str
    shape: Shape
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorkView:
    """The job as a page draws it.

    say: what was said last, unless it is asked. percent: done. is_yours: True for the device that may answer. is_saved:
    None where nothing is to be saved. is_well: it came to its end, and nothing is left to do.
    """

    kind: JobKind
    say: Told | None
    percent: int
    is_over: bool
    is_yours: bool
    is_saved: bool | None
    is_well: bool
    asked: Asked | None
    lines: tuple[Told, ...]


@router.get("/workshop/servos")
@router.get("/workshop/camera")
@router.get("/workshop/dice")
@router.get("/workshop/selftest")
@router.get("/workshop/bringup")
async def work(request: Request, referee: TheReferee, lookups: TheLookups) -> HTMLResponse:
    """What one kind of work is for, its form, what was saved last, and the place of the job."""
    kind = request.url.path.rpartition("/")[2]
    box, words = referee.table.box, words_in(language_of(request))
    saved = await lookups.ask(lambda home: load_readable(home.data, box))
    return draw_page(
        request,
        f"workshop/{kind}.html",
        kind=kind,
        box=box,
        saved=saved,
        rows=draw_saved(box, saved.servos, words) if saved.servos is not None else [],
        day=lambda at: say_when(at.isoformat(), now_here(), words),
        checklist=list_checks(box) if kind == "bringup" else (),
        sets=await lookups.ask(list_dice) if kind == "dice" else (),
        number=lambda value, digits: say_number(value, words, digits),
    )


@router.get("/workshop/job")
async def job(request: Request, referee: TheReferee, jobs: TheJobs, hold: AnyHold = None) -> HTMLResponse:
    """The job under way or the last one, as a part for the page. `Job-Hold` shows that its holder is there."""
    state, words = jobs.see(0, hold), words_in(language_of(request))
    scores = None
    if jobs.seen is not None:
        seen = jobs.seen
        # In a thread: finding the field takes a tenth of a second on a small computer.
        scores = await asyncio.to_thread(lambda: seen.scores)
    draft = {} if state is None or state.draft is None else state.draft
    box = referee.table.box
    tested = {} if jobs.examined is None else describe_selftest(jobs.examined, words)
    return draw_page(
        request,
        "workshop/job.html",
        work=None if state is None else _describe(state, words),
        draft=draft,
        measured=draw_measured(box, draft, words) if "tiles" in draft and "wanted" in draft else [],
        passed=_passed(state, box),
        wires=list(_in_rows(draft["tiles"], box)) if "stage" in draft else (),
        rows=list(_in_rows(box.tile_ids, box)),
        scores=None if scores is None else _describe_scores(scores, words),
        tested=tested,
        like_wrong_wires=jobs.examined is not None
        and any(fault.code in _LIKE_WRONG_WIRES for fault in jobs.examined.report.findings),
    )


@router.get("/workshop/sheets/{name}")
async def sheet(name: str, referee: TheReferee, lookups: TheLookups) -> Response:
    """One of the two sheets to print, as PDF, for the box at this table."""
    return Response(await lookups.ask(draw_sheet, name, referee.table.box), media_type="application/pdf")


def _in_rows(tiles: Sequence[T], box: Box) -> Iterator[Sequence[T]]:
    """Yield the tiles as they stand in the box, the back row first."""
    for at in reversed(range(0, len(tiles), box.columns)):
        yield tiles[at : at + box.columns]


def list_checks(box: Box) -> list[tuple[str, list[Step]]]:
    """Return the steps of the first power-up by their stage."""
    return [(stage, list(steps)) for stage, steps in groupby(checklist_of(plan_of(box)), lambda step: step.stage)]


def list_dice(home: Home) -> tuple[str, ...]:
    """Return the names of the sets of dice that were taught."""
    # Loaded here: it comes with the code that reads pictures.
    from vision.custom_dice.storage import DiceFolder

    return tuple(DiceFolder(home.data).names)


def draw_sheet(_home: Home, name: str, box: Box) -> bytes:
    """Return a sheet to print. Raises `NotThere` for a name that is none of theirs."""
    from vision.calibration.sheets import write_sheets

    with TemporaryDirectory() as folder:
        files = {file.name: file.read_bytes() for file in write_sheets(Path(folder), box)}
    if name not in files:
        raise NotThere(f"there is no such sheet; the sheets are {', '.join(files)}")
    return files[name]


def _describe(state: JobState, words: Words) -> WorkView:
    question = state.view.question
    lines = [line for line in state.lines if line.kind != "keys"]
    said = [line for line in lines if line.kind == "said"]
    is_asked = question is not None and bool(said) and question.say == said[-1].text
    is_saved = None if state.answer is None else state.answer.get("saved")
    # The page has its own word for what is kept, and nobody there needs the name of a file.
    is_plain = is_saved is True and state.view.kind in _KEPT_IN_A_FILE
    return WorkView(
        state.view.kind,
        _tell(said[-1], words) if said and not is_asked and not is_plain else None,
        round(100 * state.view.progress),
        state.is_over,
        state.is_yours,
        is_saved,
        state.status == 0,
        None if question is None else _ask(state.view.kind, state.asked, question, words),
        tuple(_tell(line, words) for line in lines[-_LINES:]),
    )


def _ask(kind: JobKind, number: int, question: JobQuestion, words: Words) -> Asked:
    first = question.answers[0]
    shape: Shape = "yes" if first == "no" else first
    if first == "some" and all(len(name) == 1 for name in question.names):
        shape = "keys"
    elif first == "some" and kind == "bringup":
        shape = "one"
    return Asked(number, words.translate(question.say), shape, question.names)


def _tell(line: Line, words: Words) -> Told:
    said = words.translate(line.text)
    return Told(said, said == line.text, line.kind == "shown")


def _passed(state: JobState | None, box: Box) -> frozenset[str]:
    """Return the tiles that a self-test has moved so far, by their names in its lines."""
    if state is None or state.view.kind != "selftest":
        return frozenset()
    said = {word.strip(",:") for line in state.lines for word in line.text.split()}
    return frozenset(said & set(map(str, box.tile_ids)))


def _describe_scores(scores: "Scores", words: Words) -> Mapping[str, str]:
    _ = words.gettext
    unknown = "\N{EN DASH}"
    return {
        _("Markers"): _("{seen} of 4").format(seen=scores.markers),
        _("Pixels per millimetre"): unknown if scores.px_per_mm is None else say_number(scores.px_per_mm, words, 2),
        _("Light"): unknown if scores.light is None else f"{100 * scores.light:.0f} %",
        _("Sharpness"): f"{100 * min(1, scores.sharpness):.0f} %",
    }
