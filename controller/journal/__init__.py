"""Keeps every event of every game, durable before it is true, and reads it again."""

from controller.journal.health import check_home
from controller.journal.journal import Entry, Journal, replay_checked
from controller.journal.records import record_sentence, records_of
from controller.journal.replay import Replayed, journals_of, replay_all

__all__ = [
    "Entry",
    "Journal",
    "Replayed",
    "check_home",
    "journals_of",
    "record_sentence",
    "records_of",
    "replay_all",
    "replay_checked",
]
