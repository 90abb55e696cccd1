"""What a page shows in a language that nobody speaks: writing that nobody has translated, and writing cut off."""

from tests.browser.pages.device import Device
from tests.support.pseudo import outside

# What stands on a page as it is, whatever the language: names of people, of languages and of the box.
_ITS_OWN = ("Ann", "Ben", "House", "English", "Deutsch", "Français", "two-level-9")

# Text as it is read, a block at a time: what is translated may go over several elements. And names that are spoken.
# What has a language of its own, as the lines for whoever repairs a box, stays in it.
_ALL = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [document.title];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest("script, style, template, noscript, textarea, [lang]:not(html)")) continue;
    const block = (element.closest("a, button, p, h1, h2, li") ?? node).cloneNode(true);
    block.querySelectorAll?.("[lang]").forEach(each => each.remove());
    found.push(block.textContent);
  }
  for (const name of ["aria-label", "alt", "title", "placeholder"])
    for (const element of document.querySelectorAll(`[${name}]`)) found.push(element.getAttribute(name));
  return [...new Set(found.map(text => text.replace(/\\s+/g, " ").trim()).filter(Boolean))];
}"""

# The picture of the box is left out: a scene has corners behind its frame; and text that can be opened.
_CUT_OFF = """() => {
  const left = ".sr, .skip, .view, [hidden], .folds:has(> .unfold:not([hidden]))";
  const all = [...document.querySelectorAll("body *")].filter(each => !each.closest(left) && each.checkVisibility());
  const isCut = each => getComputedStyle(each).overflowX !== "visible" && each.textContent.trim() &&
    (each.scrollWidth > each.clientWidth + 1 || (each.scrollHeight > each.clientHeight + 1 && each.tabIndex < 0));
  const isBeside = each => {
    const { left, right } = each.getBoundingClientRect();
    return right > innerWidth + 1 || left < -1;
  };
  const name = each => `${each.tagName}.${each.className}: ${each.textContent.trim().slice(0, 60)}`;
  return [
    ...all.filter(isCut).map(each => `cut off: ${name(each)}`),
    ...all.filter(isBeside).map(each => `beside the page: ${name(each)}`),
  ];
}"""


def find_raw(device: Device) -> list[str]:
    """Writing with letters that nobody has translated."""
    texts: list[str] = device.page.evaluate(_ALL)
    return [text for text in texts if _has_words(outside(text))]


def find_cut_off(device: Device) -> list[str]:
    """Writing that does not fit into its element, or lies beside the page."""
    found: list[str] = device.page.evaluate(_CUT_OFF)
    return found


def _has_words(text: str) -> bool:
    for each in _ITS_OWN:
        text = text.replace(each, "")
    return sum(map(str.isalpha, text)) > 1
