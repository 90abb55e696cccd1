"""`shutbox install`: install program, units and user on this machine or into a tree, or uninstall them."""

import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.errors import BadUpdate, InstallError
from controller.journal.tables import FORMAT
from controller.runtime.output import Exit, print_json
from controller.runtime.signals import interrupt_on_signal
from controller.runtime.terminal import answers, say
from controller.service.effects import Host
from controller.service.layout import PREFIX, Layout
from controller.service.perform import perform, perform_update, undo_all
from controller.service.plan import plan_install, plan_undo, plan_update, plan_way_back
from controller.service.signatures import KEYS, trusted_keys
from controller.service.update_file import UpdateFile, check_fits, pack_update, read_update

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only print what would be done.")]
Unsigned = Annotated[
    bool, typer.Option("--unsigned", help="Take a file that nobody has signed: one that you have made yourself.")
]
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


def install(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The update file to install; none: renew what the system has.")
    ] = None,
    dry_run: DryRun = False,
    unsigned: Unsigned = False,
    undo: Annotated[bool, typer.Option("--undo", help="Uninstall it; the games stay.")] = False,
    root: Annotated[Path, typer.Option("--root", metavar="FOLDER", help="The tree of another machine.")] = Path("/"),
    prefix: Prefix = PREFIX,
    json: Json = False,
) -> None:
    layout = Layout(prefix=prefix.absolute(), root=root.absolute())
    with no_on_failure():
        if undo:
            take_off(layout, dry_run=dry_run, as_json=json)
        else:
            put_on(layout, file, unsigned=unsigned, dry_run=dry_run, as_json=json)


def read_trusted(layout: Layout, file: Path, *, unsigned: bool) -> UpdateFile:
    """Read an update file for this computer. Raises `BadUpdate`, also for one that may not be trusted."""
    update = read_update(file, None if unsigned else trusted_keys(layout.here(KEYS)))
    check_fits(update)
    return update


def put_on(layout: Layout, file: Path | None, *, unsigned: bool, dry_run: bool, as_json: bool) -> None:
    """Install an update file, or renew the system's parts of the installed version. Raises `InstallError`."""
    host = Host()
    update = read_trusted(layout, file, unsigned=unsigned) if file else None
    effects = plan_install(layout, update, has_systemd=host.has_systemd)
    if not dry_run:
        require_root(layout)
        perform(effects, host, say)
    tell_effects(effects, done=not dry_run, as_json=as_json)
    if not effects:
        say(f"all of it is in place in {layout.folder}: nothing to do")
    elif update and not dry_run and layout.is_this_machine:
        say("installed; `sudo systemctl enable --now shutbox` starts it, now and with the machine")
    elif not dry_run and layout.is_this_machine:
        say("renewed; `sudo systemctl restart shutbox` has the service use it")


def take_off(layout: Layout, *, dry_run: bool, as_json: bool) -> None:
    """Uninstall. Raises `InstallError`."""
    host = Host()
    before, undone, after = plan_undo(layout, has_systemd=host.has_systemd)
    if not dry_run:
        require_root(layout)
        perform(before, host, say)
        undo_all(undone, host, say)
        perform(after, host, say)
    told = [*before, *(f"undo: {effect}" for effect in undone), *after]
    tell_effects(told, done=not dry_run, as_json=as_json)
    if layout.home.data.is_dir() and not dry_run:
        say(f"the games stay in {layout.home.data}; remove the folder if you want them no more")


_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def update(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The update file.")] = None,
    dry_run: DryRun = False,
    unsigned: Unsigned = False,
    older: Annotated[bool, typer.Option("--older", help="Take a version that is older than the present one.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Go back to the previous version, without a file.")] = False,
    make: Annotated[
        Path | None, typer.Option("--make", metavar="FOLDER", help="Make FILE from the wheels in this folder.")
    ] = None,
    python: Annotated[str, typer.Option("--python", help="With --make: the Python of the wheels.")] = _PYTHON,
    machine: Annotated[str, typer.Option("--machine", help="With --make: the kind of computer.")] = platform.machine(),
    key: Annotated[
        Path | None, typer.Option("--key", metavar="KEY", help="With --make: sign it with this key.")
    ] = None,
    successor: Annotated[
        list[Path] | None,
        typer.Option("--successor", metavar="NEW.pub", help="With --key: a further key, signed by an older one."),
    ] = None,
    prefix: Prefix = PREFIX,
    json: Json = False,
) -> None:
    if back == (file is not None):
        raise typer.BadParameter("name one update file, or say --back")
    if not make and (key or successor):
        raise typer.BadParameter("--key and --successor go with --make")
    if file and make:
        with no_on_failure():
            made = pack_update(
                make,
                file,
                journal_format=FORMAT,
                python=python,
                machine=machine,
                key=key,
                successors=successor or (),
            )
            tell_made(made, as_json=json)
        return
    layout = Layout(prefix=prefix.absolute())
    with no_on_failure():
        try_version(layout, file, unsigned=unsigned, older=older, dry_run=dry_run, as_json=json)


def try_version(
    layout: Layout, file: Path | None, *, unsigned: bool, older: bool, dry_run: bool, as_json: bool
) -> None:
    """Update to the version of a file; None: back to the previous one. Raises `InstallError`."""
    if file is None:
        plan = plan_way_back(layout)
    else:
        plan = plan_update(layout, read_trusted(layout, file, unsigned=unsigned), older=older)
    if not dry_run:
        require_root(layout)
        interrupt_on_signal()
        perform_update(plan, Host(), say)
        say(f"{plan.version} runs")
    tell_effects(plan.effects, done=not dry_run, as_json=as_json)


def tell_made(made: UpdateFile, *, as_json: bool) -> None:
    """Print what is in an update file that was made."""
    manifest = made.manifest
    if as_json:
        print_json({"file": str(made.path), "version": made.version_name, **manifest.model_dump(mode="json")})
        return
    what = f"{made.version_name} for Python {manifest.python} on {manifest.machine}, {len(manifest.wheels)} packages"
    answers.print(f"{made.path}: {what}", markup=False)
