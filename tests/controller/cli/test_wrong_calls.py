"""Calls that are wrong: each is answered by one line that says what is allowed, and by status 2; nothing is done."""

import shlex
from pathlib import Path

import pytest

from tests.controller.conftest import Shutbox

_HIDDEN_SHUT = "1 2 3 4 5 6 7 8 9/. 8 7 6 5 4 3 2 1"
_PICTURE = "docs/samples/two_dice.jpg"

# Each call with a part of its answer.
_CALLS = {
    "": "play, games, demo",
    "dance": "play, games, demo",
    "plya": "Did you mean 'play'",
    "--verison": "--version",
    "games chess": "two-level, double-shutter",
    "games pbu": "did you mean pub?",
    "games pub golf": "leave out what does not belong here: (golf)",
    "games --jsno": "--json",
    "moves": "a throw is needed",
    "moves --throw 7,7": "1 to 6",
    "moves --throw 5,3,1": "1 or 2 dice",
    "moves --throw five,three": "1 to 6",
    "moves --throw 5,3 --board x": "2 x 9 tiles",
    f"moves --throw 5,3 --board '{_HIDDEN_SHUT}'": "back-9 cannot be shut while front-1 stands before it",
    "moves --throw 5,3 --game chess": "two-level, double-shutter",
    "moves --throw 5,3 --game flett": "did you mean fleet?",
    "moves --throw 5,3 --game fleet": "fleet is a race without tiles",
    "moves --throw 5,3 --game pub --set tiles=99": "1 to 12",
    "moves --throw 5,3 --set reveal=later": "next_throw, same_throw",
    "moves --throw 5,3 --set reveal": "NAME=VALUE",
    "moves --throw 5,3 --set revael=same_throw": "did you mean reveal?",
    "moves --throw 5,3 --set reveal=same_throw --set reveal=next_throw": "given twice",
    "moves --throw 5,3 --set reveal=same_throw --set ' reveal=next_throw'": "given twice",
    "moves --batch /nowhere/at/all": "No such file",
    "moves --batch x.jsonl --throw 5,3": "leave out throw",
    "odds --aim best": "score, shut and at-most:N",
    "odds --aim at-most:-1": "N from 0",
    "odds --aim win --players 1": "2 to 6 players",
    "odds --aim win --players 0": "2 to 6 players",
    "odds --aim win --players 2 --scores 3,4": "not 2 players and scores 3,4",
    "odds --aim win --scores x": "no whole number",
    "odds --players 3": "belong to aim win",
    "demo --game pub --match points --set match=tournament": "say the same option",
    "odds --curve --throw 5,3": "leave out throw and aim",
    "odds --variant /nowhere/v.toml": "cannot be read",
    "odds --marks /nowhere/m.toml": "cannot be read",
    "simulate --turns 0": "say at least 1",
    "simulate --turns x": "say a whole number",
    "simulate --games 10": "--players steady,skilled",
    "simulate --players steady,brilliant --games 10": "careless, casual, steady",
    "simulate --players steady --games 10": "2 to 12 players",
    "simulate --players steady,skilled --turns 10": "leave out --player and --turns",
    "simulate --player genius": "careless, casual, steady",
    "scores --al": "--all",
    "dice /nowhere/at/all": "cannot be opened",
    "replay /nowhere/at/all.sqlite3": "cannot be opened",
    "replay 999999999999999999999999999999": "there is no such file",
    "replay 999": "nobody has played a game yet",
    "settings x": "leave out what does not belong here: (x)",
    "park --faults jam:front-1": "No such option: --faults",
    "mock-box dance": "look, tip TILE OPEN|SHUT|BETWEEN",
    "mock-box tip": "say it as tip TILE",
    "mock-box look": "start one with `shutbox mock-box`",
    "guard --mock": "--mock-box",
    "wiring --box shoe": "two-level-9",
    "selftest": "--mock",
    "selftest --mock --faults jam": "jam:TILE",
    "selftest --mock --report /nowhere/x.html": "/nowhere is no folder",
    "read": "name the pictures",
    "read docs": "a folder, not a picture",
    "read /nowhere/at/all.jpg": "all.jpg",
    f"read {_PICTURE} --dice 0": "say at least 1",
    f"read {_PICTURE} --dice many": "say a whole number",
    f"read {_PICTURE} --dice-set nobody": "it knows pips",
    "demo --games 0": "say at least 1",
    "demo --faults magic:wand": "jam:TILE",
    "demo --faults jam:front-77": "front-1",
    "demo --box shoe": "two-level-9",
    "demo --box classic-9": "boxes that can show it",
    "demo --players ,": "1 to 12 different names",
    "demo --players Ann,Ann": "1 to 12 different names",
    "demo --players House:brilliant": "careless, casual, steady",
    "demo --match chess": "single, tournament",
    "run --faults jam:front-1": "--mock",
    "run --mock-box": "start one with `shutbox mock-box`",
    "play --mock --game chess": "two-level, double-shutter",
    "play --mock --players A,B,C,D,E,F,G,H,I,J,K,L,M": "1 to 12 different names",
    "play --mock --players ''": "1 to 12 different names",
    "play --mock --mock-box": "leave out mock",
    "play --mock --game fleet --players Ann": "fleet is raced by 2 to 6 players, not 1",
    "play --mock --game flash --players A,B,C,D,E,F,G": "flash is raced by 2 to 6 players, not 7",
    "play --mock --game fleet --players A,B --set timer=7": "allowed are 0, 5, 10, 15",
    "play --mock --game fleet --players A,B --match points": "no option 'match' in this game",
    "calibrate": "servos, camera, dice",
    "calibrate chairs": "camera, servos, dice",
    "calibrate servos --mock --tile front-77": "front-1, front-2",
    "calibrate dice --mock": "--name NAME",
    "calibrate dice --mock --name ../x": "is no name for dice",
    "calibrate dice --mock --name pips": "dice with pips need no teaching",
    "calibrate dice --mock --name a --sides 1": "6 or 20",
}


@pytest.mark.parametrize(("call", "says"), _CALLS.items(), ids=_CALLS)
def test_a_wrong_call_is_one_line_and_status_two(shutbox: Shutbox, call: str, says: str, tmp_path: Path) -> None:
    status, out, err = shutbox(*shlex.split(call))

    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".sqlite3", ".toml")]


def test_there_are_sixty_and_more() -> None:
    assert len(_CALLS) >= 60
