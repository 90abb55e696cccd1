"""The scripts of the pages are typed by their comments, and TypeScript's own compiler finds nothing wrong."""

import subprocess
from pathlib import Path

import pytest

from tests.browser.node import HERE, NEEDS_PACKAGES, NODE, TSC

pytestmark = pytest.mark.skipif(NODE is None or not TSC.exists(), reason=NEEDS_PACKAGES)


def check_types(*arguments: str) -> str:
    """What the compiler complains of, one complaint a line."""
    told = subprocess.run([NODE or "node", str(TSC), *arguments], capture_output=True, text=True, check=False)
    return told.stdout


def test_the_scripts_of_the_pages_are_typed() -> None:
    assert check_types("--project", str(HERE)) == ""


@pytest.mark.long
def test_a_script_that_is_not_typed_is_seen(tmp_path: Path) -> None:
    script = tmp_path / "untyped.js"
    script.write_text("export function twice(number) {\n  return 2 * number.times;\n}\n", "utf-8")
    told = check_types("--allowJs", "--checkJs", "--noEmit", "--strict", str(script))
    assert "implicitly has an 'any' type" in told
