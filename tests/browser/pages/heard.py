"""What a screen reader tells of a page: what it speaks by itself, and what one finds by walking through it.

`make heard` writes the transcripts of a short game anew, in every language.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from controller.messages.words import LANGUAGES
from tests.browser.box_process import run_box
from tests.browser.box_thread import FAST, BoxThread, serve_box
from tests.browser.chromium import launch
from tests.browser.pages.device import PHONE, Device, use
from tests.browser.pages.newly_built import box_line, pair
from tests.browser.pages.states import ANN, BEN, start

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = Path(__file__).parents[2] / "data" / "heard"
_LOOK_MS = 50
_IS_MARK = re.compile(r'\s*- text: "\d+"')  # of a tile, within its button, whose name has it
# Addresses, files, today's code, and what was measured: of that box on that day.
_DIFFERS = re.compile(
    r"/[a-z]+/[\w/.]+|127\.0\.0\.1:\d+|\b\d{3}\u00a0\d{3}\b|\d+([.,]\d+)?(?= (%|(s|us|µs|px|pixels)\b))"
)

# Keeps what live regions say, whole as `aria-atomic` has it, whenever that has become something else.
_LISTEN = """
  window.spoken = [];
  const regions = "[role=status], [role=alert], [aria-live]";
  const listen = () => {
    const said = new Map();
    const told = () => {
      for (const region of document.querySelectorAll(regions)) {
        const text = region.innerText.replace(/\\s+/g, " ").trim();
        if (text && said.get(region) !== text) window.spoken.push(text);
        said.set(region, text);
      }
    };
    told();
    new MutationObserver(told).observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  addEventListener("DOMContentLoaded", listen);
"""


class Ears:
    """Somebody who hears a device instead of seeing it. Has to be there before the page is opened."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._known: list[str] = []
        device.context.add_init_script(_LISTEN)

    def hear(self) -> str:
        """The last thing that was spoken by the page."""
        spoken: list[str] = self.device.page.evaluate("() => window.spoken.splice(0)")
        return _DIFFERS.sub("...", spoken[-1]) if spoken else "(nothing)"

    def walk(self) -> Iterator[str]:
        """What has another name or state than at the last walk through the page, and what has come."""
        tree = self.device.page.get_by_role("main").aria_snapshot().splitlines()
        # Who hears has the whole of a text, whether or not its place cuts it off for who sees it.
        folded = self.device.page.locator(".unfold")
        opens = f'button "{folded.first.get_attribute("aria-label")}"' if folded.count() else "(nothing is folded)"
        lines = [_DIFFERS.sub("...", line.strip(" -").removesuffix(":")) for line in tree if not _IS_MARK.match(line)]
        lines = [line for line in lines if not line.startswith(opens)]
        yield from (line for line in lines if line not in self._known)
        self._known = lines


class Transcript:
    """What two hear in a short game: Ann, who plays, and somebody who looks on."""

    def __init__(self, box: BoxThread, ann: Device, looker: Device) -> None:
        self._box = box
        self._ears = {"Ann": Ears(ann), "who looks on": Ears(looker)}
        self.lines: list[str] = []

    def step(self, done: str) -> None:
        """Something was done: note what both of them hear then, and what they find that was not there before."""
        self._box.rest()
        self.lines.append(f"> {done}")
        for who, ears in self._ears.items():
            ears.device.catch_up()
            self.lines += [f'{who} hears: "{ears.hear()}"', *(f"    {line}" for line in ears.walk())]
        self.lines.append("")


def tell(browser: "Browser", language: str) -> str:
    """The transcript of a short lesson with a correction and a choice taken back, in a language."""
    with (
        TemporaryDirectory() as folder,
        serve_box(Path(folder), pace=FAST) as box,
        use(browser, box, PHONE, locale=language) as ann,
        use(browser, box, PHONE, locale=language) as looker,
    ):
        start(box, ANN, BEN)
        told = Transcript(box, ann, looker)
        ann.sit("Ann").open("/play?lesson")
        looker.open("/play")
        told.step("Ann sits down to learn, and somebody looks on")
        box.hands.plan((3, 5))
        ann.act("roll")
        told.step("Ann throws 3 and 5")
        ann.act("correct", dice=[4, 5])
        told.step("Ann corrects them to 4 and 5")
        ann.act("choose", tiles=["front-9"])
        told.step("Ann shuts the 9 in front")
        ann.act("undo")
        told.step("Ann takes that back")
        ann.act("choose", tiles=["front-4", "front-5"])
        told.step("Ann shuts the 4 and the 5 in front")
        box.hands.plan((1, 3))
        ann.act("roll")
        told.step("Ann throws 1 and 3")
        ann.act("park")
        told.step("Ann pauses the game")
    return "\n".join(told.lines)


class FirstStart:
    """What an operator hears who sets up a new box and does not see the page."""

    def __init__(self, phone: Device) -> None:
        self.page = phone.page
        self._find = phone.find
        self._ears = Ears(phone)
        self.lines: list[str] = []

    def note(self, done: str) -> None:
        """Something was done: note what is heard then, and what is found that was not there before."""
        self.lines += [f"> {done}", f'hears: "{self._ears.hear()}"', *(f"    {line}" for line in self._ears.walk()), ""]

    def go(self, done: str, link: str) -> None:
        """Go to another page by a link or button."""
        with self.page.expect_navigation():
            self._find(self.page.locator(link))
        self.note(done)

    def work(self, done: str, button: str) -> None:
        """Have the box do something, until it asks or is done."""
        job = self.page.locator("#job")
        before = job.inner_html()
        self._find(self.page.locator(button))
        while job.inner_html() == before or not job.locator("#work:not([data-runs]), .asked button.go").count():
            self.page.wait_for_timeout(_LOOK_MS)
        self.note(done)


def tell_first_start(browser: "Browser", language: str) -> str:
    """The transcript of the first start of a box of six tiles with a swapped plug, in a language."""
    with (
        TemporaryDirectory() as folder,
        run_box(Path(folder), "--faults", "swapped:front-1", settings=box_line(Path(folder))) as box,
        use(browser, box, PHONE, locale=language) as phone,
    ):
        told = FirstStart(pair(box, phone))
        phone.open("/workshop/first")
        told.note("The first start is opened")
        told.go("The language is chosen", f"[data-speak={language}]")
        for what, kind in (("The wires are to be checked", "bringup"), ("The camera is to be measured", "camera")):
            told.work(what, f"[data-order={kind}] [type=submit]")
            while told.page.locator(".asked button.go").count():
                told.work("It is agreed", ".asked button.go")
            told.go("On to the next step", "#next")
        told.work("The servos are to be measured", "[data-order=servos] .go")
        told.work("That is ended", "[data-cancel]")
        told.go("Later", "#next")
    return "\n".join(told.lines)


def main() -> None:
    """Write all of them anew."""
    # Where playwright is missing, tests are skipped that have loaded this file.
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for language in LANGUAGES:
            for name, told in (("", tell), ("first-start-", tell_first_start)):
                (FOLDER / f"{name}{language}.txt").write_text(told(browser, language), "utf-8")
        browser.close()


if __name__ == "__main__":
    main()
