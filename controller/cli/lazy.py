"""Subcommands that are loaded when they are called; until then one is a name and its line on the help page.

So `shutbox --help` is quick on a small computer, and a subcommand loads no camera or web server but its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from controller.cli.help_page import Command, Group


@dataclass(frozen=True, slots=True)
class Subcommand:
    """The place of a subcommand: a function with Typer's options, or a group of further ones (`make_group`).

    `help` repeats the first line of its docstring, so that a help page needs nothing else; a test compares them.
    example: a call of it, without the program's name; a test makes it. A group has none: its subcommands have theirs.
    """

    module: str
    attribute: str
    help: str
    example: str = ""

    def load(self) -> Any:
        """Import its module; the function or the group."""
        return getattr(import_module(self.module), self.attribute)


class _StandIn(TyperCommand):
    """Stands in a group for a subcommand that is not loaded yet.

    A group asks a subcommand for its help line, and for a context once it is called; then the loaded one answers,
    and from there on Typer has to do with that alone.
    """

    def __init__(self, name: str, subcommand: Subcommand) -> None:
        super().__init__(name, help=subcommand.help)
        self._subcommand = subcommand

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of the loaded subcommand, with its options parsed."""
        return load_command(info_name or "", self._subcommand).make_context(info_name, args, parent, **extra)


def load_command(name: str, subcommand: Subcommand) -> TyperCommand | TyperGroup:
    """Load a subcommand, as Typer runs it."""
    loaded = subcommand.load()
    if isinstance(loaded, TyperGroup):
        return loaded
    app = _app()
    app.command(name, cls=Command, epilog=f"For example: shutbox {subcommand.example}")(loaded)
    command = get_command(app)
    assert isinstance(command, TyperCommand)  # noqa: S101  an app of one command
    return command


def make_group(subcommands: Mapping[str, Subcommand], about: Callable[..., None], *, alone: bool = False) -> TyperGroup:
    """A group of `subcommands` by their names, listed in this order.

    about: a function whose docstring is the help of the group, with the group's own options. alone: it is also called
    where no subcommand is named.
    """
    app = _app()
    app.callback(cls=Group, invoke_without_command=alone)(about)
    group = get_group(app)
    for name, subcommand in subcommands.items():
        group.add_command(_StandIn(name, subcommand))
    return group


def _app() -> typer.Typer:
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
    )
