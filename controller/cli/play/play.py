"""`shutbox play`: take a seat at the running daemon, or at one of its own."""

import asyncio
import gc
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Annotated

import typer

from controller.box.choose import ChosenBox, choose_box_at_start
from controller.box.compatibility import can_show, check_box, default_box_for, known_boxes
from controller.box.faults import parse_faults
from controller.box.remote_simulated import join_mock_box
from controller.cli.daemon import run_daemon
from controller.cli.engines.seat import engines_beside, split_engines
from controller.cli.options import (
    AnySeed,
    Anyway,
    BoxName,
    Faults,
    GameName,
    Installation,
    MarksFile,
    Match,
    Mock,
    MockBox,
    Set,
    Variant,
    choose_game,
    given_names,
)
from controller.cli.play.line_editor import seat_lines
from controller.cli.play.page import settings_with_page, show_page
from controller.cli.play.seat import NewGame, Seat
from controller.errors import DaemonRuns, NoBox, NotCalibrated
from controller.game.core.commands import StartGame
from controller.game.core.message import Language
from controller.game.core.players import read_players
from controller.game.table.engines import any_rules_of, decide
from controller.game.table.snapshot import Snapshot
from controller.game.table.variants import GameChoice
from controller.messages.words import words_in
from controller.opponents.hints import OddsBook
from controller.runtime.home import Home
from controller.runtime.terminal import show_warnings, table
from controller.runtime.threads import cancel_on_signal
from controller.settings import Settings, Web
from controller.web.access_client import AccessClient
from controller.web.network import daemon_runs, find_socket, wait_for_daemon
from hardware.errors import Fault


def find_mock_box(installation: Installation, *, mock: bool, anyway: bool = False, **options: object) -> ChosenBox:
    """Join the mock-box of this home. Raises `NoBox`, also for options that only its start can take."""
    refuse_options("a mock-box was started with its own", {"mock": mock, **options})
    start = installation.at_start
    return join_mock_box(installation.home, start.now, anyway=anyway, found=start.found)


def refuse_options(why: str, options: Mapping[str, object], or_else: str = "") -> None:
    """Raise `NoBox` if one of these options was given, since it would have no effect. or_else: another way out."""
    if given := given_names(options):
        raise NoBox(f"{why}; leave out {', '.join(given)}{or_else}")


def play(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    match: Match = None,
    players: Annotated[
        str | None,
        typer.Option("--players", help="Names by commas in the order of their seats; House:perfect, engine:./mine."),
    ] = None,
    faults: Faults = None,
    seed: AnySeed = None,
    anyway: Anyway = False,
    seat: Annotated[
        list[str] | None, typer.Option(help="Take this player's seat, for which nobody else acts; repeat it for more.")
    ] = None,
    page: Annotated[bool, typer.Option("--page", help="Show the table in this computer's browser, too.")] = False,
    network: Annotated[
        bool, typer.Option("--network", help="Show it to phones in your network, with today's code.")
    ] = False,
) -> None:
    page = page or network
    installation = Installation(box, mock or mock_box)
    home, start = installation.home, installation.at_start
    settings = start.now
    choice = choose_game(game, options, variant, marks, match)
    new_game = make_new_game(choice, players, settings)

    def join_daemon() -> None:
        why = "a daemon runs already, with a box and a page of its own"
        given = {"box": box, "faults": faults, "seed": seed, "anyway": anyway, "network": network}
        refuse_options(why, given, " or stop it first")
        web = settings.web if page else None
        asyncio.run(join(home, new_game, settings.language, seat or (), page=web, mock=mock or mock_box))

    if daemon_runs(home):
        join_daemon()
        return
    if mock_box:
        chosen = find_mock_box(installation, anyway=anyway, mock=mock, box=box, faults=faults, seed=seed)
    else:
        rules = any_rules_of(choice.game, choice.options, choice.marks)
        chosen = choose_box_at_start(box, start, home, mock=mock, faults=parse_faults(faults), seed=seed, anyway=anyway)
        if box is None and chosen.another is not None and not can_show(rules, chosen.box):
            # A simulated box may be any that can show the game.
            other = default_box_for(rules).name
            table.print(f"{choice.game} is not for the box {settings.box}: it is played on {other}, simulated too.")
            chosen = chosen.another(other)
    if game or variant:
        # A named game is refused before anything is opened.
        check_box(any_rules_of(choice.game, choice.options, choice.marks), chosen.box, known_boxes())
    try:
        asyncio.run(play_here(chosen, home, settings, new_game, seat or (), page=page, network=network))
    except DaemonRuns:
        asyncio.run(wait_for_daemon(home))
        join_daemon()


