"""Whatever a text of the code holds: it is said on a page as it is, in a table too."""

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tools.reference.markdown import code, fence, prose, table, text
from tools.reference.schema import split_fields

PARSER = MarkdownIt("commonmark").enable("table")
HOSTILE = [
    *("a | b", "| |", "\\| \\", "`a | b`", "<b>bold</b>", "<!-- gone -->", "&lt; &amp;", "*a* _b_ **c**", "[a](b)"),
    *("![a](b)", "{ref}`x`", "{{ name }}", "# no heading", "1. no list", "- none", "> none", "% none", "(none)="),
    *("+++", "=== ---", ":::{note}", "$x$", "a ` b", "``` `", "``a`b``", "~~a~~", "^a^", "@a", "3.3 V", "C:\\new\\|"),
    *("http://a.b/c_d_e", "--mock-box of `--mock`", "a\nb\n\nc", "#1", "\\`a\\`"),
]


def said(tokens: list[Token]) -> list[str]:
    """What each block says, without marks of code."""
    return ["".join(each.content for each in token.children or ()) for token in tokens if token.type == "inline"]


def plain(words: str) -> str:
    """What is left of a text when backticks that enclose something are gone."""
    return " ".join(words.split())


@pytest.mark.parametrize("words", HOSTILE)
def test_a_cell_says_what_the_text_says_and_the_row_keeps_its_cells(words: str) -> None:
    tokens = PARSER.parse(table(("text", "code", "end"), [(text(words), code(words), "end")]))
    cells = said(tokens)
    assert [token.type for token in tokens].count("td_open") == 3
    assert cells[3:] == [said(PARSER.parse(text(words)))[0], plain(words), "end"]
    kinds = {child.type for token in tokens for child in token.children or ()}
    assert kinds <= {"text", "code_inline", "text_special"}


@pytest.mark.parametrize("words", HOSTILE)
def test_a_paragraph_stays_one_and_says_what_the_text_says(words: str) -> None:
    tokens = PARSER.parse(text(words))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    [told] = said(tokens)
    assert told.replace("`", "") == plain(words).replace("`", "")


def test_what_stands_between_backticks_is_code_and_so_are_options() -> None:
    assert text("Say `a_b` or --mock-box.") == "Say `a_b` or `--mock-box`."
    assert text("two dashes -- no option") == "two dashes -- no option"


def test_a_block_of_code_holds_fences() -> None:
    [token] = PARSER.parse(fence("```\nx\n```", "text"))
    assert (token.content, token.info) == ("```\nx\n```\n", "text")


def test_columns_that_are_empty_are_left_out_and_so_is_a_table_without_rows() -> None:
    assert table(("a", "b"), [("x", ""), ("y", "")]).splitlines()[0] == "| a |"
    assert table(("a", "b"), []) == ""


def test_a_docstring_keeps_its_paragraphs() -> None:
    assert prose("One\n    line.\n\n    Two.\n") == "One line.\n\nTwo."


def test_what_a_docstring_says_of_fields_is_told_with_them() -> None:
    about, told = split_fields(
        "A thing.\n\nsize, weight: in mm and g. name: it is one; other: no field.", {"size", "weight", "name"}
    )
    assert about == "A thing."
    assert told == {"size": "in mm and g.", "weight": "in mm and g.", "name": "it is one; other: no field."}
