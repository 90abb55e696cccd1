"""The page of `shutbox selftest --report`: the box drawn, findings, wear and travel times, made for printing.

Nothing but what is in the page is needed to show it: no script, no other file.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from xml.etree import ElementTree as ET

from firmware.selftest.findings import SelftestReport, TileTimes
from firmware.selftest.wear import SelftestNote, WearBook, wear_notes
from hardware.box import Box
from hardware.errors import Fault
from hardware.tiles import TileId

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
h1 { margin-bottom: 0; } h2 { margin-top: 2em; font-size: 1.15em; }
.verdict { font-size: 1.2em; font-weight: 600; } .good { color: #18632f; } .bad { color: #a01818; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35em .6em .35em 0; vertical-align: top; }
td:nth-child(-n+2) { white-space: nowrap; }
tr { border-top: 1px solid #ddd; break-inside: avoid; } thead tr { border-top: 0; }
svg { width: 100%; height: auto; } svg text { font-family: system-ui, sans-serif; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } }
"""
_COLOURS = {"well": "#bfe3c6", "worn": "#f7e08a", "broken": "#f0a3a3", "untested": "#dddddd"}
_WORDS = {"well": "as it should be", "worn": "look at it", "broken": "broken", "untested": "not tested"}
_TILE, _GAP, _NAME_PX = 64, 8, 13
_BAR_PX, _ROW_PX, _LEFT_PX, _WIDE_PX = 6, 30, 80, 900
_MOST_TESTS = 3  # earlier self-tests drawn beside this one: more strokes on a bar 6 px high cannot be told apart


def render_page(box: Box, report: SelftestReport, book: WearBook, date: datetime) -> str:
    """The page as HTML. `book` holds the self-tests before this one and what the tiles have done."""
    html = ET.Element("html", lang="en")
    head = ET.SubElement(html, "head")
    ET.SubElement(head, "meta", charset="utf-8")
    ET.SubElement(head, "title").text = f"Self-test of {box.name}, {date:%Y-%m-%d %H:%M}"
    ET.SubElement(head, "style").text = _STYLE
    body = ET.SubElement(html, "body")
    ET.SubElement(body, "h1").text = f"Self-test of {box.name}"
    ET.SubElement(body, "p").text = f"{box.summary}. {date:%Y-%m-%d %H:%M}."
    good = "good" if report.passed else "bad"
    ET.SubElement(body, "p", {"class": f"verdict {good}"}).text = _verdict(report)
    notes = wear_notes(book.with_test(report, date), box.tile_ids)
    worn = {tile: note.say for tile, note in notes.items()}
    body.append(_drawing(box, _health(box, report, worn)))
    body.extend(_findings(report))
    body.extend(_wear(worn))
    body.extend(_travel(report.tiles, book.tests))
    return "<!doctype html>\n" + ET.tostring(html, encoding="unicode", method="html") + "\n"


def _verdict(report: SelftestReport) -> str:
    if report.passed:
        return "Passed: every part that was tested does what it should."
    count = len(report.findings)
    untested = f"; {len(report.untested)} tiles could not be tested because of that" if report.untested else ""
    return f"Failed: {count} finding{'s' if count != 1 else ''}{untested}."


def _health(box: Box, report: SelftestReport, worn: Mapping[TileId, str]) -> dict[TileId, str]:
    broken = {finding.part for finding in report.findings}
    found = {}
    for tile in box.tile_ids:
        name = str(tile)
        state = "broken" if name in broken else "untested" if name in report.untested else "well"
        found[tile] = "worn" if state == "well" and tile in worn else state
    return found


def _drawing(box: Box, health: Mapping[TileId, str]) -> ET.Element:
    """The tiles as they stand in the tray, the back row above, coloured by health, with a legend below."""
    step = _TILE + _GAP
    wide, high = box.columns * step + _GAP, box.rows * step + _GAP + 2 * _NAME_PX
    svg = ET.Element("svg", viewBox=f"0 0 {wide} {high}", role="img")
    ET.SubElement(svg, "title").text = "The tiles by their health"
    for number, tile in enumerate(box.tile_ids):
        row, column = divmod(number, box.columns)
        x, y = _GAP + column * step, _GAP + (box.rows - 1 - row) * step
        size = {"width": str(_TILE), "height": str(_TILE), "rx": "6"}
        ET.SubElement(svg, "rect", {"x": str(x), "y": str(y), **size, "fill": _COLOURS[health[tile]], "stroke": "#555"})
        _text(svg, x + _TILE / 2, y + _TILE / 2 + _NAME_PX / 3, str(tile), anchor="middle")
    x = _GAP
    for state in dict.fromkeys(health.values()):
        place = {"x": str(x), "y": str(high - _NAME_PX - 4), "width": "12", "height": "12"}
        ET.SubElement(svg, "rect", {**place, "fill": _COLOURS[state], "stroke": "#555"})
        _text(svg, x + 18, high - 6, _WORDS[state])
        x += 150
    return svg