def make_new_game(choice: GameChoice, players: str | None, settings: Settings) -> NewGame:
    """Make the game to start when none is on. players: by commas; None: those of the settings.

    Raises `RulesError` or `BadPlayers` for an impossible game.
    """
    words, engines = split_engines(players.split(",") if players is not None else settings.players)
    seats = read_players(words, settings.house_players, settings.house_strength)
    start = StartGame(seats, choice.game, choice.options, choice.marks)
    # An impossible start is refused before anything is opened; each family knows how many may play.
    decide(None, start)
    return NewGame(start, is_asked_for=choice != GameChoice() or players is not None, engines=engines)


def _tell(line: str) -> None:
    table.print(line, markup=False)


async def join(
    home: Home,
    game: NewGame,
    language: Language,
    names: Sequence[str] = (),
    *,
    page: Web | None = None,
    mock: bool = False,
) -> None:
    """Sit down at the running daemon. page: show its page, too.

    mock: no metal may move. Raises `NoBox` if it would, `NotCalibrated`, and `DaemonGone` when the daemon ends.
    """
    words = words_in(language)
    async with cancel_on_signal(), AccessClient(find_socket(home), language) as client:
        now = await client.state()
        if mock and not now.simulated:
            raise NoBox("a daemon runs on a box of metal; leave out --mock to sit down there, or stop it first")
        check_driven(now)
        if page is not None:
            await show_page(client, page, table, page.port, words)
        seat = Seat(client, table, game, OddsBook(home.odds), names, waits=True, words=words)
        async with engines_beside(game.engines, home, _tell):
            await seat.sit(seat_lines(seat.complete))
    left = words.gettext("You have left the table; the game stays on at the box: shutbox play joins it.")
    if seat.is_waiting:
        left = words.gettext(
            "You have left the table; the game is saved, and goes on once the box's program runs again: "
            "shutbox play joins it."
        )
    table.print(f"\n{left}", markup=False)


def check_driven(now: Snapshot) -> None:
    """Raise `NotCalibrated` if the box says that it moves no tile in play."""
    for message in now.messages:
        if message.key == "fault":
            fault = Fault(*(str(message.args[field.name]) for field in fields(Fault)))
            if fault.kind == "description":
                raise NotCalibrated(fault)


async def play_here(
    box: ChosenBox,
    home: Home,
    settings: Settings,
    game: NewGame,
    names: Sequence[str] = (),
    *,
    page: bool = False,
    network: bool = False,
) -> None:
    """Run a daemon in this process and sit down at it; leaving parks the box and keeps the game.

    page: show the table in this computer's browser, too; a game is chosen there unless this call names one. network:
    that page is for phones as well. Raises `NotCalibrated`.
    """
    words = words_in(settings.language)
    served = settings_with_page(settings, network=network) if page else settings
    # The table shows in its own words what these log.
    with show_warnings("firmware", "controller.journal", "controller.service"):
        async with (
            cancel_on_signal(),
            run_daemon(box, home, served),
            AccessClient(home.socket, settings.language) as client,
        ):
            gc.freeze()  # as `run` does
            check_driven(await client.state())
            if page:
                await show_page(client, served.web, table, settings.web.port, words)
            begins = game.is_asked_for or not page
            seat = Seat(client, table, game, OddsBook(home.odds), names, begins=begins, words=words)
            async with engines_beside(game.engines, home, _tell):
                await seat.sit(seat_lines(seat.complete))
    parked = words.gettext("The box is parked: tiles as they are, pulses off. The game is saved.")
    table.print(f"\n{parked}")
