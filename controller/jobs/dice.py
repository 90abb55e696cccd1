"""The guided session of `shutbox calibrate dice`: the faces of a set are shown one by one, then saved or not."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from controller.box.job_requests import DiceOrder
from controller.box.rigs import DiceRig
from controller.errors import SettingsError
from controller.game.core.sight import JobQuestion
from controller.jobs.dialog import (
    Dialog,
    GivenUp,
    Result,
    Session,
    confirm,
    confirm_saving,
    date_now,
    file_json,
    save_in_thread,
)
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import answers, say
from controller.settings import save_setting
from hardware.phrase import Phrase, phrase
from vision.calibration.viewfinder import Viewfinder
from vision.custom_dice.learning import Lesson
from vision.custom_dice.storage import DiceFolder
from vision.custom_dice.teaching import Advice, Problem, Teaching, alike_sentences
from vision.errors import BadDice
from vision.field.field import locate_field
from vision.watching.capture_thread import CaptureThread

_LOOK_S = 0.15  # pause between two looks
_MOST_TRIES = 40  # failed looks before giving up, if nobody can be asked
_POOR = phrase("These dice are known poorly: doubtful throws will be asked for. More shots, well lit, may help.")
_PLAY_WITH_THEM = phrase("Play with these dice from now on?")
_NO_FIELD = Advice("otherwise", phrase("I do not see the markers in the corners of the baize."))
# Problems that a person fixes at once without moving the dice.
_LOOK_AGAIN: tuple[Problem, ...] = ("hand", "blurred", "dark")


def dice_session(open_rig: Callable[[], DiceRig], folder: DiceFolder, order: DiceOrder, settings: Path) -> Session:
    """Teach a set, save it, and select it for play if the person wants that; every other outcome changes no file.

    settings: the settings file. Raises `BadDice` for an invalid name. The work raises `CameraFault` if there is no
    picture.
    """
    folder.path(order.name)

    async def work(conversation: Dialog) -> Result:
        rig = open_rig()
        async with CaptureThread(rig.camera) as thread:
            teaching = await _TeachingSession(rig, thread, conversation, order).take_shots()
            lesson = await thread.run(teaching.lesson)
            conversation.propose(_json(lesson))
            _tell(lesson, teaching, conversation)
            saves = await confirm_saving(conversation, ask=order.ask, poor=None if lesson.is_good else _POOR)
            plays = saves and order.ask and await confirm(conversation, _PLAY_WITH_THEM)
        file = await save_in_thread(partial(folder.save, lesson.taught, date_now())) if saves else None
        conversation.tell_saved(file)
        if saves:
            conversation.say(_choose(order.name, settings, plays=plays))
        return Result(Exit.DONE if file else Exit.NO, {**_json(lesson), **file_json(file)})

    return Session(work, {"name": order.name, "saved": False})


def _choose(name: str, settings: Path, *, plays: bool) -> str:
    if not plays:
        return phrase('To play with them, write dice = "{name}" into {settings}.', name=name, settings=settings)
    try:
        save_setting(settings, "dice", name)
    except SettingsError as error:
        return phrase(
            'The dice are saved; but to play with them, write dice = "{name}" into the settings: {error}',
            name=name,
            error=error,
        )
    return phrase("The box plays with the dice {name} when it is started next.", name=name)


class _TeachingSession:
    """One teaching."""

    def __init__(self, rig: DiceRig, thread: CaptureThread, conversation: Dialog, order: DiceOrder) -> None:
        self._rig = rig
        self._thread = thread
        self._talk = conversation
        self._order = order

    async def take_shots(self) -> Teaching:
        """Take shots until there are enough. Raises `GivenUp` and `Cancelled`."""
        if self._order.ask:
            self._talk.say(phrase("Lay the dice on the baize as asked, each by itself."))
            self._talk.say_keys("Then press Enter; q and Enter ends with no change.")
        else:
            self._talk.say(phrase("The simulated dice are laid by themselves."))
        teaching, tries, said = self._order.teaching, 0, ""
        while (wanted := teaching.wanted) is not None:
            self._talk.advance(teaching.progress)
            if wanted.say != said:
                self._talk.say(
                    Phrase("{done:4.0%}  {wanted}", {"done": teaching.progress, "wanted": wanted.say}), "bold"
                )
                said = wanted.say
            self._rig.lay(wanted)
            if self._order.ask:
                await self._talk.ask(JobQuestion(wanted.say, ("go_on",)))
            else:
                self._talk.check()
            # The hand is still over the dice, or they still move.
            await asyncio.sleep(_LOOK_S)
            before = teaching
            teaching, advice = await self._look(teaching)
            self._talk.say(Phrase("      {advice}", {"advice": advice.say}))
            tries = tries + 1 if teaching is before else 0
            if tries == _MOST_TRIES and not self._order.ask:
                raise GivenUp(Phrase("{wanted} {advice}", {"wanted": wanted.say, "advice": advice.say}))
        return teaching

    async def _look(self, teaching: Teaching) -> tuple[Teaching, Advice]:
        for _ in range(2):
            pixels = (await self._thread.look()).frame.pixels
            self._talk.look(Viewfinder(pixels, self._rig.box.field))
            field = await self._thread.run(partial(locate_field, pixels, self._rig.box.field))
            if field is None:
                return teaching, _NO_FIELD
            teaching_now, advice = await self._thread.run(partial(teaching.look, pixels, field))
            if advice.problem not in _LOOK_AGAIN:
                break
            await asyncio.sleep(_LOOK_S)
        return teaching_now, advice


def _tell(lesson: Lesson, teaching: Teaching, conversation: Dialog) -> None:
    taught, names = lesson.taught, dict(teaching.labels)
    colours = ", ".join(body.name for body in taught.bodies)
    conversation.say(
        phrase(
            "{name}: {count} faces in {colours}, edge {edge_mm:.1f} mm: {verdict}.",
            name=taught.name,
            count=len(taught.faces),
            colours=colours,
            edge_mm=taught.shape.edge_mm,
            verdict=phrase("good") if lesson.is_good else phrase("poor"),
        ),
        "bold",
    )
    for line in alike_sentences(taught.alike, teaching.labels):
        conversation.say(line)
    for confusion in lesson.confusions:
        likely = ", ".join(names[value] for value in confusion.likely)
        conversation.say(
            phrase("A {face} would be in doubt: it looks like {likely}.", face=names[confusion.value], likely=likely)
        )


def _json(lesson: Lesson) -> Mapping[str, Any]:
    taught = lesson.taught
    return {
        "name": taught.name,
        "sides": taught.sides,
        "edge_mm": round(taught.shape.edge_mm, 2),
        "colours": [body.name for body in taught.bodies],
        "faces": [{"value": face.value, "label": face.label, "shots": len(face.shots)} for face in taught.faces],
        "alike": [list(pair) for pair in taught.alike],
        "doubtful": [{"value": one.value, "likely": list(one.likely)} for one in lesson.confusions],
        "verdict": "good" if lesson.is_good else "poor",
    }


def list_sets(folder: DiceFolder, *, as_json: bool) -> Exit:
    """Print every taught set; a damaged one as a line about the problem. NO if one is damaged."""
    status = Exit.DONE
    for name in folder.names:
        try:
            taught, date = folder.load(name), folder.taught_at(name)
        except BadDice as problem:
            say(f"shutbox: {problem}")
            status = Exit.NO
            continue
        labels, colours = [face.label for face in taught.faces], [body.name for body in taught.bodies]
        if as_json:
            print_json(
                {"name": name, "date": date.isoformat(), "sides": taught.sides, "faces": labels, "colours": colours}
            )
        else:
            answers.print(f"{name}  {date:%Y-%m-%d %H:%M}  {', '.join(labels)}  in {', '.join(colours)}", markup=False)
    if not folder.names:
        say("No dice were taught on this box; it reads pips.")
    return status
