"""The generated reference has everything that the code has, the same each time, and its links lead somewhere."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest

from controller.box.compatibility import choices_of
from controller.box.faults import fault_kinds
from controller.cli.lazy import help_rows
from controller.cli.main import SUBCOMMANDS, group
from controller.game.core.message import CATALOGUE, compose
from controller.game.core.phases import PhaseName
from controller.game.table.engines import known_games
from controller.game.table.wire import EVENT
from controller.settings import Settings, setting_rows
from controller.web.api.openapi import describe_api
from controller.web.roles import LEAST
from firmware.errors import BusFault
from hardware.box import box_names, load_box
from hardware.errors import BoxFault
from hardware.toml_file import parse_toml
from tests.support.said import said
from tools.reference import faults
from tools.reference.commands import all_commands
from tools.reference.files import write_pages
from tools.reference.markdown import code, text
from tools.reference.messages import example_of
from tools.reference.pages import reference_pages
from tools.reference.raised import source_files
from tools.reference.settings import settings_page

FEW = 5  # games: the steps between phases are not what is tested here
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
TOCTREE = re.compile(r"```\{toctree\}\n:maxdepth: 1\n(?::hidden:\n)?\n(.*?)\n```", re.DOTALL)
CODE = re.compile(r"\"([A-Z]-\d{3})\"")

Pages = Mapping[str, str]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return describe_api()


@pytest.fixture(scope="module")
def make(document: dict[str, Any]) -> Iterator[Callable[[], Pages]]:
    """Make all pages; the API is described once, which takes as long as all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tools.reference.api.describe_api", lambda: document)
        yield lambda: reference_pages(FEW)


@pytest.fixture(scope="module")
def pages(make: Callable[[], Pages]) -> Pages:
    return make()


def missing(page: str, words: Iterable[str]) -> list[str]:
    return [each for each in words if each not in page]


def test_the_pages_are_the_same_each_time(pages: Pages, make: Callable[[], Pages]) -> None:
    assert make() == pages


def test_every_command_has_a_page_with_its_help_its_options_and_its_example(pages: Pages) -> None:
    commands = list(all_commands(group))
    assert {each.words[0] for each in commands} == set(SUBCOMMANDS)
    assert len(commands) > len(SUBCOMMANDS)
    for each in commands:
        page = pages[f"commands/{each.name}.md"]
        rows = [row for rows in help_rows(each.command.params).values() for row in rows]
        cells = [cell(word) for row in rows for word in (code(row.typed), text(row.meaning), code(row.default))]
        assert not missing(page, [*cells, text(each.entry.help), each.entry.example]), each.name
        assert f"]({each.name}.md)" in pages["commands/index.md"]


def cell(words: str) -> str:
    return words.replace("|", "\\|")


def test_only_the_daemon_may_ask_to_be_started_again(pages: Pages) -> None:
    assert [name for name, page in pages.items() if "| `75` |" in page] == ["commands/index.md", "commands/run.md"]


def test_every_setting_is_there_with_its_meaning_and_default(pages: Pages) -> None:
    for row in setting_rows(Settings()):
        [line] = [each for each in pages["settings.md"].splitlines() if each.startswith(f"| {code(row.key)} |")]
        assert cell(text(row.meaning)) in line


def test_the_defaults_are_a_file_that_the_program_reads(pages: Pages) -> None:
    written = pages["settings.md"].partition("```toml\n")[2].partition("```")[0]
    assert parse_toml(written, Settings) == Settings()


def test_a_setting_in_no_group_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.reference.settings.groups_of", lambda _words: {"Pace": ("pace.count_s",)})
    with pytest.raises(KeyError, match=r"web\.port"):
        settings_page()


