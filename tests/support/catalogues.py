"""The catalogues of translations: taken from code and templates, brought up to date, compiled. `make words` does it."""

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from controller.box.faults import fault_kinds
from controller.game.core.message import Language
from controller.messages.words import LANGUAGES, core_texts
from controller.settings import Settings, setting_rows

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "controller" / "messages" / "locale"
TEMPLATE = FOLDER / "shutbox.pot"
_SOURCES = (
    "controller/messages",
    "controller/cli",
    "controller/web",
    "controller/jobs",
    "controller/box",
    "firmware",
    "vision",
)
_METHODS = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
_JINJA = {"**.html": {"extensions": "jinja2.ext.i18n", "trim_blocks": "true", "newstyle_gettext": "true"}}
_KEYWORDS = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    # a sentence that is nothing but a template, and one with a plural by an argument
    "template": None,
    "plural": (1, 2),
    "by_number": (1, 2),
    "phrase": None,
}
_COMMENTS = ("Translators:",)
_CORE, _FAULTS, _SETTINGS = "controller/messages/words.py", "controller/box/faults.py", "controller/settings.py"
_WIDTH = 100
_HEAD = "# The words of shutbox; docs/howto/translate.md says how they are changed."
_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_UNSAID = (b'"POT-', b'"PO-', b'"Report-', b'"Last-', b'"Language-Team', b'"Generated-', b'"Project-')


def languages() -> list[Language]:
    """The languages that have a catalogue: all but English."""
    return [language for language in LANGUAGES if language != "en"]


def po_of(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / "shutbox.po"


def mo_of(language: str) -> Path:
    return po_of(language).with_suffix(".mo")


def read(path: Path, language: str | None = None) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, language)


def extract() -> Catalog:
    """All that is written to be translated: in code and templates, and texts that are translated as they are."""
    found = Catalog(header_comment=_HEAD, fuzzy=False)
    for source in _SOURCES:
        strings = extract_from_dir(
            ROOT / source, _METHODS, _JINJA, _KEYWORDS, ["Translators:"], strip_comment_tags=True
        )
        for file, line, text, comments, context in strings:
            found.add(text, None, [(f"{source}/{file}", line)], auto_comments=comments, context=context)
    for context, text in core_texts():
        found.add(text, None, [(_CORE, 1)], context=context or None)
    for row in setting_rows(Settings()):
        found.add(row.meaning, None, [(_SETTINGS, 1)])
    for kind in fault_kinds():
        found.add(kind.description, None, [(_FAULTS, 1)])
    return found


def keys(catalogue: Catalog) -> set[tuple[str, str]]:
    """Context and English text of all in a catalogue."""
    return {_key(message) for message in catalogue if message.id}


def missing(catalogue: Catalog) -> Iterator[str]:
    """The texts that have no translation in a catalogue, or one that somebody has to look at."""
    for message in catalogue:
        translated = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id and (message.fuzzy or not all(translated)):
            yield f"{message.context}: {_first(message)}" if message.context else _first(message)


def update(language: str, template: Catalog) -> Catalog:
    """The catalogue of a language with what is in `template` now.

    A translation that is no longer needed is kept as an obsolete one, and serves again once its text comes back.
    """
    path = po_of(language)
    found = read(path, language) if path.exists() else Catalog(language, header_comment=_HEAD, fuzzy=False)
    found.update(template, no_fuzzy_matching=True)
    kept = {_key(message): key for key, message in found.obsolete.items()}
    for message in found:
        if message.id and not any(message.string or ()) and _key(message) in kept:
            message.string = found.obsolete.pop(kept[_key(message)]).string
    return found


def write(path: Path, catalogue: Catalog) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    written = io.BytesIO()
    write_po(written, catalogue, _WIDTH, include_lineno=False, sort_by_file=True)
    # Days, names and versions say nothing that git does not, and would change with every run.
    lines = [line for line in written.getvalue().splitlines(keepends=True) if not line.startswith(_UNSAID)]
    path.write_bytes(b"".join(lines))


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as the program reads it: the same bytes on every day."""
    catalogue.creation_date = catalogue.revision_date = _DAY
    written = io.BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def main() -> int:
    """Bring all catalogues up to date, and list what has no translation yet. Status 1 where there is any."""
    template = extract()
    write(TEMPLATE, template)
    lacking: dict[str, list[str]] = {}
    for language in languages():
        write(po_of(language), update(language, template))
        catalogue = read(po_of(language), language)
        mo_of(language).write_bytes(compiled(catalogue))
        for text in missing(catalogue):
            lacking.setdefault(text, []).append(language)
    for text, without in lacking.items():
        print(f"not translated ({', '.join(without)}): {text}")
    print(f"{len(keys(template))} texts, {len(languages())} languages, {len(lacking)} texts without a translation")
    return 1 if lacking else 0


def _key(message: Message) -> tuple[str, str]:
    return message.context or "", _first(message)


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


if __name__ == "__main__":
    sys.exit(main())
