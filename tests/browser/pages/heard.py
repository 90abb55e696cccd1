"""What a screen reader tells of a page: what it speaks by itself, and what one finds by walking through it.

`make heard` writes the transcripts of a short game anew, in every language.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from controller.messages.words import LANGUAGES
from tests.browser.box_thread import FAST, BoxThread, serve_box
from tests.browser.chromium import launch
from tests.browser.pages.device import PHONE, Device, use
from tests.browser.pages.states import ANN, BEN, start

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = Path(__file__).parents[2] / "data" / "heard"
_IS_MARK = re.compile(r'\s*- text: "\d+"')  # of a tile, within its button, whose name has it

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
        self._device = device
        self._known: list[str] = []
        device.context.add_init_script(_LISTEN)

    def hear(self) -> str:
        """The last thing that was spoken by the page once nothing moves any more."""
        self._device.catch_up()
        spoken: list[str] = self._device.page.evaluate("() => window.spoken.splice(0)")
        return spoken[-1] if spoken else "(nothing)"

    def walk(self) -> Iterator[str]:
        """What has another name or state than at the last walk through the page, and what has come."""
        tree = self._device.page.get_by_role("main").aria_snapshot().splitlines()
        # Who hears has the whole of a text, whether or not its place cuts it off for who sees it.
        opens = f'button "{self._device.page.locator(".unfold").first.get_attribute("aria-label")}"'
        lines = [line.strip(" -").removesuffix(":") for line in tree if not _IS_MARK.match(line)]
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


def main() -> None:
    """Write all of them anew."""
    # Where playwright is missing, tests are skipped that have loaded this file.
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for language in LANGUAGES:
            (FOLDER / f"{language}.txt").write_text(tell(browser, language), "utf-8")
        browser.close()


if __name__ == "__main__":
    main()
