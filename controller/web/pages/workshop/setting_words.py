"""The settings as a page has them: their groups in order, and the choices that have words."""

from collections.abc import Mapping

from controller.messages.options import strength_name
from controller.messages.words import LANGUAGE_NAMES, Words

_SHARE, _STRENGTH, _LANGUAGE = "share", "house_strength", "language"


def groups_of(words: Words) -> Mapping[str, tuple[str, ...]]:
    """Return every group by its title: the keys of its settings in the file."""
    _ = words.gettext
    return {
        _("At the table"): ("players", "house_players", "house_strength", "share", "language"),
        _("Pace"): (
            "pace.house_thinks_s",
            "pace.house_throws_s",
            "pace.count_s",
            "pace.watch_every_s",
            "pace.hand_countdown_s",
        ),
        _("Aloud"): ("voice.quiet", "voice.aloud", "voice.speed"),
        _("Pictures of throws"): ("evidence.keep", "evidence.megabytes"),
        _("Network"): ("web.on", "web.address", "web.port", "web.name", "web.proxies"),
        _("Told to others"): tuple(
            f"bridge.{name}"
            for name in (
                "host",
                "port",
                "tls",
                "ca",
                "user",
                "password_file",
                "name",
                "prefix",
                "discovery",
                "allow",
                "webhooks",
            )
        ),
        _("The box itself"): ("box", "dice", "camera", "pins"),
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
