"""How far what a page shows is pushed about while one looks at it, as Chromium measures it: layout shift."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tests.browser.pages.device import Device

_GAP_MS, _WINDOW_MS = 1000, 5000  # of one burst of shifts, as browsers have it

# Kept over a page that is loaded anew. What comes within half a second of a tap or a key does not count.
_NOTE = """
  new PerformanceObserver(list => {
    const kept = JSON.parse(sessionStorage.getItem("shifts") ?? "[]");
    const name = node => {
      const element = node?.nodeType === 1 ? node : node?.parentElement;
      return element ? `#${element.closest("[id]")?.id ?? ""} ${element.localName}.${element.className}` : "(gone)";
    };
    const way = ({ previousRect: from, currentRect: to }) =>
      ["x", "y", "height"].map(side => `${Math.round(from[side])}>${Math.round(to[side])}`).join(" ");
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const sources = entry.sources.map(each => `${name(each.node)} [${way(each)}]`);
      kept.push({ at: performance.timeOrigin + entry.startTime, value: entry.value, sources });
    }
    sessionStorage.setItem("shifts", JSON.stringify(kept));
  }).observe({ type: "layout-shift", buffered: true });
"""
_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


@dataclass(frozen=True, slots=True)
class Shift:
    """What moved in one frame. at_ms: when. value: as Chromium weighs it. sources: what moved most, and how far."""

    at_ms: float
    value: float
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shifts:
    """All that moved on a device."""

    all: Sequence[Shift]

    @property
    def total(self) -> float:
        """The sum of all of them."""
        return sum(each.value for each in self.all)

    @property
    def cumulative(self) -> float:
        """The largest burst of them: what browsers call CLS."""
        largest = burst = 0.0
        began = last = -float("inf")
        for each in self.all:
            if each.at_ms - last > _GAP_MS or each.at_ms - began > _WINDOW_MS:
                began, burst = each.at_ms, 0.0
            burst, last = burst + each.value, each.at_ms
            largest = max(largest, burst)
        return largest

    def __str__(self) -> str:
        worst: dict[str, float] = {}
        for each in self.all:
            source = " ".join(each.sources[:1])
            worst[source] = worst.get(source, 0.0) + each.value
        most = sorted(worst.items(), key=lambda item: -item[1])[:4]
        named = ", ".join(f"{name} {value:.3f}" for name, value in most)
        return f"CLS {self.cumulative:.3f}, in all {self.total:.3f}: {named}"


def watch_shifts(device: Device) -> Device:
    """Note what moves on the device from its next page on."""
    device.context.add_init_script(_NOTE)
    return device


def settle(device: Device) -> None:
    """Wait until the page has painted what it shows."""
    device.page.evaluate(_FRAMES)


def shifts_on(device: Device) -> Shifts:
    """What has moved since the first page."""
    kept = json.loads(device.page.evaluate("sessionStorage.getItem('shifts') ?? '[]'"))
    return Shifts([Shift(each["at"], each["value"], tuple(each["sources"])) for each in kept])
