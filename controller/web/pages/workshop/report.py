"""The page with the report on this installation, for whoever helps; and the report as a text file."""

from collections.abc import Mapping
from datetime import date

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from controller.messages.words import Words, words_in
from controller.service.doctor import report_health, report_text
from controller.web.dependencies import TheLookups, language_of
from controller.web.pages.page import PageRoute, draw_page

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/workshop/report")
async def report(request: Request, lookups: TheLookups) -> HTMLResponse:
    """The report to be read, copied and saved."""
    found = await lookups.recall(report_health)
    titles = titles_in(words_in(language_of(request)))
    return draw_page(request, "workshop/report.html", report=found, titles=titles, text=report_text(found))


@router.get("/workshop/report.txt", response_class=PlainTextResponse)
async def report_file(lookups: TheLookups) -> PlainTextResponse:
    """The report as a text file."""
    name = f"shutbox-report-{date.today():%Y-%m-%d}.txt"
    text = report_text(await lookups.recall(report_health))
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def titles_in(words: Words) -> Mapping[str, str]:
    """Return the titles of the parts of a report in words."""
    _ = words.gettext
    return {
        "versions": _("Versions"),
        "computer": _("Computer"),
        "settings": _("Settings that were changed"),
        "health": _("Health"),
        "runs": _("Starts and ends of the program"),
        "events": _("Last events"),
        "log": _("Log"),
    }
