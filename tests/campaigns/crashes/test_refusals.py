"""Cards that refuse in short form, and what the campaign says of a journal that lies."""

import errno
import os
import re

import pytest

from controller.journal.store import Journal
from tests.campaigns.crashes.refusals import Outcome, Trial, attempt_refusal, report_refusals
from tests.support.cards import needs_card


@needs_card
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EIO])
@pytest.mark.parametrize("deed", [33, 80])  # as the file is made, and amid a game
def test_what_a_card_refuses_is_told_and_nothing_is_lost(deed: int, error: int) -> None:
    outcome = attempt_refusal(Trial(deed, error))
    assert outcome.problem == ""
    assert outcome.refusals > 0
    assert outcome.events > 60


@needs_card
def test_an_event_that_is_called_kept_and_was_refused_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    append = Journal.append

    def lie(*words: object) -> None:
        try:
            append(*words)  # type: ignore[arg-type]
        except Exception:
            """Nothing was wrong."""

    monkeypatch.setattr(Journal, "append", lie)
    assert re.search("is missing|are lost", attempt_refusal(Trial(94, errno.EIO)).problem)


def test_a_problem_is_told_with_its_card() -> None:
    good = Outcome(Trial(7, errno.EIO), 60, 2)
    report = report_refusals([good, Outcome(Trial(8, errno.ENOSPC), 60, 1, "1 of 60 acknowledged events are lost")])
    assert report.facts["told"] == 2
    assert list(report.problems) == [
        f"{os.strerror(errno.ENOSPC)} from deed 8 on: 1 of 60 acknowledged events are lost"
    ]
