"""Campaign `vision`: how well and how fast pictures of known dice are read, as tables or JSON."""

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from controller.game.core.english import plural
from controller.runtime.output import Exit
from controller.runtime.terminal import answers, table
from tests.campaigns.campaign import print_report
from tools.evaluation.reliability import Bin, reliability_of
from tools.evaluation.sweeps import Sweep, reader_digest, world_digest
from tools.evaluation.timing import Times, stage_times
from tools.evaluation.vision import Examiner, Outcome, Trial, examine, picture_of
from vision.capture.frame import Pixels
from vision.reading import Reading
from vision.scoring import Mark, Tally, Truth, tally_of

_TIMED = 12  # pictures whose stages are timed
_NO_TRUTH = "There is no truth beside these pictures: nothing was judged."


@dataclass(frozen=True, slots=True)
class VisionReport:
    """Every outcome, how many pictures were left out, the medians of the stages in ms, the seconds of it
    all, and whether it was broken off. `listed` of the pictures that were not read exactly are told one by one.
    `swept` is the seed of throws that were read alone.
    """

    outcomes: Sequence[Outcome]
    left_out: int
    listed: int
    times: Times
    seconds: float
    interrupted: bool
    swept: int | None = None

    @property
    def judged(self) -> list[tuple[Truth, Mark, Outcome]]:
        """The pictures with a truth, and what they were marked."""
        return [(each.truth, each.mark, each) for each in self.outcomes if each.truth and each.mark]

    @property
    def tally(self) -> Tally:
        """The marks of all of them."""
        return tally_of(mark for _, mark, _ in self.judged)

    @property
    def baseline(self) -> Tally:
        """The marks of the baseline."""
        return tally_of(each.baseline for each in self.outcomes if each.baseline)

    @property
    def beside_baseline(self) -> Tally:
        """Our marks of the pictures that the baseline read too."""
        return tally_of(mark for _, mark, each in self.judged if each.baseline)

    def by(self, key: Callable[[Truth], str]) -> dict[str, Tally]:
        """The marks by category or family."""
        groups = sorted({key(truth) for truth, _, _ in self.judged})
        return {group: tally_of(mark for truth, mark, _ in self.judged if key(truth) == group) for group in groups}

    @property
    def reliability(self) -> list[Bin]:
        """How often readings were right by the confidence in the least sure of their dice."""
        return reliability_of(
            (min((die.confidence for die in each.answer.dice), default=0.0), mark is Mark.EXACT)
            for _, mark, each in self.judged
            if each.answer.is_read
        )

    @property
    def worst(self) -> list[Outcome]:
        """The pictures to be listed: those that were not read exactly, wrong ones first."""
        missed = [each for _, mark, each in self.judged if mark is not Mark.EXACT]
        return sorted(missed, key=lambda each: each.mark is not Mark.WRONG)[: self.listed]

    @property
    def passed(self) -> bool:
        """True if no answer was wrong; a refusal is none."""
        return not self.tally.wrong

    def as_json(self) -> Mapping[str, Any]:
        """All counts, times in ms, and the pictures to be listed."""
        return {
            **_tally_json(self.tally),
            "pictures": len(self.outcomes),
            "judged": len(self.judged),
            "left_out": self.left_out,
            "categories": {name: _tally_json(tally) for name, tally in self.by(lambda truth: truth.category).items()},
            "families": {name: _tally_json(tally) for name, tally in self.by(lambda truth: truth.family).items()},
            "verdicts": _verdicts(self.outcomes),
            "worst": [_outcome_json(each) for each in self.worst],
            "ms": {name: round(ms, 2) for name, ms in self.times.items()},
            "baseline": {"ours": _tally_json(self.beside_baseline), "blobs": _tally_json(self.baseline)},
            "made_ms": round(_median([each.made_ms for each in self.outcomes]), 1),
            "read_ms": round(_median([each.read_ms for each in self.outcomes]), 1),
            "reliability": [asdict(each) for each in self.reliability],
            **({} if self.swept is None else {"sweep": self._sweep(self.swept).as_json()}),
            "seconds": round(self.seconds, 1),
            "interrupted": self.interrupted,
        }

    def _sweep(self, seed: int) -> Sweep:
        return Sweep(reader_digest(), world_digest(), seed, self.tally)

    def show(self) -> None:
        """The same as tables."""
        if self.judged:
            _print_tallies("Category", self.by(lambda truth: truth.category), self.tally)
            families = self.by(lambda truth: truth.family)
            if families.keys() != {""}:
                _print_tallies("Family", families, self.tally)
            _print_reliability(self.reliability)
            for each in self.worst:
                answers.print(_line_of(each), markup=False)
            unjudged = len(self.outcomes) - len(self.judged)
            if unjudged:
                answers.print(f"{unjudged} more have no truth beside them: they were read, and are not counted.")
        else:
            _print_verdicts(self.outcomes)
        _print_times(self)


