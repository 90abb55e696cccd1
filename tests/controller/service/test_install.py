"""An installation into a tree: what it makes, that it is repeatable, and that its undo leaves the tree as it was."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.errors import InstallError
from controller.service.effects import Host, MakeData, MakeLink, MakeUser
from controller.service.layout import Layout, Record
from controller.service.perform import perform, undo_all
from controller.service.plan import plan_install, plan_undo
from controller.service.update_file import UpdateFile
from tests.support.installed_box import Box, let_pass, make_update
from tests.support.power import Power
from tests.test_house import ROOT

SYSTEM_FILES = {
    "/etc/systemd/system/shutbox.service",
    "/etc/systemd/system/shutbox-guard.service",
    "/etc/systemd/system/shutbox-trial.service",
    "/etc/systemd/system/shutbox-voice.service",
    "/etc/systemd/system/shutbox-bridge.service",
    "/usr/lib/sysusers.d/shutbox.conf",
    "/usr/lib/tmpfiles.d/shutbox.conf",
    "/usr/lib/udev/rules.d/60-shutbox.rules",
    "/usr/local/bin/shutbox",
}


@pytest.fixture
def tree(tmp_path: Path) -> Box:
    """A tree of another machine, on which something stands already."""
    root = tmp_path / "tree"
    (root / "usr/local/bin").mkdir(parents=True)
    (root / "etc/systemd/system").mkdir(parents=True)
    (root / "etc/systemd/system/shutbox.service").write_text("of an older installation\n")
    (root / "usr/local/bin/shutbox").symlink_to("/opt/shutbox/bin/shutbox")
    return Box(Layout(root=root))


@pytest.fixture
def update(tmp_path: Path) -> UpdateFile:
    shared = {"share/shutbox/boot_check.py": ROOT / "controller/service/boot_check.py"}
    shared |= {f"share/shutbox/systemd/{path.name}": path for path in (ROOT / "systemd").iterdir()}
    return make_update(tmp_path, "0.1.0", files=shared)


def install(tree: Box, update: UpdateFile | None) -> int:
    effects = plan_install(tree.layout, update, has_systemd=False)
    perform(effects, tree.host, let_pass)
    return len(effects)


def take_off(tree: Box) -> None:
    before, undone, after = plan_undo(tree.layout, has_systemd=False)
    assert (before, after) == ([], [])
    undo_all(undone, tree.host, let_pass)


def contents(root: Path) -> dict[str, tuple[int, str]]:
    """Everything in a tree: its mode and what is in it, or where it leads."""
    return {str(path.relative_to(root)): (path.lstat().st_mode, text_of(path)) for path in walk(root)}


def walk(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        yield from (Path(folder, name) for name in (*folders, *files))


def text_of(path: Path) -> str:
    if path.is_symlink():
        return os.readlink(path)
    return path.read_text("latin-1") if path.is_file() else ""


def test_a_tree_has_all_that_the_system_reads_and_names_nothing_of_where_it_was_made(
    tree: Box, update: UpdateFile
) -> None:
    install(tree, update)

    made = contents(tree.layout.root)
    assert {name for name in made if f"/{name}" in SYSTEM_FILES} == {name[1:] for name in SYSTEM_FILES}
    assert made["usr/local/bin/shutbox"][1] == "/opt/shutbox/current/bin/shutbox"
    assert made["opt/shutbox/current"][1] == f"versions/{update.version_name}"
    assert not [name for name, (_, text) in made.items() if str(tree.layout.root) in text]


def test_a_second_time_changes_nothing(tree: Box, update: UpdateFile) -> None:
    install(tree, update)
    before = contents(tree.layout.root)

    assert (install(tree, update), install(tree, None)) == (0, 0)
    assert contents(tree.layout.root) == before


def test_the_undo_leaves_the_tree_as_it_was(tree: Box, update: UpdateFile) -> None:
    before = contents(tree.layout.root)
    install(tree, update)
    assert contents(tree.layout.root) != before

    take_off(tree)

    assert contents(tree.layout.root) == before


def test_an_installation_cut_anywhere_can_be_gone_on_with_or_undone(
    tree: Box, update: UpdateFile, tmp_path: Path
) -> None:
    before, cuts, was_cut = contents(tree.layout.root), 0, True
    while was_cut:
        tree.power = Power(cuts)
        with tree.power.on():
            install(tree, update)
        was_cut, tree.power = tree.power.is_off, Power()
        if cuts % 2:
            install(tree, update)
            assert install(tree, update) == 0
        if tree.folder.is_dir():
            take_off(tree)
        left = contents(tree.layout.root)
        # A folder that was made, and noted only after the cut, may stay: it is empty.
        assert {name: left[name] for name in before} == before
        assert not [name for name in left.keys() - before.keys() if not (tree.layout.root / name).is_dir()]
        cuts += 1
    assert cuts > 60


WEB_FILES = {
    "etc/systemd/system/shutbox-web.socket",
    "etc/systemd/system/shutbox.service.wants/shutbox-web.socket",
    "etc/avahi/services/shutbox.service",
}


def set_web(tree: Box, words: str) -> None:
    tree.layout.home.data.mkdir(parents=True, exist_ok=True)
    tree.layout.home.settings.write_text(f"[web]\n{words}\n")


def test_the_network_has_its_port_as_the_settings_say_as_long_as_they_do(tree: Box, update: UpdateFile) -> None:
    (tree.layout.root / "etc/avahi/services").mkdir(parents=True)
    set_web(tree, "on = false")
    install(tree, update)
    closed = contents(tree.layout.root)
    assert not WEB_FILES & closed.keys()

    set_web(tree, 'on = true\nport = 80\naddress = "192.168.1.20"')
    install(tree, None)

    opened = contents(tree.layout.root)
    assert "\nListenStream=192.168.1.20:80\n" in opened["etc/systemd/system/shutbox-web.socket"][1]
    assert "<port>80</port>" in opened["etc/avahi/services/shutbox.service"][1]
    link = opened["etc/systemd/system/shutbox.service.wants/shutbox-web.socket"][1]
    assert link == "/etc/systemd/system/shutbox-web.socket"
    assert install(tree, None) == 0
    set_web(tree, "on = true")
    install(tree, None)
    assert "\nListenStream=[::]:8080\n" in contents(tree.layout.root)["etc/systemd/system/shutbox-web.socket"][1]

    set_web(tree, "on = false")
    install(tree, None)
    left = contents(tree.layout.root)
    assert not WEB_FILES & left.keys()
    assert install(tree, None) == 0


def test_the_undo_takes_the_port_away_too(tree: Box, update: UpdateFile) -> None:
    set_web(tree, "on = true")
    before = contents(tree.layout.root)
    install(tree, update)
    assert WEB_FILES & contents(tree.layout.root).keys()

    take_off(tree)

    assert contents(tree.layout.root) == before


def test_settings_that_nobody_can_read_close_the_port_and_keep_nothing_from_being_mended(
    tree: Box, update: UpdateFile
) -> None:
    set_web(tree, "on = maybe")
    install(tree, update)
    assert not WEB_FILES & contents(tree.layout.root).keys()


def test_this_machine_closes_its_port_before_the_unit_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout, link = Layout(prefix=tmp_path / "opt", data=tmp_path / "data"), tmp_path / "shutbox-web.socket"
    monkeypatch.setattr("controller.service.plan._WANTED", link)
    layout.folder.mkdir()
    MakeLink(link, Record(layout.folder), Path("/nowhere")).perform(Host())

    effects = plan_install(layout, make_update(tmp_path / "new", "0.1.0"), has_systemd=True)

    assert [str(effect) for effect in effects][-4:] == [
        "close the port",
        f"undo: link {link} to /etc/systemd/system/shutbox-web.socket",
        "have systemd read its units again",
        "have udev read its rules again",
    ]


@pytest.mark.parametrize(("address", "is_told"), [("127.0.0.1", False), ("::1", False), ("192.168.1.20", True)])
def test_a_port_that_only_this_computer_reaches_is_told_to_nobody(
    tree: Box, update: UpdateFile, address: str, is_told: bool
) -> None:
    (tree.layout.root / "etc/avahi/services").mkdir(parents=True)
    set_web(tree, f'on = true\naddress = "{address}"')
    install(tree, update)
    assert ("etc/avahi/services/shutbox.service" in contents(tree.layout.root)) is is_told


def test_a_port_that_only_this_computer_reaches_any_more_is_told_to_nobody_any_more(
    tree: Box, update: UpdateFile
) -> None:
    announcement = "etc/avahi/services/shutbox.service"
    (tree.layout.root / "etc/avahi/services").mkdir(parents=True)
    set_web(tree, "on = true")
    install(tree, update)
    assert announcement in contents(tree.layout.root)

    set_web(tree, 'on = true\naddress = "127.0.0.1"')
    install(tree, None)

    assert WEB_FILES & contents(tree.layout.root).keys() == WEB_FILES - {announcement}
    assert install(tree, None) == 0


def test_another_prefix_is_what_the_units_name(tree: Box, update: UpdateFile) -> None:
    elsewhere = replace(tree, layout=replace(tree.layout, prefix=Path("/srv/box")))
    install(elsewhere, update)

    unit = (tree.layout.root / "etc/systemd/system/shutbox.service").read_text("utf-8")
    assert "ExecStart=/srv/box/current/bin/shutbox run" in unit
    assert "/opt/shutbox" not in unit


def test_another_version_is_a_matter_of_an_update(tree: Box, update: UpdateFile, tmp_path: Path) -> None:
    install(tree, update)

    with pytest.raises(InstallError, match="say `shutbox update"):
        install(tree, make_update(tmp_path / "new", "0.2.0"))


def test_where_nothing_is_installed_a_file_is_asked_for(tree: Box) -> None:
    with pytest.raises(InstallError, match="name an update file"):
        install(tree, None)
    with pytest.raises(InstallError, match="nothing is installed"):
        take_off(tree)
    with pytest.raises(InstallError, match="there is no folder"):
        plan_install(Layout(root=tree.layout.root / "nowhere"), None, has_systemd=False)


def test_the_record_names_things_as_the_installed_system_does(tree: Box, update: UpdateFile) -> None:
    install(tree, update)

    made = json.loads((tree.folder / Record.FILE_NAME).read_text("utf-8"))
    assert made.keys() >= SYSTEM_FILES


class Accounts:
    """The users and groups of a machine, as its tools make and remove them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.users, self.groups = {"root"}, {"root": [], "video": ["shutbox"]}
        patch.setattr("pwd.getpwnam", self._user)
        patch.setattr("grp.getgrall", lambda: [SimpleNamespace(gr_name=n, gr_mem=m) for n, m in self.groups.items()])

    def _user(self, name: str) -> str:
        if name not in self.users:
            raise KeyError(name)
        return name

    def run(self, *command: str) -> str:
        match command:
            case ("systemd-sysusers", "shutbox.conf"):
                self.users.add("shutbox")
                self.groups |= {"shutbox": [], "gpio": ["shutbox"], "i2c": ["shutbox", "ann"]}
            case ("userdel", name):
                self.users.remove(name)
                del self.groups[name]
                self.groups = {group: [each for each in some if each != name] for group, some in self.groups.items()}
            case ("groupdel", name):
                del self.groups[name]
        return ""


