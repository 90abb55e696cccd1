"""Learning by playing: the page that begins a lesson, and every idea of Two Level when it first comes up."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse

from controller.game.table.snapshot import Snapshot
from controller.messages.words import Words
from controller.web.dependencies import TheReferee, language_of
from controller.web.pages.page import PageRoute, draw_page, drawn_of
from controller.web.pages.phrases import say_tiles
from controller.web.security.principal import ThePrincipal

GAME = "two-level"  # the game that the lesson teaches
Idea = Literal["throw", "sum", "reveal", "one_die", "over", "end"]
IDEAS: tuple[Idea, ...] = get_args(Idea)


@dataclass(frozen=True, slots=True)
class Said:
    """One idea in words. then: a consequence of it, or what comes next if another player's turn does."""

    idea: Idea
    title: str
    text: str
    then: str = ""


def is_asked(snapshot: Snapshot) -> bool:
    """Return False while tiles move and the like: the last explanation stays then."""
    return snapshot.phase in ("awaiting_throw", "choosing", "turn_lost", "ended")


def ideas_now(snapshot: Snapshot, said: Collection[str]) -> tuple[Idea, ...]:
    """Return the ideas that come up now and were not `said` before, in their order; none after the turn."""
    is_given_up = any(message.key == "game.given_up" for message in snapshot.messages)
    if snapshot.game != GAME or is_given_up:
        return ()
    if snapshot.phase == "ended":
        return ("end",) if "end" not in said else ()
    learner = learner_of(snapshot)
    has_lost = snapshot.phase == "turn_lost" and snapshot.turn == learner
    if has_lost or snapshot.scores.get(learner or "") is not None:
        return ("over",) if "over" not in said else ()
    # After an undo, the ideas of the restored moment are told again.
    if any(message.key in ("choice.undone", "turn.undone") for message in snapshot.messages):
        return tuple(_happening(snapshot))
    return tuple(idea for idea in _happening(snapshot) if idea not in said)


def learner_of(snapshot: Snapshot) -> str | None:
    """Return the learner, the first person of the game; None if the house alone plays."""
    return next((seat.name for seat in snapshot.seats if seat.house is None), None)


def _happening(snapshot: Snapshot) -> Iterator[Idea]:
    if snapshot.turn != learner_of(snapshot):
        return
    if snapshot.phase == "awaiting_throw":
        yield "throw"
    if snapshot.phase == "choosing":
        yield "sum"
    if snapshot.phase == "awaiting_throw" and any(tile.row > 1 and tile.state == "showing" for tile in snapshot.tiles):
        yield "reveal"
    if snapshot.phase == "awaiting_throw" and len(snapshot.dice_allowed) > 1:
        yield "one_die"


def say_ideas(ideas: Collection[Idea], snapshot: Snapshot, words: Words) -> tuple[Said, ...]:
    """Return these ideas in words, with the present throw, tiles and points."""
    say = {"over": _say_result, "end": _say_result}
    return tuple(say.get(idea, _say_turn)(idea, snapshot, words) for idea in ideas)


def _say_turn(idea: Idea, snapshot: Snapshot, words: Words) -> Said:
    _ = words.gettext
    match idea:
        case "throw":
            text = _("Shut all tiles if you can: what is open once nothing fits counts against you. Throw by hand.")
            if snapshot.simulated:
                text = _(
                    "Shut all tiles if you can: what is open once nothing fits counts against you. Throw both dice."
                )
            return Said(idea, _("Throw the dice"), text)
        case "sum":
            text = _(
                "You threw %(total)s. Shut tiles that add up to it: one alone, or several. Tap them, then confirm."
            )
            return Said(idea, _("Add up"), text % {"total": sum(snapshot.throw)})
        case "reveal":
            shown = say_tiles([tile for tile in snapshot.tiles if tile.row > 1 and tile.state == "showing"], words)
            text = _("Behind each shut tile is another: you see %(tiles)s. You may shut it from the next throw on.")
            points = snapshot.score_now or 0
            counts = words.ngettext(
                "Every number you see counts, these too: that is %(num)s point now. It can rise after a good move.",
                "Every number you see counts, these too: that is %(num)s points now. It can rise after a good move.",
                points,
            )
            return Said(idea, _("The back row"), text % {"tiles": shown}, counts % {"num": points})
    return Said(idea, _("One die"), _("Little is left: now you may throw one die alone, or both as before."))


def _say_result(idea: Idea, snapshot: Snapshot, words: Words) -> Said:
    _, learner = words.gettext, learner_of(snapshot) or ""
    if idea == "end":
        text = _("You have the fewest points left: you have won.")
        if learner not in snapshot.winners:
            text = _("The coach has fewer points left, and wins this time.")
        elif len(snapshot.winners) > 1:
            text = _("You and the coach have the same points left: a draw.")
        return Said(
            idea, _("Your first game is over"), text, _("Now you know the game. The same again, or another one?")
        )
    points, title = snapshot.scores.get(learner), _("Your turn is over")
    if points is None:
        text = _("No tiles make this throw, so your turn is over. Open tiles count against you: the fewest points win.")
        more = _("End the turn. Then the coach plays, and you throw the dice for it.")
        if snapshot.simulated:
            more = _("End the turn. Then the coach plays.")
        return Said(idea, title, text, more)
    text = words.ngettext(
        "Your turn is over with %(num)s point. Open tiles count against you: the fewest points win.",
        "Your turn is over with %(num)s points. Open tiles count against you: the fewest points win.",
        points,
    ) % {"num": points}
    if points == 0:
        text = _("The box is shut: nobody can do better.")
    more = _("Now the coach plays. Throw the dice for it, and see what it does.")
    if snapshot.simulated:
        more = _("Now the coach plays: see what it does.")
    return Said(idea, title, text, more)


_LONGEST = sum(len(idea) + 1 for idea in IDEAS)

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/learn")
async def learn(request: Request, principal: ThePrincipal, referee: TheReferee) -> HTMLResponse:
    """The page on which a beginner enters a name and starts."""
    may_play, now, caller = principal.role != "spectator", referee.snapshot, principal.caller
    words = drawn_of(request).templates(language_of(request)).words
    say = "" if now.is_game_on else words.say_all(now.messages[:1], now.tiles)
    return draw_page(
        request,
        "learn.html",
        may_play=may_play,
        is_free=now.can("start"),
        say=say,
        game=GAME,
        learner=min(caller.seats, default=""),
        has_others=bool(caller.taken) or caller.others_share,
    )


@router.get("/lesson")
async def lesson(
    request: Request, referee: TheReferee, said: Annotated[str, Query(max_length=_LONGEST)] = ""
) -> Response:
    """The explanations of this moment, without the ideas in `said` (with commas); empty if there are none any more.

    204: the explanations on the page stay as they are.
    """
    snapshot = referee.snapshot
    if not is_asked(snapshot):
        return Response(status_code=HTTPStatus.NO_CONTENT)
    words = drawn_of(request).templates(language_of(request)).words
    ideas = say_ideas(ideas_now(snapshot, said.split(",")), snapshot, words)
    return draw_page(request, "parts/lesson.html", ideas=ideas, game=GAME)
