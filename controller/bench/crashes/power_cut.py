"""A power cut, as a pure function: which of the things that were done to a card are found on it afterwards.

The model keeps no more than POSIX promises, so that what survives here survives on ext4 with `data=ordered` too:

- What a sync of a file has returned for stays: its bytes and its length, under whatever name it has.
- What was written or cut short since lies in the page cache. Pages reach the card each for itself, in any order or not
  at all; where a later one is there and an earlier one is not, there are zeros.
- Names (files made, renamed, removed) are journalled: they survive in their order, up to some moment. A sync of the
  folder makes all of them stay. ext4 keeps the name of a synced file too; POSIX does not promise that.
- Folders stay once they are made.

After Pillai et al., "All File Systems Are Not Created Equal" (OSDI 2014), which found applications to break where file
systems do less than they are used to, and the Linux kernel's documentation of ext4 on `data=ordered`.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from controller.bench.crashes.card import Deed, Rename, Resize, Sync, SyncNames, Write, named_files

_SECTOR = 512  # bytes that a card writes as a whole
_SURVIVE = (0.0, 0.2, 0.5, 0.8, 1.0)  # the chance of each page that was not synced: one of these for each cut
_MOST_LIES = 8  # syncs that a lying card has said to have done, and has not

# What becomes of what was not synced. lost: some of it is not there. torn: besides, of one page only the first sectors
# are. flipped: besides, a bit of one page is another. lying: some is not there, and the last syncs have not been done.
CutKind = Literal["lost", "torn", "flipped", "lying"]


def cut_power(log: Sequence[Deed], kind: CutKind, chance: random.Random) -> dict[str, bytes]:
    """The files that are found after a power cut, by their names; `log` is all that was done to the card before it."""
    if kind == "lying":
        log = [*_without_last_syncs(log, chance.randint(1, _MOST_LIES))]
    unsynced, names_kept = _unsynced(log), _names_kept(log, chance)
    share = chance.choice(_SURVIVE)
    found = {
        at: deed
        for at, deed in enumerate(log)
        if (at in names_kept if isinstance(deed, Rename) else at not in unsynced or chance.random() < share)
    }
    writes = [(at, deed) for at, deed in enumerate(log) if at in unsynced and isinstance(deed, Write)]
    if writes and kind in ("torn", "flipped"):
        at, deed = chance.choice(writes)
        found[at] = _tear(deed, chance) if kind == "torn" else _flip(deed, chance)
    return named_files([found[at] for at in sorted(found)])


def _without_last_syncs(log: Sequence[Deed], count: int) -> Iterator[Deed]:
    """All but the last syncs."""
    lies = [at for at, deed in enumerate(log) if isinstance(deed, Sync | SyncNames)][-count:]
    return (deed for at, deed in enumerate(log) if at not in lies)


def _unsynced(log: Sequence[Deed]) -> set[int]:
    """The places in the log of what was done to a file after its last sync."""
    synced: set[int] = set()
    found = set()
    for at, deed in reversed([*enumerate(log)]):
        match deed:
            case Sync(file):
                synced.add(file)
            case Write(file) | Resize(file) if file not in synced:
                found.add(at)
    return found


def _names_kept(log: Sequence[Deed], chance: random.Random) -> set[int]:
    """The places in the log of the names that are found: all until the last sync of the folder, some of the others."""
    synced = max((at for at, deed in enumerate(log) if isinstance(deed, SyncNames)), default=-1)
    places = [at for at, deed in enumerate(log) if isinstance(deed, Rename)]
    sure = sum(at < synced for at in places)
    return set(places[: chance.randint(sure, len(places))])


def _tear(deed: Write, chance: random.Random) -> Write:
    """A write of which the sectors up to some border are there, or none."""
    borders = range(_SECTOR - deed.offset % _SECTOR, len(deed.data), _SECTOR)
    return replace(deed, data=deed.data[: chance.choice([0, *borders])])


def _flip(deed: Write, chance: random.Random) -> Write:
    """A write one bit of which is another."""
    data = bytearray(deed.data)
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return replace(deed, data=bytes(data))
