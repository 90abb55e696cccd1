"""Collects the pictures of the stages of one reading, to look at."""

from dataclasses import dataclass, field

from vision.frame import Pixels


@dataclass(slots=True)
class Trace:
    """The stages of one reading by name, in the order they were made; passed in by whoever wants to look."""

    pictures: dict[str, Pixels] = field(default_factory=dict)

    def add(self, name: str, picture: Pixels) -> None:
        """Keep a copy of the picture of one stage."""
        self.pictures[name] = picture.copy()
