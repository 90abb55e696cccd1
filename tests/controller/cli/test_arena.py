"""`shutbox arena` and `shutbox engine` as they are called."""

from pathlib import Path

from controller.runtime.output import Exit
from tests.controller.conftest import Shutbox

STOPS = """sh -c 'read x; echo hello 1 Bad; while read x; do case "$x" in go*) echo best 1 2;; esac; done'"""


def test_where_one_is_left_alone_the_arena_says_so_and_ends_in_no(shutbox: Shutbox, tmp_path: Path) -> None:
    log = tmp_path / "log"
    status, out, err = shutbox("arena", STOPS, "house", "--game", "pub", "--games", "5", "--log", str(log))
    assert status == Exit.NO
    assert "'1 2' tells no tiles of this game, two of which are 89" in out
    assert "Only 1 of 5 games were played" in err
    assert "1 > best 1 2" in log.read_text().splitlines()
    assert shutbox("arena", "house", "house", "--game", "pub", "--games", "5")[0] == Exit.DONE


def test_a_log_that_cannot_be_written_is_a_wrong_call(shutbox: Shutbox, tmp_path: Path) -> None:
    log = str(tmp_path / "no" / "log")
    status, out, err = shutbox("arena", "house", "house", "--game", "pub", "--games", "2", "--log", log)
    assert (status, out) == (Exit.WRONG_CALL, "")
    assert log in err.splitlines()[-1]
    status, out, err = shutbox("engine", "--log", str(tmp_path / "log"))
    assert (status, out) == (Exit.WRONG_CALL, "")
    assert "say --seat NAME" in err
