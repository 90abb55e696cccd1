"""Keeps the pictures of throws beside an open table, where the settings ask for it."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from controller.box.table import Table
from controller.settings import Home, Settings
from vision.watching import EvidenceFolder, Limits

_MEGABYTE = 1_000_000


@asynccontextmanager
async def with_evidence(
    opening: AbstractAsyncContextManager[Table], settings: Settings, home: Home
) -> AsyncIterator[Table]:
    """Open the table; with `[evidence] keep` the frame of each throw that is counted or refused is kept."""
    async with opening as table:
        if not settings.evidence.keep:
            yield table
            return
        limits = Limits(settings.evidence.keep, settings.evidence.megabytes * _MEGABYTE)
        with EvidenceFolder(home.evidence, limits) as evidence:
            table.watcher.keep_evidence(evidence.keep)
            yield table
