"""The catalogues: complete, compiled as they are written, and of what code and templates say now."""

import ast
import io
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from itertools import combinations
from pathlib import Path

import pytest
from babel.messages import Catalog

from controller.game.core.message import Language
from tests.support import catalogues
from tests.support.catalogues import (
    ROOT,
    TEMPLATE,
    compiled,
    extract,
    keys,
    languages,
    missing,
    mo_of,
    po_of,
    read,
    update,
    write,
)

CALLS = {"_", "gettext", "ngettext", "pgettext", "npgettext", "template", "plural", "by_number"}
FORGOTTEN = "say `make words`, and translate what it lists"
PLACE = re.compile(r"\{\w+\}|%\(\w+\)s")
MAY_GO = {"{should}"}  # up and down, which some languages say once for all


@pytest.fixture(scope="module")
def extracted() -> Catalog:
    return extract()


def test_the_template_has_all_that_code_and_templates_say(extracted: Catalog) -> None:
    assert keys(read(TEMPLATE)) == keys(extracted), FORGOTTEN


@pytest.mark.parametrize("language", languages())
def test_everything_is_translated(language: str, extracted: Catalog) -> None:
    catalogue = read(po_of(language), language)

    assert keys(catalogue) == keys(extracted), FORGOTTEN
    assert not list(missing(catalogue)), FORGOTTEN


@pytest.mark.parametrize("language", languages())
def test_the_program_reads_what_translators_have_written(language: str) -> None:
    with mo_of(language).open("rb") as file:
        kept = texts_of(GNUTranslations(file))

    made = GNUTranslations(io.BytesIO(compiled(read(po_of(language), language))))
    assert kept == texts_of(made), "say `make words`"


@pytest.mark.parametrize("language", languages())
def test_a_translation_has_the_places_of_its_text_and_no_others(language: str) -> None:
    for message in filter(lambda each: each.id, read(po_of(language), language)):
        in_english = [set(PLACE.findall(text)) for text in forms(message.id)]
        known, needed = set.union(*in_english), set.intersection(*in_english) - MAY_GO
        for text in forms(message.string):
            there = set(PLACE.findall(text))
            assert needed <= there <= known, text
            assert text == text.strip(), text


@pytest.mark.parametrize(
    ("text", "german"), [("Old", "Alt"), (("one", "many"), ("eins", "viele"))], ids=["one", "plural"]
)
def test_a_text_that_comes_back_has_its_translation_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, german: str
) -> None:
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    before, after = Catalog("de"), Catalog()
    before.add(text, german)
    write(po_of("de"), before)
    write(po_of("de"), update("de", after))
    assert not keys(read(po_of("de")))

    after.add(text)
    assert [message.string for message in update("de", after) if message.id] == [german]


def test_every_text_that_is_called_for_is_found(extracted: Catalog) -> None:
    """One inside an f-string, for one, would not be."""
    known = {text for _, text in keys(extracted)}
    called = set(texts_called_for())

    assert len(called) > 100
    assert called <= known


def texts_called_for() -> Iterator[str]:
    for room in ("words", "web", "cli"):
        for path in sorted((ROOT / "controller" / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and name_of(node.func) in CALLS:
                    texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
                    context = name_of(node.func) in {"pgettext", "npgettext"}
                    yield from (str(text) for text in texts[int(context) : int(context) + 1])


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """The forms of a text: one, or one for each plural."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def texts_of(translations: GNUTranslations) -> dict[object, str]:
    """All but the head, in which the tools that made it name themselves."""
    found: dict[object, str] = vars(translations)["_catalog"]
    return {key: text for key, text in found.items() if key != ""}


@pytest.mark.parametrize(("one", "other"), [*combinations(languages(), 2)])
def test_no_sentence_is_one_of_another_language(one: Language, other: Language) -> None:
    theirs = sentences_of(one) & sentences_of(other)
    assert not theirs


def sentences_of(language: Language) -> set[str]:
    """All translations that have some words; shorter ones, such as names of games, may be alike."""
    strings = [each.string for each in read(po_of(language), language) if each.id]
    texts = {text for each in strings for text in ((each,) if isinstance(each, str) else each or ())}
    return {text for text in texts if len(PLACE.sub("", text).split()) > 3}


def test_french_is_set_as_the_french_set_it() -> None:
    """A space that breaks no line before high signs and within quotation marks, and no typewriter's apostrophe."""
    typed = re.compile(r" [:;?!»](?!\w)|« |(?<=\w)'(?=\w)")
    assert [text for text in translations("fr") if typed.search(text)] == []


@pytest.mark.parametrize(("language", "formal"), [("de", r"\bIhnen\b|\bIhre"), ("fr", r"\b[Vv]otre\b|\b[Vv]os\b")])
def test_whoever_is_alone_is_spoken_to_as_at_a_bar(language: str, formal: str) -> None:
    assert [text for text in translations(language) if re.search(formal, text)] == []


def translations(language: str) -> Iterator[str]:
    for message in read(po_of(language), language):
        yield from (message.string if isinstance(message.string, tuple) else (str(message.string),))
