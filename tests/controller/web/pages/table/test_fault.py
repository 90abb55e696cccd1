"""Faults on the page: each has its pictures, its code, and just the buttons that who looks may press."""

import re
from dataclasses import replace

import pytest

import firmware.errors
import vision.errors
from controller.game.core.actions import Action
from controller.game.core.commands import Command, ConfirmTiles, Park, ReportFault, StartGame
from controller.game.core.message import compose
from controller.game.core.phases import FoundTile, TileMismatch
from controller.game.core.players import Player
from controller.game.core.sight import CameraState, JobView, SnapshotContext
from controller.game.shutbox.commands import TakeThrow
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.state import Choosing, Game
from controller.game.table.caller import Caller, may
from controller.game.table.engines import decide
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.rules.throw import Throw
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.parts import DrawnParts
from hardware.errors import BoxFault, Fault
from hardware.tiles import Position
from tests.controller.game.shutbox.test_actions import MOMENTS
from tests.support.said import said
from tests.support.together import together

ANN = Caller("page", seats=frozenset({"Ann"}), shares=False)
BOB = Caller("page", seats=frozenset({"Bob"}), shares=False, taken=frozenset({"Ann"}))
CALLERS = (ANN, BOB, Caller("page"), Caller("page", "operator"), Caller("page", "spectator"))
ELSEWHERE = {"roll", "choose", "dice", "correct", "park", "abandon"}  # they have places of their own on the page
CONTEXT = SnapshotContext(1, 1, "two-level-9")


def after(*commands: Command, game: Game | None = None) -> Game:
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
    assert game is not None
    return game


STARTED = (StartGame((Player("Ann"), Player("Bob")), options={"first": "chosen"}), ConfirmTiles())
CHOOSING = after(*STARTED, TakeThrow((5, 3), "camera"))


KINDS = sorted(
    {
        each.code: each
        for module in (firmware.errors, vision.errors)
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, BoxFault)
    }.items()
)
DRAWN = DrawnParts()


def halted(fault: Fault) -> Snapshot:
    return snapshot_of(after(ReportFault(fault), game=CHOOSING), CONTEXT)


def parts(snapshot: Snapshot, caller: Caller = ANN) -> tuple[str, str]:
    """The part of faults and the marks on the drawn box."""
    drawn = DRAWN.of(snapshot, Audience("play", "en", caller))
    return drawn["fault"], drawn["flags"]


def buttons(html: str) -> list[str]:
    return re.findall(r'data-do="(\w+)"', html)


def text(html: str) -> str:
    """What people read: no tags, and not the code, which is small."""
    return re.sub(r"<[^>]*>", " ", re.sub(r'<p class="code">.*?</p>', "", html))


def test_the_codes_are_those_of_both_trees() -> None:
    assert {"H-000", "H-201", "H-301", "H-309", "V-101", "V-105"} <= {code for code, _ in KINDS}


@together("place", ["OPEN", "SHUT"])
@together(("code", "kind"), KINDS)
def test_each_has_three_pictures_its_code_and_a_mark(code: str, kind: type[BoxFault], place: str) -> None:
    part = "front-5" if code.startswith("H-3") else "0x41"
    snapshot = halted(kind(part, expected=place, seen="BETWEEN").fault)
    html, flags = parts(snapshot)
    assert html.count("<svg") == html.count("<li data-who=") == 3
    assert not re.search(r"<p>\s*</p>", html)
    assert f"Code: {code} {part}" in html
    assert ('data-tile="front-5"' in flags) == code.startswith("H-3")
    for raw in ("front-5", code, "OPEN", "SHUT", "%("):
        assert raw not in text(html)


@together("caller", CALLERS)
@together("code", ["H-201", "H-301", "H-302", "H-303", "V-101"])
@together("moment", [name for name, game in MOMENTS.items() if game and not game.is_over])
def test_the_buttons_are_what_who_looks_may_do(moment: str, code: str, caller: Caller) -> None:
    game = MOMENTS[moment]
    assert game is not None
    fault = Fault(code, "front-2", "SHUT", "OPEN", "")
    snapshot = snapshot_of(after(ReportFault(fault), game=game), CONTEXT)
    html, _ = parts(snapshot, caller)
    theirs = [each.kind for each in snapshot.actions if may(each, caller) and each.kind not in ELSEWHERE]
    assert "undo" not in buttons(html)[:-1]
    is_asked = bool(snapshot.fault or snapshot.found)
    assert sorted(buttons(html)) == (sorted(theirs) if is_asked else [])
    assert ("The players at the table answer" in html) == (is_asked and not theirs)


