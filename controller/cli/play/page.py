"""The page of the table at a terminal: its address in one line, its QR code, and a browser that opens it."""

import io
import os
import subprocess
import sys
from threading import Thread

from rich.console import Console

from controller.messages.words import Words
from controller.runtime.machine import find_free_port
from controller.settings import Settings, Web
from controller.web.access_client import AccessClient
from controller.web.network import is_for_this_computer, join_link, page_addresses, qr_code

_AT_HOME = "127.0.0.1"
_QUIET_ZONE = 1  # modules around the code, where the terminal is dark anyway


def settings_with_page(settings: Settings, *, network: bool = False) -> Settings:
    """Return settings that serve the page to the browsers of this computer, at which everybody plays together.

    network: serve it to phones and other computers, each with a seat of its own. Settings with a page stay as they are.
    Raises `SettingsError` if no port can be opened.
    """
    if settings.web.on:
        return settings
    if network:
        port = find_free_port(settings.web.address, settings.web.port)
        return settings.model_copy(update={"web": settings.web.model_copy(update={"on": True, "port": port})})
    port = find_free_port(_AT_HOME, settings.web.port)
    web = settings.web.model_copy(update={"on": True, "address": _AT_HOME, "port": port, "proxies": ()})
    share = "yes" if settings.share == "auto" else settings.share
    return settings.model_copy(update={"web": web, "share": share})


async def show_page(client: AccessClient, network: Web, console: Console, wanted_port: int, words: Words) -> None:
    """Print where the page is, and open it by a link that lets the browser in at once.

    The link of a page for this computer stays the same every day. Phones can open a page only after `--network`.
    """
    if not network.on:
        line = words.gettext("The program that runs here has no page: web.on is false in its settings.")
        console.print(line, markup=False)
        return
    is_at_home = is_for_this_computer(network)
    code = await client.home_link() if is_at_home else (await client.code()).link
    link = join_link(page_addresses(network)[0], code)
    if network.port == wanted_port:
        line = words.gettext("The page of this table: {link}").format(link=link)
    else:
        line = words.gettext("Port {port} is taken; the page: {link}").format(port=wanted_port, link=link)
    console.print(line, markup=False, soft_wrap=True)
    if console.is_terminal:
        if not is_at_home:
            console.print(draw_qr(link), markup=False, end="")
        open_browser(link)


def draw_qr(link: str) -> str:
    """Draw the QR code of a link, two rows in a line: 16 lines for a short link."""
    drawn = io.StringIO()
    qr_code(link).terminal(out=drawn, border=_QUIET_ZONE, compact=True)
    return drawn.getvalue()


def open_browser(link: str) -> None:
    """Open a page in the browser of this desktop, if there is one; not as root."""
    has_desktop = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_desktop and os.geteuid() != 0:
        # In a process and thread of its own: a browser may stay for hours, and prints whatever it likes.
        command = [sys.executable, "-m", "webbrowser", "-t", link]
        quiet = subprocess.DEVNULL
        opening = {"stdin": quiet, "stdout": quiet, "stderr": quiet, "check": False, "start_new_session": True}
        Thread(target=subprocess.run, args=(command,), kwargs=opening, daemon=True).start()
