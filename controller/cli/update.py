"""`shutbox update`: replace the running version by a new or the previous one; or make an update file."""

import platform
import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.effects import DryRun, Prefix, no_on_failure, require_root, tell_effects
from controller.cli.options import Json
from controller.install.host import Host
from controller.install.layout import PREFIX, Layout
from controller.install.perform import perform_update
from controller.install.plan import plan_update, plan_way_back
from controller.install.update_file import check_fits, pack_update, read_update
from controller.journal.tables import FORMAT
from controller.process.output import print_json
from controller.process.signals import interrupt_on_signal
from controller.process.terminal import answers, say

_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def update(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The update file.")] = None,
    dry_run: DryRun = False,
    back: Annotated[bool, typer.Option("--back", help="Go back to the previous version, without a file.")] = False,
    make: Annotated[
        Path | None, typer.Option("--make", metavar="FOLDER", help="Make FILE from the wheels in this folder.")
    ] = None,
    python: Annotated[str, typer.Option("--python", help="With --make: the Python of the wheels.")] = _PYTHON,
    machine: Annotated[str, typer.Option("--machine", help="With --make: the kind of computer.")] = platform.machine(),
    prefix: Prefix = PREFIX,
    json: Json = False,
) -> None:
    if back == (file is not None):
        raise typer.BadParameter("name one update file, or say --back")
    if file and make:
        make_file(make, file, python=python, machine=machine, as_json=json)
        return
    with no_on_failure():
        try_version(Layout(prefix=prefix.absolute()), file, dry_run=dry_run, as_json=json)


def try_version(layout: Layout, file: Path | None, *, dry_run: bool, as_json: bool) -> None:
    """Update to the version of a file; None: back to the previous one. Raises `InstallError`."""
    if file is None:
        plan = plan_way_back(layout)
    else:
        found = read_update(file)
        check_fits(found)
        plan = plan_update(layout, found)
    if not dry_run:
        require_root(layout)
        interrupt_on_signal()
        perform_update(plan, Host(), say)
        say(f"{plan.version} runs")
    tell_effects(plan.effects, done=not dry_run, as_json=as_json)


def make_file(wheels: Path, file: Path, *, python: str, machine: str, as_json: bool) -> None:
    """Make an update file. Raises `BadUpdate`."""
    made = pack_update(wheels, file, journal_format=FORMAT, python=python, machine=machine)
    if as_json:
        print_json({"file": str(file), "version": made.version_name, **made.manifest.model_dump(mode="json")})
        return
    manifest = made.manifest
    what = f"{made.version_name} for Python {manifest.python} on {manifest.machine}, {len(manifest.wheels)} packages"
    answers.print(f"{file}: {what}", markup=False)
