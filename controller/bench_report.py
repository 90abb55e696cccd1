"""Runs `shutbox bench vision` and tells what came of it, as tables or as one JSON object."""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from controller.bench_vision import Case, Examiner, Judged, examined, picture_of
from controller.output import Exit, answers, print_json, say, table, words
from vision.frame import Pixels
from vision.measuring.scoring import Mark, Tally, Truth, tally_of
from vision.measuring.timing import Times, stage_times
from vision.reading import Reading

_TIMED = 12  # pictures whose stages are timed
_NO_TRUTH = "There is no truth beside these pictures: nothing was judged."


@dataclass(frozen=True, slots=True)
class Report:
    """What is told: everything that was judged, the medians of the stages, and whether it was broken off."""

    judged: Sequence[Judged]
    left_out: int
    times: Times
    seconds: float
    interrupted: bool

    @property
    def told(self) -> list[tuple[Truth, Mark, Judged]]:
        """The pictures with a truth."""
        return [(each.truth, each.mark, each) for each in self.judged if each.truth and each.mark]

    @property
    def tally(self) -> Tally:
        """The marks of all of them."""
        return tally_of(mark for _, mark, _ in self.told)

    @property
    def baseline(self) -> Tally:
        """The marks of the baseline."""
        return tally_of(each.baseline for each in self.judged if each.baseline)

    @property
    def beside_baseline(self) -> Tally:
        """Our marks of the pictures that the baseline read too."""
        return tally_of(mark for _, mark, each in self.told if each.baseline)

    def by(self, key: Callable[[Truth], str]) -> dict[str, Tally]:
        """The marks by category or family."""
        groups = sorted({key(truth) for truth, _, _ in self.told})
        return {group: tally_of(mark for truth, mark, _ in self.told if key(truth) == group) for group in groups}

    def worst(self, count: int) -> list[Judged]:
        """So many of the pictures that were not read exactly, wrong ones first."""
        missed = [each for _, mark, each in self.told if mark is not Mark.EXACT]
        return sorted(missed, key=lambda each: each.mark is not Mark.WRONG)[:count]


def bench_vision(cases: Sequence[Case], left_out: int, examiner: Examiner, *, worst: int, as_json: bool) -> Exit:
    """Read, judge and tell; the exit status is NO when a wrong answer was given.

    Ctrl-C ends with what there is so far and is raised again as `KeyboardInterrupt`. Raises `OSError`.
    """
    began_s = time.perf_counter()
    judged: list[Judged] = []
    interrupted = False
    try:
        _examine(cases, examiner, judged)
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - began_s
    times = {} if interrupted else stage_times(_first(cases), examiner.layout, examiner.die_mm)
    report = Report(judged, left_out, times, seconds, interrupted)
    print_json(_as_json(report, worst)) if as_json else _print(report, worst)
    say(_summary(report))
    if interrupted:
        raise KeyboardInterrupt
    return Exit.NO if report.tally.wrong else Exit.DONE


def _examine(cases: Sequence[Case], examiner: Examiner, judged: list[Judged]) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=words, transient=True, disable=not words.is_terminal) as progress:
        bar = progress.add_task("pictures", total=len(cases))
        marks: Counter[Mark | None] = Counter()
        with closing(examined(cases, examiner)) as every:
            for each in every:
                judged.append(each)
                marks[each.mark] += 1
                counted = ", ".join(f"{marks[mark]} {mark}" for mark in Mark if marks[mark])
                progress.update(bar, advance=1, description=counted or "pictures")


def _first(cases: Sequence[Case]) -> list[Pixels]:
    """The first pictures, of which those that show dice come before those that show none."""
    some = sorted(cases[: 10 * _TIMED], key=lambda case: case.truth is not None and case.truth.must_refuse)[:_TIMED]
    return [pixels for pixels, _ in map(picture_of, some) if not isinstance(pixels, Reading)]


def _print(report: Report, worst: int) -> None:
    if report.told:
        _print_tallies("Category", report.by(lambda truth: truth.category), report.tally)
        families = report.by(lambda truth: truth.family)
        if families.keys() != {""}:
            _print_tallies("Family", families, report.tally)
        for each in report.worst(worst):
            answers.print(_line_of(each), markup=False)
    else:
        _print_verdicts(report.judged)
    _print_times(report)


def _print_tallies(name: str, tallies: Mapping[str, Tally], every: Tally) -> None:
    shown = Table(name, *(f"{column}" for column in ("Pictures", "Exact", "Wrong", "Refused", "Exact %")))
    for column in shown.columns[1:]:
        column.justify = "right"
    for group, tally in tallies.items():
        shown.add_row(group, *_cells(tally), style="red" if tally.wrong else "")
    shown.add_section()
    shown.add_row("all", *_cells(every))
    table.print(shown)


