"""Lines typed at the table that mean nothing there: each gets one answer, and nothing of the game is lost or done."""

import re
from collections.abc import Mapping
from pathlib import Path

from controller.box.faults import apply_faults
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from tests.support.evening import Evening, Stage, Terminal

ANN, BEN = Player("Ann"), Player("Ben")

# What is typed at each moment of one game, with a part of its answer.
_TYPED: Mapping[PhaseName, Mapping[str, str]] = {
    "awaiting_throw": {
        "hello": "'hello' is not possible now.",
        "8": "There is no move to choose yet: throw first.",
        "f8": "'f8' is not possible now.",
        "front-8 front-9": "is not possible now.",
        "d": "Type d and what the dice show, such as d 5 3.",
        "d 5": "2 dice",
        "d 7 1": "1 to 6",
        "d 5 3 1": "2 dice",
        "d five three": "Type d and what the dice show",
        "t 3": "This throw is made with 2 dice.",
        "t x": "is not possible now.",
        "c": "The camera has no other reading: type d and what",
        "c x": "c and c 2 take what the camera offers",
        "u": "You cannot take it back now",
        "s": "'s' is not possible now.",
        "e": "'e' is not possible now.",
        "k": "'k' is not possible now.",
        "i": "Nothing is wrong with the box just now.",
        "give up": "type: give up yes",
        "give up no": "is not possible now.",
        "sit Zoe": "the seats are those of Ann and Ben",
        "new": "A game is on already.",
        "0": "There is no move to choose yet",
        "99999999999999999999": "is not possible now.",
        "\x1b[A": "is not possible now.",
        "Straße 8": "is not possible now.",
    },
    "choosing": {
        "": "Choose a move by its number or its tiles.",
        "0": "The moves are numbered 1 to 6.",
        "7": "The moves are numbered 1 to 6.",
        "f1 f2": "front-1 + front-2 does not go with this throw",
        "b1": "back-1 does not go with this throw",
        "f99": "front-99",
        "f8 f1": "front-1 + front-8 does not go with this throw",
        "hello": "hello",
        "d 9 9": "1 to 6",
        "t 2": "No throw is due now.",
        "u": "You cannot take it back now",
        "s": "'s'",
        "c 3": "The camera has no other reading: type d and what",
    },
    "parked": {
        "p": "'p' is not possible now.",
        "f8": "'f8' is not possible now.",
        "1": "There is nothing to choose by number now.",
        "d 5 3": "You cannot say what the dice show now",
        "h": "You can get a hint before a throw and while you choose.",
    },
    "halted": {
        "f8": "'f8' is not possible now.",
        "1": "There is nothing to choose by number now.",
        "d 7 7": "1 to 6",
        "k": "'k' is not possible now.",
        "h": "You can get a hint before a throw and while you choose.",
    },
    "ended": {
        "f8": "'f8' is not possible now.",
        "1": "There is nothing to choose by number now.",
        "p": "'p' is not possible now.",
        "give up yes": "You cannot give the game up now",
        "d 5 3": "You cannot",
    },
}


async def test_a_wrong_line_gets_one_answer_and_changes_nothing(tmp_path: Path) -> None:
    evening = Evening(tmp_path, 400)  # no line is broken
    terminal = evening.terminal()
    async with evening.power() as stage, stage.seat(terminal, [ANN, BEN], options={"first": "chosen"}):
        await _type_all(stage, terminal, "awaiting_throw")
        await terminal.type("d 5 3")
        await _type_all(stage, terminal, "choosing")
        await terminal.type("p")
        await _type_all(stage, terminal, "parked")
        await terminal.type("")
        apply_faults(stage.world, ["jam:front-8"])
        await terminal.type("f8", rest_s=20)
        await _type_all(stage, terminal, "halted")
        await terminal.type("give up yes")
        await _type_all(stage, terminal, "ended")


async def _type_all(stage: Stage, terminal: Terminal, phase: PhaseName) -> None:
    for line, answer in _TYPED[phase].items():
        event, stood = stage.snapshot.event, len(terminal.text)
        assert stage.snapshot.phase == phase, line
        await terminal.type(line, rest_s=1)

        answered, *more = terminal.text[stood:].splitlines()[1:]
        assert stage.snapshot.event == event, line
        assert answer in answered, line
        # What can be typed instead may follow.
        assert all(re.match(r"  (Enter|[a-z?] ?\d?): |  type ", each) for each in more), more


def test_there_are_forty_and_more() -> None:
    assert sum(map(len, _TYPED.values())) >= 40
