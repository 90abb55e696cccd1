"""Dice without pips are shown (`teaching`), learnt (`learning`), kept (`dice_folder`) and read again (`reader`)."""

from vision.taught.dice_folder import PIPS, DiceFolder
from vision.taught.faces import TaughtSet
from vision.taught.files import pack, taught_at, unpack
from vision.taught.learning import Lesson
from vision.taught.reader import read_taught, read_taught_dice
from vision.taught.shapes import Sides
from vision.taught.teaching import Advice, Problem, Teaching, WantedShot, alike_sentences

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
    "read_taught",
    "read_taught_dice",
    "taught_at",
    "unpack",
]
