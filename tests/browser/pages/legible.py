"""How large and how clear the writing of a screen on the wall is for who stands far away: by calculation."""

import math
import re
from dataclasses import dataclass
from typing import Any

from tests.browser.pages.device import Device

DISTANCE_MM = 4000.0
_DIAGONAL_MM = 43 * 25.4  # an ordinary television
_CAPITAL_EM = 0.7  # the height of capitals, in sizes of the type

# Every piece of writing that is seen: its size on the screen, and its colour before what lies behind it. What is
# foreshortened is as high as it is seen: the scene of the box is tilted.
_WRITING = """() => {
  const groundOf = style => [style.backgroundColor, ...style.backgroundImage.match(/rgb\\([^)]*\\)/g) ?? []]
    .filter(each => !/^rgba.* 0\\)$/.test(each));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue.trim(), element = node.parentElement;
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest(".sr, .skip, script, style")) continue;
    const style = getComputedStyle(element), seen = element.getBoundingClientRect();
    let ground = [];
    for (let at = element; at && !ground.length; at = at.parentElement) ground = groundOf(getComputedStyle(at));
    const flat = element.offsetHeight || seen.height;
    found.push({
      text, size: parseFloat(style.fontSize) * Math.min(1, seen.height / flat), color: style.color, ground,
    });
  }
  return found;
}"""


@dataclass(frozen=True, slots=True)
class Writing:
    """One piece of writing. minutes: of arc, that its capitals are high; contrast: as WCAG has it, 1 to 21."""

    text: str
    minutes: float
    contrast: float


def writing_on(device: Device) -> list[Writing]:
    """All writing that a device shows, as it is for who stands four metres away."""
    found: list[dict[str, Any]] = device.page.evaluate(_WRITING)
    size = device.page.viewport_size or {"width": 0, "height": 0}
    mm = _DIAGONAL_MM / math.hypot(size["width"], size["height"])
    return [
        Writing(each["text"], _minutes(each["size"] * mm), _contrast(each["color"], each["ground"])) for each in found
    ]


def _minutes(size_mm: float) -> float:
    return math.degrees(math.atan2(_CAPITAL_EM * size_mm, DISTANCE_MM)) * 60


def _contrast(color: str, ground: list[str]) -> float:
    """The contrast with what lies behind; with the colour that is nearest, where that is wood of several."""
    return min(_ratio(_luminance(color), _luminance(each)) for each in ground or ["rgb(255, 255, 255)"])


def _ratio(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(each / 255) for each in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _channels(color: str) -> tuple[float, float, float]:
    red, green, blue = map(float, re.findall(r"[\d.]+", color)[:3])
    return red, green, blue
