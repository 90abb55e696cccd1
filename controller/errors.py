"""The errors of the controller: a tree of refusals and failures, each with its code.

ShutboxError            C-300
├── NotNow              C-301   a good command at the wrong moment
│   ├── TooLate         C-317   a command for a moment that is over
│   ├── NotYours        C-318   a command that only another player, or another role, may give
│   ├── SeatTaken       C-319   a seat that somebody else holds, or that cannot be taken
│   └── SameDice        C-321   a correction to the dice that are already in play
├── UnknownSeat         C-320   a token that this box has not issued, or has withdrawn
├── KeyTaken            C-322   a command whose key its client has used for another
├── BoxTooSmall         C-302   this box cannot show this game
├── SettingsError       C-303   settings.toml is not valid
├── NoBox               C-304   this machine is not a box, and no daemon runs that could be joined
├── DaemonRuns          C-305   another daemon already owns this box
├── BadFault            C-308   a fault that the simulated box does not know
├── VariantError        C-309   a file of options or marks is not valid
├── BadPlayers          C-310   a player's name or strength is not valid
├── BadDeed             C-313   an action at the mock-box that is unknown or impossible
├── BadOrder            C-345   a calibration or test that this box cannot do
├── NoVoice             C-346   espeak-ng, by which the box speaks, is missing or cannot be heard
├── NoBridge            C-347   the bridge lacks its library, or a file that the settings name
├── BackupError         C-330   a backup cannot be made, or cannot be restored here
│   ├── BackupDamaged   C-331   a file that is not a backup, or was changed
│   ├── BackupNewer     C-332   a backup of a later version of this program
│   └── BackupDoubtful  C-333   a complete backup that may not belong to this box
├── InstallError        C-350   a step of an installation or an update failed
│   └── BadUpdate       C-351   an update file that is damaged, or not for this box
├── AccessError         C-370   access control cannot be stored, or a change of it is not allowed
│   ├── BadPin          C-371   a PIN that cannot be set
│   ├── WrongPin        C-372   a PIN that is not that of this box, or there is none
│   ├── WrongCode       C-373   a join code that is not today's
│   ├── TooManyTries    C-374   so many wrong tries that no other is checked now
│   ├── NoPairing       C-375   a pairing that cannot begin, or does not exist
│   └── UnknownDevice   C-376   an operator's device that is not known here, or one too many
├── NotCalibrated       C-103   a box that is not driven, since not all of its servos were calibrated; C-102: wrongly;
│                               C-101: its profile cannot be read
├── NotThere            C-380   a game, a player or a picture that does not exist
├── TooBusy             C-381   too many questions are waiting already
├── RecordError         C-382   a game that cannot be read from its text, or told by one
├── EngineError         C-385   an engine that failed, and lost its seat
├── EveningError        C-386   an evening that cannot be read, or something that cannot be done to it
└── JournalError        J-100
    ├── JournalDamaged  J-101   the journal cannot be read
    ├── JournalFormat   J-102   the journal was written by another version
    ├── JournalDiffers  J-103   replaying the events leads to another state than the recorded one
    └── JournalUnwritable J-104 an event could not be written: a disk that is full or broken, a file of another's
(C-306 and C-307 belong to the client, C-311 and C-312 to vision, C-340 and C-341 to campaigns, C-361 to C-369 are
refusals of the API, in web/refusals.py; the rules' own tree is in rules/errors.py; findings without a class are below)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hardware.errors import BoxFault, Fault

DISK, CLOCK, UNUSABLE, MEMORY = "C-315", "C-316", "C-323", "C-325"
# Findings that nobody raises: they are shown with the code, and the box plays on.
FINDINGS: Mapping[str, str] = {
    DISK: "The disk of the home cannot be written, is nearly full, or is in memory.",
    CLOCK: "The clock of the computer is wrong.",
    MEMORY: "The computer has less memory than a box needs.",
    UNUSABLE: "A start could not use a file; the box plays without it.",
}


@dataclass(frozen=True, slots=True)
class WrongName:
    """A name that no player can have, or that another has already. why: what is wrong with it."""

    name: str
    why: Literal["empty", "long", "parts", "formula", "unseen", "twice"]


class ShutboxError(Exception):
    """A command or file that is refused; one line says to the person at the box what to do.

    code: the kind of error.
    """

    code = "C-300"


class NotNow(ShutboxError):
    """A valid command, but not in this phase of the game."""

    code = "C-301"


class TooLate(NotNow):
    """A command for a moment that is over: something else has happened in the meantime."""

    code = "C-317"


class NotYours(NotNow):
    """A command that can be given now, but by somebody else."""

    code = "C-318"


class SeatTaken(NotNow):
    """A seat that cannot be taken: somebody else holds it, the box plays it, or it does not exist.

    wrong: the name that this player cannot have; None if it is another reason.
    """

    code = "C-319"

    def __init__(self, line: str, wrong: WrongName | None = None) -> None:
        super().__init__(line)
        self.wrong = wrong


class SameDice(NotNow):
    """A correction to the dice that are already in play: nothing would change."""

    code = "C-321"


class UnknownSeat(ShutboxError):
    """A token that this box has not issued, or that was returned: its holder must take the seat again."""

    code = "C-320"


class KeyTaken(ShutboxError):
    """A command with a key that its client has used for another command."""

    code = "C-322"


class BoxTooSmall(ShutboxError):
    """The box does not have the tiles that a game needs."""

    code = "C-302"


class SettingsError(ShutboxError):
    """The settings hold an unknown key or a value that is not allowed."""

    code = "C-303"


class NoBox(ShutboxError):
    """There is no hardware here, and no daemon that could be joined, but the command needs a box."""

    code = "C-304"


class DaemonRuns(ShutboxError):
    """Another process owns the box: two that move its tiles would not know about each other."""

    code = "C-305"
    cure = "Join it with `shutbox play`, or stop it (the service with `sudo systemctl stop shutbox`)."


class VariantError(ShutboxError):
    """A file of options or marks holds an unknown key or a value that is not allowed."""

    code = "C-309"


class BadPlayers(ShutboxError):
    """A list of players that cannot be read.

    wrong: the first name that is amiss; None if it is another reason.
    """

    code = "C-310"

    def __init__(self, line: str, wrong: WrongName | None = None) -> None:
        super().__init__(line)
        self.wrong = wrong


class BadDeed(ShutboxError):
    """An action at the mock-box that it does not know, or that wood and wires do not allow."""

    code = "C-313"


class BadOrder(ShutboxError):
    """An order to calibrate or test something that this box does not have, or that is impossible."""

    code = "C-345"


class NoVoice(ShutboxError):
    """The box cannot speak: espeak-ng is not installed, has no sound card, or fails."""

    code = "C-346"


class InstallError(ShutboxError):
    """A step of an installation or an update failed; the previous version still runs."""

    code = "C-350"


class BadUpdate(InstallError):
    """A file that is not an update, an incomplete one, or one for another computer. Nothing of it was used."""

    code = "C-351"


class AccessError(ShutboxError):
    """Access control cannot be stored, or a change of it is not allowed. Nothing was changed."""

    code = "C-370"


class BadPin(AccessError):
    """A PIN that cannot be set: too short, not a number, or one that everybody tries first."""

    code = "C-371"


class WrongPin(AccessError):
    """A PIN that is not that of this box, or this box has none."""

    code = "C-372"


class WrongCode(AccessError):
    """A join code that is not today's."""

    code = "C-373"


