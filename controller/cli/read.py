"""`shutbox read`: the dice in pictures, in words, as JSON, or for a whole file of questions."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from controller.box import load_dice
from controller.cli.batch import answer_batch, refuse_with_batch
from controller.cli.options import REFERENCE_BOX, Batch, BoxName, FieldChoice, FieldOption, Installation, Json
from controller.process import Exit, answers, print_json, say
from hardware.box import Box, load_box
from vision.capture import load_picture
from vision.reader import PICTURE, Trace, draw_reading, read_dice, save_drawing, sheet_of
from vision.reading import Reading, Reason
from vision.taught import TaughtSet, read_taught_dice

_NO_MARKERS = "(A photograph without markers is read with --field whole.)"


def read(
    files: Annotated[list[str] | None, typer.Argument(help="Pictures.")] = None,
    field: FieldOption = FieldChoice.AUTO,
    dice: Annotated[int | None, typer.Option("--dice", min=1, max=12, help="How many dice must be there.")] = None,
    batch: Batch = None,
    box: BoxName = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Write the stages of the reading here (.png, .jpg).")
    ] = None,
    draw: Annotated[
        Path | None, typer.Option("--draw", help="Write the picture with what was read in it here (.png, .jpg).")
    ] = None,
    dice_set: Annotated[
        str | None, typer.Option("--dice-set", help="Dice that were taught (see `calibrate dice --list`), or pips.")
    ] = None,
    json: Json = False,
) -> None:
    """Read the dice in pictures."""
    installation = Installation()
    taught = load_dice(installation.home, dice_set or installation.settings.dice)
    if taught is not None and field is FieldChoice.WHOLE:
        raise typer.BadParameter("--field whole reads pips only: taught dice need the markers")
    reader = PictureReader(load_box(box or REFERENCE_BOX), field, time.perf_counter, taught)
    if batch is not None:
        refuse_with_batch(files=files, trace=trace, draw=draw, dice=dice)
        answer_batch(batch, PictureQuestion, reader.answer_or_error)
        return
    if not files:
        raise typer.BadParameter("name the pictures, or --batch FILE")
    for name, path in (("--trace", trace), ("--draw", draw)):
        if path is not None and len(files) != 1:
            raise typer.BadParameter(f"{name} takes exactly one picture; these are {len(files)}")
    _refuse_overwriting(Path(files[0]), trace, draw)
    try:
        reader.show(files[0], dice, trace=trace, draw=draw)
    except OSError as error:
        raise typer.BadParameter(f"{error.filename}: {error.strerror}") from error
    raise typer.Exit(reader.report(files, dice, as_json=json))


def _refuse_overwriting(picture: Path, trace: Path | None, draw: Path | None) -> None:
    """Refuse to draw over the picture that is read, which may be the only one, or one drawing over the other."""
    for name, path in (("--trace", trace), ("--draw", draw)):
        if path is not None and _is_same(path, picture):
            raise typer.BadParameter(f"{name} {path} would overwrite the picture that is read: name another file")
    if trace is not None and draw is not None and _is_same(trace, draw):
        raise typer.BadParameter(f"--trace and --draw would write the same file, {trace}: name two")


def _is_same(one: Path, other: Path) -> bool:
    """True when both are one file, by whatever name or link. Raises `typer.BadParameter` for links in a circle."""
    try:
        return one.resolve() == other.resolve() or (one.exists() and other.exists() and one.samefile(other))
    except (RuntimeError, OSError) as error:  # the first up to Python 3.12
        raise typer.BadParameter(f"{one} or {other} is a link that leads nowhere: name another file") from error


class PictureQuestion(BaseModel):
    """One line of a batch: a file, and how many dice must be there (None: any)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: StrictStr
    dice: StrictInt | None = Field(default=None, ge=1, le=12)


