"""The card and the power cut, without any mount."""

import random
from collections.abc import Iterator

import pytest

from tests.campaigns.crashes.card import PAGE, Card, Deed
from tests.campaigns.crashes.power_cut import CutKind, cut_power

CUTS = 60
HONEST: tuple[CutKind, ...] = ("lost", "torn", "flipped")
OLD, NEW = b"o" * PAGE, b"n" * PAGE


def found_after(log: list[Deed], kind: CutKind) -> Iterator[dict[str, bytes]]:
    """What is found after many cuts of one kind."""
    return (cut_power(log, kind, random.Random(seed)).files for seed in range(CUTS))


def card_with(name: str, data: bytes) -> tuple[Card, int]:
    """A card with one file on it, and the number of that."""
    card = Card()
    file = card.make(name)
    card.write(file, 0, data)
    card.sync(file)
    card.sync_names()
    return card, file


def test_a_running_process_sees_what_it_has_done() -> None:
    card, file = card_with("/a", b"abcdef")
    card.write(file, 8, b"z")
    assert card.read(file, 0, 100) == b"abcdef\0\0z"
    card.resize(file, 3)
    card.resize(file, 5)
    assert (card.read(file, 1, 4), card.size(file)) == (b"bc\0\0", 5)

    card.rename("/a", "/b")
    other = card.make("/a")
    assert card.names == {"/a": other, "/b": file}
    card.remove("/a")
    card.write(other, 0, b"still open")
    assert card.read(other, 0, 5) == b"still"
    assert card.names == {"/b": file}


@pytest.mark.parametrize("kind", HONEST)
def test_what_was_synced_is_there_after_every_cut_of_a_card_that_keeps_its_word(kind: CutKind) -> None:
    card, file = card_with("/a", OLD + OLD)
    card.write(file, 2 * PAGE, NEW)

    assert {files["/a"][: 2 * PAGE] for files in found_after(card.log, kind)} == {OLD + OLD}


def test_pages_that_were_not_synced_are_lost_each_for_itself_and_leave_zeros() -> None:
    card, file = card_with("/a", b"")
    card.write(file, 0, b"1" * PAGE + b"2" * PAGE)

    found = {files["/a"][::PAGE] for files in found_after(card.log, "lost")}
    assert found == {b"", b"1", b"\x002", b"12"}


def test_a_torn_page_is_new_up_to_the_border_of_a_sector() -> None:
    card, file = card_with("/a", OLD)
    card.write(file, 0, NEW)

    lengths = {files["/a"].count(b"n") for files in found_after(card.log, "torn")}
    assert len(lengths) > 3
    assert {length % 512 for length in lengths} == {0}


def test_a_flipped_page_has_one_other_bit() -> None:
    card, file = card_with("/a", OLD)
    card.write(file, 0, NEW)

    for files in found_after(card.log, "flipped"):
        differing = [one ^ ord("n") for one in files["/a"] if one != ord("n")]
        assert [bits.bit_count() for bits in differing] == [1]


def test_a_lying_card_loses_what_was_synced_last_and_never_what_was_long_before() -> None:
    card, file = card_with("/a", OLD)
    for _ in range(20):
        card.sync(file)
    other = card.make("/b")
    card.write(other, 0, NEW)
    card.sync(other)
    card.sync_names()

    found = [*found_after(card.log, "lying")]
    assert {files["/a"] for files in found} == {OLD}
    assert {files.get("/b") for files in found} > {None, NEW}


@pytest.mark.parametrize("kind", HONEST)
def test_names_survive_in_their_order_and_all_that_were_synced(kind: CutKind) -> None:
    card, _ = card_with("/old", OLD)
    new = card.make("/.new")
    card.write(new, 0, NEW)
    card.sync(new)
    card.rename("/.new", "/old")
    card.make("/last")

    found = [frozenset(files.items()) for files in found_after(card.log, kind)]
    assert {frozenset(dict(files)) for files in found} == {
        frozenset({"/old"}),
        frozenset({"/old", "/.new"}),
        frozenset({"/old", "/last"}),
    }
    assert {dict(files)["/old"] for files in found} == {OLD, NEW}
    card.sync_names()
    assert all(files == {"/old": NEW, "/last": b""} for files in found_after(card.log, kind))


def test_a_file_that_was_synced_and_whose_name_was_not_may_have_none() -> None:
    card = Card()
    card.sync(card.make("/a"))

    assert {"/a" in files for files in found_after(card.log, "lost")} == {True, False}


def test_only_a_card_that_lies_contradicts_itself_and_not_where_it_goes_back_altogether() -> None:
    card, log = card_with("/log", OLD)
    mark = card.make("/mark")
    card.sync_names()
    for _ in range(8):
        card.sync(log)
    for file in (log, mark):
        card.write(file, 0, NEW)
        card.sync(file)

    def cuts(kind: CutKind) -> set[tuple[bool, bool, bool]]:
        """Whether the log is new, whether its mark is there, and whether that is a contradiction."""
        found = (cut_power(card.log, kind, random.Random(seed)) for seed in range(CUTS))
        return {(each.files["/log"] == NEW, each.files["/mark"] == NEW, each.contradictory) for each in found}

    assert {cut for kind in HONEST for cut in cuts(kind)} == {(True, True, False)}
    assert cuts("lying") == {(True, True, False), (True, False, False), (False, False, False), (False, True, True)}


def test_the_same_seed_is_the_same_cut() -> None:
    card, file = card_with("/a", OLD)
    card.write(file, 100, NEW * 5)

    assert cut_power(card.log, "torn", random.Random(7)) == cut_power(card.log, "torn", random.Random(7))
