"""Custom dice, whose faces are not pips: shown (`teaching`), learnt (`learning`), stored and read."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from vision.taught.claim import read_claim
    from vision.taught.dice_folder import DiceFolder
    from vision.taught.faces import TaughtSet
    from vision.taught.files import pack, taught_at, unpack
    from vision.taught.kinds import PIPS, Sides
    from vision.taught.learning import Lesson
    from vision.taught.reader import read_taught, read_taught_dice
    from vision.taught.teaching import Advice, Problem, Teaching, WantedShot, alike_sentences
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "PIPS",
    "Advice",
    "DiceFolder",
    "Lesson",
    "Problem",
    "Sides",
    "TaughtSet",
    "Teaching",
    "WantedShot",
    "alike_sentences",
    "pack",
    "read_claim",
    "read_taught",
    "read_taught_dice",
    "taught_at",
    "unpack",
]
