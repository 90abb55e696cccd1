"""What `install` and `update` share: how their effects are told, and how they end."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from controller.errors import BadUpdate, InstallError
from controller.install import Layout
from controller.process import Exit, answers, print_json, say

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
Prefix = Annotated[Path, typer.Option("--prefix", metavar="FOLDER", help="Where the program lies.")]


def tell_effects(effects: Sequence[object], *, done: bool, as_json: bool) -> None:
    """Print effects in their order: those that would be carried out, or those that were."""
    told = [str(effect) for effect in effects]
    if as_json:
        print_json({"done": done, "effects": told})
    elif not done:
        for line in told:
            answers.print(f"would {line}", markup=False)


def require_root(layout: Layout) -> None:
    """Raise `InstallError` for a user who may not change this machine; a tree is anybody's."""
    if layout.is_this_machine and os.geteuid() != 0:
        raise InstallError("only root may change this machine; say it with sudo")


@contextmanager
def no_on_failure() -> Iterator[None]:
    """Leave with `Exit.NO` where a step fails. A file that is no update is a wrong call, as everywhere."""
    try:
        yield
    except BadUpdate:
        raise
    except InstallError as error:
        say(f"shutbox: {error}")
        raise typer.Exit(Exit.NO) from error
