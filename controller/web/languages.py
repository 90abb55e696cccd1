"""The language of whoever asks: pages, and refusals that a page shows, are answered in it."""

from starlette.requests import HTTPConnection

from controller.words import LANGUAGES, Language, accepted_languages, choose_language

LANGUAGE = "shutbox-language"  # the cookie in which a device keeps its language; a page's script sets it


def language_of(connection: HTTPConnection) -> Language:
    """The language of a device: the one that was chosen there, else the best liked of its browser's that we speak."""
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return choose_language([chosen])
    return choose_language(accepted_languages(connection.headers.get("accept-language", "")))
