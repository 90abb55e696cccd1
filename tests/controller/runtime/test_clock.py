"""The jumping clock: it jumps over waiting, and never over work."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from controller.runtime.clock import JumpingLoop, run_jumping


class SlowToEnd(ThreadPoolExecutor):
    """An executor whose threads take their time to end, as on a loaded machine."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if wait:
            threading.Event().wait(0.02)
        super().shutdown(wait, cancel_futures=cancel_futures)


def test_waiting_takes_no_time_and_ends_in_its_order() -> None:
    async def main() -> tuple[list[int], float]:
        ended: list[int] = []

        async def wait(seconds: int) -> None:
            await asyncio.sleep(seconds)
            ended.append(seconds)

        async with asyncio.TaskGroup() as tasks:
            for seconds in (30, 10, 20):
                tasks.create_task(wait(seconds))
        return ended, asyncio.get_running_loop().time()

    assert run_jumping(main()) == ([10, 20, 30], 30.0)


def test_the_clock_stands_still_while_a_thread_works() -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(1):
            await loop.run_in_executor(None, threading.Event().wait, 0.02)
        return loop.time()

    assert run_jumping(main()) == 0.0


def test_the_clock_stands_still_until_the_threads_have_ended() -> None:
    """From Python 3.12 on a runner waits 300 s for them, and complains of those that are not done."""

    async def main() -> float:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, JumpingLoop)
        loop.set_default_executor(SlowToEnd(1))
        await asyncio.to_thread(threading.get_ident)
        await loop.shutdown_default_executor(300)
        return loop.time()

    assert run_jumping(main()) == 0.0
