"""Faults of vision, by code and cure: those of the camera, and those of files that describe pictures or custom dice.

VisionError          a file or a name that vision cannot use
├── BadTruth     C-311   a file of labels that cannot be understood
└── BadDice      C-312   custom dice that do not exist, or whose file is damaged
BoxFault
└── CameraFault      V-100
    ├── CameraFrozen V-101   the camera keeps giving the same old picture
    ├── CameraDead   V-102   no picture arrives at all
    ├── FieldLost    V-103   the markers have not been seen for long
    ├── FieldDark    V-104   too little light to read by
    ├── DiceUnreadable V-105 throw after throw cannot be read
    └── CameraTurned V-106   it hangs upside down; found by tests, while the dice are read all the same

A picture that cannot be read is not a fault but a `Reading` with a verdict.
"""

from typing import ClassVar

from hardware.errors import BoxFault


class VisionError(Exception):
    """A file or name that cannot be used. The message is one line that names it and the problem; `code` is the kind.

    It is not a `BoxFault`: nothing on the table is broken, and whoever gave the file or the name can give a better one.
    """

    code: ClassVar[str]


class BadTruth(VisionError):
    """A file that labels pictures cannot be understood."""

    code = "C-311"


class BadDice(VisionError):
    """A set of custom dice cannot be used, or a name is not valid for one."""

    code = "C-312"


class CameraFault(BoxFault):
    """The camera, or its view of the field, is not as it should be.

    A fault is raised once a problem has lasted; a single bad picture is a refused `Reading`.
    """

    code = "V-100"
    cure = "Look at the camera and its cable."


class CameraFrozen(CameraFault):
    """The pictures are old, or always the same one: the camera has stopped."""

    code = "V-101"
    cure = "Reseat the camera cable."


class CameraDead(CameraFault):
    """No picture arrives."""

    code = "V-102"
    cure = "Check the camera cable at both ends."


class FieldLost(CameraFault):
    """The markers in the corners of the baize have not been seen for long."""

    code = "V-103"
    cure = "Uncover the markers, or turn the camera so that it sees the whole baize."


class FieldDark(CameraFault):
    """There is too little light on the baize."""

    code = "V-104"
    cure = "Switch the field lamp on and take the cover off the camera."


class DiceUnreadable(CameraFault):
    """Many throws in a row were refused."""

    code = "V-105"
    cure = "Look at the lamp, the camera and the dice."


class CameraTurned(CameraFault):
    """The camera hangs upside down, so that its pictures, and advice by their edges, are turned.

    Dice are read all the same, since the markers tell which way the field lies.
    """

    code = "V-106"
    cure = "Turn it round; or say upside_down = true under [camera] of the box profile, as `shutbox bringup` does."
