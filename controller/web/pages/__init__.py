"""The pages that the box serves, with their templates and the files that these load beside them."""

from controller.web.pages.selftest import answer_selftest, draw_selftest

__all__ = ["answer_selftest", "draw_selftest"]
