"""The page of a self-test: everything is told, nothing is fetched, and what people wrote is no markup."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

from controller.messages.words import words_in
from controller.web.pages.selftest import draw_selftest
from firmware.selftest.findings import SelftestReport, TileTimes
from firmware.selftest.wear import SelftestResult, WearBook
from hardware.box import load_box
from hardware.errors import Fault

BOX = load_box("two-level-9")
NOW = datetime(2030, 5, 1, 20, 15, tzinfo=UTC)
JAMMED = Fault("H-301", "front-7", "SHUT", "OPEN <b>", "Free it & confirm.")
TIMES = tuple(TileTimes(tile, 0.2, 0.3) for tile in BOX.tile_ids[:6])


def page_of(report: SelftestReport, book: WearBook) -> str:
    return draw_selftest(SelftestResult(BOX, report, book, NOW), words_in("en"))


class Reader(HTMLParser):
    """What a page shows: its words, its tags, and how its drawn tiles do."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words, self.tags, self.tiles = "", list[str](), list[str | None]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        told = dict(attrs)
        if told.get("class") == "t":
            self.tiles.append(told["data-health"])

    def handle_data(self, data: str) -> None:
        self.words += f"{data.strip()}\n"


def test_a_sound_box_is_well_all_over() -> None:
    seen = Reader(page_of(SelftestReport((), (), TIMES), WearBook(box=BOX.name)))
    assert "Passed" in seen.words
    assert seen.tiles == ["well"] * 18
    assert all(str(tile) in seen.words for tile in BOX.tile_ids)


def test_findings_untested_and_worn_tiles_are_told_in_words_and_by_signs() -> None:
    book = WearBook(box=BOX.name, games=30)
    seen = Reader(page_of(SelftestReport((JAMMED,), ("back-3",), TIMES), book))
    for words in ("H-301", "OPEN <b>", "Free it & confirm.", "Not tested because of that", "1 finding."):
        assert words in seen.words
    told = seen.words.split()
    # In the drawing, in its legend, and in the table of all tiles; a finding's own sign besides.
    assert Counter(told)["✕"] >= 3
    for state in ("fine", "look at it", "broken", "not tested"):
        assert seen.words.count(state) >= 2
    # The drawing has the hindmost row first, from the left: back-9 .. back-1, then front-1 .. front-9.
    assert (seen.tiles[6], seen.tiles[4], seen.tiles[15], seen.tiles[9]) == ("untested", "worn", "broken", "well")
    assert "back-5 was not seen moving for 30 games" in seen.words
    assert "front-1 was not seen" not in seen.words, "this test has seen it move"


def test_earlier_tests_are_strokes_beside_the_bars() -> None:
    book = WearBook(box=BOX.name)
    plain = Reader(page_of(SelftestReport((), (), TIMES), book))
    for day in range(5):
        book = book.with_test(SelftestReport((), (), TIMES), NOW - timedelta(days=day))
    beside = Reader(page_of(SelftestReport((), (), TIMES), book))
    assert (plain.tags.count("line"), beside.tags.count("line")) == (0, 3 * 2 * len(TIMES))


def test_a_page_that_is_a_file_fetches_nothing_and_what_is_told_is_no_markup() -> None:
    text = page_of(SelftestReport((JAMMED,), (), TIMES), WearBook(box=BOX.name))
    tags = set(Reader(text).tags)
    assert "style" in tags
    assert not {"script", "link", "img", "iframe"} & tags
    assert "http" not in text
    assert "OPEN &lt;b&gt;" in text
    assert text.startswith("<!doctype html>")
