"""All pages of the reference, by their paths, and the one above them."""

from collections.abc import Mapping

from tools.reference.api import api_pages
from tools.reference.commands import command_pages
from tools.reference.events import events_page
from tools.reference.faults import fault_pages
from tools.reference.games import game_pages
from tools.reference.markdown import heading, paragraphs, toctree
from tools.reference.messages import messages_page
from tools.reference.phases import phase_pages
from tools.reference.profiles import profile_pages
from tools.reference.settings import settings_page

_TOP = (
    *("commands/index", "settings", "games/index", "profiles/index", "faults/index"),
    *("api/index", "events", "messages", "phases/index"),
)
_MADE = "These pages are made of the program itself, by `python -m tools.reference FOLDER`."
# How many games of each family tell the steps between the phases.
GAMES = 600


def reference_pages(games: int = GAMES) -> Mapping[str, str]:
    """Return every page and drawing by its path below the folder of the reference. games: see `phases`."""
    pages = {
        "settings.md": settings_page(),
        "events.md": events_page(),
        "messages.md": messages_page(),
        **command_pages(),
        **api_pages(),
        **phase_pages(games),
        **fault_pages(),
        **profile_pages(),
        **game_pages(),
        "index.md": paragraphs(heading("Generated tables"), _MADE, toctree(_TOP)),
    }
    return {name: f"{pages[name].rstrip()}\n" for name in sorted(pages)}
