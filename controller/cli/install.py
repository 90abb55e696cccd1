"""`shutbox install`: install program, units and user on this machine or into a tree, or uninstall them."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.effects import DryRun, Prefix, no_on_failure, require_root, tell_effects
from controller.cli.options import Json
from controller.install.host import Host
from controller.install.layout import PREFIX, Layout
from controller.install.perform import perform, undo_all
from controller.install.plan import plan_install, plan_undo
from controller.install.update_file import check_fits, read_update
from controller.process.terminal import say


def install(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The update file to install; none: renew what the system has.")
    ] = None,
    dry_run: DryRun = False,
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
            put_on(layout, file, dry_run=dry_run, as_json=json)


def put_on(layout: Layout, file: Path | None, *, dry_run: bool, as_json: bool) -> None:
    """Install an update file, or renew the system's parts of the installed version. Raises `InstallError`."""
    host = Host()
    update = read_update(file) if file else None
    if update:
        check_fits(update)
    effects = plan_install(layout, update, has_systemd=host.has_systemd)
    if not dry_run:
        require_root(layout)
        perform(effects, host, say)
    tell_effects(effects, done=not dry_run, as_json=as_json)
    if not effects:
        say(f"all of it is in place in {layout.folder}: nothing to do")
    elif file and not dry_run and layout.is_this_machine:
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
