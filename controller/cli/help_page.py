"""Help pages in plain words: names and ranges of values, and an example of every call."""

from collections.abc import Sequence
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption


class Command(TyperCommand):
    """A command whose help page shows no types of a programming language."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words after the command's name in its usage line."""
        arguments = [each for each in self.params if isinstance(each, TyperArgument)]
        pieces = [_value_name(each) if each.required else f"[{_value_name(each)}]" for each in arguments]
        return ["[OPTIONS]", *pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, a row each."""
        _write_rows(self.get_params(ctx), formatter)


class Group(TyperGroup):
    """A group of commands whose help page prints every summary in full.

    sections: names of commands by the title under which they are listed; empty: all of them, under one title.
    """

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.sections: dict[str, list[str]] = {}

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words after the group's name in its usage line."""
        return ["[OPTIONS]", "COMMAND"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the commands, a row each."""
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
    arguments = [(_value_name(each), each.help or "") for each in params if isinstance(each, TyperArgument)]
    options = []
    for each in params:
        if not isinstance(each, TyperOption) or each.hidden:
            continue
        typed = ", ".join(sorted(each.opts, key=len))
        if not each.is_flag:
            typed += f" {_value_name(each)}"
        notes = [] if each.is_flag or each.default in (None, ()) else [f"default: {each.default}"]
        least, most = each.min, each.max
        if least is not None:
            notes.append(f"{least} or more" if most is None else f"{least} to {most}")
        elif most is not None:
            notes.append(f"{most} at most")
        options.append((typed, f"{each.help or ''}  [{'; '.join(notes)}]" if notes else each.help or ""))
    for title, rows in (("Arguments", arguments), ("Options", options)):
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)
