"""A device that shows pages of the box: a tablet, a phone, a screen on the wall; and what one does with its fingers."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from controller.game.table.snapshot import Snapshot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, LocatorAssertions, Page

PATIENCE_MS = 10_000
_LOOK_MS = 10  # a page that is behind is looked at again after so long
_LOOKS = 5  # then it is told all anew, once: of a moment that looks like the last it hears nothing
_SLOWLY_MS = 500
_MOST_STEPS = 400

# What stands on buttons.
START = re.compile("^Start ")
THROW, SHUT, ACCEPT, TAKE_BACK = re.compile("^Throw "), re.compile("^Shut "), "End the turn", "Undo"

_MAY_GO = re.compile(", open$")

# What a page has drawn, not what has reached it: between the two lies a moment, long on a busy machine.
_NOTE_DRAWN = "document.addEventListener('drawn', event => { window.drawnNumber = event.detail.number })"

Activate = Callable[["Device", "Locator"], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of device. width, height: of its page in CSS pixels."""

    width: int
    height: int
    touch: bool = True


TABLET = Kind(1180, 820)
PHONE = Kind(390, 844)
SMALL_PHONE = Kind(320, 640)
WALL = Kind(1920, 1080, touch=False)


class Box(Protocol):
    """The box whose pages a device shows, in a thread of the tests or in a process of its own."""

    @property
    def url(self) -> str:
        """Its address, as people type it."""

    @property
    def snapshot(self) -> Snapshot:
        """The table as it stands."""

    def code(self) -> str:
        """The code by which players join the game."""


