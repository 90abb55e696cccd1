"""`python -m tests.support.journal_rows FILE`: a young journal, row by row, the same on every computer."""

import hashlib
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

# A demonstration, and the digest of its journal: whichever processor works out what a choice is worth.
DEMONSTRATION = ("--game", "3-down-extreme", "--players", "1", "--seed", "3")
DIGEST = "c765a56eca63eeb2e668e73e892ca32b7afa0665f32c9a68abe8f9beb71bc7b1"
_ROWS = "SELECT game, number, at, body, digest, door, seat, hex(key) FROM event ORDER BY game, number"


def rows_of(journal: Path) -> str:
    """Return every event as a line."""
    with closing(sqlite3.connect(journal)) as db:
        return "".join(f"{row}\n" for row in db.execute(_ROWS))


def digest_of(rows: str) -> str:
    return hashlib.sha256(rows.encode()).hexdigest()


if __name__ == "__main__":
    sys.stdout.write(rows_of(Path(sys.argv[1])))