def _text(parent: ET.Element, x: float, y: float, words: str, *, anchor: str = "start") -> None:
    place = {"x": f"{x:g}", "y": f"{y:g}", "font-size": str(_NAME_PX), "text-anchor": anchor}
    ET.SubElement(parent, "text", place).text = words


def _findings(report: SelftestReport) -> Iterator[ET.Element]:
    if report.findings:
        yield _headed("What is wrong, and what to do")
        yield _table(("Part", "Code", "Expected", "Seen", "What to do"), map(_finding, report.findings))
    if report.untested:
        yield _headed("Not tested because of that")
        untested = ET.Element("p")
        untested.text = ", ".join(report.untested)
        yield untested


def _finding(fault: Fault) -> tuple[str, ...]:
    return fault.part, fault.code, fault.expected, fault.seen, fault.cure


def _wear(worn: Mapping[TileId, str]) -> Iterator[ET.Element]:
    if worn:
        yield _headed("What wears")
        listed = ET.Element("ul")
        for sentence in worn.values():
            ET.SubElement(listed, "li").text = sentence
        yield listed


def _headed(words: str) -> ET.Element:
    heading = ET.Element("h2")
    heading.text = words
    return heading


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> ET.Element:
    table = ET.Element("table")
    names = ET.SubElement(ET.SubElement(table, "thead"), "tr")
    for name in head:
        ET.SubElement(names, "th").text = name
    body = ET.SubElement(table, "tbody")
    for row in rows:
        line = ET.SubElement(body, "tr")
        for cell in row:
            ET.SubElement(line, "td").text = cell
    return table


def _travel(tiles: Sequence[TileTimes], tests: Sequence[SelftestNote]) -> Iterator[ET.Element]:
    """A pair of bars a tile, down and up, with a stroke for each of the last tests."""
    if not tiles:
        return
    yield _headed("Travel times")
    explained = ET.Element("p")
    explained.text = "Bars: this test, down above, up below. Strokes: the tests before it, the last one darkest."
    yield explained
    earlier = tests[-_MOST_TESTS:]
    before = [time for test in earlier for pair in test.times_s.values() for time in pair]
    now = [time for times in tiles for time in (times.down_s, times.up_s)]
    seconds = [time for time in (*before, *now) if time is not None]
    most_s = max([0.5, *seconds])
    svg = ET.Element("svg", viewBox=f"0 0 {_WIDE_PX} {len(tiles) * _ROW_PX + 20}", role="img")
    ET.SubElement(svg, "title").text = "Travel times of the tiles"
    scale = (_WIDE_PX - _LEFT_PX - 70) / most_s
    for number, times in enumerate(tiles):
        y = number * _ROW_PX + 8
        _text(svg, 0, y + 12, str(times.tile))
        for line, (now_s, colour) in enumerate(((times.down_s, "#4a7fb5"), (times.up_s, "#9bbfe0"))):
            _bar(svg, y + line * (_BAR_PX + 3), now_s, colour, scale)
            for age, test in enumerate(earlier, 1):
                before_s = test.times_s.get(str(times.tile), (None, None))[line]
                _stroke(svg, y + line * (_BAR_PX + 3), before_s, scale, age / len(earlier))
    yield svg


def _bar(svg: ET.Element, y: float, seconds: float | None, colour: str, scale: float) -> None:
    if seconds is None:
        return
    size = {"width": f"{seconds * scale:.1f}", "height": str(_BAR_PX), "fill": colour}
    ET.SubElement(svg, "rect", {"x": str(_LEFT_PX), "y": f"{y:g}", **size})
    place = {"x": f"{_LEFT_PX + seconds * scale + 5:.1f}", "y": f"{y + _BAR_PX:g}", "font-size": "9"}
    ET.SubElement(svg, "text", place).text = f"{seconds:.2f} s"


def _stroke(svg: ET.Element, y: float, seconds: float | None, scale: float, part: float) -> None:
    if seconds is None:
        return
    x = f"{_LEFT_PX + seconds * scale:.1f}"
    ends = {"x1": x, "x2": x, "y1": f"{y - 1:g}", "y2": f"{y + _BAR_PX + 1:g}"}
    ET.SubElement(svg, "line", {**ends, "stroke": "#222", "stroke-opacity": f"{part:.2f}"})
