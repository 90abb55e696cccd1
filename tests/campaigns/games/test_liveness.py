"""Campaign `liveness`: it finds nothing, notices planted bugs, and a trial is the same again from its file."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from controller.errors import JournalUnwritable
from controller.game.core.commands import Command
from controller.game.core.events import GameEvent
from controller.game.core.players import Origin
from controller.journal.keys import CommandKey, UsedKeys
from controller.referee.recorder import Recorder
from controller.referee.subscribers import Action
from controller.runtime.output import Exit
from tests.campaigns.games.liveness import Trial, Trouble, bench_liveness, draw_trial, play_trial
from tests.support.long import long_but_every

FULL = Trial(3, 20.0, tuple(Trouble(at_s, "disk", "full", 2.0) for at_s in (1.0, 5.0, 9.0, 13.0)))
LOST = Trial(3, 20.0, tuple(Trouble(float(at_s), "client", "39") for at_s in range(1, 20)))


@pytest.mark.parametrize("seed", long_but_every(10, range(1, 31)))
def test_a_game_goes_on_once_the_troubles_are_over(seed: int) -> None:
    outcome = play_trial(draw_trial(seed))
    assert outcome.problems == ()
    assert outcome.acknowledged


def test_trials_have_troubles_of_every_kind() -> None:
    kinds = {each.kind for seed in range(10) for each in draw_trial(seed).troubles}
    assert kinds == {"disk", "box", "clock", "chip", "watcher", "client", "stranger"}


def test_a_trial_is_the_same_again_from_its_file(tmp_path: Path) -> None:
    trial = draw_trial(2)
    trial.save(tmp_path / "trial.json")
    assert Trial.load(tmp_path / "trial.json") == trial
    assert play_trial(trial) == play_trial(trial)


def never_write_again(patch: pytest.MonkeyPatch) -> None:
    """A refused write is taken for the end of all writing."""
    keep, refused = Recorder.keep, list[JournalUnwritable]()

    async def kept(
        recorder: Recorder,
        events: Sequence[GameEvent],
        command: Command,
        key: CommandKey | None,
        origin: Origin,
        box: str,
    ) -> Action:
        if refused:
            raise refused[0]
        try:
            return await keep(recorder, events, command, key, origin, box)
        except JournalUnwritable as error:
            refused.append(error)
            raise

    patch.setattr(Recorder, "keep", kept)


def take_a_repeated_one_for_another(patch: pytest.MonkeyPatch) -> None:
    use_of: Callable[[UsedKeys, CommandKey], str] = UsedKeys.use_of
    patch.setattr(UsedKeys, "use_of", lambda keys, key: "taken" if use_of(keys, key) == "done" else "new")


def forget_keys(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(UsedKeys, "add", lambda _keys, _key, _game_id: None)


@pytest.mark.parametrize(
    ("plant", "trial", "says"),
    [
        (never_write_again, FULL, "120 s after the last trouble still"),
        (take_a_repeated_one_for_another, LOST, "is answered with 422"),
        (forget_keys, LOST, "is not in the journal"),
    ],
)
def test_what_must_not_be_is_noticed_and_its_file_repeats_it(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    plant: Callable[[pytest.MonkeyPatch], None],
    trial: Trial,
    says: str,
) -> None:
    assert play_trial(trial).problems == ()
    trial.save(tmp_path / "trial.json")
    with monkeypatch.context() as patch:
        plant(patch)
        assert bench_liveness(1, 1, tmp_path / "trial.json", as_json=True) is Exit.NO
    assert says in " ".join(json.loads(capsys.readouterr().out)["problems"])


def test_a_failed_trial_is_written_down(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tests.campaigns.games.liveness.draw_trial", lambda _seed: LOST)
    forget_keys(monkeypatch)
    assert bench_liveness(1, 1, None, as_json=True) is Exit.NO
    assert Trial.load(tmp_path / f"liveness-{LOST.seed}.json") == LOST
