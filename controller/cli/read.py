"""`shutbox read`: the dice in pictures, in words, as JSON, or for a file of questions."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr
from rich.progress import Progress

from controller.box.dice import load_dice
from controller.cli.batch import answer_batch, refuse_with_batch
from controller.cli.options import REFERENCE_BOX, Batch, BoxName, Installation, Json
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import answers, say, words
from hardware.box import Box, load_box
from vision.capture.files import load_picture
from vision.custom_dice.faces import DiceSet
from vision.custom_dice.reader import read_custom_dice
from vision.errors import BadTruth
from vision.reader.reader import read_dice
from vision.reader.trace import PICTURE, Trace, draw_reading, save_drawing, sheet_of
from vision.reading import Reading
from vision.scoring import Mark, find_truth, judge, pictures_in, tally_of


def read(
    files: Annotated[list[str] | None, typer.Argument(help="Pictures.")] = None,
    dice: Annotated[int | None, typer.Option("--dice", min=1, max=12, help="How many dice there must be.")] = None,
    batch: Batch = None,
    box: BoxName = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Draw the stages of the reading into this file (.png, .jpg).")
    ] = None,
    draw: Annotated[
        Path | None, typer.Option("--draw", help="Draw the reading on the picture, into this file (.png, .jpg).")
    ] = None,
    dice_set: Annotated[
        str | None, typer.Option("--dice-set", help="Taught dice (see `calibrate dice --list`), or pips.")
    ] = None,
    score: Annotated[
        Path | None, typer.Option("--score", metavar="FOLDER", help="Score pictures whose dice are known.")
    ] = None,
    json: Json = False,
) -> None:
    installation = Installation()
    taught = load_dice(installation.home, dice_set or installation.settings.dice)
    reader = PictureReader(load_box(box or REFERENCE_BOX), time.perf_counter, taught)
    if batch is not None:
        refuse_with_batch(files=files, trace=trace, draw=draw, dice=dice, score=score)
        answer_batch(batch, PictureQuestion, reader.answer_or_error)
        return
    if score is not None:
        if files or trace is not None or draw is not None or dice is not None:
            raise typer.BadParameter(
                "--score FOLDER reads that folder alone: leave files, --dice, --trace and --draw out"
            )
        try:
            raise typer.Exit(reader.score(score, as_json=json))
        except OSError as error:
            raise typer.BadParameter(f"{error.filename}: {error.strerror}") from error
        except BadTruth as error:
            raise typer.BadParameter(str(error)) from error
    if not files:
        raise typer.BadParameter("name the pictures, --score FOLDER, or --batch FILE")
    for name, path in (("--trace", trace), ("--draw", draw)):
        if path is not None and len(files) != 1:
            raise typer.BadParameter(f"{name} takes exactly one picture; these are {len(files)}")
    # The picture may be the only copy: no drawing overwrites it, nor the other drawing.
    for name, path in (("--trace", trace), ("--draw", draw)):
        if path is not None and _is_same(path, Path(files[0])):
            raise typer.BadParameter(f"{name} {path} would overwrite the picture that is read: name another file")
    if trace is not None and draw is not None and _is_same(trace, draw):
        raise typer.BadParameter(f"--trace and --draw would write the same file, {trace}: name two")
    try:
        reader.show(files[0], dice, trace=trace, draw=draw)
    except OSError as error:
        raise typer.BadParameter(f"{error.filename}: {error.strerror}") from error
    raise typer.Exit(reader.report(files, dice, as_json=json))


def _is_same(one: Path, other: Path) -> bool:
    """Return whether both are one file, by any name or link. Raises `typer.BadParameter` for links in a circle."""
    try:
        return one.resolve() == other.resolve() or (one.exists() and other.exists() and one.samefile(other))
    except (RuntimeError, OSError) as error:  # the first up to Python 3.12
        raise typer.BadParameter(f"{one} or {other} is a link that leads nowhere: name another file") from error


class PictureQuestion(BaseModel):
    """A line of a batch: a file, and how many dice there must be (None: any number)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: StrictStr
    dice: StrictInt | None = Field(default=None, ge=1, le=12)


