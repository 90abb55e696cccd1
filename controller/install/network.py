"""What an installation makes so that phones reach the box, where the settings want that: its port, and a word of it."""

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
    """True if the settings of the box say so; not if nobody can read them."""
    return _web(layout).on


def network_effects(layout: Layout, version: str, record: Record) -> list[Lasting]:
    """The unit of the port, the link by which the daemon wants it, and, where avahi runs, what tells others of it."""
    web, sources = _web(layout), layout.shared(version) / "systemd"
    wanted = layout.here(_WANTED)
    announcement = CopyFile(
        layout.here(_AVAHI) / "shutbox.service",
        record,
        sources / "avahi.service",
        ((_PORT_IN_SOURCES, b"<port>%d</port>" % web.port),),
    )
    is_announced = layout.here(_AVAHI).is_dir() and not ip_address(web.address).is_loopback
    return [
        CopyFile(layout.here(_UNIT), record, sources / _UNIT.name, (*layout.changes, (_AT_IN_SOURCES, _at(web)))),
        MakeFolder(wanted.parent, record),
        MakeLink(wanted, record, _UNIT),
        *([announcement] if is_announced or announcement.stands else []),
    ]


def _web(layout: Layout) -> Web:
    try:
        return load_settings(layout.home.settings).web
    except SettingsError:
        # Units must be mended also where the settings are not yet; the daemon says what is wrong with them.
        return Web()


def _at(web: Web) -> bytes:
    return f"[{web.address}]:{web.port}".encode() if ":" in web.address else f"{web.address}:{web.port}".encode()
