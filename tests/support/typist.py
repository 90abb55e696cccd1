"""Somebody who types anything at all: keys at random, with the words of the program among them."""

import asyncio
import io
import os
import random
from collections.abc import AsyncIterator, Sequence

_FEW = 500
_ANY = "abcdefghijklmnopqrstuvwxyz0123456789 ,.-+<>?!/\\'\"{}[]%$#\t\x00\x1b\x7fäß€\ud800"
_LONGEST = 12


def how_many(few: int = _FEW) -> int:
    """The number of keys to type: `few`, or those that a campaign asks for in its environment."""
    return int(os.environ.get("KEYS", few))


class Typist:
    """Types lines, or single keys, until the keys are used up; what is said meanwhile can be compared with them.

    words: what the program would understand now and then.
    """

    def __init__(self, seed: int, words: Sequence[str], keys: int | None = None) -> None:
        self.chance = random.Random(seed)
        self.left = how_many() if keys is None else keys
        self.typed: list[str] = []
        self._words = words

    async def lines(self) -> AsyncIterator[str]:
        """Whole lines, at any moment."""
        while self.left > 0:
            await asyncio.sleep(self.chance.choice((0.0, 0.05, 0.5, 3.0, 20.0)))
            line = self.line()
            self.typed.append(line)
            yield line

    async def keys(self) -> AsyncIterator[str]:
        """Single keys, as a terminal gives them."""
        async for line in self.lines():
            for key in line:
                if not key.isspace():
                    yield key

    def line(self) -> str:
        """One line more."""
        length = self.chance.randrange(_LONGEST)
        line = self.chance.choice(self._words) if self.chance.random() < 0.6 else ""
        line = line or "".join(self.chance.choice(_ANY) for _ in range(length))
        self.left -= len(line) + 1
        return line


class Heard(io.StringIO):
    """What a session says, with the number of lines that were typed before each piece."""

    def __init__(self, typist: Typist) -> None:
        super().__init__()
        self._typist = typist
        self.said: list[tuple[int, str]] = []

    def write(self, text: str) -> int:
        """Note a piece."""
        self.said.append((len(self._typist.typed), text))
        return len(text)

    def answered(self, question: str, *answers: str) -> bool:
        """True if one of these was typed after that question was said."""
        asked = [typed for typed, text in self.said if question in text]
        return any(line.strip().lower() in answers for typed in asked for line in self._typist.typed[typed:])
