"""Store every event of every game durably before it takes effect, read games back, and derive the records.

Every version reads all journals that earlier versions wrote: see `migrations`.
"""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.journal.checked import games_of, replay_checked, replay_game
    from controller.journal.computer_checks import check_home
    from controller.journal.copies import check_journal, copy_journal, mark_copy
    from controller.journal.export import TABLES, GameRow, Row, ThrowRow, TurnRow, export_rows, row_schema, tell_rows
    from controller.journal.files import has_journal_beside, put_aside, remove_journal
    from controller.journal.journal import Entry, HeldSeat, Journal, short_key
    from controller.journal.loss import describe_unkept
    from controller.journal.mark import Mark
    from controller.journal.opening import open_journal
    from controller.journal.records import record_news, records_of
    from controller.journal.replay import ReplayedGame, journals_of, replay_all
    from controller.journal.tables import FORMAT
    from controller.journal.writer import CommitTimes, JournalWriter
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "FORMAT",
    "TABLES",
    "CommitTimes",
    "Entry",
    "GameRow",
    "HeldSeat",
    "Journal",
    "JournalWriter",
    "Mark",
    "ReplayedGame",
    "Row",
    "ThrowRow",
    "TurnRow",
    "check_home",
    "check_journal",
    "copy_journal",
    "describe_unkept",
    "export_rows",
    "games_of",
    "has_journal_beside",
    "journals_of",
    "mark_copy",
    "open_journal",
    "put_aside",
    "record_news",
    "records_of",
    "remove_journal",
    "replay_all",
    "replay_checked",
    "replay_game",
    "row_schema",
    "short_key",
    "tell_rows",
]
