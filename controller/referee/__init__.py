"""Brings rules, metal and players together: takes every command, and is the only writer of the game and its journal.

All begin at `referee.py`, which takes what lies in `inbox.py` and has `bulletin.py` tell everybody what comes of it.
What the box does by itself in each phase is chosen in `executor.py` and done by `tiles.py`, `throws.py` and
`opponent.py`.
"""

from controller.referee.inbox import Borrower
from controller.referee.meters import Meters
from controller.referee.panel import serve_panel
from controller.referee.referee import Referee
from controller.referee.run import run_referee
from controller.referee.seating import Ticket
from controller.referee.stand import Stand
from controller.referee.subscribers import Action, Subscriber, Words, make_subscribers

__all__ = [
    "Action",
    "Borrower",
    "Meters",
    "Referee",
    "Stand",
    "Subscriber",
    "Ticket",
    "Words",
    "make_subscribers",
    "run_referee",
    "serve_panel",
]
