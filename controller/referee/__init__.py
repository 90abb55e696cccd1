"""Brings rules, metal and players together: takes every command, and is the only writer of the game and its journal.

Start reading at `referee.py` and `loop.py`. The jobs that the box does by itself in each phase are chosen in
`jobs/executor.py`.
"""

from controller.referee.box_slot import Stand
from controller.referee.lending import Borrower
from controller.referee.panel import serve_panel
from controller.referee.referee import Referee, run_referee
from controller.referee.seats import Ticket
from controller.referee.subscribers import Action, Meters, Subscriber, Words, make_subscribers

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
