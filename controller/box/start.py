"""The settings with which a box starts whatever has become of their file, and findings about files it cannot use."""

from contextlib import suppress
from dataclasses import dataclass

from controller.errors import UNUSABLE, SettingsError
from controller.runtime.home import Home
from controller.settings import Settings, load_settings
from hardware.calibration import write_durably
from hardware.errors import Fault
from hardware.toml_file import read_plain_text


@dataclass(frozen=True, slots=True)
class StartSettings:
    """The settings with which a box starts, whatever has become of their file.

    found: the finding that the file cannot be used; none if it can.
    is_known: they are those of the file, or those that could be read last, and not the defaults in place of either.
    """

    now: Settings
    found: tuple[Fault, ...] = ()
    is_known: bool = True

    @property
    def known(self) -> Settings:
        """The settings, if they tell which box this is. Raises `SettingsError`."""
        if not self.is_known:
            raise SettingsError(str(self.found[0]))
        return self.now


def settings_at_start(home: Home) -> StartSettings:
    """Return the settings of the file or, if it cannot be used, those that a start could read last, or the defaults."""
    try:
        return StartSettings(load_settings(home.settings))
    except SettingsError as problem:
        mend = "Correct it and start the box again; until then"
        with suppress(SettingsError):
            if home.last_settings.exists():
                cure = f"{mend} those of {home.last_settings.name} hold."
                return StartSettings(load_settings(home.last_settings), (unusable_file(home, problem, cure),))
        found = unusable_file(home, problem, f"{mend} all settings are as they come.")
        return StartSettings(Settings(), (found,), is_known=False)


def keep_settings(home: Home) -> None:
    """Keep a copy of usable settings, for a start that cannot read them any more; the caller holds the home's lock.

    A disk that cannot be written does not stop a start; the old copy then remains.
    """
    with suppress(OSError, SettingsError):
        load_settings(home.settings)
        text = read_plain_text(home.settings)
        if not home.last_settings.exists() or read_plain_text(home.last_settings) != text:
            write_durably(home.last_settings, text.encode())


def unusable_file(home: Home, problem: object, cure: str, code: str = UNUSABLE) -> Fault:
    """Return the finding that a start could not use a file.

    problem: an error or a line that begins with the file, and the number of its line; one that does not is a name that
    the settings give.
    """
    place, _, seen = home.name_within(" ".join(str(problem).split())).partition(": ")
    if not seen:
        place, seen = home.settings.name, place
    return Fault(code, place, "a file that can be used", seen, cure)
