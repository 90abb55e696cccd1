"""Options that several subcommands share, and what they choose together: the game, the box, the home folder."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated

import typer

from controller.game import DEFAULT_GAME, GameChoice, load_marks, load_variant, parse_settings
from controller.settings import Home, Settings, find_box_home, find_home, load_settings
from hardware.box import Box, load_box

REFERENCE_BOX = "two-level-9"  # meant where no box has to be there, whatever the settings say


class FieldChoice(StrEnum):
    """The field in a picture: found by its markers, or the whole picture."""

    AUTO = "auto"
    WHOLE = "whole"


Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Mock = Annotated[bool, typer.Option("--mock", help="Use the simulated box.")]
MockBox = Annotated[
    bool, typer.Option("--mock-box", help="Join the simulated box of this home that `shutbox mock-box` runs.")
]
BoxName = Annotated[str | None, typer.Option("--box", metavar="NAME|FILE", help="Box profile: a name, or a file.")]
Faults = Annotated[
    str | None,
    typer.Option(
        "--faults", metavar="NAME:PART", help="Break the simulated box; several by commas (see `shutbox faults`)."
    ),
]
GameName = Annotated[
    str | None, typer.Option("--game", help=f"The game (see `shutbox games`); {DEFAULT_GAME} if none.")
]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="An option of the game; again for more.")
]
Variant = Annotated[Path | None, typer.Option("--variant", help="A file with a game and its options, in its place.")]
MarksFile = Annotated[Path | None, typer.Option("--marks", help="A file of marks instead of numbers.")]
Match = Annotated[str | None, typer.Option("--match", help="single, tournament, drop-out or points.")]
FieldOption = Annotated[FieldChoice, typer.Option("--field", help="By the markers, or all.")]
Batch = Annotated[
    str | None, typer.Option("--batch", metavar="FILE", help="Questions as JSON Lines; - for standard input.")
]
BoardText = Annotated[
    str | None,
    typer.Option("--board", metavar="TEXT", help='The tiles, "1 . 3" or with "/" between rows; all up if none.'),
]
ThrowText = Annotated[str | None, typer.Option("--throw", metavar="DICE", help="The dice, such as 5,3.")]
CombinationName = Annotated[
    str | None, typer.Option("--combination", metavar="NAME", help="Of fleet or flash: what is gone for, as straight.")
]
KeptText = Annotated[
    str | None, typer.Option("--kept", metavar="DICE", help="Of fleet or flash: the dice kept before, as 2,joker.")
]
AnySeed = Annotated[int | None, typer.Option("--seed", min=0, help="The chance of the simulated box.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The chance of the simulated box.")]


@dataclass(frozen=True)
class Installation:
    """The installation that a call works on: its home folder, the settings in it, and the box it is about.

    Home and settings are looked for when they are first asked for: a call that names its box works beside settings that
    cannot be read. box_name: the box of the command line, a profile's name or a file; None for that of the settings.
    mock: only a simulated box is touched, and so only the user's own home.
    """

    box_name: str | None = None
    mock: bool = False

    @cached_property
    def home(self) -> Home:
        """The home folder. Raises `SettingsError` where the box that stands here is not for this user."""
        return find_home() if self.mock else find_box_home()

    @cached_property
    def settings(self) -> Settings:
        """The settings in the home folder. Raises `SettingsError`."""
        return load_settings(self.home.settings)

    @property
    def box(self) -> str:
        """The box, as a profile's name or a file. Raises `SettingsError`."""
        return self.box_name or self.settings.box

    def load_box(self) -> Box:
        """The profile of the box. Raises `BoxProfileError` and `SettingsError`."""
        return load_box(self.box)


def choose_game(
    game: str | None, options: list[str] | None, variant: Path | None, marks: Path | None, match: str | None = None
) -> GameChoice:
    """Choose the game that was asked for; what is said on the command line goes before what stands in a file.

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
