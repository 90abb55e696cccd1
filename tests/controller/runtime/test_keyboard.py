"""Keys from a terminal come one by one, keys from a pipe with their lines; the terminal is left as it was."""

import asyncio
import os
import pty
import termios

from controller.runtime.keyboard import key_by_key, typed_keys


def test_a_terminal_passes_on_each_key_at_once_and_is_left_as_it_was() -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)

    async def two_keys() -> list[str]:
        keys = typed_keys(theirs)
        os.write(ours, b"+o")
        return [await anext(keys) for _ in range(2)]

    with key_by_key(theirs):
        assert termios.tcgetattr(theirs) != before
        assert asyncio.run(asyncio.wait_for(two_keys(), 5)) == ["+", "o"]
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def test_a_pipe_gives_its_keys_without_spaces_and_ends() -> None:
    there, here = os.pipe()
    os.write(here, b"+ +\n>s\n")
    os.close(here)

    async def all_keys() -> list[str]:
        return [key async for key in typed_keys(there)]

    with key_by_key(there):
        assert asyncio.run(all_keys()) == ["+", "+", ">", "s"]