def test_every_route_is_there_with_its_role_and_those_of_the_api_with_all_that_they_take_and_give(
    pages: Pages, document: dict[str, Any]
) -> None:
    index = pages["api/index.md"]
    for (method, path), least in LEAST.items():
        rows = [each for each in index.splitlines() if each.startswith(f"| `{method}` | ") and code(path) in each]
        assert any(row.endswith(f"| {least} |") for row in rows), (method, path)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            page = pages[f"api/{operation['tags'][0]}.md"]
            part = page.partition(f"## {code(f'{method.upper()} {path}')}\n")[2].partition("\n## ")[0]
            assert f"Least role: {operation['x-role']}." in part, (method, path)
            assert not missing(part, [code(each["name"]) for each in operation.get("parameters", ())])
            assert not missing(
                part, [f"`{status}`" for status, answer in operation["responses"].items() if "$ref" in answer]
            )
    assert not missing(pages["api/types.md"], [f"## {code(name)}" for name in document["components"]["schemas"]])


def test_every_event_is_there_with_its_fields(pages: Pages) -> None:
    schemas = EVENT.json_schema()["$defs"].values()
    events = [each["properties"] for each in schemas if "const" in each.get("properties", {}).get("kind", {})]
    assert len(events) == len(EVENT.json_schema()["discriminator"]["mapping"])
    for fields in events:
        part = pages["events.md"].partition(f"### {code(fields['kind']['const'])}\n")[2].partition("\n(")[0]
        assert part
        assert not missing(part, [f"| {code(name)} |" for name in fields if name != "kind"])


def test_every_message_is_there_with_its_arguments_and_a_sentence(pages: Pages) -> None:
    for key, entry in CATALOGUE.items():
        [line] = [each for each in pages["messages.md"].splitlines() if each.startswith(f"| {code(key)} |")]
        assert not missing(line, map(code, entry.args))
        assert line.endswith(f" {text(said(compose(key, **example_of(key))))} |"), key


def test_every_phase_is_there_and_every_diagram_beside_a_table_that_says_the_same(pages: Pages) -> None:
    assert not missing(pages["phases/index.md"], [f"| {code(name)} |" for name in get_args(PhaseName)])
    for name in ("shutbox", "fleet"):
        page = pages[f"phases/{name}.md"]
        for kind in ("played", "held"):
            drawn = f"{name}-{kind}.svg"
            assert f"]({drawn})" in page
            root = ET.fromstring(pages[f"phases/{drawn}"])  # noqa: S314  our own
            words = [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]
            assert len(words) > 10
            assert not missing(page, [code(event) for label in words for event in label.split(", ")])
            assert "prefers-color-scheme: dark" in pages[f"phases/{drawn}"]
            assert not [each for each in root.iter() if each.tag.endswith("script")]


def test_every_code_that_stands_in_the_program_has_a_page(pages: Pages) -> None:
    written = {each for path in source_files() for each in CODE.findall(path.read_text("utf-8"))}
    assert len(written) > 60
    assert {f"faults/{each}.md" for each in written} <= pages.keys()


def test_every_fault_says_what_to_do_and_every_error_has_a_code_of_its_own() -> None:
    ends = [each for each in faults.error_classes() if not each.__subclasses__() and ".sim." not in each.__module__]
    assert [each.__name__ for each in ends if "code" not in vars(each)] == []
    faulty = {
        vars(each)["code"] for each in faults.error_classes() if issubclass(each, BoxFault) and "code" in vars(each)
    }
    assert all(each.remedy for each in faults.all_codes() if each.code in faulty)


def test_a_page_of_a_code_says_nothing_for_programmers_and_has_no_table_of_dots(pages: Pages) -> None:
    of_codes = {name: page for name, page in pages.items() if name.startswith("faults/")}
    assert not [name for name, page in of_codes.items() if re.search(r"^[a-z_]+: |\| … \|", page, re.MULTILINE)]
    assert "## What is expected and seen" not in pages["faults/H-301.md"]
    assert "resettable fuse" in pages["faults/H-301.md"]
    assert "set its clock" in pages["faults/C-316.md"]
    assert "systemctl stop shutbox" in pages["faults/C-305.md"]


