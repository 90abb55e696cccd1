"""The page of the report shows and saves what the report on the installation says, without names."""

from pathlib import Path

import pytest

from controller.messages.words import ENGLISH
from controller.service import doctor
from controller.web.pages.workshop import report
from tests.support.api import open_api


async def test_the_report_is_read_and_saved_without_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "read_service_log", lambda _lines: ("Ann <throws>", f"Bearer {'Ab1' * 12}"))
    async with open_api(tmp_path) as api:
        sections = (await api.here.get("/api/health")).json()
        page = await api.here.get("/workshop/report")
        file = await api.here.get("/workshop/report.txt")

    assert [each["title"] for each in sections] == list(report.titles_in(ENGLISH))
    assert '<h2 id="part-4">Health</h2>' in page.text
    assert "player 1 &lt;throws&gt;" in page.text
    assert file.text.startswith("Versions\n  shutbox ")
    assert "\nLog\n  player 1 <throws>\n" in file.text
    assert file.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert 'attachment; filename="shutbox-report-' in file.headers["Content-Disposition"]
    for text in (page.text, file.text):
        assert "Ann" not in text
        assert "Ab1Ab1" not in text


@pytest.mark.parametrize("path", ["/workshop/report", "/workshop/report.txt"])
async def test_only_operators_see_it(tmp_path: Path, path: str) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert (await api.away.get(path)).status_code == 403
