"""The settings as a page names them: their groups in order, the meaning of each, and the choices that have words."""

from collections.abc import Mapping

from controller.messages.options import strength_name
from controller.messages.words import LANGUAGE_NAMES, Words

_SHARE, _STRENGTH, _LANGUAGE = "share", "house_strength", "language"


def groups_of(words: Words) -> Mapping[str, Mapping[str, str]]:
    """Return every group by its title: the meaning of each setting, by its key in the file."""
    _ = words.gettext
    return {
        _("At the table"): {
            "players": _("Who plays, seat by seat: one name a line"),
            "house_players": _("Those of them that the house plays: one name a line"),
            "house_strength": _("How well the house plays where a name does not say it, as House:perfect does"),
            "share": _("Who acts for a seat that nobody took"),
            "language": _("The language of the terminal at the table; pages have that of each device"),
        },
        _("Pace"): {
            "pace.house_thinks_s": _("Seconds that the house takes to think"),
            "pace.house_throws_s": _("Seconds from one throw of the house to its next, in a race"),
            "pace.count_s": _("Seconds from 1 to 2, to 3 and to GO, in a race"),
            "pace.watch_every_s": _("Seconds from one look at tiles and lid to the next"),
            "pace.hand_countdown_s": _("Seconds for which a move made by hand can be taken back"),
        },
        _("Aloud"): {
            "voice.quiet": _("Hours in which nothing is said aloud, such as 22:00-07:00; none if empty"),
            "voice.aloud": _("Whether the box itself speaks, by espeak-ng and its sound card"),
            "voice.speed": _("The words a minute with which the box itself speaks"),
        },
        _("Pictures of throws"): {
            "evidence.keep": _("How many throws have their picture kept; 0: none"),
            "evidence.megabytes": _("Megabytes of the disk that they may take"),
        },
        _("Network"): {
            "web.on": _("Phones and other computers reach this box; switched off, this page opens at the box alone"),
            "web.address": _("The address at which they do; :: is every one of this computer"),
            "web.port": _("The port at that address"),
            "web.name": _("A name of this box besides that of its computer, such as shutbox.example.org"),
            "web.proxies": _("Addresses of proxies in front of this box, by which it is at https: one a line"),
        },
        _("The box itself"): {
            "box": _("The box: a known name, or the file of one of your own"),
            "dice": _("The dice: pips, or a set that was taught"),
            "camera": _("The camera: picamera2, v4l2:/dev/video0 for one at USB, or files:FOLDER of pictures"),
            "pins": _("The library for the pins of the Raspberry Pi"),
        },
    }


def choice_name(key: str, choice: str, words: Words) -> str:
    """Return a choice in words; itself if it has none."""
    _ = words.gettext
    share = {
        "auto": _("everybody, while only one terminal sits there"),
        "yes": _("everybody"),
        "no": _("nobody"),
    }
    if key == _STRENGTH:
        return strength_name(words, choice)
    known: Mapping[str, Mapping[str, str]] = {
        _SHARE: share,
        _LANGUAGE: {str(code): name for code, name in LANGUAGE_NAMES.items()},
    }
    return known.get(key, {}).get(choice, choice)
