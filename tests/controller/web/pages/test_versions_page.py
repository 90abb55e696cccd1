"""The page of the versions offers what the daemon can do itself, and shows the command for the rest."""

from pathlib import Path

import pytest

from controller.service.versions import InstalledVersion, Versions
from tests.support.api import open_api

PAGE = "/workshop/versions"
BEFORE = InstalledVersion("0.1.0-11111111", "0.1.0", keeps_games=False)


@pytest.mark.parametrize(
    ("told", "says", "leaves_out"),
    [
        (
            Versions("0.2.0", "0.2.0-22222222", before=BEFORE),
            ["sudo shutbox update FILE<", "sudo shutbox update --back<", "The version before this one is here: 0.1.0."],
            ["on trial", "sudo shutbox install"],
        ),
        (
            Versions("0.2.0", "0.2.0-22222222", on_trial=True, why_not="only one", options=" --prefix /srv/box"),
            ["on trial", "sudo shutbox update FILE --prefix /srv/box<", "no version here to go back to", "only one"],
            ["--back"],
        ),
        (Versions("0.2.0"), ["sudo shutbox install FILE<", "was not installed"], ["sudo shutbox update"]),
    ],
)
async def test_what_runs_and_the_exact_commands_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Versions, says: list[str], leaves_out: list[str]
) -> None:
    monkeypatch.setattr("controller.service.versions.read_versions", lambda: told)
    async with open_api(tmp_path, played=False) as api:
        page = (await api.here.get(PAGE)).text
    assert "shutbox 0.2.0" in page
    assert [each for each in says if each not in page] == []
    assert [each for each in leaves_out if each in page] == []
    assert "data-restart>" not in page
    assert "data-send" not in page


async def test_a_service_can_be_started_again_and_no_version_be_changed(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        api.app.state.restart = lambda: None
        page = (await api.here.get(PAGE)).text
        away = await api.away.get(PAGE)
    assert page.count("data-restart>") == 1
    assert away.status_code == 403
