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
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tests.campaigns.crashes.card import Deed, Rename, Resize, Sync, SyncNames, Write, named_files

_SECTOR = 512  # bytes that a card writes as a whole
_SURVIVE = (0.0, 0.2, 0.5, 0.8, 1.0)  # the chance of each page that was not synced: one of these for each cut
_MOST_LIES = 8  # syncs that a lying card has said to have done, and has not

# What becomes of what was not synced. lost: some of it is not there. torn: besides, of one page only the first sectors
# are. flipped: besides, a bit of one page is another. lying: some is not there, and the last syncs have not been done.
CutKind = Literal["lost", "torn", "flipped", "lying"]


@dataclass(frozen=True, slots=True)
class Remains:
    """What is found after a power cut: the files by their names.

    contradictory: no card that keeps its word can have come to this, at whatever moment the power went: something is
    there that was written after something was synced which is not. Nobody can tell the others from an earlier moment.
    """

    files: dict[str, bytes]
    contradictory: bool


def cut_power(log: Sequence[Deed], kind: CutKind, chance: random.Random) -> Remains:
    """Cut the power; `log` is all that was done to the card before it."""
    lies = _last_syncs(log, chance.randint(1, _MOST_LIES)) if kind == "lying" else ()
    sure, share = _sure(log, lies), chance.choice(_SURVIVE)
    names = [at for at, deed in enumerate(log) if isinstance(deed, Rename)]
    kept_names = set(names[: chance.randint(sum(at in sure for at in names), len(names))])
    found = {
        at: deed
        for at, deed in enumerate(log)
        if (at in kept_names if isinstance(deed, Rename) else at in sure or chance.random() < share)
    }
    writes = [(at, deed) for at, deed in enumerate(log) if at not in sure and isinstance(deed, Write)]
    if writes and kind in ("torn", "flipped"):
        at, deed = chance.choice(writes)
        found[at] = _tear(deed, chance) if kind == "torn" else _flip(deed, chance)
    return Remains(named_files([found[at] for at in sorted(found)]), _is_contradictory(log, lies, found))


def _last_syncs(log: Sequence[Deed], count: int) -> list[int]:
    """The places in the log of the last syncs."""
    return [at for at, deed in enumerate(log) if isinstance(deed, Sync | SyncNames)][-count:]


def _sure(log: Sequence[Deed], lies: Collection[int] = ()) -> set[int]:
    """The places in the log of what a later sync, that is none of the `lies`, has made sure."""
    synced: set[int] = set()
    names_synced = False
    sure = set()
    for at, deed in reversed([*enumerate(log)]):
        match deed:
            case Sync(file) if at not in lies:
                synced.add(file)
            case SyncNames() if at not in lies:
                names_synced = True
            case Write(file) | Resize(file) if file in synced:
                sure.add(at)
            case Rename() if names_synced:
                sure.add(at)
    return sure


def _is_contradictory(log: Sequence[Deed], lies: Collection[int], found: Collection[int]) -> bool:
    """True if what was `found` is not what is found after any cut of a card that keeps its word."""
    done = [at for at in found if not isinstance(log[at], Sync | SyncNames)]
    return bool(lies) and not _sure(log[: max(done, default=0) + 1]) <= set(done)


def _tear(deed: Write, chance: random.Random) -> Write:
    """A write of which the sectors up to some border are there, or none."""
    borders = range(_SECTOR - deed.offset % _SECTOR, len(deed.data), _SECTOR)
    return replace(deed, data=deed.data[: chance.choice([0, *borders])])


def _flip(deed: Write, chance: random.Random) -> Write:
    """A write one bit of which is another."""
    data = bytearray(deed.data)
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return replace(deed, data=bytes(data))
