"""The effects that let phones reach the box, if the settings say so: an open port and its announcement."""

from ipaddress import ip_address
from pathlib import Path

from controller.errors import SettingsError
from controller.install.effects import CopyFile, Lasting, MakeFolder, MakeLink
from controller.install.layout import Layout
from controller.install.record import Record
from controller.settings import Web, load_settings

_UNIT = Path("/etc/systemd/system/shutbox-web.socket")
_WANTED = Path("/etc/systemd/system/shutbox.service.wants") / _UNIT.name
_AVAHI = Path("/etc/avahi/services")
_AT_IN_SOURCES, _PORT_IN_SOURCES = b"[::]:8080", b"<port>8080</port>"


def wants_network(layout: Layout) -> bool:
    """Return True if the settings of the box open it to the network; False if they cannot be read."""
    return _web(layout).on


def network_effects(layout: Layout, version: str, record: Record) -> list[Lasting]:
    """Return the effects for the port: its socket unit, the link by which the daemon wants it, avahi's announcement."""
    web, sources = _web(layout), layout.shared(version) / "systemd"
    address = f"[{web.address}]" if ":" in web.address else web.address
    at = f"{address}:{web.port}".encode()
    wanted = layout.here(_WANTED)
    announcement = CopyFile(
        layout.here(_AVAHI) / "shutbox.service",
        record,
        sources / "avahi.service",
        ((_PORT_IN_SOURCES, b"<port>%d</port>" % web.port),),
    )
    is_announced = layout.here(_AVAHI).is_dir() and not ip_address(web.address).is_loopback
    return [
        CopyFile(layout.here(_UNIT), record, sources / _UNIT.name, (*layout.changes, (_AT_IN_SOURCES, at))),
        MakeFolder(wanted.parent, record),
        MakeLink(wanted, record, _UNIT),
        *([announcement] if is_announced or announcement.stands else []),
    ]


def _web(layout: Layout) -> Web:
    try:
        return load_settings(layout.home.settings).web
    except SettingsError:
        # Broken settings must not prevent a repair of the units; the daemon reports what is wrong with the settings.
        return Web()