@pytest.mark.parametrize("code", ["C-102", "C-103"])
def test_a_box_that_was_not_calibrated_says_how_it_is(code: str) -> None:
    html, _ = parts(halted(Fault(code, "calibration", "measured end points", "none", "")))
    assert f"Code: {code} calibration" in html
    assert "Pause the game, and calibrate the servos: shutbox calibrate servos." in text(html)


def test_what_cannot_be_taken_back_is_asked_once_more() -> None:
    undo = Action("undo", "take it back", ("Ann",), vouched=("front-5",))
    halt = halted(Fault("H-201", "i2c", "an end", "none", ""))
    html, _ = parts(replace(halt, actions=(undo,)))
    assert 'data-do="undo" data-asks="I watch the tiles move: undo" data-vouched>' in html


def test_in_a_single_row_a_tile_is_called_by_its_mark_alone() -> None:
    game = after(StartGame((Player("Ann"),), game="pub"), ConfirmTiles())
    jam = ReportFault(Fault("H-301", "front-5", "SHUT", "OPEN", ""))
    html, flags = parts(snapshot_of(after(jam, game=game), CONTEXT))
    assert "The box has let go of the 5." in html
    assert "<span>5, stuck</span>" in flags


def test_the_tile_in_question_is_drawn_as_it_is_with_where_it_should_be() -> None:
    game = after(ReportFault(Fault("H-301", "front-5", "SHUT", "OPEN", "")), game=CHOOSING)
    sight = CameraState({"front-5": Position.OPEN})
    drawn = DRAWN.of(snapshot_of(game, replace(CONTEXT, sight=sight)), Audience("play", "en", ANN))
    assert re.search(r'id="front-5"[^>]*data-s="open"', drawn["box"])
    assert 'data-tile="front-5" data-ghost="shut"' in drawn["flags"]
    assert "5 in front, stuck" in drawn["flags"]


def test_after_a_cut_every_tile_that_differs_is_drawn_with_the_answers() -> None:
    found = (
        FoundTile("front-2", Position.OPEN, Position.SHUT),
        FoundTile("front-8", Position.OPEN, Position.BETWEEN),
        FoundTile("back-3", Position.OPEN, Position.UNKNOWN),
    )
    throw = Choosing(Throw((5, 3)))
    sight = CameraState({tile.name: tile.seen for tile in found})
    snapshot = snapshot_of(replace(CHOOSING, phase=TileMismatch(found, throw)), replace(CONTEXT, sight=sight))
    drawn = DRAWN.of(snapshot, Audience("play", "en", ANN))
    assert re.findall(r'data-tile="([\w-]+)" data-ghost="(\w+)"', drawn["flags"]) == [
        ("front-2", "open"),
        ("front-8", "open"),
        ("back-3", "open"),
    ]
    assert re.findall(r'id="(front-2|front-8)"[^>]*data-s="(\w+)"', drawn["box"]) == [
        ("front-2", "shut"),
        ("front-8", "stuck"),
    ]
    assert not buttons(drawn["acts"])
    assert buttons(drawn["fault"])[:2] == ["put_right", "correct_game"]
    assert "The 2 in front is down and should be up" in drawn["fault"]
    assert "the box notices" in drawn["fault"]


def test_a_tile_that_was_moved_by_hand_is_said_to_be_noticed() -> None:
    html, _ = parts(halted(Fault("H-303", "front-5", "OPEN", "SHUT", "")))
    assert "If you put it back by hand, the box notices" in html
    assert "Lift the tile gently until it stands." in html


def test_at_a_drawn_box_a_tap_on_the_marked_tile_is_the_hand_that_puts_it_right() -> None:
    moved = after(ReportFault(Fault("H-303", "front-5", "OPEN", "SHUT", "")), game=CHOOSING)
    snapshot = snapshot_of(moved, replace(CONTEXT, simulated=True))
    html, flags = parts(snapshot)
    assert 'data-tile="front-5" data-ghost="open" data-tip="OPEN"' in flags
    assert "Tap a marked tile" in html
    assert "data-tip" not in parts(snapshot, Caller("page", "spectator"))[1]
    jammed = halted(Fault("H-301", "front-5", "OPEN", "SHUT", ""))
    assert "data-tip" not in parts(replace(jammed, simulated=True))[1]


