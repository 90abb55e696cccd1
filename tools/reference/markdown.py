"""Plain MyST Markdown: texts of the code that break no page whatever they hold, tables, fenced code, links."""

import re
from collections.abc import Iterable, Sequence
from inspect import cleandoc

# What stands between backticks, and the name of an option: Sphinx would make one dash of its two.
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?P<quoted>.+?)(?<!`)\1(?!`)|(?<![\w`-])(?P<option>--[a-z][a-z-]*)")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>&$~^|@])")
# What begins a list, a heading, a comment, a quotation or a target where it begins a line.
_BEGINS = re.compile(r"(?=[#%+=:(-])|(?<=\d)(?=[.)](?:\s|$))")
_FIRST_WORD = re.compile(r"\d+[.)](?:\s|$)|[#%+=:(-]")

Row = Sequence[str]


def code(words: object) -> str:
    """Return words as code within a line; nothing for nothing."""
    plain = _one_line(str(words))
    if not plain:
        return ""
    fence = "`" * (_longest_run(plain) + 1)
    space = " " if plain[0] == "`" or plain[-1] == "`" else ""
    return f"{fence}{space}{plain}{space}{fence}"


def text(words: str) -> str:
    """Return a text of the code as one line that says just this; options, and what backticks enclose, are code."""
    plain, done, parts = _one_line(words), 0, list[str]()
    for match in _CODE.finditer(plain):
        parts += (_escape(plain[done : match.start()]), code((match["quoted"] or match["option"]).strip()))
        done = match.end()
    said = "".join((*parts, _escape(plain[done:])))
    return _BEGINS.sub(r"\\", said, count=1) if _FIRST_WORD.match(said) else said


def prose(words: str) -> str:
    """Return a docstring, or another text of several paragraphs, as paragraphs."""
    return paragraphs(*(text(each) for each in re.split(r"\n\s*\n", cleandoc(words))))


def paragraphs(*blocks: str) -> str:
    """Join blocks that are Markdown already; empty ones are left out."""
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip())


def heading(words: str, level: int = 1, label: str = "") -> str:
    """Return a heading. label: the target that links of any page reach it by, as `#label`."""
    title = f"{'#' * level} {words}"
    return f"({label})=\n{title}" if label else title


def fence(words: str, language: str = "") -> str:
    """Return a block of code."""
    marks = "`" * max(3, _longest_run(words) + 1)
    return f"{marks}{language}\n{words.rstrip()}\n{marks}"


def link(words: str, target: str) -> str:
    """Return a link. words: Markdown."""
    return f"[{words}]({target})"


def table(head: Row, rows: Iterable[Row]) -> str:
    """Return a table of cells that are Markdown, without the columns that are empty; nothing for no rows."""
    filled = [[_one_line(cell) for cell in row] for row in rows]
    shown = [column for column in range(len(head)) if any(row[column] for row in filled)]
    lines = ([cells[column] for column in shown] for cells in ([*head], ["---"] * len(head), *filled))
    # A table takes one backslash from before each bar, in code too.
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines if shown)


def toctree(names: Iterable[str], *, hidden: bool = False) -> str:
    """Return the list of pages below this one, by their names without `.md`.

    It stands above all headings but the first, else the pages come to lie below one of them. hidden: for the navigation
    alone, where a table lists the same pages.
    """
    options = (":maxdepth: 1", ":hidden:") if hidden else (":maxdepth: 1",)
    return fence("\n".join((*options, "", *names)), "{toctree}")


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _escape(words: str) -> str:
    return _MARKUP.sub(r"\\\1", words)


def _longest_run(words: str) -> int:
    return max(map(len, re.findall("`+", words)), default=0)
