"""The fairness of the dice, in a sentence."""

import math
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.errors import NotThere
from controller.messages.words import Words, words_in
from controller.web.dependencies import TheLookups, language_of
from controller.web.pages.page import PageRoute, draw_page
from controller.web.pages.phrases import say_change
from controller.web.played import DiceView, judge_dice

_EVENINGS = 100  # the sentence counts how many of these would look as odd

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class FaceBar:
    """One face: its count, the difference from its fair share, and the count as a part of the highest one (0..1)."""

    face: int
    count: int
    above: str
    part: float


@dataclass(frozen=True, slots=True)
class DiceStory:
    """The dice with one number of sides: the verdict in a sentence, and every face."""

    heading: str
    verdict: str
    faces: tuple[FaceBar, ...]


@router.get("/dice")
async def dice(request: Request, lookups: TheLookups) -> HTMLResponse:
    """The verdict on the dice, after every throw of the last games."""
    words = words_in(language_of(request))
    try:
        found = await lookups.recall(judge_dice)
    except NotThere:
        found = ()
    return draw_page(request, "lookback/dice.html", stories=[dice_story(each, words) for each in found])


def dice_story(view: DiceView, words: Words) -> DiceStory:
    """Return the story that the throws tell about these dice."""
    share, most = view.dice / view.sides, max(view.counts)
    faces = tuple(
        FaceBar(face, count, say_change(count - share, words), count / most)
        for face, count in enumerate(view.counts, 1)
    )
    heading = words.ngettext(
        "{count} die of {sides} sides was thrown", "{count} dice of {sides} sides were thrown", view.dice
    )
    return DiceStory(heading.format(count=view.dice, sides=view.sides), say_verdict(view, words), faces)


def say_verdict(view: DiceView, words: Words) -> str:
    """Return the verdict in a sentence or two."""
    _, often = words.gettext, math.ceil(_EVENINGS * view.p)
    if view.fair and often >= _EVENINGS:
        return _("These dice look fair: fair ones look just like this.")
    evenings = {"number": often, "face": view.face}
    if view.fair:
        return words.ngettext(
            "These dice look fair: fair ones look at least as odd on {number} evening of 100.",
            "These dice look fair: fair ones look at least as odd on up to {number} evenings of 100.",
            often,
        ).format(**evenings)
    if view.counts[(view.face or 1) - 1] * view.sides > view.dice:
        told = _("These dice are not fair: the {face} comes too often. Take others.")
    else:
        told = _("These dice are not fair: the {face} comes too seldom. Take others.")
    return told.format(**evenings)
