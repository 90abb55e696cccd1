"""A guided session: every way to its end, what it says there, and what counts as yes and as a q."""

import json
import os
import signal
from asyncio import Event
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import pytest

from controller.game.core.sight import JobQuestion
from controller.jobs.dialog import Answer, Cancelled, Dialog, GivenUp, Result, Session, confirm_saving
from controller.jobs.terminal import Terminal, TypedInput, no_lines, run_at_terminal
from controller.runtime.output import Exit


async def typing(pieces: Sequence[str], *, ends: bool = True) -> AsyncIterator[str]:
    for piece in pieces:
        yield piece
    if not ends:
        await Event().wait()


async def is_done(_: Dialog) -> Result:
    return Result(Exit.DONE, {"saved": True})


async def cancels(_: Dialog) -> Result:
    raise Cancelled


async def gives_up(_: Dialog) -> Result:
    raise GivenUp("I do not see it: lay it there.")


async def is_stopped(_: Dialog) -> Result:
    os.kill(os.getpid(), signal.SIGTERM)
    await Event().wait()
    return Result(Exit.DONE, {"saved": True})


CANCELLED = "Cancelled: nothing was changed.\n"


@pytest.mark.parametrize(
    ("work", "status", "said"),
    [
        (is_done, Exit.DONE, ""),
        (cancels, Exit.NO, CANCELLED),
        (is_stopped, Exit.NO, CANCELLED),
        (gives_up, Exit.NO, "I do not see it: lay it there. Nothing was changed.\n"),
    ],
)
async def test_a_session_ends_with_its_result_or_says_why_not(
    capsys: pytest.CaptureFixture[str], work: Callable[[Dialog], Awaitable[Result]], status: Exit, said: str
) -> None:
    result = await run_at_terminal(Session(work, {"saved": False}), no_lines(), waits=False, as_json=True)
    assert result.status is status
    out, err = capsys.readouterr()
    assert err == said
    assert json.loads(out) == {"saved": status is Exit.DONE}


@pytest.mark.parametrize("ends", [True, False])
@pytest.mark.parametrize("piece", ["q", "Q", " quit "])
async def test_q_cancels_at_every_question_and_beside_the_work(piece: str, ends: bool) -> None:
    async with TypedInput(typing(["", piece, "y"], ends=ends), waits=False) as typed:
        assert await typed.wait() == ""
        with pytest.raises(Cancelled):
            typed.check()
        with pytest.raises(Cancelled):
            await typed.wait()


async def test_a_q_that_was_a_slip_cancels_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    async with TypedInput(typing(["q", "w", "", "q", "n", "go on"], ends=False), waits=False) as typed:
        assert await typed.wait() == "go on"
        typed.check()
    assert capsys.readouterr().err == "End here, with nothing saved? y or n.\n" * 4 + "It goes on.\n"


async def test_q_and_the_end_of_the_input_cancels() -> None:
    async with TypedInput(typing(["q"]), waits=False) as typed:
        with pytest.raises(Cancelled):
            await typed.wait()


async def test_a_question_is_asked_again_until_its_answer_is_yes_or_no(capsys: pytest.CaptureFixture[str]) -> None:
    async with TypedInput(typing(["", "ys", "17", "Yes"], ends=False), waits=False) as typed:
        assert await typed.confirm("Save it?")
    assert capsys.readouterr().err == "Save it?\n" * 4


async def test_the_end_of_the_input_cancels_where_somebody_is_asked() -> None:
    async with TypedInput(typing(["n"]), waits=True) as typed:
        assert not await typed.confirm("Save it?")
        with pytest.raises(Cancelled):
            await typed.confirm("Save it?")


@pytest.mark.parametrize("poor", [None, "This is poor."])
@pytest.mark.parametrize(("typed_line", "yes"), [("y", True), ("YES", True), ("NO", False), ("n", False)])
async def test_whoever_is_asked_decides_what_is_saved(typed_line: str, yes: bool, poor: str | None) -> None:
    async with Terminal(typing([typed_line]), waits=True) as typed:
        assert await confirm_saving(typed, ask=True, poor=poor) is yes


@pytest.mark.parametrize("poor", [None, "This is poor."])
async def test_what_is_poor_is_not_saved_unasked(capsys: pytest.CaptureFixture[str], poor: str | None) -> None:
    async with Terminal(typing([]), waits=False) as typed:
        assert await confirm_saving(typed, ask=False, poor=poor) is (poor is None)
    assert capsys.readouterr().err == (f"{poor}\n" if poor else "")


async def test_a_slip_in_a_name_is_asked_for_again(capsys: pytest.CaptureFixture[str]) -> None:
    question = JobQuestion("Name those.", ("some",), ("front-2", "back-3"))
    async with Terminal(typing(["Front-2 back-3", "front-2, back-3"]), waits=True) as typed:
        assert await typed.ask(question) == Answer("some", ("front-2", "back-3"))
    assert "Front-2 is none of them: name some of front-2, back-3" in capsys.readouterr().err
    async with Terminal(typing([""]), waits=True) as typed:
        assert await typed.ask(question) == Answer("some")


async def test_only_enter_alone_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    async with TypedInput(typing(["no", "foo", "", "more"], ends=False), waits=False) as typed:
        await typed.wait_for_enter()
        assert capsys.readouterr().err.count("Press Enter alone to go on") == 2
        assert await typed.wait() == "more"
