"""Nothing on the table's page moves that need not, in whole games at four widths, in each language."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.messages.words import LANGUAGES
from hardware.tiles import Position
from tests.browser.box_thread import FAST, BoxThread, serve_box
from tests.browser.pages.device import Device, Kind, use
from tests.browser.pages.shifts import settle, shifts_on, watch_shifts
from tests.browser.pages.states import HOUSE, SOON_OVER, UNSURE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST = 0.05  # browsers call less than 0.1 good
SIZES = (Kind(320, 640), Kind(390, 844), Kind(820, 1180), Kind(1440, 900, touch=False))
# As long as names may be, and without a place to break them.
ANN, BEN = "Wolfeschlegelsteinhausen", "Konstantinopolitanerinne"
# Sums with many moves and with few, then luck ends.
THROWS = ((5, 4), (6, 3), (4, 1), (6, 6), (3, 2), (5, 5), (6, 4), (1, 2), *SOON_OVER)
NAMED, IT, NOT_IT = "pair-and-four", [3, 3, 5, 5, 5, 5], [2, 2, 3, 3, 4, 4]


class Onlookers:
    """Devices of every size and language that all show the same table, and may all act at it."""

    def __init__(self, box: BoxThread, devices: Sequence[Device]) -> None:
        self.box = box
        self._devices = devices

    def open(self) -> None:
        """Open the page of the table."""
        for each in self._devices:
            each.open("/play")
        self.look()

    def look(self) -> None:
        """Wait until the box waits for people, and all have painted the table as it is."""
        self.box.rest()
        for each in self._devices:
            each.catch_up()
            settle(each)

    def cut_power(self, meanwhile: Callable[[], None]) -> None:
        """Turn the box off and on again, and look on when all have loaded its page anew."""
        for each in self._devices:
            each.page.evaluate("document.body.dataset.drawn = 'before'")
        self.box.power_off()
        meanwhile()
        self.box.power_on()
        for each in self._devices:
            each.page.locator("body:not([data-drawn])").wait_for()
        self.look()

    def do(self, command: str, **words: object) -> None:
        """Have something done at the box, and look on."""
        self.box.do(command, **words)
        self.look()

    def choose(self) -> None:
        """Tap on the last move of the list on every device, then shut it; the whole list is looked at before."""
        moves = self.box.snapshot.moves
        for each in self._devices:
            if each.moves.count():
                each.find(each.moves.last)
            settle(each)
        self.do("choose", tiles=list(moves[-1]))

    def play_on(self, throws: int = 400) -> None:
        """Play to the end of the game, or for so many throws."""
        while self.box.snapshot.phase != "ended":
            match self.box.snapshot.phase:
                case "choosing":
                    self.choose()
                case "turn_lost":
                    self.do("accept")
                case _ if throws:
                    throws -= 1
                    self.do("roll")
                case _:
                    return

    def shifts(self) -> Mapping[str, str]:
        """What has moved too far, by device."""
        found = {each: shifts_on(each) for each in self._devices}
        for each, shifts in found.items():
            print(_name(each), shifts)
        return {_name(each): str(shifts) for each, shifts in found.items() if shifts.total > MOST}


def _name(device: Device) -> str:
    size = device.page.viewport_size or {}
    return f"{device.page.evaluate('document.documentElement.lang')} at {size.get('width')}"


def _begin(table: Onlookers, *players: Mapping[str, object], **words: object) -> None:
    """Start a game, and open its page, as who starts one on the page does."""
    table.box.do("start", players=list(players), options={"first": "chosen"}, **words)
    table.open()


def _house(table: Onlookers) -> None:
    _begin(table, {"name": ANN}, HOUSE)
    table.play_on()


def _two(table: Onlookers) -> None:
    _begin(table, {"name": ANN}, {"name": BEN})
    table.play_on(2)
    table.do("undo")
    table.play_on()


def _race(table: Onlookers) -> None:
    """One round of all that can happen, then the others, in which nobody has it."""
    _begin(table, {"name": ANN}, {"name": BEN}, HOUSE, game="fleet")
    _go(table)
    # The dice that one throws at the box are judged at once; others are typed.
    for _ in range(3):
        table.do("throw", player=ANN, keep=[])
    table.do("shout", player=ANN)
    for dice in (NOT_IT, IT):
        table.do("shout", player=BEN)
        table.do("claim", player=BEN, dice=dice)
    table.do("end_round")
    while table.box.snapshot.phase != "ended":
        _go(table)
        table.do("end_round")


def _go(table: Onlookers) -> None:
    """Both name a combination that is left to them, and the race is on."""
    race = table.box.snapshot.race
    assert race is not None
    for column in race.columns[:2]:
        left = [row.name for row in race.rows if row.name not in column.boxes]
        table.do("name", player=column.player, combination=NAMED if NAMED in left else left[0])
    table.do("go")
    while table.box.snapshot.phase != "racing":
        table.look()


def _faults(table: Onlookers) -> None:
    _begin(table, {"name": ANN}, {"name": BEN})
    table.box.hands.refuse(UNSURE)
    table.play_on(1)
    if table.box.snapshot.phase == "awaiting_throw":
        table.do("dice", dice=[5, 4])
    table.box.hands.break_("jam:front-9", "jam:front-4", "jam:front-5")
    table.do("choose", tiles=list(table.box.snapshot.moves[0]))
    table.box.hands.mend()
    table.do("try_again")
    for fault in ("stuck-shut:back-1", "lid:closed"):
        table.box.hands.break_(fault)
        table.look()
        table.box.hands.mend()
        table.look()
        if table.box.snapshot.can("go_on"):
            table.do("go_on")
    table.play_on()


def _cut(table: Onlookers) -> None:
    _begin(table, {"name": ANN}, {"name": BEN})
    table.play_on(2)
    standing = next(tile.name for tile in table.box.snapshot.tiles if tile.state == "showing")
    table.cut_power(lambda: table.box.hands.tip(standing, Position.SHUT))
    table.do("put_right")
    table.play_on()


GAMES: Mapping[str, Callable[[Onlookers], None]] = {
    "against the house": _house,
    "two at one device": _two,
    "a race": _race,
    "with faults": _faults,
    "with a power cut": _cut,
}


@pytest.fixture
def box(browser: "Browser", tmp_path: Path) -> Iterator[BoxThread]:
    with serve_box(tmp_path, pace=FAST) as box:
        yield box


def look_on(browser: "Browser", box: BoxThread, stack: ExitStack, kinds: Sequence[tuple[Kind, str]]) -> Onlookers:
    """Devices with the cookies of one another: what one may do, all may."""
    devices: list[Device] = []
    for kind, language in kinds:
        cookies = {"storage_state": devices[0].context.storage_state()} if devices else {}
        device = stack.enter_context(use(browser, box, kind, locale=language, **cookies))
        if not devices:
            device.sit()
        devices.append(watch_shifts(device))
    return Onlookers(box, devices)


@pytest.mark.parametrize("game", ["against the house"])
def test_a_short_game_holds_still(browser: "Browser", box: BoxThread, game: str) -> None:
    box.hands.plan((5, 4), *SOON_OVER)
    with ExitStack() as stack:
        table = look_on(browser, box, stack, [(SIZES[0], "de"), (SIZES[1], "en"), (SIZES[3], "fr")])
        GAMES[game](table)
        too_far = table.shifts()
    assert not too_far, too_far


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_nothing_moves_that_need_not_in_a_whole_game(browser: "Browser", box: BoxThread, game: str) -> None:
    box.hands.plan(*THROWS)
    with ExitStack() as stack:
        table = look_on(browser, box, stack, list(product(SIZES, LANGUAGES)))
        GAMES[game](table)
        too_far = table.shifts()
    assert not too_far, too_far
