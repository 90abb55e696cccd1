"""The first start: six steps from a new box to its first game, each found done by what is kept, so that it goes on."""

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from controller.box.compatibility import known_boxes
from controller.box.set_up import find_set_up
from controller.messages.words import Words, words_in
from controller.web.dependencies import LANGUAGE, TheAccess, TheLookups, TheReferee, language_of
from controller.web.pages.join import typed_address
from controller.web.pages.page import PageRoute, draw_page
from controller.web.pages.workshop.work import list_checks
from hardware.box import Box

StepName = Literal["language", "box", "wires", "camera", "servos", "phones"]
STEPS: tuple[StepName, ...] = get_args(StepName)
# How long people take for all steps but the servos, and the box for a servo, which is left alone meanwhile.
_MINUTES, _MINUTES_A_TILE = 15, 1.5
_KINDS = {"wires": "bringup", "camera": "camera", "servos": "servos"}

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class Step:
    """One step as the page lists it."""

    name: StepName
    title: str
    is_done: bool
    is_now: bool


@router.get("/workshop/first")
async def first(
    request: Request,
    referee: TheReferee,
    lookups: TheLookups,
    access: TheAccess,
    step: Annotated[StepName | None, Query()] = None,
) -> HTMLResponse:
    """The step that is asked for, or the first one that is not done, with its work."""
    box, words = referee.table.box, words_in(language_of(request))
    done: frozenset[StepName] = await lookups.ask(find_set_up, box, referee.table.simulated)
    if LANGUAGE in request.cookies:
        # Each device speaks its own.
        done |= {"language"}
    due: tuple[StepName, ...] = tuple(name for name in STEPS if name not in done)
    now = step or (due[0] if due else STEPS[-1])
    titles = _titles(words)
    place = STEPS.index(now)
    code = (await access.code()).typed
    return draw_page(
        request,
        "workshop/first.html",
        kind=_KINDS.get(now, ""),
        now=now,
        number=place + 1,
        title=titles[now],
        steps=[Step(name, titles[name], name in done, name == now) for name in STEPS],
        after=next((name for name in STEPS[place + 1 :] if name not in done), STEPS[-1]),
        is_done=now in done,
        box=box,
        minutes=_minutes_of(box),
        boxes=sorted(known_boxes(), key=lambda each: each.name != box.name) if now == "box" else (),
        checklist=list_checks(box) if now == "wires" else (),
        code=code,
        address=typed_address(request),
    )


def _minutes_of(box: Box) -> int:
    """Return how long the first start of a box takes, to the next five minutes."""
    return 5 * round((_MINUTES + _MINUTES_A_TILE * len(box.tile_ids)) / 5)


def _titles(words: Words) -> dict[StepName, str]:
    _ = words.gettext
    return {
        "language": _("Language"),
        "box": _("Which box is it?"),
        "wires": _("Wires"),
        "camera": _("Camera"),
        "servos": _("Servos"),
        "phones": _("Let phones in, and play"),
    }