@dataclass(frozen=True, slots=True)
class PictureReader:
    """Reads files as the camera of `box` would see them. `stopwatch` gives wall seconds.

    With `taught` the dice are looked for that were taught, not pips; then the field needs its markers.
    """

    box: Box
    field: FieldChoice
    stopwatch: Callable[[], float]
    taught: TaughtSet | None = None

    def answer(self, question: PictureQuestion) -> dict[str, Any]:
        """The answer about one file. Raises `OSError` if there is none to read."""
        began_s = self.stopwatch()
        return self._told(question, self._read(question, None), began_s)

    def answer_or_error(self, question: PictureQuestion) -> dict[str, Any]:
        """The answer about one file, or why there is none to read."""
        try:
            return self.answer(question)
        except OSError as error:
            return {"file": question.file, "error": str(error.strerror or error)}

    def report(self, files: Sequence[str], dice: int | None, *, as_json: bool) -> Exit:
        """Read every file and tell of it; the exit status: NO if no picture was read, WRONG_CALL if a file is none.

        A file that cannot be read at all is one line.
        """
        told = [self._report_one(file, dice, as_json=as_json) for file in files]
        if any("error" in answer for answer in told):
            return Exit.WRONG_CALL
        return Exit.DONE if any(answer["verdict"] == "read" for answer in told) else Exit.NO

    def _report_one(self, file: str, dice: int | None, *, as_json: bool) -> dict[str, Any]:
        answer = self.answer_or_error(PictureQuestion(file=file, dice=dice))
        if "error" in answer:
            say(f"shutbox: {file}: {answer['error']}")
        if as_json:
            print_json(answer)
        elif "error" not in answer:
            answers.print(_in_words(answer), markup=False)
        return answer

    def show(self, file: str, dice: int | None, *, trace: Path | None, draw: Path | None) -> None:
        """Read `file` and draw: the stages of the reading and its verdict into `trace`, the reading alone into `draw`.

        Raises `OSError`.
        """
        if trace is None and draw is None:
            return
        stages = Trace(self.stopwatch)
        question = PictureQuestion(file=file, dice=dice)
        began_s = self.stopwatch()
        reading = self._read(question, stages)
        for name, fact in _facts(self._told(question, reading, began_s)):
            stages.tell(name, fact)
        if trace is not None:
            save_drawing(sheet_of(stages), trace)
        picture = load_picture(file)
        if draw is not None and not isinstance(picture, Reading):
            save_drawing(draw_reading(picture, reading), draw)

    def _told(self, question: PictureQuestion, reading: Reading, began_s: float) -> dict[str, Any]:
        answer = _answer(question.file, reading, ms=1000 * (self.stopwatch() - began_s))
        if self.field is FieldChoice.AUTO and reading.reason is Reason.NO_FIELD:
            answer["hint"] = _NO_MARKERS
        if self.taught is not None:
            for die in answer["dice"]:
                die["label"] = self.taught.label_of(die["value"])
        return answer

    def _read(self, question: PictureQuestion, trace: Trace | None) -> Reading:
        picture = load_picture(question.file)
        if isinstance(picture, Reading):
            return picture
        if trace is not None:
            trace.add(PICTURE, picture)
        if self.taught is not None:
            return read_taught_dice(picture, layout=self.box.field, sets=(self.taught,), expected=question.dice)
        layout = self.box.field if self.field is FieldChoice.AUTO else None
        return read_dice(picture, layout=layout, die_mm=self.box.die_mm, expected=question.dice, trace=trace)


def _facts(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The lines of the caption under the stages, each with its name."""
    yield "file", answer["file"]
    yield "verdict", " ".join(str(answer[key]) for key in ("verdict", "reason") if key in answer)
    for key in ("say", "values", "likely", "at_px"):
        if answer.get(key):
            yield key, str(answer[key])
    for number, die in enumerate(answer["dice"], 1):
        yield f"die {number}", f"{die['value']}, {die['colour']}, {die['confidence']:.3f} sure, at {die['center_px']}"
    yield "took", f"{answer['ms']} ms, with the drawing of this"
    yield "version", f"shutbox {version('shutbox')}"


def _answer(file: str, reading: Reading, *, ms: float) -> dict[str, Any]:
    dice = [
        {
            "value": die.value,
            "center_px": [round(place, 1) for place in die.center_px],
            "confidence": round(die.confidence, 3),
            "colour": die.colour,
        }
        for die in reading.dice
    ]
    took = {"dice": dice, "ms": round(ms, 1)}
    if reading.is_read:
        return {"file": file, "verdict": "read", "values": list(reading.values), **took}
    refusal: dict[str, Any] = {"file": file, "verdict": "refused", "reason": reading.reason, "say": reading.say}
    if reading.at_px is not None:
        refusal["at_px"] = [round(place, 1) for place in reading.at_px]
    return {**refusal, "likely": [list(values) for values in reading.likely], **took}


def _in_words(answer: Mapping[str, Any]) -> str:
    if answer["verdict"] == "read":
        return f"{answer['file']}: {' '.join(map(str, answer['values']))}"
    return " ".join(filter(None, (f"{answer['file']}: {answer['reason']}: {answer['say']}", answer.get("hint"))))
