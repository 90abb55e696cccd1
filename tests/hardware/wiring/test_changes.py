"""Changes of a profile: as people read them, in its text with every comment, and in the box itself."""

import pytest

from hardware.box import load_box, parse_box, profile_text
from hardware.errors import BoxProfileError
from hardware.wiring.changes import Change, change_box, rewrite_profile

BOX = "two-level-9"
SWAP = (
    Change(("tiles", "front-3", "servo"), "0x40/2", "0x40/4", "0x40/4 moves front-3"),
    Change(("tiles", "front-5", "servo"), "0x40/4", "0x40/2", "0x40/2 moves front-5"),
)
TURNED = Change(("tiles", "back-2", "reversed"), False, True, "it turns the other way")
HUNG = Change(("camera", "upside_down"), False, True, "its pictures are turned")


def test_a_change_is_said_as_the_file_says_it() -> None:
    assert str(SWAP[0]) == "tiles.front-3.servo: 0x40/2 -> 0x40/4"
    assert str(TURNED) == "tiles.back-2.reversed: false -> true"
    assert str(Change(("clocks", "0x41"), 1.03, None, "")) == "clocks.0x41: 1.03 -> nothing"


def test_the_text_keeps_its_comments_and_says_what_the_box_is() -> None:
    text, changes = profile_text(BOX), (*SWAP, TURNED, HUNG)
    changed = rewrite_profile(text, changes, "mine.toml")
    assert [line for line in text.splitlines() if "#" in line] == [line for line in changed.splitlines() if "#" in line]
    assert parse_box(changed, "mine.toml") == change_box(load_box(BOX), changes)
    assert len(set(changed.splitlines()) - set(text.splitlines())) == 4


def test_a_clock_moves_with_its_board() -> None:
    text = profile_text("classic-9").replace("[tiles]", '[clocks]\n"0x40" = 1.03\n\n[tiles]')
    box = parse_box(text, "mine.toml")
    changes = [
        Change(path, str(wire), str(wire).replace("0x40", "0x41"), "it answers there")
        for path, wire in box.wires()
        if path[-1] == "servo"
    ]
    changes += [Change(("clocks", "0x40"), 1.03, None, ""), Change(("clocks", "0x41"), None, 1.03, "")]
    assert dict(parse_box(rewrite_profile(text, changes, "mine.toml"), "mine.toml").clocks) == {"0x41": 1.03}


def test_what_would_be_no_profile_is_refused() -> None:
    with pytest.raises(BoxProfileError, match=r"^mine.toml:\d+: tiles.front-5.servo: 0x40/4 is used already"):
        rewrite_profile(profile_text(BOX), SWAP[:1], "mine.toml")
    with pytest.raises(BoxProfileError, match="cannot be changed"):
        rewrite_profile("name =", SWAP, "mine.toml")
