"""The stored state of access control: the PIN, its tries, the operators' devices, and the secret of the join codes.

It is one file of the home, `access.json`. A damaged file is moved aside, and then only people at the box are operators:
the daemon starts nevertheless, and trusts nothing in the file.
"""

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from controller.access.pin import PinDigest, Tries
from controller.errors import AccessError, UnknownDevice
from controller.game.core.players import LONGEST_NAME
from controller.runtime.tokens import digest_of, is_same
from hardware.calibration import write_durably
from hardware.toml_file import name_aside, read_plain

MOST_DEVICES = 20
_LONGEST_NUMBERED = LONGEST_NAME + len(" 20")
_SECRET_BYTES = 32
_OWNER_AND_GROUP = 0o660


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device of an operator as people see it. The dates are hints: a computer without a network wakes in the past."""

    number: int
    name: str
    given: date
    used: date


class Device(BaseModel):
    """An operator's device, with the digest of its token. Later devices have higher numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int = Field(ge=1)
    name: str = Field(min_length=1, max_length=_LONGEST_NUMBERED)
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    given: date
    used: date

    @property
    def view(self) -> DeviceView:
        """The public view, without the digest."""
        return DeviceView(self.number, self.name, self.given, self.used)


class AccessState(BaseModel):
    """The stored state. An unknown key counts as damage: it might be a restriction of a later version."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pin: PinDigest | None = None
    tries: Tries = Tries()
    devices: tuple[Device, ...] = Field(default=(), max_length=MOST_DEVICES)
    given: int = Field(default=0, ge=0, description="the highest number that a device had")
    secret: str = Field(default_factory=lambda: secrets.token_hex(_SECRET_BYTES), pattern=r"^[0-9a-f]{64}$")

    def with_device(self, name: str, digest: str, today: date) -> "AccessState":
        """Return the state with one more device, under a unique name. Raises `UnknownDevice` if there is no room."""
        self.check_room()
        taken = {device.name.casefold() for device in self.devices}
        names = (name, *(f"{name} {number}" for number in range(2, MOST_DEVICES + 1)))
        free = next(each for each in names if each.casefold() not in taken)
        device = Device(number=self.given + 1, name=free, digest=digest, given=today, used=today)
        return self._with((*self.devices, device), device.number)

    def without_device(self, number: int) -> "AccessState":
        """Return the state without a device. Raises `UnknownDevice`."""
        left = tuple(device for device in self.devices if device.number != number)
        if len(left) == len(self.devices):
            raise UnknownDevice(f"no device has the number {number}; `shutbox devices` lists them")
        return self._with(left, self.given)

    def without_devices(self) -> "AccessState":
        return self._with((), self.given)

    def with_use(self, number: int, today: date) -> "AccessState":
        """Return the state after a device was used."""
        used = (
            device.model_copy(update={"used": today}) if device.number == number else device for device in self.devices
        )
        return self._with(tuple(used), self.given)

    def with_new_secret(self) -> "AccessState":
        """Return the state in which all earlier codes and signatures are invalid."""
        return self.model_copy(update={"secret": AccessState().secret})

    def _with(self, devices: tuple[Device, ...], given: int) -> "AccessState":
        return self.model_copy(update={"devices": devices, "given": given})

    def device_of(self, token: str) -> Device | None:
        digest = digest_of(token)
        return next((device for device in self.devices if is_same(device.digest, digest)), None)

    def check_room(self) -> None:
        """Raise `UnknownDevice` if there is no room for one more."""
        if len(self.devices) >= MOST_DEVICES:
            raise UnknownDevice(f"{MOST_DEVICES} devices are operators' already; revoke one: `shutbox devices`")


def read_state(path: Path, today: date) -> tuple[AccessState, str]:
    """Return the state in the file, by default an empty one; and the problem if the file was moved aside, else ''."""
    try:
        return AccessState.model_validate_json(read_plain(path)), ""
    except FileNotFoundError:
        return AccessState(), ""
    except OSError as error:
        problem = error.strerror or str(error)
    except ValidationError:
        problem = "damaged"
    with suppress(OSError):
        os.replace(path, name_aside(path, "damaged", today))
    return AccessState(), problem


def write_state(path: Path, state: AccessState) -> None:
    """Write the state durably, with the permissions of the home. Raises `AccessError`; the old file then remains."""
    try:
        write_durably(path, state.model_dump_json().encode(), path.parent.stat().st_mode & _OWNER_AND_GROUP)
    except OSError as error:
        reason = error.strerror or error
        raise AccessError(f"{path} cannot be written, so nothing was changed: {reason}") from error


def renew_secret(path: Path, today: date) -> None:
    """Invalidate all codes and signatures of the stored secret, if there is one. Raises `AccessError`."""
    if path.exists():
        write_state(path, read_state(path, today)[0].with_new_secret())
