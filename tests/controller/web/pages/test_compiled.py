"""Compiled templates are kept beside the program, and nothing depends on it that they can be."""

import sys
from importlib import util
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from controller.web.pages import compiled
from controller.web.pages.compiled import CompiledBeside


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python keeps what it compiled of the package: a folder of its own here."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    place = Path(util.cache_from_source(compiled.__file__)).parent
    place.mkdir(parents=True)
    return place


def draw(source: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    """What a process that has just started makes of a template, and how often it compiled one."""
    times = 0
    environment = Environment(loader=DictLoader({"box.html": source}), bytecode_cache=CompiledBeside(), autoescape=True)
    compile_ = environment.compile

    def count(*args: object, **options: object) -> object:
        nonlocal times
        times += 1
        return compile_(*args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(environment, "compile", count)
    return environment.get_template("box.html").render(), times


def test_a_template_is_compiled_once_for_all_starts_and_again_when_it_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [draw(text, monkeypatch) for text in ("one", "one", "two", "two")] == [
        ("one", 1),
        ("one", 0),
        ("two", 1),
        ("two", 0),
    ]
    (kept,) = folder.iterdir()
    assert kept.stat().st_mode == Path(compiled.__file__).stat().st_mode  # root compiles what the daemon loads
    kept.write_bytes(bytes(kept.stat().st_size))  # as a power cut may leave it
    assert draw("two", monkeypatch) == ("two", 1)


def test_where_python_writes_nothing_templates_are_drawn_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        assert [draw("one", monkeypatch) for _ in range(2)] == [("one", 1)] * 2
    assert not list(folder.iterdir())
    folder.rmdir()  # the tests run as root too, whom no mode keeps from writing
    assert draw("one", monkeypatch) == ("one", 1)