class Device:
    """One device with cookies of its own, and the page that it shows."""

    def __init__(self, context: "BrowserContext", box: Box) -> None:
        context.set_default_timeout(PATIENCE_MS)
        self.context = context
        self.box = box
        self.complaints: list[str] = []

    @cached_property
    def page(self) -> "Page":
        """The page, opened with the first look at it."""
        page = self.context.new_page()
        page.add_init_script(_NOTE_DRAWN)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if "Refused to" in said.text else None)
        return page

    def open(self, path: str) -> "Device":
        """Go to a page of the box."""
        self.page.goto(f"{self.box.url}{path}")
        return self

    def sit(self, *names: str) -> "Device":
        """Sit down at the table by the code of the game; without names with the seats that nobody has taken."""
        seat = {"names": list(names), "door": "page", "code": self.box.code()}
        taken = self.context.request.post(f"{self.box.url}/api/seats", data=seat)
        assert taken.ok, taken.text()
        return self

    def come_in(self, link: str, name: str) -> "Device":
        """Come by the address in the QR code, and take the chair of that name, as people do with their phones."""
        self.open(link)
        if not self.page.url.endswith("/join"):
            # Who is the first to come may act for all, and says later who he is.
            self.page.get_by_role("link", name="Join").click()
        self.page.get_by_role("radio", name=re.compile(f"^{name}\\b")).check()
        self.button("Sit down").click()
        self.page.wait_for_url("**/play")
        return self

    def start(self) -> None:
        """Start the game that is chosen on the page, which leads to the table."""
        self.button(START).click()
        self.page.wait_for_url("**/play")

    @property
    def say(self) -> str:
        """The sentence, as it stands there."""
        return " ".join(self.page.get_by_role("heading", level=1).inner_text().split())

    def shown(self) -> str:
        """The box as it is told to who cannot see it: every tile with its state."""
        return str(self.page.get_by_role("region", name="The box").aria_snapshot())

    def button(self, name: "str | re.Pattern[str]") -> "Locator":
        """A button by its name that can be pressed now."""
        return self.page.get_by_role("button", name=name, disabled=False)

    @property
    def tiles(self) -> "Locator":
        """The tiles of the drawn box."""
        return self.page.get_by_role("region", name="The box").get_by_role("group").get_by_role("button")

    @property
    def moves(self) -> "Locator":
        """The legal moves in the list."""
        return self.page.get_by_role("region", name="Moves").get_by_role("listitem").get_by_role("button")

    def tile(self, name: str) -> "Locator":
        """A tile of the drawn box by the beginning of its accessible name, such as `9 in front`."""
        return self.tiles.and_(self.page.get_by_role("button", name=re.compile(f"^{name}\\b")))

    def command(self, name: "str | re.Pattern[str]", by: "Activate | None" = None) -> None:
        """Tap on a button that has the box do something, and wait for its answer."""
        with self.page.expect_response("**/api/commands"):
            # What asks whether one means it stands below what it asks about.
            (by or Device.tap)(self, self.button(name).last)

    def deed(self, name: str) -> None:
        """Tap on a button of the drawer that has a hand reach into the simulated box, and wait until it has."""
        with self.page.expect_response("**/api/simulated/deeds"):
            self.button(name).click()

    def tap(self, button: "Locator") -> None:
        """Tap on a button with a finger."""
        button.click()

    def act(self, do: str, **words: object) -> None:
        """Have the box do something as this page would, whatever the language of its buttons."""
        sent = self.context.request.post(f"{self.box.url}/api/commands", data={"do": do, **words})
        assert sent.ok, sent.text()

    def throw(self) -> None:
        """Tap on the button that throws."""
        self.command(THROW)

    def shut(self, *tiles: str) -> None:
        """Tap on tiles, and on what asks whether that is meant."""
        for tile in tiles:
            self.tile(tile).click()
        self.command(SHUT)

    def choose_first(self) -> None:
        """Tap on the first move of the list, and on what asks whether that is meant."""
        self.moves.first.click()
        self.command(SHUT)

    def catch_up(self) -> None:
        """Wait until the page shows the table as it is now, and the box waits for people."""
        told = -1
        for look in range(PATIENCE_MS // _LOOK_MS):
            now = self.box.snapshot
            if not _is_busy(now) and self._drawn >= now.number:
                return
            self.page.wait_for_timeout(_LOOK_MS)
            if look % _LOOKS == _LOOKS - 1 and not _is_busy(now) and told != now.number:
                told = now.number
                self.page.evaluate("dispatchEvent(new Event('online'))")
        raise AssertionError(f"the page is behind: {self._drawn} of {self.box.snapshot}")

    @property
    def _drawn(self) -> int:
        """The number of the snapshot that the page shows with all that belongs to it."""
        look = "() => document.querySelector('[aria-busy=true]') ? -1 : window.drawnNumber ?? -1"
        return int(self.page.evaluate(look))

    def play_on(self, others: "tuple[Device, ...]" = (), by: "Activate | None" = None) -> None:
        """Play to the end of the game, each on the device at which it is possible.

        by: how it is done; None: by tapping, always on the first move of the list.
        """
        for _ in range(_MOST_STEPS):
            self._go_on((self, *others), by)
            if self.box.snapshot.phase == "ended":
                return
        raise AssertionError("the game does not end")

    def _go_on(self, devices: "tuple[Device, ...]", by: "Activate | None") -> None:
        """One step on the device that offers one, as soon as one does, or nothing at the end of the game."""
        for _ in range(PATIENCE_MS // _LOOK_MS):
            for each in devices:
                each.catch_up()
            if self.box.snapshot.phase == "ended" or any(each.step(by) for each in devices):
                return
            # A house player goes on by itself, and buttons rest until the answer to the last command has come.
            self.page.wait_for_timeout(_LOOK_MS)
        raise AssertionError(f"nobody can go on: {self.box.snapshot.say}")

    def step(self, by: "Activate | None" = None) -> bool:
        """Do what this page offers first: choose, accept or throw. False if it offers none of these."""
        if self.moves.count() and by is None:
            self.choose_first()
        elif self.moves.count() and by is not None:
            self._choose_on_box(by)
        elif found := next((name for name in (ACCEPT, THROW) if self.button(name).count()), None):
            self.command(found, by)
        else:
            return False
        return True

    def point(self, button: "Locator") -> None:
        """Tap on a button as somebody does whom others watch."""
        self.page.wait_for_timeout(_SLOWLY_MS)
        button.click()

    def press(self, button: "Locator") -> None:
        """Go to a button by the tabulator key, as who has no pointer, and press it."""
        for _ in range(_MOST_STEPS):
            if button.evaluate("element => element === document.activeElement"):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {button}")

    def find(self, button: "Locator") -> None:
        """Activate a button as a screen reader does, which knows no place of it."""
        button.dispatch_event("click")

    def _choose_on_box(self, by: "Activate") -> None:
        """Choose tile after tile among those that can be part of a move, until they make one."""
        may = self.tiles.and_(self.page.get_by_role("button", name=_MAY_GO, disabled=False, pressed=False))
        while not self.button(SHUT).count():
            by(self, may.first)
        self.command(SHUT, by)

    def correct(self, *dice: int) -> None:
        """Say on the keypad what the dice show instead."""
        self.open_up("Dice wrong?")
        self._type(dice)

    def type_dice(self, *dice: int) -> None:
        """Say on the keypad what the dice show, in the place of the camera."""
        self.open_up("Type the dice")
        self._type(dice)

    def _type(self, dice: Sequence[int]) -> None:
        if not self.page.get_by_role("group", name="Die 1").is_visible():
            self.page.get_by_text("Other dice").click()
        for number, value in enumerate(dice, start=1):
            self.page.get_by_role("group", name=f"Die {number}").get_by_role("radio", name=str(value)).check()
        self.command("That is what they show")

    @property
    def _spoken(self) -> "Locator":
        """The one region that speaks by itself; at once where something is amiss."""
        return self.page.get_by_role("status").or_(self.page.get_by_role("alert"))

    def open_up(self, name: str) -> None:
        """Open what is folded below this name, where it is."""
        folded = self.page.get_by_text(name)
        if folded.count():
            folded.click()

    def state_of(self, tile: str) -> str:
        """What is said of a tile's state, such as `shut`."""
        return (self.tile(tile).get_attribute("aria-label") or "").partition(", ")[2]

    def expect_notice(self, words: "str | re.Pattern[str]") -> None:
        """Wait until the sentence, or what stands below it, has these words in it."""
        _expect(self._spoken.first).to_contain_text(words)

    def expect_no_notice(self) -> None:
        """Wait until nothing stands below the sentence."""
        _expect(self._spoken.get_by_role("paragraph")).to_have_count(0)

    def expect_say(self, words: "str | re.Pattern[str]", for_s: float = PATIENCE_MS / 1000) -> None:
        """Wait until the sentence has these words in it."""
        _expect(self.page.get_by_role("heading", level=1)).to_contain_text(words, timeout=1000 * for_s)


def expect_text(locator: "Locator", words: "str | re.Pattern[str] | list[str]") -> None:
    """Wait until what is found has these words in it; a list of words: just as many, in this order."""
    _expect(locator).to_contain_text(words)


def _expect(locator: "Locator") -> "LocatorAssertions":
    # Where playwright is missing, tests are skipped that have loaded this file.
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE_MS)
    return expect(locator)


def _is_busy(now: Snapshot) -> bool:
    """True while the box goes on by itself; a house player takes no finger's help to choose, or to end its turn."""
    return now.phase == "moving" or now.reading or (now.house and now.phase in {"choosing", "turn_lost"})


@contextmanager
def use(browser: "Browser", box: Box, kind: Kind = TABLET, **of_context: object) -> Iterator[Device]:
    """A device of this kind at the table, put away at the end; whatever its pages complained of fails the test."""
    size = {"width": kind.width, "height": kind.height}
    options: dict[str, object] = {"viewport": size, "has_touch": kind.touch, "reduced_motion": "reduce", **of_context}
    with browser.new_context(**options) as context:
        device = Device(context, box)
        yield device
        assert not device.complaints
