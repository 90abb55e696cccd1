"""`shutbox install` and `shutbox update` as they are called: what they print, and how they end."""

import json
from pathlib import Path

import pytest

from controller.cli.install import require_root
from controller.errors import InstallError
from controller.service.layout import Layout
from tests.controller.conftest import Shutbox
from tests.support.installed_box import make_update


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    tree.mkdir()
    return tree


def test_what_an_installation_would_do_is_told_and_not_done(shutbox: Shutbox, tree: Path, tmp_path: Path) -> None:
    update = make_update(tmp_path, "0.1.0")

    status, out, _ = shutbox("install", str(update.path), "--unsigned", "--root", str(tree), "--dry-run")

    assert (status, list(tree.iterdir())) == (0, [])
    lines = out.splitlines()
    assert lines[0] == f"would make the folder {tree}/opt/shutbox"
    assert f"would write {tree}/etc/systemd/system/shutbox.service" in lines
    assert all(line.startswith("would ") for line in lines)


def test_a_program_is_told_in_json(shutbox: Shutbox, tree: Path, tmp_path: Path) -> None:
    update = make_update(tmp_path, "0.1.0")

    _, out, _ = shutbox("install", str(update.path), "--unsigned", "--root", str(tree), "--dry-run", "--json")

    told = json.loads(out)
    assert told["done"] is False
    assert len(told["effects"]) > 20


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("install",), 1, "name an update file"),
        (("install", "--undo"), 1, "nothing is installed"),
        (("update", "--back"), 1, "nothing is installed"),
        (("update",), 2, "name one update file, or say --back"),
        (("update", "{tmp}/bad.tar", "--key", "{tmp}/key"), 2, "--key and --successor go with --make"),
        (("install", "{tmp}/gone.tar"), 2, "gone.tar: No such file"),
        (("install", "{tmp}/bad.tar"), 2, "is no update file"),
        (("update", "{tmp}/bad.tar"), 2, "is no update file"),
        (("update", "{tmp}/new.tar", "--make", "{tmp}"), 2, "holds 0"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    shutbox: Shutbox, tmp_path: Path, words: tuple[str, ...], status: int, told: str
) -> None:
    (tmp_path / "bad.tar").write_bytes(b"bad")
    where = ("--prefix", str(tmp_path / "opt"))

    found, out, err = shutbox(*(word.format(tmp=tmp_path) for word in words), *where)

    assert (found, out, len(err.splitlines())) == (status, "", 1)
    assert told in err


def test_an_update_file_is_made_of_a_folder_of_wheels(shutbox: Shutbox, tmp_path: Path) -> None:
    make_update(tmp_path, "0.2.0")

    call = ("update", str(tmp_path / "new.tar"), "--make", str(tmp_path / "wheels-0.2.0-0"))
    status, out, _ = shutbox(*call, "--python", "3.13", "--machine", "aarch64")

    assert (status, (tmp_path / "new.tar").is_file()) == (0, True)
    assert "for Python 3.13 on aarch64, 2 packages" in out


def test_only_root_changes_this_machine_and_a_tree_is_anybodys(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)

    require_root(Layout(root=tree))
    with pytest.raises(InstallError, match="say it with sudo"):
        require_root(Layout())
