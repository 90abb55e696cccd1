"""Subcommands that are loaded when they are called; until then each is a name and a line of help.

This keeps `shutbox --help` quick on a small computer, and no subcommand loads a camera or web server that it does not
use.
"""

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command, get_group

from controller.runtime.output import Exit


class Command(TyperCommand):
    """A command whose help page shows no types of a programming language."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        arguments = [each for each in self.params if isinstance(each, TyperArgument)]
        pieces = [_value_name(each) if each.required else f"[{_value_name(each)}]" for each in arguments]
        return ["[OPTIONS]", *pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_rows(self.get_params(ctx), formatter)


class Group(TyperGroup):
    """A group of commands whose help page prints every summary in full.

    sections: names of commands by the title under which they are listed; empty: all of them, under one title.
    subcommands: the table that its commands are loaded from.
    """

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.sections: Mapping[str, Sequence[str]] = {}
        self.subcommands: Mapping[str, Subcommand] = {}

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["[OPTIONS]", "COMMAND"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_rows(self.get_params(ctx), formatter)
        for title, names in (self.sections or {"Commands": list(self.commands)}).items():
            with formatter.section(title):
                formatter.write_dl([(name, self.commands[name].help or "") for name in names])


def _value_name(param: TyperArgument | TyperOption) -> str:
    """Return the name of a parameter's value in capitals: its own, its choices, or the kind of value."""
    described = param.type_descriptor
    if param.metavar is not None:
        return param.metavar
    if described.is_choice:
        return "|".join(str(choice) for choice in described.choices or ())
    if described.is_path:
        return "FILE"
    if described.is_ranged or described.annotation in (int, float):
        return "NUMBER"
    return (param.name or "").upper()


def _write_rows(params: Sequence[Any], formatter: Any) -> None:
    for title, rows in help_rows(params).items():
        if rows:
            with formatter.section(title):
                formatter.write_dl([(row.typed, row.in_one_line) for row in rows])


@dataclass(frozen=True, slots=True)
class HelpRow:
    """One argument or option on a help page.

    typed: how it is typed. meaning: its line of help. default, limits: empty if there are none.
    """

    typed: str
    meaning: str
    default: str = ""
    limits: str = ""

    @property
    def in_one_line(self) -> str:
        """The meaning with default and limits in brackets."""
        notes = [f"default: {self.default}"] if self.default else []
        notes += [self.limits] if self.limits else []
        return f"{self.meaning}  [{'; '.join(notes)}]" if notes else self.meaning


def help_rows(params: Iterable[Any]) -> Mapping[str, list[HelpRow]]:
    """Return the rows of a help page by the title above them; hidden options are left out."""
    rows: dict[str, list[HelpRow]] = {"Arguments": [], "Options": []}
    for each in params:
        if isinstance(each, TyperArgument):
            rows["Arguments"].append(HelpRow(_value_name(each), each.help or ""))
        elif isinstance(each, TyperOption) and not each.hidden:
            rows["Options"].append(_option_row(each))
    return rows


def _option_row(option: TyperOption) -> HelpRow:
    typed = ", ".join(sorted(option.opts, key=len))
    if option.is_flag:
        return HelpRow(typed, option.help or "")
    default = "" if option.default in (None, ()) else str(option.default)
    least, most = option.min, option.max
    limits = "" if most is None else f"{most} at most"
    if least is not None:
        limits = f"{least} or more" if most is None else f"{least} to {most}"
    return HelpRow(f"{typed} {_value_name(option)}", option.help or "", default, limits)


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A subcommand: its place, and everything its help page says besides its options.

    place: the module in this folder and its function with Typer's options, or its group of further subcommands.
    help: one line, for the list of commands and for its own page.
    example: a call without the program's name; a test runs it. A group has none.
    more: what its own page says after the line.
    also: the statuses with which it may end, besides those of every command.
    """

    place: str
    help: str
    example: str = ""
    more: str = ""
    also: tuple[Exit, ...] = ()

    def load(self) -> Any:
        """Import the module; return the function or the group."""
        module, _, name = self.place.partition(":")
        # What is being loaded is no garbage, and to look for some takes a tenth of the time.
        gc.disable()
        try:
            return getattr(import_module(f"controller.cli.{module}"), name)
        finally:
            gc.enable()


class _StandIn(TyperCommand):
    """Stands in a group for a subcommand that is not loaded yet.

    A group asks a subcommand for its line of help, and for a context once it is called: the loaded one makes the
    context, and from there on Typer deals with that one alone.
    """

    def __init__(self, name: str, subcommand: Subcommand) -> None:
        super().__init__(name, help=subcommand.help)
        self._subcommand = subcommand

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return load_command(info_name or "", self._subcommand).make_context(info_name, args, parent, **extra)


def load_command(name: str, subcommand: Subcommand) -> TyperCommand | TyperGroup:
    """Load a subcommand as Typer runs it, with its help."""
    loaded = subcommand.load()
    if isinstance(loaded, TyperGroup):
        loaded.help = subcommand.help
        return loaded
    app = _app()
    about = f"{subcommand.help}\n\n{subcommand.more}".strip()
    app.command(name, cls=Command, help=about, epilog=f"For example: shutbox {subcommand.example}")(loaded)
    command = get_command(app)
    assert isinstance(command, TyperCommand)  # noqa: S101  an app of one command
    return command


def make_group(
    subcommands: Mapping[str, Subcommand],
    about: Callable[..., None],
    *,
    alone: bool = False,
    sections: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> TyperGroup:
    """Make a group of `subcommands` by their names; see `Group` for `sections`.

    about: a function with the group's own options; its docstring is the help of a group that no table lists. alone:
    the group may be called without a subcommand.
    """
    app = _app()
    app.callback(cls=Group, invoke_without_command=alone)(about)
    group = get_group(app)
    assert isinstance(group, Group)  # noqa: S101  made of it
    group.sections, group.subcommands = sections, subcommands
    for name, subcommand in subcommands.items():
        group.add_command(_StandIn(name, subcommand))
    return group


def _app() -> typer.Typer:
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
    )