def test_the_user_goes_with_the_groups_that_nobody_else_uses_but_not_while_games_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts = Accounts(monkeypatch)
    host, data = Host(run=accounts.run, has_systemd=False), tmp_path / "data"
    user, folder = MakeUser("shutbox", data, Record(tmp_path)), MakeData(data)
    user.perform(host)
    data.mkdir()
    (data / "journal.sqlite3").touch()

    for effect in (folder, user):
        effect.undo(host)
    assert (user.is_done(), data.exists()) == (True, True)
    (data / "journal.sqlite3").unlink()
    for effect in (folder, user):
        effect.undo(host)
    assert (accounts.users, data.exists()) == ({"root"}, False)
    assert accounts.groups.keys() == {"root", "video", "i2c"}


def test_a_user_who_was_there_before_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = Accounts(monkeypatch)
    accounts.run("systemd-sysusers", "shutbox.conf")
    user = MakeUser("shutbox", tmp_path / "data", Record(tmp_path))

    assert user.is_done()
    user.undo(Host(run=accounts.run, has_systemd=False))
    assert user.is_done()


def test_this_machine_is_told_to_read_its_units_again(tmp_path: Path) -> None:
    layout = Layout(prefix=tmp_path / "opt", data=tmp_path / "data")
    effects = plan_install(layout, make_update(tmp_path / "new", "0.1.0"), has_systemd=True)

    assert [str(effect) for effect in effects][-2:] == [
        "have systemd read its units again",
        "have udev read its rules again",
    ]
