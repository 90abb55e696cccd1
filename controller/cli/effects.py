"""The effects of `install` and `update`, and how the two end."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from controller.errors import BadUpdate, InstallError
from controller.install.layout import Layout
from controller.process.output import Exit, print_json
from controller.process.terminal import answers, say

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only print what would be done.")]
Prefix = Annotated[Path, typer.Option("--prefix", metavar="FOLDER", help="The folder of the program.")]


def tell_effects(effects: Sequence[object], *, done: bool, as_json: bool) -> None:
    """Print effects in their order. done: they were carried out, and do not wait for it."""
    told = [str(effect) for effect in effects]
    if as_json:
        print_json({"done": done, "effects": told})
    elif not done:
        for line in told:
            answers.print(f"would {line}", markup=False)


def require_root(layout: Layout) -> None:
    """Raise `InstallError` for users who may not change this machine; a tree is anybody's."""
    if layout.is_this_machine and os.geteuid() != 0:
        raise InstallError("only root may change this machine; say it with sudo")


@contextmanager
def no_on_failure() -> Iterator[None]:
    """Exit with `Exit.NO` if a step fails. A file that is no update is a wrong call, as everywhere."""
    try:
        yield
    except BadUpdate:
        raise
    except InstallError as error:
        say(f"shutbox: {error}")
        raise typer.Exit(Exit.NO) from error
