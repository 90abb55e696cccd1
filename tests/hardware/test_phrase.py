"""An English sentence that another language can say: text for programs, a template for translations."""

import json
from gettext import NullTranslations

from controller.messages.words import Words
from hardware.phrase import phrase


class Mirrored(NullTranslations):
    """Translates every text into itself, spelt in capitals; what fills a template keeps its place."""

    def gettext(self, message: str) -> str:
        return {"{tile} is {state}.": "{state} IST {tile}.", "poor": "SCHLECHT"}.get(message, message)


def test_a_phrase_is_the_text_that_it_makes() -> None:
    made = phrase("{tile} is {state}.", tile="front-7", state=phrase("poor"))
    assert made == "front-7 is poor."
    assert json.dumps([made]) == '["front-7 is poor."]'


def test_another_language_says_the_template_and_all_that_fills_it() -> None:
    words = Words("xx", Mirrored())
    made = phrase("{tile} is {state}.", tile="front-7", state=phrase("poor"))
    assert words.translate(made) == "SCHLECHT IST front-7."
    assert words.translate(phrase("poor")) == "SCHLECHT"


def test_what_somebody_typed_is_said_as_they_typed_it() -> None:
    words = Words("xx", Mirrored())
    assert words.translate("poor") == "poor"
    assert words.translate(phrase("{tile} is {state}.", tile="poor", state="poor")) == "poor IST poor."
