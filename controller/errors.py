"""The errors of the controller: a tree of what it refuses or cannot do, each with its code.

ShutboxError            C-300
├── NotNow              C-301   a good command at the wrong moment
│   ├── TooLate         C-317   a command that was meant for a moment that is over
│   ├── NotYours        C-318   a command that another player, or another role, may give
│   ├── SeatTaken       C-319   a seat that somebody else holds, or that is nobody's to take
│   └── SameDice        C-321   a correction to the dice that are played already
├── UnknownSeat         C-320   a token that this box has not given, or has taken back
├── BoxTooSmall         C-302   this box cannot show this game
├── SettingsError       C-303   settings.toml cannot be right
├── NoBox               C-304   this machine is no box, and no daemon runs that could be joined
├── DaemonRuns          C-305   another daemon has this box already
├── BadFault            C-308   a fault that the simulated box does not know
├── VariantError        C-309   a file of options or marks cannot be right
├── BadPlayers          C-310   a player's name or strength cannot be read
├── BadDeed             C-313   a hand at the mock-box that cannot do what it is told
├── BadTrial            C-314   a trial that its campaign does not have
├── BadOrder            C-345   a calibration or test that this box cannot do
├── BackupError         C-330   a backup cannot be made, or cannot be restored here
│   ├── BackupDamaged   C-331   a file that is no backup, or not as it was written
│   ├── BackupNewer     C-332   a backup of a later version of this program
│   └── BackupDoubtful  C-333   a backup that is whole, and perhaps not what this box should have
├── InstallError        C-350   a step of an installation or an update failed
│   └── BadUpdate       C-351   an update file that is damaged, or not for this box
├── AccessError         C-370   who may do what cannot be kept, or not be changed so
│   ├── BadPin          C-371   a PIN that cannot be set
│   ├── WrongPin        C-372   a PIN that is not that of this box, or there is none
│   ├── WrongCode       C-373   a join code that is not that of this game
│   ├── TooManyTries    C-374   so many wrong ones that no other is looked at now
│   ├── NoPairing       C-375   a pairing that cannot begin, or that nobody waits for
│   └── UnknownDevice   C-376   an operator's device that is not known here, or one too many
├── NotThere            C-380   a game, a player or a picture that there is not
├── TooBusy             C-381   so many ask already that this question has to wait
└── JournalError        J-100
    ├── JournalDamaged  J-101   the journal cannot be read
    ├── JournalFormat   J-102   the journal was written by another version
    ├── JournalDiffers  J-103   replaying the events leads to another state than was noted
    └── JournalUnwritable J-104 an event could not be written: the disk is full or broken
(C-306 and C-307 are the client's, C-311 and C-312 vision's, C-315 and C-316 findings of the self-test, C-340 and
C-341 of campaigns, C-361 to C-369 refusals of the API, in web/refusals.py; the rules' own tree is in rules/errors.py)
"""


class ShutboxError(Exception):
    """The message is one line for the person at the box that says what to do; `code` names the kind."""

    code = "C-300"


class NotNow(ShutboxError):
    """A command that makes sense, but not in this phase of the game."""

    code = "C-301"


class TooLate(NotNow):
    """A command that was meant for a moment that is over: something else has happened meanwhile."""

    code = "C-317"


class NotYours(NotNow):
    """A command that can be given now, but by another."""

    code = "C-318"


class SeatTaken(NotNow):
    """A seat that cannot be taken: somebody else sits there, the box plays it, or there is none of that name."""

    code = "C-319"


class SameDice(NotNow):
    """A correction that says what is played already: nothing would change."""

    code = "C-321"


class UnknownSeat(ShutboxError):
    """A token that this box has not given, or that was given back: whoever shows it takes his seat again."""

    code = "C-320"


class BoxTooSmall(ShutboxError):
    """The box at hand has not the tiles that a game needs."""

    code = "C-302"


class SettingsError(ShutboxError):
    """The settings hold an unknown key or a value that is not allowed."""

    code = "C-303"