class TooManyTries(AccessError):
    """Too many wrong PINs or codes: no other is checked now.

    wait_s: the seconds to wait; None: without end.
    """

    code = "C-374"

    def __init__(self, line: str, wait_s: int | None = None) -> None:
        super().__init__(line)
        self.wait_s = wait_s


class NoPairing(AccessError):
    """A pairing that cannot begin because another device waits, or a confirmation for which no device waits."""

    code = "C-375"


class UnknownDevice(AccessError):
    """A device that is not an operator's here, or for which there is no room."""

    code = "C-376"


class NotThere(ShutboxError):
    """The requested item does not exist: no game with that number, no picture with that name."""

    code = "C-380"


class TooBusy(ShutboxError):
    """Too many questions are waiting for their answers to accept another."""

    code = "C-381"


class RecordError(ShutboxError):
    """The text of a game does not tell one that can be played, or a game cannot be told by text."""

    code = "C-382"


class EngineError(ShutboxError):
    """An engine failed: it did not start, said nothing in time, ended, or chose what cannot be chosen."""

    code = "C-385"


class EveningError(ShutboxError):
    """An evening that cannot be read, lacks a part of the program, or does not allow what was asked of it."""

    code = "C-386"


class NotCalibrated(ShutboxError, BoxFault):
    """A box whose servos' end points are not known: it is not driven.

    It refuses a game, and halts one that is on.

    code, cure: those of `fault`, the finding about the calibration.
    """

    code = "C-103"

    def __init__(self, fault: Fault) -> None:
        self.code = fault.code
        super().__init__(fault.part, expected=fault.expected, seen=fault.seen, cure=fault.cure)


class BadFault(ShutboxError):
    """A fault for the simulated box with a name or part that it does not have."""

    code = "C-308"


class NoBridge(ShutboxError):
    """The bridge lacks the library by which it talks, or a file that its settings name."""

    code = "C-347"


class BackupError(ShutboxError):
    """A backup cannot be made, or cannot be restored here. Nothing was changed."""

    code = "C-330"


class BackupDamaged(BackupError):
    """The file is not a backup, or part of it was changed."""

    code = "C-331"


class BackupNewer(BackupError):
    """The backup was made by a later version, in a format that this one does not know."""

    code = "C-332"


class BackupDoubtful(BackupError):
    """The backup is complete, but is from another box, or its parts do not fit together."""

    code = "C-333"


class JournalError(ShutboxError):
    """Something is wrong with a journal. Its games stay as they are: no command repairs a journal by itself."""

    code = "J-100"


class JournalDamaged(JournalError):
    """The file is not a journal, or part of it cannot be read."""

    code = "J-101"


class JournalFormat(JournalError):
    """The file is a journal in a format that this version does not know.

    found: its format; 0: it has none.
    """

    code = "J-102"

    def __init__(self, line: str, found: int) -> None:
        super().__init__(line)
        self.found = found


class JournalDiffers(JournalError):
    """An event leads to another state than the one recorded when it happened."""

    code = "J-103"


class JournalUnwritable(JournalError):
    """An event did not reach the disk, so it did not happen.

    cause, cure: parts of the line.
    closed: the file and its owner, if no more than a permission is missing.
    """

    code = "J-104"

    def __init__(self, cause: str, cure: str = "do it again later", closed: tuple[str, str] | None = None) -> None:
        super().__init__(f"{cause}, and what cannot be kept does not count; {cure}")
        self.cause = cause
        self.cure = cure
        self.closed = closed
