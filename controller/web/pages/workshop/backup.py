"""The page on which a backup is saved, and restored."""

from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.messages.words import Words, words_in
from controller.service.pending import read_pending
from controller.service.played import Played
from controller.web.dependencies import TheLookups, TheRestart, language_of
from controller.web.pages.page import PageRoute, draw_page
from controller.web.pages.phrases import now_here, say_when
from controller.web.refusals import LONGEST_UPLOAD

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/workshop/backup")
async def backup(request: Request, lookups: TheLookups, restart: TheRestart) -> HTMLResponse:
    """The backup to be saved, and the one that was sent to be restored, with what it would replace."""
    words, pending, now = words_in(language_of(request)), await lookups.ask(read_pending), now_here()
    context: dict[str, object] = {}
    if (found := pending.backup) is not None:
        context = {
            "made": say_when(found.made.isoformat(), now, words),
            "holds": say_kinds(found.holds, words),
            "replaces": say_kinds(found.replaces, words),
            "brings": say_played(found.brings, now, words),
            "has": say_played(found.has, now, words),
        }
    return draw_page(
        request,
        "workshop/backup.html",
        pending=pending,
        can_restart=restart is not None,
        most=LONGEST_UPLOAD,
        **context,
    )


def say_kinds(kinds: tuple[str, ...], words: Words) -> str:
    """Return the kinds of files of a home (`controller.service.contents.SAVED`) in a list."""
    _ = words.gettext
    known = {
        "the journal": _("all games"),
        "the settings": _("the settings"),
        "the profile of the box as it is wired": _("how the box is wired"),
        "when its wires were right": _("when its wires were checked"),
        "the calibration": _("what was measured of servos and camera"),
        "earlier calibrations": _("earlier measurements"),
        "pictures of the empty field": _("pictures of the empty baize"),
        "taught dice": _("taught dice"),
        "earlier taught dice": _("earlier taught dice"),
        "evenings of many matches": _("evenings of many matches"),
        "the wear of the tiles": _("the wear of the tiles"),
    }
    return words.all_of(known[kind] for kind in kinds) if kinds else _("nothing")


def say_played(played: Played, now: datetime, words: Words) -> str:
    """Return in a few words how much was played."""
    _ = words.gettext
    if played.games is None:
        return _("They cannot be read.")
    games = words.ngettext("{count} game", "{count} games", played.games).format(count=played.games)
    if played.last is None:
        return games
    return _("{games}, the last one: {when}").format(games=games, when=say_when(played.last.isoformat(), now, words))
