"""What a caller says: short, each once, whatever else changes on the table meanwhile."""

import pytest

from controller.game.core.message import CATALOGUE, Datum, Message, Messages, compose
from controller.game.table.snapshot import Snapshot
from controller.messages.calls import Announcer, Call, calls_of
from controller.messages.words import LANGUAGES, words_in

ENGLISH = words_in("en")
THROWN: dict[str, Datum] = {"player": "Ann", "dice": (5, 3), "faces": ("5", "3"), "total": 8}
AWAITED: dict[str, Datum] = {"player": "Ann", "thrower": "Ann", "by_house": False, "counts": (2,), "sides": 6}
ENDED = compose("turn.ended", player="Ann", score=17)


def moment(*messages: Message, event: int = 7, in_round: int = 1, board: str = "1 2 3") -> Snapshot:
    return Snapshot(1, "two-level-9", "", game_id=3, event=event, round=in_round, board=board, messages=messages)


def called(*messages: Message, event: int = 7, in_round: int = 1, board: str = "1 2 3") -> list[Call]:
    return [*calls_of(moment(*messages, event=event, in_round=in_round, board=board), ENGLISH)]


def texts(*messages: Message) -> list[tuple[str, str]]:
    """What is heard: who is at turn is also noted where it is not said."""
    return [(call.kind, call.text) for call in called(*messages) if call.text or call.kind != "turn"]


def test_a_throw_is_called_by_its_faces() -> None:
    assert texts(compose("choice.due", **THROWN)) == [("throw", "Ann: 5 and 3.")]
    assert texts(compose("turn.lost", **THROWN, points=17)) == [("throw", "Ann: 5 and 3. Nothing fits.")]
    assert texts(compose("turn.lost_by_seven", **THROWN, points=17)) == [("throw", "Ann: 5 and 3.")]


def test_a_throw_is_called_once_though_the_game_pauses_before_the_choice() -> None:
    due = compose("choice.due", **THROWN)
    assert called(due, event=7) == called(due, event=9)
    corrected = compose("choice.due", **(THROWN | {"dice": (5, 4), "faces": ("5", "4"), "total": 9}))
    assert called(due, event=7) != called(corrected, event=9)
    assert called(due, event=7, board="1 2 3") != called(due, event=9, board="1 . 3")


def test_who_chooses_is_not_next_once_more_when_the_page_came_meanwhile() -> None:
    [choosing] = [call for call in called(compose("choice.due", **THROWN)) if call.kind == "turn"]
    [again] = [call for call in called(compose("throw.awaited", **AWAITED), event=9) if call.kind == "turn"]
    assert (choosing.key, choosing.text) == (again.key, "")


def test_what_happened_comes_before_what_is_now() -> None:
    assert texts(compose("throw.awaited", **AWAITED), ENDED) == [
        ("news", "Ann ends with 17 points."),
        ("turn", "Ann is next."),
    ]


def test_the_tiles_that_everybody_sees_fall_are_a_sound_alone() -> None:
    chosen = compose("choice.made", player="Ann", tiles=("front-8",))
    assert texts(compose("tiles.moving", player="Ann"), chosen) == [("move", "")]


def test_who_is_next_and_what_happened_is_called_once_a_round() -> None:
    awaited = compose("throw.awaited", **AWAITED)
    assert called(awaited, ENDED, event=7) == called(awaited, ENDED, event=9)
    again = called(awaited, ENDED, event=9, in_round=2)
    assert not {call.key for call in again} & {call.key for call in called(awaited, ENDED)}


def test_help_that_is_needed_is_called_for() -> None:
    fault: dict[str, Datum] = {
        "code": "H-101",
        "part": "front-7",
        "expected": "SHUT",
        "seen": "OPEN",
        "cure": "Clear the tile.",
    }
    [(kind, _)] = texts(compose("game.halted", **fault))
    assert kind == "help"
    warned = called(compose("tiles.moving", player="Ann"), compose("fault", **fault), event=7)
    assert [call.kind for call in warned] == ["warning", "move"]
    assert warned[0] == called(compose("tiles.moving", player="Ann"), compose("fault", **fault), event=9)[0]
    lid = texts(compose("tiles.moving", player="Ann"), compose("lid.closed"))
    assert [kind for kind, _ in lid] == ["help", "move"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_can_come_up(spoken: Messages, language: str) -> None:
    calm = compose("table.idle")
    for message in spoken:
        place = CATALOGUE[message.key].place
        messages = (message,) if place == "moment" else (calm, message)
        snapshot = Snapshot(number=1, box="two-level-9", say="", messages=messages)
        for call in calls_of(snapshot, words_in(language)):
            assert call.key
            assert call.text or call.kind in ("move", "turn")


def new_texts(announcer: Announcer, *messages: Message, event: int = 7) -> list[str]:
    """What is said of a moment by somebody who has heard those before."""
    return [call.text for call in announcer.new_calls(moment(*messages, event=event)) if call.text]


def test_who_hears_all_moments_is_told_each_call_once() -> None:
    announcer, awaited, due = Announcer(ENGLISH), compose("throw.awaited", **AWAITED), compose("choice.due", **THROWN)
    paused, resumed = compose("game.paused"), compose("game.resumed")
    assert new_texts(announcer, compose("table.idle"), event=1) == []
    assert new_texts(announcer, awaited, ENDED, event=2) == ["Ann ends with 17 points.", "Ann is next."]
    assert new_texts(announcer, awaited, ENDED, event=2) == []
    assert new_texts(announcer, due, event=3) == ["Ann: 5 and 3."]
    assert new_texts(announcer, paused, event=4) == []
    assert "Ann: 5 and 3." not in new_texts(announcer, due, resumed, event=5)


def test_help_is_called_for_again_once_it_was_given_and_also_of_what_was_before() -> None:
    announcer, moving, lid = Announcer(ENGLISH), compose("tiles.moving", player="Ann"), compose("lid.closed")
    asked = new_texts(announcer, moving, lid)
    assert len(asked) == 1
    assert new_texts(announcer, moving, lid) == []
    assert new_texts(announcer, moving) == []
    assert new_texts(announcer, moving, lid) == asked
