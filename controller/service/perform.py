"""Carry out effects one after the other, and clean up when one of them fails."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.errors import InstallError
from controller.runtime.locks import lock_update
from controller.service.boot_check import current_version, go_back, is_on_trial
from controller.service.effects import Effect, Host, Lasting
from controller.service.plan import Update
from controller.service.staging import remove_version

Tell = Callable[[str], None]


def perform(effects: Iterable[Effect], host: Host, tell: Tell) -> None:
    """Carry out effects in their order. Raises `InstallError`; effects before the failed one stay done."""
    for effect in effects:
        tell(str(effect))
        with _as_install_error(effect):
            effect.perform(host)


def undo_all(effects: Iterable[Lasting], host: Host, tell: Tell) -> None:
    """Undo effects in the given order. Raises `InstallError`; the command can then be repeated."""
    for effect in effects:
        tell(f"undo: {effect}")
        with _as_install_error(effect):
            effect.undo(host)


def perform_update(update: Update, host: Host, tell: Tell) -> None:
    """Carry out an update, or leave everything as it was. Raises `InstallError` if the previous version stays."""
    folder = update.layout.folder
    with lock_update(folder):
        _perform_update(update, folder, host, tell)


def _perform_update(update: Update, folder: Path, host: Host, tell: Tell) -> None:
    version = update.layout.version(update.version)
    try:
        perform(update.staging, host, tell)
        try:
            perform(update.switching, host, tell)
        except BaseException:
            # Restore the previous version first; leaving `until_start` then releases the lock and starts the daemon.
            with host.until_start:
                go_back(folder)
            raise
        perform(update.settling, host, tell)
    except BaseException:
        # A version that is current or on trial must stay; any other was staged by this update.
        is_used = current_version(folder) == update.version or is_on_trial(folder)
        if update.is_new and version.exists() and not is_used:
            remove_version(version)
        raise


@contextmanager
def _as_install_error(effect: Effect) -> Iterator[None]:
    """Turn errors of the machine (no room, no permission, a journal in use) into one line that names the effect."""
    try:
        yield
    except (OSError, ValueError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InstallError(f"could not {effect}: {reason}") from error
