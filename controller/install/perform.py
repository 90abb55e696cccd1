"""Carries effects out, one after the other, and leaves in order when one of them fails."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from controller.errors import InstallError
from controller.install.boot_check import current_version, go_back, is_on_trial
from controller.install.effects import Effect, Lasting
from controller.install.host import Host
from controller.install.plan import Update
from controller.install.staging import remove_version

Tell = Callable[[str], None]


def perform(effects: Iterable[Effect], host: Host, tell: Tell) -> None:
    """Carry effects out in their order. Raises `InstallError`; what was done before it stays."""
    for effect in effects:
        tell(str(effect))
        with _as_install_error(effect):
            effect.perform(host)


def undo_all(effects: Iterable[Lasting], host: Host, tell: Tell) -> None:
    """Undo effects in the order given. Raises `InstallError`; to be said again then."""
    for effect in effects:
        tell(f"undo: {effect}")
        with _as_install_error(effect):
            effect.undo(host)


def perform_update(update: Update, host: Host, tell: Tell) -> None:
    """Carry an update out, or leave everything as it was. Raises `InstallError` where the version before runs on."""
    try:
        perform(update.staging, host, tell)
        _switch(update, host, tell)
        perform(update.settling, host, tell)
    except BaseException:
        _remove_unless_used(update)
        raise


def _switch(update: Update, host: Host, tell: Tell) -> None:
    try:
        perform(update.switching, host, tell)
    except BaseException:
        with host.until_start:
            go_back(update.layout.folder)
        raise


def _remove_unless_used(update: Update) -> None:
    folder, version = update.layout.folder, update.layout.version(update.version)
    is_used = current_version(folder) == update.version or is_on_trial(folder)
    if update.staging and version.exists() and not is_used:
        remove_version(version)


@contextmanager
def _as_install_error(effect: Effect) -> Iterator[None]:
    """What a machine refuses (no room, no permission, a journal in use) in a line that says at what."""
    try:
        yield
    except (OSError, ValueError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InstallError(f"could not {effect}: {reason}") from error
