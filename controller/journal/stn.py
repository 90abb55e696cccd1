"""Games told from a journal as text (STN), and games read from text put into one."""

from collections.abc import Iterable
from pathlib import Path

from controller.errors import RecordError
from controller.game.core.engine import AnyGame
from controller.game.stn.record import Record, journal_digest, read_records, write_record
from controller.game.table.engines import digest_of, evolve
from controller.journal.store import Entry, Journal

MOST_BYTES = 64 * 2**20  # a hundred thousand games


def record_from(journal: Journal, game_id: int) -> str:
    """Return one game of a journal as text. Raises `JournalError` and `RecordError`."""
    entries = journal.entries(game_id)
    if not entries:
        raise RecordError(f"game {game_id} has not begun")
    told = [(entry.event, entry.origin) for entry in entries]
    digest = journal_digest(entry.digest for entry in entries)
    return write_record(told, box=journal.box_of(game_id), date=entries[0].at, journal=digest)


def import_records(records: Iterable[Record], path: Path) -> list[int]:
    """Put games into the journal at `path`, which is made if there is none, and return their numbers in it.

    Every event gets the time at which its game began: a record keeps no other. Raises `RecordError` for a game that the
    journal has already, before anything is written, and `JournalError`.
    """
    told = [(record, _entries(record)) for record in records]
    with Journal(path) as journal:
        known = {_identity(journal, game_id): game_id for game_id in journal.game_ids()}
        for record, entries in told:
            identity = (record.box, record.date, entries[-1].digest)
            if identity in known:
                raise RecordError(f"line {record.line}: this game is there already, as game {known[identity]}")
            known[identity] = 0
        numbers = []
        for record, entries in told:
            numbers.append(journal.next_game_id())
            journal.append(numbers[-1], record.box, entries)
        return numbers


def _identity(journal: Journal, game_id: int) -> tuple[str, str, str]:
    entries = journal.entries(game_id)
    return (journal.box_of(game_id), entries[0].at, entries[-1].digest) if entries else ("", "", "")


def _entries(record: Record) -> list[Entry]:
    game: AnyGame | None = None
    entries = []
    for number, (event, origin) in enumerate(record.told, 1):
        game = evolve(game, event)
        entries.append(Entry(number, record.date, event, digest_of(game), origin))
    return entries


def load_records(path: Path) -> list[Record]:
    """Return the games of a file. Raises `RecordError` with the file and the line, and `OSError`."""
    with path.open("rb") as file:
        found = file.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise RecordError(f"{path}: a file of games has {MOST_BYTES // 2**20} MB at most")
    try:
        return list(read_records(found.decode()))
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: it is no text in UTF-8 from byte {error.start} on") from error
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error
