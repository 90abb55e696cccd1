"""The addresses by which a page reaches this box, and the link in the QR code that lets a phone in."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING

from controller.process.addresses import announced_name, own_addresses
from controller.settings import Web

if TYPE_CHECKING:
    from segno import QRCode


def page_addresses(network: Web) -> Sequence[str]:
    """Return the addresses of the front page, such as `http://192.168.1.20:8080`, the most widely usable first.

    A name given by the owner comes first; a name that ends in `.local` last, since not every phone resolves those.
    """
    listens_at = ip_address(network.address)
    if not listens_at.is_unspecified:
        hosts = [f"[{listens_at}]" if listens_at.version == 6 else str(listens_at)]
    else:
        hosts = [*own_addresses(), f"{announced_name()}.local"]
    named = [network.name] if network.name else []
    return [f"http://{host}:{network.port}" for host in dict.fromkeys((*named, *hosts))]


def is_for_this_computer(network: Web) -> bool:
    """Return True if only this computer's own browsers can open the page: no other device can open its address."""
    return ip_address(network.address).is_loopback


def join_link(address: str, code: str) -> str:
    """Return the address that lets a device in. `code`: the one for links, not the one that people type."""
    return f"{address}/join/{code}"


def qr_code(link: str) -> "QRCode":
    """Return the QR code of a link, as small as possible: it is read from a screen, which has no stains."""
    # Loaded here: most commands and most daemons never draw one.
    import segno

    return segno.make(link, error="l", boost_error=False, micro=False)
