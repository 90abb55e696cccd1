"""Replaying journals: what happened in each game, and whether it leads where it led."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.errors import JournalError
from controller.game import Game
from controller.journal import Journal, replay_checked
from controller.narration import sentence
from controller.output import Exit, answers, print_json
from controller.phases import phase_name
from controller.settings import Home
from controller.snapshot import standing


@dataclass(frozen=True, slots=True)
class Replayed:
    """One game out of a journal: how many events it has, the game they lead to, or why it cannot be replayed."""

    file: Path
    game_id: int
    events: int
    game: Game | None
    problem: str = ""


def journals_of(home: Home) -> list[Path]:
    """The journals that exist in a home folder: the box's own and the last demonstration's."""
    return [path for path in (home.journal, home.demo_journal) if path.exists()]


def replay_all(path: Path) -> Iterator[Replayed]:
    """Replay every game of one journal. Raises `JournalError` if the file itself cannot be read."""
    with Journal(path, read_only=True) as journal:
        for game_id in journal.game_ids():
            yield _replay(journal, game_id)


def _replay(journal: Journal, game_id: int) -> Replayed:
    try:
        entries = journal.entries(game_id)
        return Replayed(journal.path, game_id, len(entries), replay_checked(entries))
    except JournalError as error:
        return Replayed(journal.path, game_id, 0, None, str(error))


def report(home: Home, file: Path | None, *, check: bool, as_json: bool) -> Exit:
    """Say of every game where it leads; with `check`, only whether it leads there. The exit status.

    Raises `JournalError` if a file cannot be read at all.
    """
    paths = [file] if file else journals_of(home)
    results = [result for path in paths for result in replay_all(path)]
    for result in results:
        if as_json:
            print_json(_as_json(result))
        elif result.problem or not check:
            answers.print(_in_words(result), markup=False)
    bad = sum(bool(result.problem) for result in results)
    if not as_json:
        answers.print(f"{len(results)} game{'' if len(results) == 1 else 's'} replayed, {bad} of them differ")
    return Exit.NO if bad else Exit.DONE


def _as_json(result: Replayed) -> dict[str, object]:
    told = {"journal": str(result.file), "game": result.game_id, "events": result.events, "ok": not result.problem}
    if result.game is None:
        return {**told, "problem": result.problem}
    told_scores = standing(result.game) or result.game.scores
    scores = {player.name: score for player, score in zip(result.game.players, told_scores, strict=True)}
    return {**told, "phase": phase_name(result.game.phase), "board": str(result.game.board), "scores": scores}


def _in_words(result: Replayed) -> str:
    end = result.problem or (sentence(result.game) if result.game else "no events")
    return f"{result.file.name} game {result.game_id}: {result.events} events: {end}"
