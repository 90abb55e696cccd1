"""`shutbox bringup` at a terminal of its own: what it answers, and what it leaves behind."""

import json
from pathlib import Path

from controller.settings import load_settings
from hardware.box import load_box
from tests.controller.conftest import Shutbox
from tests.support.operators import two_tiles

SWAPPED = ("bringup", "--mock", "--faults", "swapped:front-1", "--json")


def test_what_it_has_found_is_written_and_the_next_game_is_played_so(shutbox: Shutbox, tmp_path: Path) -> None:
    status, out, err = shutbox(*SWAPPED, "--box", two_tiles(tmp_path), "--yes")
    answer = json.loads(out)
    assert (status, answer["saved"]) == (0, True)
    assert [change["key"] for change in answer["changes"]] == ["tiles.front-1.servo", "tiles.front-2.servo"]
    assert "its channel moves front-2." in err
    assert load_settings(tmp_path / "settings.toml").box == answer["file"]
    assert str(load_box(answer["file"]).tiles[load_box(answer["file"]).tile_ids[0]].servo) == "0x40/5"
    # The simulated box of the next call is one that is wired so.
    status, out, _ = shutbox("bringup", "--mock", "--yes", "--json")
    assert (status, json.loads(out)["findings"]) == (0, [])


def test_where_nobody_can_answer_everything_stays_as_it_was(shutbox: Shutbox, tmp_path: Path) -> None:
    status, out, err = shutbox(*SWAPPED, "--box", two_tiles(tmp_path))
    assert (status, json.loads(out)["saved"]) == (1, False)
    assert err.rstrip().endswith("Cancelled: nothing was changed.")
    assert not list(tmp_path.glob("box-*.toml"))
    assert not (tmp_path / "settings.toml").exists()


def test_a_box_of_metal_is_not_brought_up_off_a_pi(shutbox: Shutbox, tmp_path: Path) -> None:
    status, _, err = shutbox("bringup", "--box", two_tiles(tmp_path), "--yes")
    assert status == 2
    assert "Raspberry Pi" in err
