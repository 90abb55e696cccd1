"""`make docs`: what is wrong with a built site is found, and nothing is wrong with ours."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.together import together
from tools import site

HEAD = "<!doctype html><title>A page</title>"
MISTAKES = {
    '<a href="gone.html">': "leads to no file",
    '<a href="../outside.html">': "leads to no file",
    '<img src="_images/gone.svg">': "leads to no file",
    '<a href="other.html#gone">': "leads to no place",
    '<a href="#gone">': "leads to no place",
    '<i id="twice"></i><i id="twice"></i>': "two places are named twice",
    "<style>p {}</style>": "content security policy",
    "<script>alert()</script>": "content security policy",
    '<p style="color: red">': "content security policy",
    '<p onclick="alert()">': "content security policy",
    '<a href="http://example.org/">': "no address of the web by https",
    '<a href="https://example/">': "no address of the web by https",
    '<a href="javascript:alert()">': "no address of the web by https",
}


def made(folder: Path, body: str) -> Path:
    (folder / "site").mkdir(exist_ok=True)
    (folder / "outside.html").write_text(HEAD, "utf-8")
    (folder / "site" / "other.html").write_text(f'{HEAD}<h1 id="there">', "utf-8")
    (folder / "site" / "index.html").write_text(HEAD + body, "utf-8")
    return folder / "site"


@together(("body", "said"), MISTAKES.items())
def test_a_mistake_is_named_with_its_page(tmp_path: Path, body: str, said: str) -> None:
    [mistake] = site.find_mistakes(made(tmp_path, body))

    assert mistake.startswith("index.html: ")
    assert said in mistake


def test_what_leads_somewhere_is_no_mistake(tmp_path: Path) -> None:
    body = '<a href="other.html#there"><a href="other.html"><a id="here" href="#here"><a href="https://example.org/a">'

    assert not list(site.find_mistakes(made(tmp_path, body)))
    assert site.outward_links(tmp_path / "site") == ["https://example.org/a"]


@pytest.mark.long
@pytest.mark.skipif(find_spec("sphinx") is None, reason="needs Sphinx: make lanes")
def test_the_site_is_built_without_a_warning(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status = site.build(tmp_path / "site")

    assert (status, capfd.readouterr().err) == (0, "")
    assert not list(site.find_mistakes(tmp_path / "site"))
