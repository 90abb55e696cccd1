"""The language of a device: pages, and refusals that a page shows, are answered in it."""

from starlette.requests import HTTPConnection

from controller.settings import Language
from controller.words.words import LANGUAGES, accepted_languages, choose_language

LANGUAGE = "shutbox-language"  # the cookie in which a device keeps its language; a script of the page sets it


def language_of(connection: HTTPConnection) -> Language:
    """Return the language chosen at this device, or else the browser's most preferred one that the box speaks."""
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return choose_language([chosen])
    return choose_language(accepted_languages(connection.headers.get("accept-language", "")))
