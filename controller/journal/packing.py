"""Pack old games: who played what and every turn's end stay in the table; the other events are compressed.

Nothing is lost, an old game can still be read whole. But a journal of many years stays small enough to be checked
every time the box starts.
"""

import json
import sqlite3
import zlib
from contextlib import suppress

from pydantic import TypeAdapter

_WHOLE = 500  # the newest games, which people look back on, stay unpacked
_AT_ONCE = 50  # games packed in one commit
_RESULTS = frozenset({"game_started", "turn_ended", "game_ended", "game_abandoned"})
_MOST_BYTES = 50_000_000  # limit of an unpacked game: a journal may come from anywhere
_COLUMNS = "number, at, body, digest, door, seat"

Row = tuple[int, str, str, str, str, int | None]
_ROWS: TypeAdapter[list[Row]] = TypeAdapter(list[Row])


def pack_old_games(db: sqlite3.Connection, schema: str = "main") -> None:
    """Pack games of the journal attached as `schema`, once there are enough old ones. Raises `sqlite3.Error`."""
    last = db.execute(f"SELECT coalesce(max(id), 0) FROM {schema}.game").fetchone()[0]  # noqa: S608
    done = db.execute(f"SELECT coalesce(max(game), 0) FROM {schema}.packed").fetchone()[0]  # noqa: S608
    if last - _WHOLE - done < _AT_ONCE:
        return
    with db:
        for game_id in range(done + 1, done + 1 + _AT_ONCE):
            with suppress(ValueError, KeyError):  # a game with an unreadable event stays unpacked
                sql = f"SELECT {_COLUMNS} FROM {schema}.event WHERE game = ? ORDER BY number"  # noqa: S608
                rows = [row for row in db.execute(sql, (game_id,)) if json.loads(row[2])["kind"] not in _RESULTS]
                packed = zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 9)
                db.execute(f"INSERT INTO {schema}.packed VALUES (?, ?)", (game_id, packed))  # noqa: S608
                numbers = [(game_id, row[0]) for row in rows]
                db.executemany(f"DELETE FROM {schema}.event WHERE game = ? AND number = ?", numbers)  # noqa: S608


def unpack(body: bytes) -> list[Row]:
    """Return packed events as rows of number, time, body, digest, door and seat. Raises `ValueError`."""
    try:
        return _ROWS.validate_json(zlib.decompressobj().decompress(body, _MOST_BYTES))
    except zlib.error as error:
        raise ValueError(str(error)) from error