class NoBox(ShutboxError):
    """There is no metal here, and no daemon that could be joined: what was asked needs a box."""

    code = "C-304"


class DaemonRuns(ShutboxError):
    """Another process owns the box: two that move its tiles would not know of each other."""

    code = "C-305"


class VariantError(ShutboxError):
    """A file of options or marks holds an unknown key or a value that is not allowed."""

    code = "C-309"


class BadPlayers(ShutboxError):
    """A list of players that cannot be read."""

    code = "C-310"


class BadDeed(ShutboxError):
    """Something to be done at the mock-box that it does not know, or that wood and wires do not allow."""

    code = "C-313"


class BadOrder(ShutboxError):
    """An order to calibrate or test names what this box does not have, or what cannot be."""

    code = "C-345"


class BadTrial(ShutboxError):
    """A campaign was asked for one trial by a name or number that none of its trials has."""

    code = "C-314"


class InstallError(ShutboxError):
    """A step of an installation or an update could not be done; what ran before still runs."""

    code = "C-350"


class BadUpdate(InstallError):
    """A file that is no update, not all of one, or one for another computer. Nothing of it was used."""

    code = "C-351"


class AccessError(ShutboxError):
    """Who may do what at this box cannot be kept, or cannot be changed so. Nothing was changed."""

    code = "C-370"


class BadPin(AccessError):
    """A PIN that cannot be set: too short, no number, or one that everybody tries first."""

    code = "C-371"


class WrongPin(AccessError):
    """A PIN that is not that of this box, or there is none."""

    code = "C-372"


class WrongCode(AccessError):
    """A code to join by that is not that of the game that is on."""

    code = "C-373"


class TooManyTries(AccessError):
    """So many wrong PINs or codes were tried that no other one is looked at now. `wait_s`: None for no end of it."""

    code = "C-374"

    def __init__(self, line: str, wait_s: int | None = None) -> None:
        super().__init__(line)
        self.wait_s = wait_s


class NoPairing(AccessError):
    """A pairing that cannot begin because another device waits, or one to be confirmed that nobody waits for."""

    code = "C-375"


class UnknownDevice(AccessError):
    """A device that is no operator's here, or one that there is no place for."""

    code = "C-376"


class NotThere(ShutboxError):
    """What is asked for is not there: no game of that number, no picture of that name."""

    code = "C-380"


class TooBusy(ShutboxError):
    """So many questions wait for their answers that one more is not taken."""

    code = "C-381"


class BadFault(ShutboxError):
    """A fault to break the simulated box with, by a name or part that it does not have."""

    code = "C-308"


class BackupError(ShutboxError):
    """A backup cannot be made, or cannot be restored here. Nothing was changed."""

    code = "C-330"


class BackupDamaged(BackupError):
    """The file is no backup, or not all of it is as it was written."""

    code = "C-331"


class BackupNewer(BackupError):
    """The backup was made by a later version, in a form that this one does not know."""

    code = "C-332"


class BackupDoubtful(BackupError):
    """The backup is whole, but is of another box, or holds what does not fit together."""

    code = "C-333"


class JournalError(ShutboxError):
    """Something is wrong with a journal. The games in it stay as they are: no command mends a journal by itself."""

    code = "J-100"


class JournalDamaged(JournalError):
    """The file is no journal, or not all of it can be read."""

    code = "J-101"


class JournalFormat(JournalError):
    """The file is a journal of a format that this version does not know: `found`, 0 where it has none."""

    code = "J-102"

    def __init__(self, line: str, found: int) -> None:
        super().__init__(line)
        self.found = found


class JournalDiffers(JournalError):
    """An event leads to another state than was noted when it happened."""

    code = "J-103"


class JournalUnwritable(JournalError):
    """An event did not reach the disk, so it did not happen. `cause` and `cure` are parts of the line."""

    code = "J-104"

    def __init__(self, cause: str, cure: str = "do it again later") -> None:
        super().__init__(f"{cause}, and what cannot be kept does not count; {cure}")
        self.cause = cause
        self.cure = cure
