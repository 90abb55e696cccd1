"""The workshop without a pointer, and with everything twice as large: each control is reached, and all can be read."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, Device, Kind, expect_text
from tests.browser.pages.newly_built import pair
from tests.browser.pages.raw import find_cut_off
from tests.browser.pages.states import STATES
from tests.browser.pages.test_barriers import CARE
from tests.browser.pages.test_care import keep_pictures

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = pytest.mark.long

LAPTOP_TWICE = Kind(640, 360, touch=False)  # 1280 x 720 at 200 %

# What can be used, numbered; a group of radio buttons is one, as the tabulator key has it.
_NUMBER = """() => {
  const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const groups = new Set();
  let count = 0;
  for (const each of document.querySelectorAll(all)) {
    if (each.disabled || !each.checkVisibility({ visibilityProperty: true })) continue;
    const group = each.type === "radio" ? `${each.name}` : "";
    if (group && groups.has(group)) continue;
    if (group) groups.add(group);
    each.dataset.stop = count++;
  }
  return count;
}"""
# The number of what has the focus, how it shows that, and whether it is seen at all.
_FOCUSED = """() => {
  const at = document.activeElement;
  if (at === document.body) return null;
  const stop = at.type === "radio" ? document.querySelector(`[name="${at.name}"][data-stop]`) : at;
  const style = getComputedStyle(at), box = at.getBoundingClientRect();
  return {
    stop: Number(stop.dataset.stop ?? -1), name: at.outerHTML.slice(0, 90),
    marked: style.outlineStyle !== "none" || style.boxShadow !== "none",
    seen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
}"""


def find_unreached(device: Device) -> list[str]:
    """What no tabulator key leads to, and what does not show that it did."""
    page, found = device.page, []
    count, reached = page.evaluate(_NUMBER), set[int]()
    for _ in range(count + 2):
        page.keyboard.press("Tab")
        if (at := page.evaluate(_FOCUSED)) is None:
            continue
        reached.add(at["stop"])
        found += [f"{lack}: {at['name']}" for lack in ("marked", "seen") if not at[lack]]
    lost = [page.locator(f"[data-stop='{number}']") for number in sorted(set(range(count)) - reached)]
    return found + [f"not reached: {each.evaluate('e => e.outerHTML')[:90]}" for each in lost]


def test_keys_lead_to_all_of_the_workshop_and_show_where_they_are(box: BoxThread, take: Use, tmp_path: Path) -> None:
    STATES["choosing"](box)
    phone = pair(box, take(PHONE))
    found = {path: find_unreached(phone.open(path)) for path in (*CARE, *keep_pictures(tmp_path))}
    assert not any(found.values()), found


@pytest.mark.parametrize("way", ["the page", "its writing"])
def test_a_workshop_that_is_twice_as_large_is_all_there(box: BoxThread, take: Use, tmp_path: Path, way: str) -> None:
    STATES["choosing"](box)
    device = pair(box, take(LAPTOP_TWICE if way == "the page" else PHONE))
    if way == "its writing":
        device.page.add_init_script("addEventListener('load', () => document.documentElement.style.fontSize = '200%')")
    found = {path: find_cut_off(device.open(path)) for path in (*CARE, *keep_pictures(tmp_path))}
    assert not any(found.values()), found


def test_a_first_start_is_gone_through_by_keys(box: BoxThread, take: Use) -> None:
    phone = pair(box, take(PHONE))
    page = phone.open("/workshop").page

    def press(name: "str | re.Pattern[str]", role: str = "button") -> "Locator":
        # Some are drawn anew while one goes there.
        control = page.get_by_role(role, name=name).first
        phone.press(control)
        return control

    press(re.compile("^First start"), "link")
    press("English")
    page.wait_for_url("**/workshop/first?step=box")
    press(re.compile("two-level-9"))
    page.wait_for_url("**/workshop/first?step=wires")
    press("Check the wires")
    page.locator(".asked button.go").wait_for()
    press("Done, go on")
    press("End it, with nothing changed")
    expect_text(page.locator("#work"), "nothing was changed")
    press("Later", "link")
    page.wait_for_url("**/workshop/first?step=camera")
    page.get_by_role("link", name="5 Servos").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/workshop/first?step=servos")
    press("Move them by hand")
    press("10 µs on")
    press("End it, with nothing changed")
    expect_text(page.locator("#work"), "Nothing was saved.")
    press("Later", "link")
    page.wait_for_url("**/workshop/first?step=phones")
    press("Play the first game", "link")
    page.wait_for_url("**/start")
    press(re.compile("^Start "))
    page.wait_for_url("**/play")
    assert box.snapshot.is_game_on
