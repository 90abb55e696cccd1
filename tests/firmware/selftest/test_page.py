"""The page of a self-test: everything is told, nothing is fetched, and what people wrote is no markup."""

from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

from firmware.selftest.findings import SelftestReport, TileTimes
from firmware.selftest.page import render_page
from firmware.selftest.wear import WearBook
from hardware.box import load_box
from hardware.errors import Fault

BOX = load_box("two-level-9")
NOW = datetime(2030, 5, 1, 20, 15, tzinfo=UTC)
JAMMED = Fault("H-301", "front-7", "SHUT", "OPEN <b>", "Free it & confirm.")
TIMES = tuple(TileTimes(tile, 0.2, 0.3) for tile in BOX.tile_ids[:6])


class Reader(HTMLParser):
    """What a page shows: its words, its tags, the colours of its tiles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words, self.tags, self.tiles = "", list[str](), list[str | None]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        told = dict(attrs)
        if told.get("width") == "64":
            self.tiles.append(told["fill"])

    def handle_data(self, data: str) -> None:
        self.words += f"{data}\n"


def test_a_sound_box_is_all_green() -> None:
    seen = Reader(render_page(BOX, SelftestReport((), (), TIMES), WearBook(box=BOX.name), NOW))
    assert "Passed" in seen.words
    assert len(seen.tiles) == 18
    assert len(set(seen.tiles)) == 1
    assert all(str(tile) in seen.words for tile in BOX.tile_ids)


def test_findings_untested_and_worn_tiles_are_told_and_coloured() -> None:
    book = WearBook(box=BOX.name, games=30)
    report = SelftestReport((JAMMED,), ("back-3",), TIMES)
    seen = Reader(render_page(BOX, report, book, NOW))
    for words in ("H-301", "OPEN <b>", "Free it & confirm.", "Not tested because of that", "1 finding;"):
        assert words in seen.words
    assert "b" not in seen.tags
    colours = dict(zip(map(str, BOX.tile_ids), seen.tiles, strict=True))
    assert len({colours["front-7"], colours["back-3"], colours["back-5"], colours["front-1"]}) == 4
    assert "back-5 was not seen moving for 30 games" in seen.words
    assert "front-1 was not seen" not in seen.words, "this test has seen it move"


def test_earlier_tests_are_strokes_beside_the_bars() -> None:
    book = WearBook(box=BOX.name)
    plain = Reader(render_page(BOX, SelftestReport((), (), TIMES), book, NOW))
    for day in range(5):
        book = book.with_test(SelftestReport((), (), TIMES), NOW - timedelta(days=day))
    beside = Reader(render_page(BOX, SelftestReport((), (), TIMES), book, NOW))
    assert (plain.tags.count("line"), beside.tags.count("line")) == (0, 3 * 2 * len(TIMES))


def test_nothing_is_fetched() -> None:
    text = render_page(BOX, SelftestReport((JAMMED,), (), TIMES), WearBook(box=BOX.name), NOW)
    assert not {"script", "link", "img", "iframe"} & set(Reader(text).tags)
    assert "http" not in text