@pytest.mark.parametrize(("code_of_it", "said"), [("H-299", "says no cure"), ("H-201", "have one code")])
def test_a_new_fault_without_a_cure_or_with_the_code_of_another_is_refused(
    code_of_it: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cure = {"cure": "Mend it."} if code_of_it == "H-201" else {}
    new = type("NewFault", (BusFault,), {"code": code_of_it, "__doc__": "Something else fails.", **cure})
    known = faults.error_classes()
    monkeypatch.setattr(faults, "error_classes", lambda: [*known, new])
    with pytest.raises(ValueError, match=said):
        faults.fault_pages()


def test_every_fault_of_the_simulated_box_is_on_the_page_of_its_code(pages: Pages) -> None:
    for kind in fault_kinds():
        for each in kind.code.split("|"):
            assert f"`{kind.name}:" in pages[f"faults/{each}.md"], kind.name


def test_a_refusal_of_the_api_has_its_status(pages: Pages) -> None:
    assert "[status 409](#api-refusals)" in pages["faults/C-317.md"]
    assert "[status 422](#api-refusals)" in pages["faults/C-203.md"]
    assert "#api-refusals" not in pages["faults/H-301.md"]


def test_every_profile_is_there_with_its_drawing_and_its_tiles(pages: Pages) -> None:
    for name in box_names():
        page = pages[f"profiles/{name}.md"]
        assert f"]({name}.svg)" in page
        assert not missing(page, [f"| {code(tile)} |" for tile in load_box(name).tile_ids])


def test_every_key_of_a_profile_is_there(pages: Pages) -> None:
    page = pages["profiles/keys.md"]
    for name in box_names():
        described = load_box(name).model_dump(mode="json")
        tiles = described.pop("tiles")
        tables = {each: value for each, value in described.items() if isinstance(value, dict) and each != "clocks"}
        assert not missing(page, [f"| {code(key)} |" for key in described.keys() - tables.keys()])
        for table, keys in {**tables, "tiles": tiles[next(iter(tiles))]}.items():
            part = page.partition(f"## {code(f'[{table}]')}\n")[2].partition("\n## ")[0]
            assert not missing(part, [f"| {code(key)} |" for key in keys]), table
    assert "null" not in page


def test_every_game_is_there_with_its_options(pages: Pages) -> None:
    for name in known_games():
        assert not missing(pages[f"games/{name}.md"], [f"| {code(each.name)} |" for each in choices_of(name)])


def test_every_link_leads_to_something_and_every_page_is_in_one_list(pages: Pages) -> None:
    labels = [label for page in pages.values() for label in re.findall(r"^\((.+)\)=$", page, re.MULTILINE)]
    assert len(labels) == len(set(labels))
    listed = ["index.md"]
    for name, page in pages.items():
        below = PurePosixPath(name).parent
        for target in LINK.findall(page):
            assert target.removeprefix("#") in labels or normpath(below / target) in pages, f"{name}: {target}"
        for tree in TOCTREE.findall(page):
            listed += (normpath(below / f"{each}.md") for each in tree.splitlines())
    assert sorted(listed) == sorted(each for each in pages if each.endswith(".md"))


def test_what_is_no_longer_made_is_removed_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "generated"
    write_pages(folder, {"a.md": "a\n", "old/b.md": "b\n"})
    (folder / "mine.md").write_text("mine")
    (folder / "empty").mkdir()
    write_pages(folder, {"a.md": "a\n", "c.md": "c\n"})
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.name != ".pages"}
    assert files == {"a.md", "c.md", "mine.md", "empty"}


def test_a_list_that_names_what_lies_outside_removes_nothing_there(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine")
    write_pages(tmp_path / "generated", {"a.md": "a\n"})
    (tmp_path / "generated" / ".pages").write_text("../mine.md\n")
    write_pages(tmp_path / "generated", {"a.md": "a\n"})
    assert (tmp_path / "mine.md").exists()
