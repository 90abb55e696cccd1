"""The table as pages show it: the audiences, the view of a moment for each, and its parts, drawn once per audience."""

from controller.web.pages.table.audience import View, audience_of
from controller.web.pages.table.parts import CannotDraw, DrawnParts
from controller.web.pages.table.race import say_joker
from controller.web.pages.table.still import still_table
from controller.web.pages.table.view import TableView

__all__ = ["CannotDraw", "DrawnParts", "TableView", "View", "audience_of", "say_joker", "still_table"]
