"""The overview of the workshop: every job and care of the box, with what is known of it."""

from collections.abc import Collection
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.box.set_up import SetUpPart, find_set_up
from controller.box.stored_calibration import load_readable
from controller.messages.words import Words, words_in
from controller.runtime.home import Home
from controller.web.dependencies import TheLookups, TheReferee, language_of
from controller.web.pages.page import PageRoute, draw_page
from controller.web.pages.phrases import describe_box, now_here, say_when, steps_left
from firmware.selftest.wear import SelftestNote, WearFile
from hardware.box import Box
from hardware.calibration import Calibration, Measured

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class Card:
    """A page of the workshop: its address and name, and a line of what is known. is_done: False where it is due."""

    path: str
    name: str
    line: str
    is_done: bool = True


@router.get("/workshop")
async def overview(request: Request, referee: TheReferee, lookups: TheLookups) -> HTMLResponse:
    """What can be done with the box, and when it was done last."""
    box, words = referee.table.box, words_in(language_of(request))
    saved, test, done = await lookups.ask(_read, box, referee.table.simulated)
    return draw_page(
        request,
        "workshop/overview.html",
        box=describe_box(box, words),
        profile=box.name,
        cards=[*_first(done, words), *_measured(box, saved, done, words), _tested(test, words)],
        care=_care(words),
        job=referee.snapshot.job,
    )


def _care(words: Words) -> list[Card]:
    _ = words.gettext
    return [
        Card("/workshop/settings", _("Settings"), _("What the box does, key by key.")),
        Card("/workshop/backup", _("Backup"), _("Save everything on this device, or restore it from here.")),
        Card("/operator", _("Devices"), _("Who may do what at this box, and today's code.")),
        Card("/workshop/pictures", _("Pictures of throws"), _("What the camera saw; look again at disputed ones.")),
        Card("/workshop/report", _("Report"), _("What the box knows of itself, to copy for whoever helps.")),
        Card("/workshop/versions", _("Versions"), _("What runs, and how another is tried or gone back to.")),
        Card("/docs", _("Help"), _("The documentation of this version, kept on the box.")),
    ]


def _first(done: Collection[SetUpPart], words: Words) -> list[Card]:
    """Return the card of the first start, as long as a step of it is left that the box keeps."""
    left = steps_left(done, words)
    return [Card("/workshop/first", words.gettext("First start"), left, is_done=False)] if left else []


def _read(home: Home, box: Box, is_simulated: bool) -> tuple[Calibration, SelftestNote | None, frozenset[SetUpPart]]:
    tests = WearFile(home.wear(box.name, mock=is_simulated), box.name).book.tests
    return load_readable(home.data, box), tests[-1] if tests else None, find_set_up(home, box, is_simulated)


def _measured(box: Box, saved: Calibration, done: Collection[SetUpPart], words: Words) -> list[Card]:
    _ = words.gettext
    servos, camera = saved.servos, saved.camera
    wires = _("As the profile has them.") if "wires" in done else _("Never checked.")
    seen = _("Never measured.") if camera is None else _measured_on(camera, words)
    if servos is None:
        driven = _("Never measured: the pulses of the profile are used.")
    elif missing := len(set(box.tile_ids) - servos.tiles.keys()):
        driven = words.ngettext("{count} tile is not measured.", "{count} tiles are not measured.", missing)
        driven = driven.format(count=missing)
    else:
        driven = _measured_on(servos, words)
    return [
        Card("/workshop/bringup", _("Wires"), wires, "wires" in done),
        Card("/workshop/servos", _("Servos"), driven, "servos" in done),
        Card("/workshop/camera", _("Camera"), seen, "camera" in done),
        Card("/workshop/dice", _("Dice"), _("Teach the box dice without pips.")),
    ]


def _measured_on(part: Measured, words: Words) -> str:
    return words.gettext("Measured: {day}.").format(day=say_when(part.date.isoformat(), now_here(), words))


def _tested(test: SelftestNote | None, words: Words) -> Card:
    _ = words.gettext
    if test is None:
        return Card("/workshop/selftest", _("Self-test"), _("Never tested."), is_done=False)
    said = _("Passed: {day}.") if test.passed else _("Failed: {day}.")
    day = say_when(test.date.isoformat(), now_here(), words)
    return Card("/workshop/selftest", _("Self-test"), said.format(day=day), test.passed)
