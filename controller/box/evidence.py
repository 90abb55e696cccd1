"""Keep pictures of throws while a table is open, if the settings ask for it."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from controller.box.table import Table
from controller.settings import Home, Settings
from vision.watching.evidence import EvidenceFolder, Limits

_MEGABYTE = 1_000_000


@asynccontextmanager
async def with_evidence(
    opening: AbstractAsyncContextManager[Table], settings: Settings, home: Home
) -> AsyncIterator[Table]:
    """Open the table; with `[evidence] keep` in the settings, keep the frame of each counted or refused throw."""
    async with opening as table:
        if not settings.evidence.keep:
            yield table
            return
        limits = Limits(settings.evidence.keep, settings.evidence.megabytes * _MEGABYTE)
        with EvidenceFolder(home.evidence, limits) as evidence:
            table.watcher.keep_evidence(evidence.keep)
            yield table
