"""Access to this box: operators' devices, the PIN, pairing, and the code with which players join a game.

`access.py` is the entry point, and the only writer of the state in `state.py`. Nothing here knows the web or hardware.
"""

from controller.access.access import Access, open_access
from controller.access.endings import Endings
from controller.access.join_code import JoinCode
from controller.access.pairing import PairingView
from controller.access.state import DeviceView, read_state, renew_secret
from controller.access.throttle import PinView
from controller.access.tokens import digest_of, new_token

__all__ = [
    "Access",
    "DeviceView",
    "Endings",
    "JoinCode",
    "PairingView",
    "PinView",
    "digest_of",
    "new_token",
    "open_access",
    "read_state",
    "renew_secret",
]
