"""Who may do what at this box: operators' devices, the PIN, pairing, and the code by which players join a game.

All begin at `access.py`, which alone writes; what is kept stands in `state.py`. It knows no web and no metal.
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
