"""Why the house plays what it plays, said in every language, out of the journals of today and of earlier versions."""

from dataclasses import asdict

import pytest

from controller.game.core.message import Language, Message
from controller.game.shutbox.commands import TakeThrow
from controller.game.shutbox.events import Motive, MoveChosen
from controller.game.shutbox.messages import news_of_box_game as news_of
from controller.game.table.wire import EVENT
from controller.messages.words import words_in
from tests.controller.game.shutbox.test_actions import WITH_HOUSE
from tests.support.said import said
from tests.support.stories import play

BEST = Motive("odds", 4.125)
ERROR = Motive("odds", 0.43219, ("front-3", "front-5"), 0.5, wins=True)
PLAYED_OUT = Motive("odds", 21.26, played_out=True)
GUESSED = Motive("odds", 0.0001, wins=True, guessed=True)
THREW = {"en": "House threw 3 and 5.", "de": "House hat 3 und 5 geworfen.", "fr": "House a fait 3 et 5."}


def told(event: MoveChosen) -> Message:
    """The news of a choice of the house, as they come out of a journal."""
    before = play(WITH_HOUSE, TakeThrow((5, 3)))
    kept = EVENT.validate_json(EVENT.dump_json(event))
    assert kept == event
    [message] = news_of(before, (kept,), before, None)
    return message


@pytest.mark.parametrize(
    ("motive", "language", "sentence"),
    [
        (Motive("only"), "en", "House chooses the 8 in front: nothing else fits."),
        (
            BEST,
            "en",
            "House chooses the 8 in front, the best move: the turn then ends with 4.12 points on average.",
        ),
        (Motive("only"), "de", "House nimmt die 8 vorn: sonst passt nichts."),
        (Motive("whim"), "de", "House nimmt die 8 vorn: das Erstbeste."),
        (
            BEST,
            "de",
            "House nimmt die 8 vorn, den besten Zug: dann im Schnitt 4,12 Punkte.",
        ),
        (
            ERROR,
            "de",
            "House nimmt die 8 vorn, nicht den besten Zug: dann der Sieg in 43,2 % der Fälle. "
            "Besser: die 3 vorn und die 5 vorn, dann 50,0 %.",
        ),
        (
            PLAYED_OUT,
            "de",
            "House nimmt die 8 vorn, den besten Zug: dann 21,3 Punkte in Gedanken durchgespielt.",
        ),
        (
            GUESSED,
            "de",
            "House nimmt die 8 vorn, den besten Zug: dann der Sieg in unter 0,1 % der Fälle, "
            "wenn die anderen auf wenige Punkte spielen.",
        ),
        (
            BEST,
            "fr",
            "House prend le 8 de devant, le meilleur coup : ensuite 4,12 points en moyenne.",
        ),
    ],
)
def test_the_house_says_why_in_the_language_of_each(motive: Motive, language: Language, sentence: str) -> None:
    said = words_in(language).say(told(MoveChosen(("front-8",), motive)))
    assert said.replace("\u00a0", " ") == f"{THREW[language]} {sentence}"


def test_programs_are_told_why_as_data() -> None:
    message = told(MoveChosen(("front-8",), ERROR))
    assert message.args == {
        "player": "House",
        "dice": (3, 5),
        "faces": ("3", "5"),
        "tiles": ("front-8",),
        **asdict(ERROR),
    }


def test_a_choice_of_an_earlier_version_is_told_without_its_english_reason() -> None:
    message = told(MoveChosen(("front-8",), "House chooses front-8: nothing else fits."))
    assert said(message) == "House chooses front-8."