def _cells(tally: Tally) -> list[str]:
    counts = (tally.pictures, tally.exact, tally.wrong, tally.refused)
    return [*map(str, counts), f"{100 * tally.exact_part:.1f}"]


def _line_of(each: Judged) -> str:
    """One picture that was not read exactly, its name whole, for the next command."""
    truth = each.truth
    shown = _row(truth.values) if truth and truth.values else "no dice"
    wanted = f"{shown}, to be refused" if truth and truth.must_refuse else shown
    answer = each.answer
    said = _row(answer.values) if answer.is_read else f"{answer.reason}: {answer.say}"
    return f"{each.mark:8} {each.name}: {wanted}; answer {said}"


def _row(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def _print_verdicts(judged: Sequence[Judged]) -> None:
    shown = Table("Verdict", "Pictures")
    for verdict, count in _verdicts(judged).items():
        shown.add_row(verdict, str(count))
    table.print(shown)


def _verdicts(judged: Sequence[Judged]) -> dict[str, int]:
    return dict(Counter(str(each.answer.reason or each.answer.verdict) for each in judged).most_common())


def _print_times(report: Report) -> None:
    if not report.times:
        return
    shown = Table("Stage", "ms, one core")
    shown.columns[1].justify = "right"
    for name, ms in report.times.items():
        shown.add_row(_STAGES.get(name, name), f"{ms:.1f}")
    table.print(shown)
    ours, theirs = report.beside_baseline, report.baseline
    if theirs.pictures:
        answers.print(f"Of {theirs.pictures}: ours {_told(ours)}; blobs in clusters {_told(theirs)}.", markup=False)


_STAGES = {
    "health": "light and health",
    "field": "locating the field",
    "survey": "what lies on the baize",
    "faces": "faces",
    "verdict": "verdict",
    "located": "a reading, the field located",
    "whole": "a reading, all of it",
    "baseline": "blobs in clusters, all of it",
}


def _told(tally: Tally) -> str:
    return f"{tally.exact} exact, {tally.wrong} wrong, {tally.refused} refused"


def _summary(report: Report) -> str:
    count = len(report.judged)
    made, read = _median([each.made_ms for each in report.judged]), _median([each.read_ms for each in report.judged])
    each = f"{made:.0f} ms each to load or draw, {read:.0f} ms to read (medians)"
    sentences = [f"{count} pictures in {report.seconds:.1f} s: {each}."]
    if not report.told:
        sentences.append(_NO_TRUTH)
    if report.left_out:
        sentences.append(f"{report.left_out} pictures beside them have no truth and were left out.")
    if report.interrupted:
        sentences.append("Broken off: this is what there is so far.")
    return " ".join(sentences)


def _median(numbers: Sequence[float]) -> float:
    return statistics.median(numbers) if numbers else 0.0


def _as_json(report: Report, worst: int) -> dict[str, Any]:
    return {
        "pictures": len(report.judged),
        "judged": len(report.told),
        "left_out": report.left_out,
        **_tally_json(report.tally),
        "categories": {name: _tally_json(tally) for name, tally in report.by(lambda truth: truth.category).items()},
        "families": {name: _tally_json(tally) for name, tally in report.by(lambda truth: truth.family).items()},
        "verdicts": _verdicts(report.judged),
        "worst": [_judged_json(each) for each in report.worst(worst)],
        "ms": {name: round(ms, 2) for name, ms in report.times.items()},
        "baseline": {"ours": _tally_json(report.beside_baseline), "blobs": _tally_json(report.baseline)},
        "made_ms": round(_median([each.made_ms for each in report.judged]), 1),
        "read_ms": round(_median([each.read_ms for each in report.judged]), 1),
        "seconds": round(report.seconds, 1),
        "interrupted": report.interrupted,
    }


def _tally_json(tally: Tally) -> dict[str, Any]:
    return {
        "pictures": tally.pictures,
        "exact": tally.exact,
        "wrong": tally.wrong,
        "refused": tally.refused,
        "exact_part": tally.exact_part,
    }


def _judged_json(each: Judged) -> dict[str, Any]:
    truth, answer = each.truth, each.answer
    return {
        "file": each.name,
        "mark": each.mark,
        "truth": list(truth.values) if truth else [],
        "must_refuse": bool(truth and truth.must_refuse),
        "verdict": answer.verdict,
        "values": list(answer.values),
        "reason": answer.reason,
        "say": answer.say,
    }
