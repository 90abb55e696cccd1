"""Plan an installation or an update as lists of effects, without changing anything.

A part of it lets phones reach the box, if the settings say so: an open port and its announcement.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from pathlib import Path

from packaging.version import Version

from controller.errors import InstallError, SettingsError
from controller.service.boot_check import CURRENT, PREVIOUS, STARTED, TRIAL, VERSIONS, Trial, current_version, go_back
from controller.service.effects import (
    CopyFile,
    Effect,
    Host,
    Lasting,
    MakeData,
    MakeFolder,
    MakeLink,
    MakePrefix,
    MakeUser,
    Placed,
    Step,
    run_step,
)
from controller.service.layout import Layout, Record
from controller.service.staging import remove_all_but, stage_version
from controller.service.trial import VersionTrial
from controller.service.update_file import UpdateFile
from controller.settings import Web, load_settings

_UNIT = Path("/etc/systemd/system/shutbox-web.socket")
_WANTED = Path("/etc/systemd/system/shutbox.service.wants") / _UNIT.name
_AVAHI = Path("/etc/avahi/services")
_AT_IN_SOURCES, _PORT_IN_SOURCES = b"[::]:8080", b"<port>8080</port>"


def network_effects(layout: Layout, version: str, record: Record) -> tuple[list[Lasting], list[Lasting]]:
    """Return the effects for the network that the settings want, and those that they do not want, or no longer.

    They are the port (its socket unit, and the link by which the daemon wants it) and avahi's announcement of it.
    """
    web, sources = _web(layout), layout.shared(version) / "systemd"
    address = f"[{web.address}]" if ":" in web.address else web.address
    at = f"{address}:{web.port}".encode()
    wanted = layout.here(_WANTED)
    port: list[Lasting] = [
        CopyFile(layout.here(_UNIT), record, sources / _UNIT.name, (*layout.changes, (_AT_IN_SOURCES, at))),
        MakeFolder(wanted.parent, record),
        MakeLink(wanted, record, _UNIT),
    ]
    announcement = CopyFile(
        layout.here(_AVAHI) / "shutbox.service",
        record,
        sources / "avahi.service",
        ((_PORT_IN_SOURCES, b"<port>%d</port>" % web.port),),
    )
    if not web.on:
        return [], [*port, announcement]
    is_announced = layout.here(_AVAHI).is_dir() and not ip_address(web.address).is_loopback
    return ([*port, announcement], []) if is_announced else (port, [announcement])


def _web(layout: Layout) -> Web:
    try:
        return load_settings(layout.home.settings).web
    except SettingsError:
        # Broken settings must not prevent a repair of the units; the daemon reports what is wrong with the settings.
        return Web()


_USER = "shutbox"
_COMMAND = Path("/usr/local/bin/shutbox")
_BOOT_CHECK = "boot_check.py"
# Files for the system, by their names in the shared folder.
_SYSTEM_FILES = {
    "systemd/shutbox.service": Path("/etc/systemd/system/shutbox.service"),
    "systemd/shutbox-guard.service": Path("/etc/systemd/system/shutbox-guard.service"),
    "systemd/shutbox-trial.service": Path("/etc/systemd/system/shutbox-trial.service"),
    "systemd/shutbox-voice.service": Path("/etc/systemd/system/shutbox-voice.service"),
    "systemd/shutbox-bridge.service": Path("/etc/systemd/system/shutbox-bridge.service"),
    "systemd/shutbox.conf": Path("/usr/lib/sysusers.d/shutbox.conf"),
    "systemd/tmpfiles.conf": Path("/usr/lib/tmpfiles.d/shutbox.conf"),
    "systemd/shutbox.rules": Path("/usr/lib/udev/rules.d/60-shutbox.rules"),
}
_RELOAD = ("systemctl", "daemon-reload")
_READ_RULES = ("udevadm", "control", "--reload")
_START_NO_MORE = ("systemctl", "disable", "--now", "shutbox.service")
_CLOSE_PORT = ("systemctl", "stop", "shutbox-web.socket")
_STOP_GUARD = ("systemctl", "stop", "shutbox-guard.service")


@dataclass(frozen=True, slots=True)
class Update:
    """An update to `version` as lists of effects.

    is_new: it is not there yet, and is removed again if it does not come to be tried.
    staging: changes nothing that runs.
    switching: undone as a whole if any of it fails.
    settling: from here on, the boot check decides whether the version stays.
    """

    layout: Layout
    version: str
    is_new: bool
    staging: Sequence[Effect]
    switching: Sequence[Effect]
    settling: Sequence[Effect]

    @property
    def effects(self) -> list[Effect]:
        return [*self.staging, *self.switching, *self.settling]


def plan_install(layout: Layout, update: UpdateFile | None, *, has_systemd: bool) -> list[Effect]:
    """Return the effects still missing from an installation; none if it is complete.

    update: the version to install; not needed if one is installed. Raises `InstallError`.
    """
    if not layout.root.is_dir():
        raise InstallError(f"there is no folder {layout.root}")
    current = layout.current()
    if update is None and current is None:
        raise InstallError(
            f"nothing is installed in {layout.folder} yet; name an update file (`make install` makes one)"
        )
    if update is not None and current not in (None, update.version_name):
        raise InstallError(f"{current} is installed here; say `shutbox update {update.path}`")
    version = update.version_name if update else str(current)
    record = Record(layout.folder, layout.root)
    wanted, unwanted = network_effects(layout, version, record)
    lasting = [*_lasting_effects(layout, version, record), *wanted]
    missing = [effect for effect in lasting if not effect.is_done()]
    # Take away what stands of the unwanted effects, in reverse order.
    standing = [each for each in unwanted[::-1] if isinstance(each, Placed) and each.stands]
    withdrawn: list[Effect] = [Step(f"undo: {each}", each.undo) for each in standing]
    if withdrawn and not wanted and layout.is_this_machine and has_systemd:
        withdrawn.insert(0, run_step("close the port", *_CLOSE_PORT))
    staged = stage_version(layout, update) if update else []
    if not (missing or staged or withdrawn):
        return []
    # The prefix holds the record and the staged version, so it comes before both.
    prefix = missing[:1] if lasting[0] in missing else []
    return [*prefix, *staged, *missing[len(prefix) :], *withdrawn, *_reloads(layout, has_systemd)]


def plan_undo(layout: Layout, *, has_systemd: bool) -> tuple[list[Effect], list[Lasting], list[Effect]]:
    """Return what to run before an installation is undone, what to undo (in this order), and what to run afterwards."""
    if not layout.folder.is_dir():
        raise InstallError(f"nothing is installed in {layout.folder}")
    reloads = _reloads(layout, has_systemd)
    stops: list[Effect] = []
    # systemd fails on units that it does not have, and an installation may have been cut before it wrote them.
    if reloads and layout.here(_SYSTEM_FILES["systemd/shutbox-guard.service"]).exists():
        stops = [
            run_step("stop the daemon, and start it no more", *_START_NO_MORE),
            run_step("stop its guard", *_STOP_GUARD),
        ]
    version, record = layout.current() or "", Record(layout.folder, layout.root)
    wanted, unwanted = network_effects(layout, version, record)
    undone = [*_lasting_effects(layout, version, record), *wanted, *unwanted]
    return stops, undone[::-1], reloads


def plan_update(layout: Layout, update: UpdateFile, *, older: bool = False) -> Update:
    """Plan an update to the version of an update file.

    older: also to one before the present one. Raises `InstallError` if there is nothing to update.
    """
    before = _version_before(layout)
    if before == update.version_name:
        raise InstallError(f"{before} is installed already")
    present, new = layout.manifest(before).version, update.manifest.version
    if Version(new) < Version(present) and not older:
        raise InstallError(f"{new} is older than {present}, which is installed; --older takes it all the same")
    staging = [_remove_leftovers(layout, update.version_name, before), *stage_version(layout, update)]
    return _plan_trial(layout, update.version_name, before, update.manifest.journal_format, staging)


def plan_way_back(layout: Layout) -> Update:
    """Plan an update to the version before the current one. Raises `InstallError` if there is none."""
    before = _version_before(layout)
    others = [name for name in layout.versions() if name != before]
    if not others:
        raise InstallError(f"{before} is the only version here; name an update file")
    # An update that was cut off may leave a third version.
    previous = current_version(layout.folder, PREVIOUS)
    if previous in others:
        others = [previous]
    if len(others) > 1:
        raise InstallError(f"beside {before} there are {' and '.join(sorted(others))}; name an update file")
    return _plan_trial(layout, others[0], before, layout.manifest(others[0]).journal_format, [])


def _plan_trial(layout: Layout, version: str, before: str, writes: int, staging: Sequence[Effect]) -> Update:
    trial = VersionTrial(layout, version, before, writes)
    installed = str(layout.programs / _COMMAND.name)
    renew = run_step("have it renew its units", installed, "install", "--prefix", str(layout.prefix))
    ended = [Step("undo the update that was cut off", partial(_end_trial, layout.folder))]
    first = ended if (layout.folder / TRIAL).exists() else []
    is_new = version not in layout.versions()
    return Update(layout, version, is_new, [*first, *staging], trial.switching, [*trial.settling, renew])


def _end_trial(folder: Path, host: Host) -> None:
    """Go back from a version that was never started: whoever stopped the daemon for it was killed."""
    go_back(folder)
    host.service.start()


def _remove_leftovers(layout: Layout, version: str, before: str) -> Effect:
    """Return the effect of removing what updates that were cut off have left, before there has to be room for another.

    Without the name of the previous version, which earlier programs did not note, all complete versions stay.
    """
    previous = current_version(layout.folder, PREVIOUS)
    kept = {version, before, *([previous] if previous in layout.versions() else layout.versions())}
    versions = layout.folder / VERSIONS
    return Step("remove what updates that were cut off have left", lambda _host: remove_all_but(versions, kept))


def _version_before(layout: Layout) -> str:
    """Return the version to which a failed update goes back. Raises `InstallError` without one.

    It is the current one, or the one before a trial that was cut off before it began: nobody else ends that.
    """
    current = layout.current()
    if (layout.folder / STARTED).exists():
        raise InstallError("a version is on trial already; wait a minute")
    if (layout.folder / TRIAL).exists():
        try:
            current = Trial.load(layout.folder / TRIAL).before
        except (OSError, ValueError) as error:
            raise InstallError(f"a trial cannot be read, remove it: {error}") from error
    if current is None:
        raise InstallError(f"nothing is installed in {layout.folder}; say `shutbox install FILE`")
    return current


def _lasting_effects(layout: Layout, version: str, record: Record) -> list[Lasting]:
    """Return everything that an installation makes except versions, in order; the first is the prefix."""
    shared = layout.shared(version)
    sources = {_BOOT_CHECK: layout.prefix / _BOOT_CHECK, **_SYSTEM_FILES}
    places = {name: layout.here(place) for name, place in sources.items()}
    command = layout.here(_COMMAND)
    folders = dict.fromkeys(path.parent for path in (*places.values(), command) if path.parent != layout.folder)
    system = [MakeUser(_USER, layout.data, record), MakeData(layout.data)] if layout.is_this_machine else []
    return [
        MakePrefix(layout.folder, record),
        MakeLink(layout.folder / CURRENT, record, Path(VERSIONS, version)),
        *(MakeFolder(folder, record) for folder in folders),
        *(CopyFile(place, record, shared / name, layout.changes) for name, place in places.items()),
        MakeLink(command, record, layout.programs / command.name),
        *system,
    ]


def _reloads(layout: Layout, has_systemd: bool) -> list[Effect]:
    if not (layout.is_this_machine and has_systemd):
        return []
    return [
        run_step("have systemd read its units again", *_RELOAD),
        run_step("have udev read its rules again", *_READ_RULES),
    ]
