"""What pages say aloud, as a voice that the browser has heard it."""

from datetime import datetime
from itertools import pairwise

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, TABLET, WALL, Device, Kind
from tests.browser.pages.states import ANN, BEN, start

pytestmark = pytest.mark.long

# A browser with a voice for each language that notes what it is told to say, and how many tones sound.
_VOICES = """
  window.said = [];
  window.tones = 0;
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => ["en-GB", "de-DE", "fr-FR"].map(lang => ({ lang })),
    speak: said => said.text && window.said.push([said.voice.lang.slice(0, 2), said.text]),
    cancel() {}, addEventListener() {},
  } });
  window.OscillatorNode = class extends OscillatorNode { start(at) { window.tones += 1; super.start(at); } };
"""


def listen(device: Device, *switches: str) -> Device:
    """Switch on what the open page is to do aloud."""
    for each in switches:
        device.page.locator(f"[data-listen={each}]").check()
    return device


def open_aloud(take: Use, kind: Kind, path: str, language: str, *switches: str) -> Device:
    device = take(kind, locale=language)
    device.context.add_init_script(_VOICES)
    return listen(device.open(path), *switches)


def heard(device: Device, language: str) -> list[str]:
    """What was said there, all of it in one language."""
    said = device.page.evaluate("window.said")
    assert {each[0] for each in said} == {language}
    return [each[1] for each in said]


def test_of_a_whole_game_each_event_is_said_once_on_a_wall_and_two_phones_in_three_languages(
    box: BoxThread, take: Use
) -> None:
    start(box, ANN, BEN)
    tablet = take(TABLET).sit("Ann", "Ben").open("/play")
    wall = open_aloud(take, WALL, "/wall", "en", "voice", "sounds")
    german = open_aloud(take, PHONE, "/play", "de", "voice")
    french = open_aloud(take, PHONE, "/play", "fr", "voice")
    mute = open_aloud(take, PHONE, "/play", "en")
    tablet.play_on()
    wall.expect_say(box.snapshot.winners[0])
    english = heard(wall, "en")
    rows = box.ask("GET", f"/api/history/{box.snapshot.game_id}")["rows"]
    thrown = [f"{row['player']}: {' and '.join(map(str, row['dice']))}." for row in rows if row["table"] == "throws"]
    assert [said.removesuffix(" Nothing fits.") for said in english if ":" in said] == thrown
    assert [said for said in english if ":" not in said] == [
        f"Ann ends with {box.snapshot.scores['Ann']} points.",
        "Ben is next.",
        f"Ben ends with {box.snapshot.scores['Ben']} points.",
        wall.say,
    ]
    assert not any(before == after for before, after in pairwise(english))
    assert len(heard(german, "de")) == len(heard(french, "fr")) == len(english)
    assert "Ben ist dran." in heard(german, "de")
    assert any(said.endswith(" à Ben.") for said in heard(french, "fr"))
    assert wall.page.evaluate("window.tones") > len(thrown)
    assert mute.page.evaluate("[window.said.length, window.tones]") == [0, 0]


def test_of_two_pages_of_one_browser_only_that_speaks_which_was_switched_on_last(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    device = open_aloud(take, TABLET, "/play", "en", "voice")
    other = device.context.new_page()
    other.goto(f"{box.url}/wall")
    other.locator("[data-listen=voice]").check()
    device.page.locator("[data-listen=voice]:not(:checked)").wait_for()
    device.page.reload()
    assert device.page.locator("[data-listen=voice]").is_checked()
    other.locator("[data-listen=voice]:not(:checked)").wait_for()


@pytest.mark.parametrize(
    ("quiet", "at", "is_quiet"),
    [
        ("22:00-07:00", 21, False),
        ("22:00-07:00", 22, True),
        ("22:00-07:00", 6, True),
        ("22:00-07:00", 7, False),
        ("13:00-15:00", 14, True),
        ("13:00-15:00", 15, False),
    ],
)
def test_in_quiet_hours_nothing_is_said(box: BoxThread, take: Use, quiet: str, at: int, is_quiet: bool) -> None:
    start(box, ANN, BEN)
    wall = open_aloud(take, WALL, "/wall", "en", "voice", "sounds")
    wall.page.clock.set_fixed_time(datetime(2026, 1, 2, at))  # by the device's own clock
    wall.page.evaluate("hours => { document.querySelector('[data-quiet]').dataset.quiet = hours }", quiet)
    wall.catch_up()
    box.do("dice", dice=[4, 5])
    wall.expect_say("Ann threw 4 and 5")
    assert wall.page.evaluate("[window.said.length > 0, window.tones > 0]") == [not is_quiet, not is_quiet]


def test_a_browser_without_a_voice_for_the_language_offers_none(box: BoxThread, take: Use) -> None:
    device = take(PHONE)
    device.context.add_init_script(_VOICES.replace('"en-GB", ', ""))
    device.open("/play")
    assert device.page.locator("[data-listen=sounds]").is_visible()
    assert not device.page.locator("[data-listen=voice]").is_visible()
