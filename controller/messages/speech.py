"""A message on its way into a language: its arguments, and the pieces that its sentences are made of there."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import NullTranslations
from string import Formatter
from typing import cast

from controller.game.core.message import Message
from controller.game.table.snapshot import TileView
from controller.messages.names import combination_title, faces_told, game_title, mark_name
from controller.messages.writing import list_all, list_any, write_decimal, write_share
from hardware.tiles import TileId

Sentence = Callable[["Speech"], str]
# A tile as people call it, by its name.
TileNames = Callable[["Speech", str], str]
_USUAL_SIDES = 6
_TYPED = re.compile(r"[a-z]+\d*-\d")


class Speech:
    """One message, and the catalogue of the language in which it is to be said.

    names: the way in which tiles are named. at_terminal: True where codes are told with faults, and the words of a job,
    which is done at a terminal.
    """

    def __init__(
        self, message: Message, catalogue: NullTranslations, names: TileNames, *, at_terminal: bool = False
    ) -> None:
        self._args = message.args
        self._names = names
        self.at_terminal = at_terminal
        self.gettext = catalogue.gettext
        self.ngettext = catalogue.ngettext
        self.pgettext = catalogue.pgettext
        self.npgettext = catalogue.npgettext

    @property
    def names(self) -> frozenset[str]:
        """Which arguments the message has."""
        return frozenset(self._args)

    def sentence(self, text: str) -> str:
        """A text as a sentence begins; a tile that stands there as it is typed stays so."""
        return text if _TYPED.match(text) else f"{text[:1].upper()}{text[1:]}"

    def fill(self, template: str, **more: object) -> str:
        """Return a translated template with the message's arguments, and `more`, in their places.

        Filled in once: names and marks may hold anything. Lists and tiles are said as people say them.
        """
        args = {**self._args, **more}
        named = (name for _, name, _, _ in Formatter().parse(template) if name)
        said = {name: args[name] if name in more else self._told(name) for name in named}
        text = template.format(**said)
        return self.sentence(text) if template.startswith("{tile") else text

    def by_number(self, one: str, many: str, name: str, **more: object) -> str:
        """Return a template with a plural, by the argument of that name (a list by its length), filled in."""
        datum = self._args[name]
        number = len(datum) if isinstance(datum, tuple) else self.number(name)
        return self.fill(self.ngettext(one, many, number), **more)

    def _told(self, name: str) -> object:
        """The argument of this name as it stands in a sentence; `numbers` are those of all players."""
        match name:
            case "players" | "faces":
                return self.all_of(self.texts(name))
            case "tiles":
                return self.tiles(self.texts(name))
            case "tile":
                return self.tile(self.text(name))
            case "colour" | "other":
                return mark_name(self, self.text(name))
            case "combination":
                return combination_title(self, self.text(name), self.text("joker"))
            case "dice":
                return faces_told(self, self.numbers(name), self.text("joker"))
            case "game":
                return game_title(self, self.text(name))
            case "numbers":
                [told] = (each for each in self._args.values() if isinstance(each, Mapping))
                form = "+d" if "coins" in self._args else "d"
                return ", ".join(f"{player} {number:{form}}" for player, number in told.items())
        return self._args[name]

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

    def lists(self, name: str) -> tuple[tuple[int, ...], ...]:
        """An argument that is a list of lists of whole numbers."""
        return cast("tuple[tuple[int, ...], ...]", self._args[name])

    def numbers(self, name: str) -> tuple[int, ...]:
        """An argument that is a list of whole numbers."""
        return cast("tuple[int, ...]", self._args[name])

    def all_of(self, words: Iterable[str]) -> str:
        """Several things as one says them: `a`, `a and b`, `a, b and c`."""
        return list_all(self, words)

    def one_of(self, words: Iterable[str]) -> str:
        """A choice as one says it: `a`, `a or b`, `a, b or c`."""
        return list_any(self, words)

    def tile(self, name: str) -> str:
        """A tile by its name, as tiles are named here."""
        return self._names(self, name)

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
        written = {
            1: self.pgettext("number of dice", "one"),
            2: self.pgettext("number of dice", "two"),
            3: self.pgettext("number of dice", "three"),
            4: self.pgettext("number of dice", "four"),
        }
        numbers = self.one_of(written.get(count, str(count)) for count in counts)
        return template.format(numbers=numbers, sides=sides)


def template(text: str) -> Sentence:
    """A sentence that is a template, translated and filled in."""
    return lambda speech: speech.fill(speech.gettext(text))


def plural(one: str, many: str, by: str) -> Sentence:
    """A sentence that is a template with a plural: by an argument, a list by its length."""
    return lambda speech: speech.by_number(one, many, by)


def typed_names(_speech: Speech, name: str) -> str:
    """Name tiles as they are typed: `front-7`."""
    return name


class PlacedNames:
    """Names tiles by what stands on them and, where rows stand behind each other, by their place: `the 7 in front`.

    tiles: those of the table, as far as they are known.
    """

    def __init__(self, tiles: Iterable[TileView] = ()) -> None:
        self._tiles = {tile.name: tile for tile in tiles}
        self._rows = max((tile.row for tile in self._tiles.values()), default=0)

    def __call__(self, speech: Speech, name: str) -> str:
        """The tile of this name, in the language of the speech."""
        if view := self._tiles.get(name):
            mark, row, rows = view.mark, view.row, self._rows
        elif (tile := TileId.parse(name)).mark:
            mark, row, rows = tile.mark, 1, 1
        else:
            # Nothing is known of the tile but its name: it is of a box of two rows, if that may be.
            mark, row, rows = str(tile.number), tile.row, 2 if tile.row < 3 else tile.row + 1
        if not mark.isdecimal():
            mark = speech.pgettext("what bears a mark that is no number", "tile {mark}").format(
                mark=mark_name(speech, mark)
            )
        if rows == 1:
            template = speech.pgettext("a tile", "the {mark}")
        elif row == 1:
            template = speech.pgettext("a tile", "the {mark} in front")
        elif row == rows:
            template = speech.pgettext("a tile", "the {mark} behind")
        else:
            template = speech.pgettext("a tile", "the {mark} in row {row}")
        return template.format(mark=mark, row=row)