def bench_vision(
    trials: Sequence[Trial], left_out: int, examiner: Examiner, *, worst: int, as_json: bool, swept: int | None = None
) -> Exit:
    """Read, judge and report; NO if a wrong answer was given. `swept` is the seed where all are throws of one.

    Ctrl-C ends with what there is so far and is raised again as `KeyboardInterrupt`. Raises `OSError`.
    """
    results = examine(trials, examiner)
    times = {} if results.interrupted else stage_times(_first_pictures(trials), examiner.layout, examiner.die_mm)
    report = VisionReport(results.outcomes, left_out, worst, times, results.seconds, results.interrupted, swept)
    return print_report(report, results, as_json=as_json, summary=_summary(report))


def _first_pictures(trials: Sequence[Trial]) -> list[Pixels]:
    """The first pictures, of which those that show dice come before those that show none."""
    some = sorted(trials[: 10 * _TIMED], key=lambda trial: trial.truth is not None and trial.truth.must_refuse)[:_TIMED]
    return [pixels for pixels, _ in map(picture_of, some) if not isinstance(pixels, Reading)]


def _print_tallies(name: str, tallies: Mapping[str, Tally], every: Tally) -> None:
    shown = Table(name, *(f"{column}" for column in ("Pictures", "Exact", "Wrong", "Refused", "Exact %")))
    for column in shown.columns[1:]:
        column.justify = "right"
    for group, tally in tallies.items():
        shown.add_row(Text(group), *_cells(tally), style="red" if tally.wrong else "")
    shown.add_section()
    shown.add_row("all", *_cells(every))
    table.print(shown)


def _exact_part(tally: Tally) -> float:
    return tally.exact / max(1, tally.pictures)


def _cells(tally: Tally) -> list[str]:
    counts = (tally.pictures, tally.exact, tally.wrong, tally.refused)
    return [*map(str, counts), f"{100 * _exact_part(tally):.1f}"]


def _print_reliability(bins: Sequence[Bin]) -> None:
    shown = Table("Told confidence", "Readings", "Right", "Right %")
    for column in shown.columns[1:]:
        column.justify = "right"
    for each in bins:
        right = 100 * each.right / each.told
        shown.add_row(f"{each.low:.2f} to {each.high:.2f}", str(each.told), str(each.right), f"{right:.1f}")
    table.print(shown)


def _line_of(each: Outcome) -> str:
    """One picture that was not read exactly, its name whole, for the next command."""
    truth = each.truth
    shown = _row(truth.values) if truth and truth.values else "no dice"
    wanted = f"{shown}, to be refused" if truth and truth.must_refuse else shown
    answer = each.answer
    said = _row(answer.values) if answer.is_read else f"{answer.reason}: {answer.say}"
    return f"{each.mark:8} {each.name}: {wanted}; answer {said}"


def _row(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def _print_verdicts(outcomes: Sequence[Outcome]) -> None:
    shown = Table("Verdict", "Pictures")
    for verdict, count in _verdicts(outcomes).items():
        shown.add_row(verdict, str(count))
    table.print(shown)


def _verdicts(outcomes: Sequence[Outcome]) -> dict[str, int]:
    return dict(Counter(str(each.answer.reason or each.answer.verdict) for each in outcomes).most_common())


def _print_times(report: VisionReport) -> None:
    if not report.times:
        return
    shown = Table("Stage", "ms, one core")
    shown.columns[1].justify = "right"
    for name, ms in report.times.items():
        shown.add_row(_STAGES.get(name, name), f"{ms:.1f}")
    table.print(shown)
    ours, theirs = report.beside_baseline, report.baseline
    if theirs.pictures:
        answers.print(f"Of {theirs.pictures}: ours {_marks(ours)}; blobs in clusters {_marks(theirs)}.", markup=False)


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


def _marks(tally: Tally) -> str:
    return f"{tally.exact} exact, {tally.wrong} wrong, {tally.refused} refused"


def _summary(report: VisionReport) -> str:
    count = len(report.outcomes)
    made, read = (
        _median([each.made_ms for each in report.outcomes]),
        _median([each.read_ms for each in report.outcomes]),
    )
    each = f"{made:.0f} ms each to load or draw, {read:.0f} ms to read (medians)"
    sentences = [f"{count} {plural(count, 'picture', 'pictures')} in {report.seconds:.1f} s: {each}."]
    if not report.judged:
        sentences.append(_NO_TRUTH)
    if report.left_out:
        sentences.append(f"{report.left_out} pictures beside them have no truth and were left out.")
    if report.interrupted:
        sentences.append("Broken off: this is what there is so far.")
    return " ".join(sentences)


def _median(numbers: Sequence[float]) -> float:
    return statistics.median(numbers) if numbers else 0.0


def _tally_json(tally: Tally) -> dict[str, Any]:
    return {
        "pictures": tally.pictures,
        "exact": tally.exact,
        "wrong": tally.wrong,
        "refused": tally.refused,
        "exact_part": _exact_part(tally),
    }


def _outcome_json(each: Outcome) -> dict[str, Any]:
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
