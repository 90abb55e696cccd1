"""Help pages in words: what a value is called, in which range it lies, and an example of every call."""

from collections.abc import Sequence
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

_NUMBERS = (int, float)


class Command(TyperCommand):
    """A command whose help page shows no types of a programming language."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What follows the command's name in the line of its usage."""
        arguments = [each for each in self.params if isinstance(each, TyperArgument)]
        pieces = [value_name(each) if each.required else f"[{value_name(each)}]" for each in arguments]
        return ["[OPTIONS]", *pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, a row each."""
        _write_rows(self.get_params(ctx), formatter)


class Group(TyperGroup):
    """A group of commands whose help page tells every summary to its end."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What follows the group's name in the line of its usage."""
        return ["[OPTIONS]", "COMMAND"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the commands, a row each."""
        _write_rows(self.get_params(ctx), formatter)
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help or "") for name, command in self.commands.items()])


def value_name(param: TyperArgument | TyperOption) -> str:
    """The value of a parameter, in capitals: its own name for it, its choices, or what kind of thing it is."""
    described = param.type_descriptor
    if param.metavar is not None:
        return param.metavar
    if described.is_choice:
        return "|".join(str(choice) for choice in described.choices or ())
    if described.is_path:
        return "FILE"
    if described.is_ranged or described.annotation in _NUMBERS:
        return "NUMBER"
    return (param.name or "").upper()


def _write_rows(params: Sequence[Any], formatter: Any) -> None:
    arguments = [(value_name(each), each.help or "") for each in params if isinstance(each, TyperArgument)]
    options = [_row(each) for each in params if isinstance(each, TyperOption) and not each.hidden]
    for title, rows in (("Arguments", arguments), ("Options", options)):
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def _row(option: TyperOption) -> tuple[str, str]:
    """An option as it is typed, and what it does, with its default and its range."""
    typed = ", ".join(sorted(option.opts, key=len))
    if not option.is_flag:
        typed += f" {value_name(option)}"
    default = "" if option.is_flag or option.default in (None, ()) else f"default: {option.default}"
    more = "; ".join(filter(None, (default, _range_in_words(option.min, option.max))))
    return typed, f"{option.help or ''}  [{more}]" if more else option.help or ""


def _range_in_words(least: float | None, most: float | None) -> str:
    if least is None or most is None:
        return f"{least} or more" if least is not None else f"{most} at most" if most is not None else ""
    return f"{least} to {most}"
