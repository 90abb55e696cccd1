"""The languages that this program speaks, and the choice of one for somebody who would like several."""

from collections.abc import Iterable, Mapping
from typing import get_args

from controller.settings import Language

LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT_LANGUAGE: Language = "en"
# As those call them who speak them.
LANGUAGE_NAMES: Mapping[Language, str] = {"en": "English", "de": "Deutsch", "fr": "Français"}


def choose_language(wanted: Iterable[str]) -> Language:
    """The first of the `wanted` languages (`de`, `de-CH`) that this program speaks; English for none."""
    for each in wanted:
        for language in LANGUAGES:
            if each.strip().lower().partition("-")[0] == language:
                return language
    return DEFAULT_LANGUAGE


def accepted_languages(header: str) -> list[str]:
    """The languages of an `Accept-Language` header, those that are liked best first; refused ones left out."""
    weighed = []
    for each in header.split(","):
        tag, _, weight = each.partition(";")
        weighed.append((_weight_of(weight), tag.strip()))
    return [tag for weight, tag in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0]


def _weight_of(parameter: str) -> float:
    """The weight in `q=0.8`: 1 without one, 0 for one that is none."""
    name, _, value = parameter.replace(" ", "").partition("=")
    if name.lower() != "q":
        return 1.0
    # The form of RFC 9110: any other float that Python reads, as nan, would have no place in an order.
    return float(value) if value.replace(".", "", 1).isdecimal() and value.isascii() else 0.0
