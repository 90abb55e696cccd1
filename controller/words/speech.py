"""A message on its way into a language: its arguments, and the pieces that its sentences are made of there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import cast

from controller.game import Message, TileView
from controller.words.marks import mark_name
from controller.words.writing import list_all, list_any, write_decimal, write_share
from hardware.tiles import TileId

Tiles = Mapping[str, TileView]
Sentence = Callable[["Speech"], str]
_USUAL_SIDES = 6


class Speech:
    """One message, and the catalogue of the language in which it is to be said.

    tiles: those of the table by name, as far as they are known: what stands on a tile is what people call it.
    """

    def __init__(self, message: Message, catalogue: NullTranslations, tiles: Tiles) -> None:
        self._args = message.args
        self._tiles = tiles
        self.gettext = catalogue.gettext
        self.ngettext = catalogue.ngettext
        self.pgettext = catalogue.pgettext
        self.npgettext = catalogue.npgettext

    @property
    def names(self) -> frozenset[str]:
        """Which arguments the message has."""
        return frozenset(self._args)

    def fill(self, template: str, **more: object) -> str:
        """A translated template with the message's arguments, and `more`, in their places.

        Filled in once: names and marks may hold anything.
        """
        return template.format(**{**self._args, **more})

    def by_number(self, one: str, many: str, name: str, **more: object) -> str:
        """A template with a plural, by the argument of that name, in the language and filled in."""
        return self.fill(self.ngettext(one, many, self.number(name)), **more)

    def text(self, name: str) -> str:
        """An argument that is a text."""
        return str(self._args[name])

    def number(self, name: str) -> int:
        """An argument that is a whole number."""
        return cast("int", self._args[name])

    def seconds(self, name: str) -> str:
        """An argument that is a time in seconds, to hundredths and with the language's own point."""
        return self.decimal(f"{self.real(name):.2f}")

    def real(self, name: str) -> float:
        """An argument that is a number, whole or not."""
        return cast("float", self._args[name])

    def share(self, share: float) -> str:
        """A share of one in hundredths, as the language writes it."""
        return write_share(self, share)

    def decimal(self, number: str) -> str:
        """A number with a decimal point, as the language writes it."""
        return write_decimal(self, number)

    def texts(self, name: str) -> tuple[str, ...]:
        """An argument that is a list of texts."""
        return cast("tuple[str, ...]", self._args[name])

    def numbers(self, name: str) -> tuple[int, ...]:
        """An argument that is a list of whole numbers."""
        return cast("tuple[int, ...]", self._args[name])

    def by_name(self, name: str) -> Mapping[str, int]:
        """An argument that is a number for each player."""
        return cast("Mapping[str, int]", self._args[name])

    def all_of(self, words: Iterable[str]) -> str:
        """Several things as one says them: `a`, `a and b`, `a, b and c`."""
        return list_all(self, words)

    def one_of(self, words: Iterable[str]) -> str:
        """A choice as one says it: `a`, `a or b`, `a, b or c`."""
        return list_any(self, words)

    def tile(self, name: str) -> str:
        """A tile as people call it: by its mark and, where rows stand behind each other, its place."""
        view = self._tiles.get(name)
        mark, row, rows = (view.mark, view.row, self._rows) if view else _read_name(name)
        if not mark.isdecimal():
            mark = self.pgettext("what bears a mark that is no number", "tile {mark}").format(
                mark=mark_name(self, mark)
            )
        if rows == 1:
            template = self.pgettext("a tile", "the {mark}")
        elif row == 1:
            template = self.pgettext("a tile", "the {mark} in front")
        elif row == rows:
            template = self.pgettext("a tile", "the {mark} at the back")
        else:
            template = self.pgettext("a tile", "the {mark} in row {row}")
        return template.format(mark=mark, row=row)

    def tiles(self, names: Iterable[str]) -> str:
        """Several tiles as people call them."""
        return self.all_of(map(self.tile, names))

    def dice(self, counts: Sequence[int]) -> str:
        """Dice to be thrown: so many, or one of several numbers of them."""
        sides, is_one = self.number("sides"), tuple(counts) == (1,)
        if sides == _USUAL_SIDES and is_one:
            template = self.pgettext("dice to be thrown", "one die")
        elif sides == _USUAL_SIDES:
            template = self.pgettext("dice to be thrown", "{numbers} dice")
        elif is_one:
            template = self.pgettext("dice to be thrown", "one die with {sides} sides")
        else:
            template = self.pgettext("dice to be thrown", "{numbers} dice with {sides} sides")
        numbers = self.one_of(map(self._number_of_dice, counts))
        return template.format(numbers=numbers, sides=sides)

    @property
    def _rows(self) -> int:
        return max(tile.row for tile in self._tiles.values())

    def _number_of_dice(self, number: int) -> str:
        words = {
            1: self.pgettext("number of dice", "one"),
            2: self.pgettext("number of dice", "two"),
            3: self.pgettext("number of dice", "three"),
            4: self.pgettext("number of dice", "four"),
        }
        return words.get(number, str(number))


def capitalised(text: str) -> str:
    """A sentence that begins with a word of ours, as a sentence begins."""
    return f"{text[:1].upper()}{text[1:]}"


def _read_name(name: str) -> tuple[str, int, int]:
    """Mark, row and rows of a tile of which nothing is known but its name; of a box of two rows, if that may be."""
    tile = TileId.parse(name)
    return (tile.mark, 1, 1) if tile.mark else (str(tile.number), tile.row, 2 if tile.row < 3 else tile.row + 1)
