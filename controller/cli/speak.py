"""`shutbox speak`: the box itself says aloud what happens at the table, as one more client of the daemon."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Installation
from controller.cli.voice import Say, Voice
from controller.game.table.snapshot import Snapshot
from controller.messages.calls import Announcer
from controller.messages.words import words_in
from controller.runtime.espeak import Espeak
from controller.runtime.home import Home
from controller.runtime.hours import is_within
from controller.runtime.log import start_log
from controller.runtime.terminal import answers
from controller.runtime.threads import cancel_on_signal, run_in_background
from controller.settings import Settings
from controller.web.client import Client, DaemonGone
from controller.web.network import find_socket

_LOOK_EVERY_S = 1.0  # for a daemon that is gone

_log = logging.getLogger(__name__)


def speak(
    text: Annotated[bool, typer.Option("--text", help="Print the sentences, and say nothing aloud.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", metavar="FOLDER", help="Write each sentence as a WAV file there, and say nothing aloud."
        ),
    ] = None,
    if_aloud: Annotated[
        bool, typer.Option("--if-aloud", help="End at once unless the settings have aloud = true, for systemd.")
    ] = False,
) -> None:
    start_log()
    installation = Installation()
    home, settings = installation.home, installation.at_start.now
    if if_aloud and not settings.voice.aloud:
        _log.info("the box itself does not speak: aloud is not true under [voice] in the settings")
        return
    asyncio.run(speak_until_stopped(home, settings, _choose_voice(settings, output, is_text=text)))


def _choose_voice(settings: Settings, folder: Path | None, *, is_text: bool) -> Say:
    if is_text:
        if folder is not None:
            raise typer.BadParameter("say one of --text and --output")
        return _print
    if folder is not None and not folder.is_dir():
        raise typer.BadParameter(f"there is no folder {folder} for the sentences")
    return Espeak(settings.language, settings.voice.speed, folder).say


async def _print(text: str) -> None:
    answers.print(text, markup=False, soft_wrap=True)


async def speak_until_stopped(home: Home, settings: Settings, say: Say) -> None:
    """Say what happens at the table of this home until a signal ends it, and wait for each daemon that is not there."""
    voice = Voice(say, lambda: is_within(settings.voice.quiet, datetime.now().time()))
    listener = Listener(voice, Announcer(words_in(settings.language)))
    async with cancel_on_signal(), run_in_background(voice.run()):
        await follow(home, listener.hear)


async def follow(home: Home, hear: Callable[[Snapshot], None]) -> None:
    """Have each snapshot heard, of one daemon of this home after the other."""
    is_there = True
    while True:
        with suppress(DaemonGone):
            async with Client(find_socket(home)) as client, client.snapshots() as snapshots:
                async for snapshot in snapshots:
                    is_there = True
                    hear(snapshot)
        if is_there:
            _log.info("no daemon runs, the voice waits for one")
        is_there = False
        await asyncio.sleep(_LOOK_EVERY_S)


class Listener:
    """Gives the voice what is to be said of each snapshot."""

    def __init__(self, voice: Voice, announcer: Announcer) -> None:
        self._voice = voice
        self._announcer = announcer
        self._is_parked = False

    def hear(self, snapshot: Snapshot) -> None:
        """Have the new calls said; what was to be said before is left out for help, and once the box is parked."""
        said = [call for call in self._announcer.new_calls(snapshot) if call.text]
        was_parked, self._is_parked = self._is_parked, snapshot.phase == "parked"
        if (self._is_parked and not was_parked) or any(call.kind == "help" for call in said):
            self._voice.hush()
        for call in said:
            self._voice.add(call.text)