@dataclass(frozen=True, slots=True)
class PictureReader:
    """Reads files as the camera of `box` would see them.

    stopwatch: returns wall seconds.
    taught: reads these dice in place of pips.
    """

    box: Box
    stopwatch: Callable[[], float]
    taught: DiceSet | None = None

    def answer(self, question: PictureQuestion) -> dict[str, Any]:
        """Return the answer about one file. Raises `OSError` if it cannot be read."""
        began_s = self.stopwatch()
        return self._told(question, self._read(question, None), began_s)

    def answer_or_error(self, question: PictureQuestion) -> dict[str, Any]:
        """Return the answer about one file, or why it cannot be read."""
        try:
            return self.answer(question)
        except OSError as error:
            return {"file": question.file, "error": str(error.strerror or error)}

    def report(self, files: Sequence[str], dice: int | None, *, as_json: bool) -> Exit:
        """Read every file and print it. NO if no picture was read, WRONG_CALL if a file could not be opened."""
        told = []
        for file in files:
            answer = self.answer_or_error(PictureQuestion(file=file, dice=dice))
            told.append(answer)
            if "error" in answer:
                say(f"shutbox: {file}: {answer['error']}")
            if as_json:
                print_json(answer)
            elif "error" not in answer:
                told_words = answer.get("values") or [f"{answer['reason']}: {answer['say']}"]
                answers.print(f"{file}: {' '.join(map(str, told_words))}", markup=False)
        if any("error" in answer for answer in told):
            return Exit.WRONG_CALL
        return Exit.DONE if any(answer["verdict"] == "read" for answer in told) else Exit.NO

    def score(self, folder: Path, *, as_json: bool) -> Exit:
        """Read the pictures of a folder whose dice are known, and print how many were read exactly, wrongly and not.

        NO if one was read wrongly. Raises `OSError`, and `BadTruth` for labels that cannot be used.
        """
        truths = {path: truth for path in pictures_in(folder) if (truth := find_truth(path)) is not None}
        if not truths:
            raise BadTruth(f"{folder}: no picture has a truth: write NAME.json, truth.json or labels.csv beside them")
        marks = {}
        with Progress(console=words, transient=True) as bar:
            for path, truth in bar.track(truths.items(), description="Reading pictures"):
                marks[path] = judge(truth, self._read(PictureQuestion(file=str(path)), None))
        tally, wrong = tally_of(marks.values()), [str(path) for path, mark in marks.items() if mark is Mark.WRONG]
        if as_json:
            print_json({"folder": str(folder), "pictures": tally.pictures, **asdict(tally), "wrong_files": wrong})
        else:
            told = f"{tally.pictures} pictures: {tally.exact} exact, {tally.wrong} wrong, {tally.refused} refused"
            answers.print("\n".join((told, *(f"wrong: {name}" for name in wrong))), markup=False)
        return Exit.NO if wrong else Exit.DONE

    def show(self, file: str, dice: int | None, *, trace: Path | None, draw: Path | None) -> None:
        """Draw the stages and the verdict of a reading into `trace`, and the reading alone into `draw`.

        Raises `OSError`.
        """
        if trace is None and draw is None:
            return
        stages = Trace(self.stopwatch)
        question = PictureQuestion(file=file, dice=dice)
        began_s = self.stopwatch()
        reading = self._read(question, stages)
        answer = self._told(question, reading, began_s)
        stages.tell("file", answer["file"])
        stages.tell("verdict", " ".join(str(answer[key]) for key in ("verdict", "reason") if key in answer))
        for key in ("say", "values", "likely", "at_px"):
            if answer.get(key):
                stages.tell(key, str(answer[key]))
        for number, die in enumerate(answer["dice"], 1):
            facts = f"{die['value']}, {die['colour']}, {die['confidence']:.3f} sure, at {die['center_px']}"
            stages.tell(f"die {number}", facts)
        stages.tell("took", f"{answer['ms']} ms, with the drawing of this")
        stages.tell("version", f"shutbox {version('shutbox')}")
        if trace is not None:
            save_drawing(sheet_of(stages), trace)
        picture = load_picture(file)
        if draw is not None and not isinstance(picture, Reading):
            save_drawing(draw_reading(picture, reading), draw)

    def _told(self, question: PictureQuestion, reading: Reading, began_s: float) -> dict[str, Any]:
        ms = round(1000 * (self.stopwatch() - began_s), 1)
        dice: list[dict[str, Any]] = [
            {
                "value": die.value,
                "center_px": [round(place, 1) for place in die.center_px],
                "confidence": round(die.confidence, 3),
                "colour": die.colour,
            }
            for die in reading.dice
        ]
        if self.taught is not None:
            for die in dice:
                die["label"] = self.taught.label_of(die["value"])
        answer: dict[str, Any] = {"file": question.file}
        if reading.is_read:
            return answer | {"verdict": "read", "values": list(reading.values), "dice": dice, "ms": ms}
        answer |= {"verdict": "refused", "reason": reading.reason, "say": reading.say}
        if reading.at_px is not None:
            answer["at_px"] = [round(place, 1) for place in reading.at_px]
        return answer | {"likely": [list(values) for values in reading.likely], "dice": dice, "ms": ms}

    def _read(self, question: PictureQuestion, trace: Trace | None) -> Reading:
        picture = load_picture(question.file)
        if isinstance(picture, Reading):
            return picture
        if trace is not None:
            trace.add(PICTURE, picture)
        counts = frozenset() if question.dice is None else frozenset({question.dice})
        if self.taught is not None:
            return read_custom_dice(picture, layout=self.box.field, sets=(self.taught,), counts=counts)
        return read_dice(picture, layout=self.box.field, die_mm=self.box.die_mm, counts=counts, trace=trace)
