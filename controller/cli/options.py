"""Options that several subcommands share, and what they choose: the game, the box, the home folder."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated

import typer

from controller.box.start import StartSettings, settings_at_start
from controller.game.table.questions import parse_settings
from controller.game.table.variants import DEFAULT_GAME, GameChoice, load_marks, load_variant
from controller.runtime.home import Home, find_box_home, find_home
from controller.service.pending import restore_at_start
from controller.settings import Settings, load_settings
from hardware.box import Box, load_box

REFERENCE_BOX = "two-level-9"  # the box of commands that need none, whatever the settings say


Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Mock = Annotated[bool, typer.Option("--mock", help="Use the simulated box.")]
MockBox = Annotated[bool, typer.Option("--mock-box", help="Join the simulated box that `shutbox mock-box` runs.")]
BoxName = Annotated[str | None, typer.Option("--box", metavar="NAME|FILE", help="The box profile: a name, or a file.")]
Faults = Annotated[
    str | None,
    typer.Option("--faults", metavar="NAME:PART", help="Break the simulated box; by commas (see `shutbox faults`)."),
]
Anyway = Annotated[
    bool, typer.Option("--anyway", help="Play though servos were never calibrated: their profile is right.")
]
GameName = Annotated[
    str | None, typer.Option("--game", help=f"The game (see `shutbox games`); {DEFAULT_GAME} if none.")
]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="An option of the game; repeat it for more.")
]
Variant = Annotated[Path | None, typer.Option("--variant", help="A file with a game and its options.")]
MarksFile = Annotated[Path | None, typer.Option("--marks", help="A file of marks instead of numbers.")]
Match = Annotated[str | None, typer.Option("--match", help="single, tournament, drop-out or points.")]
Batch = Annotated[
    str | None, typer.Option("--batch", metavar="FILE", help="Questions as JSON Lines; - for standard input.")
]
BoardText = Annotated[
    str | None,
    typer.Option("--board", metavar="TEXT", help='The tiles, "1 . 3" or with "/" between rows; all up if none.'),
]
ThrowText = Annotated[str | None, typer.Option("--throw", metavar="DICE", help="The dice, such as 5,3.")]
CombinationName = Annotated[
    str | None,
    typer.Option("--combination", metavar="NAME", help="For fleet and flash: the combination, such as straight."),
]
KeptText = Annotated[
    str | None,
    typer.Option("--kept", metavar="DICE", help="For fleet and flash: the dice kept before, such as 2,joker."),
]
EngineLog = Annotated[
    Path | None,
    typer.Option("--log", metavar="FILE", help="Write what engines are told and say into this file."),
]
AnySeed = Annotated[int | None, typer.Option("--seed", min=0, help="The seed of the simulated box's chance.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The seed of the simulated box's chance.")]


@dataclass(frozen=True)
class Installation:
    """The installation that a call works on: its home folder, the settings in it, and the box.

    Home and settings are found at their first use: a call that names its box works with unreadable settings.

    box_name: the box of the command line, a profile's name or a file; None: the box of the settings.
    mock: only a simulated box is touched, and so only the user's own home.
    """

    box_name: str | None = None
    mock: bool = False

    @cached_property
    def home(self) -> Home:
        """The home folder. Raises `SettingsError` if the box of this machine is not for this user."""
        return find_home() if self.mock else find_box_home()

    @cached_property
    def settings(self) -> Settings:
        """The settings in the home folder. Raises `SettingsError`."""
        return load_settings(self.home.settings)

    @cached_property
    def at_start(self) -> StartSettings:
        """The settings with which a daemon starts, whatever has become of their file; first a restore that waits."""
        found = restore_at_start(self.home, datetime.now().astimezone())
        start = settings_at_start(self.home)
        return replace(start, found=(*start.found, *found))

    @property
    def box(self) -> str:
        """The box, as a profile's name or a file. Raises `SettingsError`."""
        return self.box_name or self.settings.box

    def load_box(self) -> Box:
        """Load the profile of the box. Raises `BoxProfileError` and `SettingsError`."""
        return load_box(self.box)


def given_names(options: Mapping[str, object]) -> list[str]:
    """Return the names of the given options: a 0 was given, None and False were not."""
    return [name for name, value in options.items() if value is not None and value is not False]


def choose_game(
    game: str | None, options: list[str] | None, variant: Path | None, marks: Path | None, match: str | None = None
) -> GameChoice:
    """Choose the game; the command line overrides a file.

    Raises `VariantError` or `InvalidOption`.
    """
    if variant is not None and game is not None:
        raise typer.BadParameter("--variant names its game itself; leave out --game")
    chosen = load_variant(variant) if variant else GameChoice(game or DEFAULT_GAME)
    said = parse_settings(options or [])
    if match is not None and "match" in said:
        raise typer.BadParameter("--match and --set match= say the same option: leave one out")
    given = {**chosen.options, **said, **({"match": match} if match else {})}
    return GameChoice(chosen.game, given, load_marks(marks) if marks else chosen.marks)
