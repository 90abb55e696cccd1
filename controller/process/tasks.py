"""Jobs that run as long as a block does."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def running(*jobs: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run `jobs` beside the block and cancel them at its end.

    A job that fails cancels the block and raises an `ExceptionGroup`; an error of the block itself comes out as
    it is, not wrapped in a group.
    """
    own_error: Exception | None = None
    async with asyncio.TaskGroup() as tasks:
        started = [tasks.create_task(job) for job in jobs]
        try:
            yield
        except Exception as error:
            own_error = error
        finally:
            for task in started:
                task.cancel()
    if own_error is not None:
        raise own_error
