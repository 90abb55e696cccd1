"""The option `--mock-box`: the box is the mock-box that runs."""

from collections.abc import Mapping

from controller.box.chosen import ChosenBox
from controller.box.joined import join_mock_box
from controller.cli.options import Installation
from controller.errors import NoBox


def find_mock_box(installation: Installation, *, mock: bool, **options: object) -> ChosenBox:
    """Join the mock-box of this home. Raises `NoBox`, also for options that only its start can take."""
    refuse_options("a mock-box was started with its own", mock=mock, **options)
    return join_mock_box(installation.home, installation.settings)


def refuse_options(why: str, **options: object) -> None:
    """Raise `NoBox` if one of these options was given, since it would have no effect."""
    given = given_names(options)
    if given:
        raise NoBox(f"{why}; leave out {', '.join(given)}")


def given_names(options: Mapping[str, object]) -> list[str]:
    """Return the names of the given options: a 0 was given, None and False were not."""
    return [name for name, value in options.items() if value is not None and value is not False]
