"""The pages of the commands: what `--help` says of each, its exit statuses, and its example."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import getdoc
from typing import Any

from controller.cli.lazy import Group, HelpRow, Subcommand, help_rows, load_command
from controller.cli.main import group as shutbox
from controller.cli.main import shutbox as about_shutbox
from controller.runtime.output import EXIT_MEANINGS, Exit
from tools.reference.markdown import code, fence, heading, link, paragraphs, prose, table, text, toctree

_OTHERS = "Not in the first help"
_FOLDER = "commands"
# Statuses that only those commands have which say so.
_OF_FEW = {Exit.AGAIN}


@dataclass(frozen=True)
class Page:
    """One command: its words behind `shutbox`, its entry in the table of commands, and the command that Typer runs."""

    words: tuple[str, ...]
    entry: Subcommand
    command: Any

    @property
    def name(self) -> str:
        """The name of its file, without `.md`."""
        return "-".join(self.words)

    @property
    def link(self) -> str:
        return link(code(" ".join(self.words)), f"{self.name}.md")


def command_pages() -> dict[str, str]:
    """Return a page for each command, and one that lists them."""
    commands = list(all_commands(shutbox))
    pages = {f"{_FOLDER}/{each.name}.md": _page_of(each) for each in commands}
    return {f"{_FOLDER}/index.md": _overview(commands), **pages}


def all_commands(group: Any, before: tuple[str, ...] = ()) -> Iterator[Page]:
    """Yield every command of a group, and those of the groups in it."""
    assert isinstance(group, Group)  # noqa: S101  made by make_group
    for name, entry in group.subcommands.items():
        page = Page((*before, name), entry, load_command(name, entry))
        yield page
        if isinstance(page.command, Group):
            yield from all_commands(page.command, page.words)


def _overview(commands: list[Page]) -> str:
    titles = {name: title for title, names in shutbox.sections.items() for name in names}  # type: ignore[attr-defined]
    by_title: dict[str, list[Page]] = {title: [] for title in (*dict.fromkeys(titles.values()), _OTHERS)}
    for each in commands:
        by_title[titles.get(each.words[0], _OTHERS)].append(each)
    lists = (
        paragraphs(heading(title, 2), table(("command", "what it does"), ((p.link, text(p.entry.help)) for p in pages)))
        for title, pages in by_title.items()
        if pages
    )
    return paragraphs(
        heading("Commands"),
        toctree((each.name for each in commands), hidden=True),
        prose(getdoc(about_shutbox) or ""),
        _rows("Options", help_rows(shutbox.params)["Options"]),
        *lists,
        heading("Exit statuses", 2),
        _statuses(tuple(Exit)),
    )


def _page_of(page: Page) -> str:
    words, entry = " ".join(("shutbox", *page.words)), page.entry
    usage = " ".join((words, *page.command.collect_usage_pieces(None)))
    below: Mapping[str, Subcommand] = page.command.subcommands if isinstance(page.command, Group) else {}
    listed = ((link(code(name), f"{page.name}-{name}.md"), text(each.help)) for name, each in below.items())
    example = [] if not entry.example else [heading("Example", 2), fence(f"shutbox {entry.example}", "sh")]
    rows = help_rows(page.command.params)
    return paragraphs(
        heading(code(words)),
        prose(f"{entry.help}\n\n{entry.more}"),
        fence(usage, "text"),
        *(_rows(title, found) for title, found in rows.items()),
        paragraphs(heading("Commands", 2), table(("command", "what it does"), listed)) if below else "",
        heading("Exit statuses", 2),
        _statuses(tuple(each for each in Exit if each not in _OF_FEW or each in entry.also)),
        *example,
    )


def _rows(title: str, rows: list[HelpRow]) -> str:
    if not rows:
        return ""
    cells = ((code(row.typed), text(row.meaning), code(row.default), text(row.limits)) for row in rows)
    return paragraphs(heading(title, 2), table((title[:-1].lower(), "meaning", "default", "limits"), cells))


def _statuses(statuses: tuple[Exit, ...]) -> str:
    return table(("status", "meaning"), ((code(each.value), text(EXIT_MEANINGS[each])) for each in statuses))
