"""Names of players: what people are called is taken, what nobody sees or can write down is not."""

import pytest

from controller.game.core.players import LONGEST_NAME, is_name, read_players
from tests.support.together import together


@together(
    "name",
    [
        "A",
        "Ann Marie",
        "A" * LONGEST_NAME,
        "Ann/Bob",
        "<b>",
        "d'Artagnan",
        "J\u00f6rg",
        "Jo\u0308rg",  # the same with an accent of its own
        "Nguy\u1ec5n",
        "\u0391\u03b8\u03b7\u03bd\u03ac",
        "\u05d0\u05b8\u05d1",  # Hebrew, with its points
        "\u0938\u0930\u093f\u0924\u093e",  # Devanagari, with its vowels
        "\u0e19\u0e49\u0e33",  # Thai, with its tones
        "\u674e\u5c0f\u9f99",
        "\u3055\u304f\u3089",
        "\ubbfc\uc900",
        "\U0001f600",
        "\U0001f44d\U0001f3fd",  # a thumb, in its colour
        "\u2764\ufe0f Ann",  # a heart, in colours
        "1\ufe0f\u20e3",  # one, in its frame
        "\U0001f1eb\U0001f1f7",  # a flag
    ],
)
def test_people_may_be_called_as_they_are(name: str) -> None:
    assert is_name(name)


@together(
    "name",
    [
        "",
        " ",
        " Ann",
        "Ann\n",
        "A" * (LONGEST_NAME + 1),
        "\u200b",
        "\u3164",
        "\u115f",
        "\u1160",
        "\uffa0",
        "\u2800",
        "Ann\u3164",
        "Ann\u034f",
        "Ann\ufe0f",
        "1\ufe0f",
        "Ann\ufe00",
        "Ann\U000e0101",
        "\u0301",
        "Ann \u0301",
        "\u0301\u0302",
        "\ufe0f",
    ],
)
def test_nobody_is_called_by_what_is_not_seen(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize("name", ["House:perfect", "Ann,Bea", ",", ":", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_no_name_is_read_as_something_else_where_players_are_written(name: str) -> None:
    assert not is_name(name)
    assert [player.name for player in read_players(["Ann", "House:perfect"], (), "steady")] == ["Ann", "House"]