def test_what_was_broken_on_purpose_is_mended_where_it_is_told() -> None:
    game = after(ReportFault(Fault("H-301", "front-5", "SHUT", "OPEN", "")), game=CHOOSING)
    snapshot = snapshot_of(game, replace(CONTEXT, simulated=True, sight=CameraState(broken=("jam:front-5",))))
    html, _ = parts(snapshot)
    assert "Press the tile gently" not in html
    assert "It was broken on purpose: mend it, below." in html
    assert re.findall(r'<span>(5 in front: [^<]+)</span><button[^>]*data-lift="jam:front-5"', html)
    assert re.findall(r'class="b go[^>]*data-(?:lift|do)="([^"]+)"', html) == ["jam:front-5"]
    looks_on, _ = parts(snapshot, Caller("page", "spectator"))
    assert "data-lift" not in looks_on


def test_tiles_that_differ_are_listed_once() -> None:
    found = (FoundTile("front-2", Position.OPEN, Position.SHUT), FoundTile("front-3", Position.OPEN, Position.SHUT))
    snapshot = snapshot_of(replace(CHOOSING, phase=TileMismatch(found, Choosing(Throw((5, 3))))), CONTEXT)
    drawn = DRAWN.of(snapshot, Audience("play", "en", ANN))
    assert text(drawn["say"]).split() == ["Something", "moved", "while", "the", "box", "was", "off."]
    assert drawn["fault"].count("2 in front") == 1
    assert "should be" not in drawn["flags"]


def test_a_reading_that_was_refused_offers_what_it_wavers_between() -> None:
    notice = (compose("reading.unsure"),)
    sight = CameraState(eye="doubtful", likely=((5, 3), (5, 2)))
    waiting = after(*STARTED)
    snapshot = snapshot_of(waiting, replace(CONTEXT, notice=notice, sight=sight))
    html, _ = parts(snapshot)
    assert re.findall(r'data-do="dice" data-dice="([\d ]+)">([^<]+)<', html) == [("5 3", "5 and 3"), ("5 2", "5 and 2")]
    assert "data-dice" not in parts(snapshot, BOB)[0]


def test_a_closed_lid_is_a_picture_before_it_is_a_fault() -> None:
    notice = (compose("lid.closed"),)
    html, _ = parts(snapshot_of(CHOOSING, replace(CONTEXT, notice=notice)))
    assert "Open the lid." in text(html)
    assert not buttons(html)
    assert "data-waits" not in html


def test_a_pause_under_a_closed_lid_says_to_open_it() -> None:
    parked = after(Park(), game=CHOOSING)
    for sight, says in ((CameraState(lid="closed"), True), (CameraState(), False)):
        html, _ = parts(snapshot_of(parked, replace(CONTEXT, sight=sight)))
        assert ("Open the lid." in html) is says
        assert ("go_on" in buttons(html)) is says


def test_without_power_it_says_what_happens_and_whoever_plays_has_it_back() -> None:
    dark = snapshot_of(CHOOSING, replace(CONTEXT, job=JobView("outage")))
    html, _ = parts(dark)
    assert "The power is out." in html
    assert "data-waits" in html
    assert buttons(html) == ["park"]
    assert "Power on again" in html
    assert not buttons(parts(dark, Caller("page", "spectator"))[0])


@pytest.mark.parametrize("fault", [Fault(code, "front-5", "OPEN", "SHUT", "") for code in ("H-301", "H-303")])
def test_the_answer_is_called_as_the_sentence_has_offered_it(fault: Fault) -> None:
    snapshot = halted(fault)
    html, _ = parts(snapshot)
    [label] = re.findall(r'data-do="try_again"[^>]*>([^<]+)<', html)
    assert label in ("Let the box do it", "Let the box try again")
    assert label.lower() in said(snapshot.messages[0]).lower()


def test_the_answer_to_tiles_that_differ_is_called_as_the_question_has_it() -> None:
    found = (FoundTile("front-2", Position.OPEN, Position.SHUT),)
    snapshot = snapshot_of(replace(CHOOSING, phase=TileMismatch(found, Choosing(Throw((5, 3))))), CONTEXT)
    [label] = re.findall(r'data-do="put_right"[^>]*>([^<]+)<', parts(snapshot)[0])
    assert label.lower() in said(snapshot.messages[0]).lower()


@pytest.mark.parametrize("job", [None, JobView("selftest")])
def test_where_all_is_well_there_is_nothing(job: JobView | None) -> None:
    html, flags = parts(snapshot_of(CHOOSING, replace(CONTEXT, job=job)))
    assert not html.strip()
    assert not flags.strip()
