"""`shutbox mock-box`: serve a simulated box, or reach with a hand into the one that runs; other subcommands join it."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer

from controller.box import ChosenBox, ask_mock_box, join_mock_box, parse_faults, serve_mock_box
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Json
from controller.errors import BadDeed, NoBox
from controller.process import answers, print_json, say
from controller.settings import Home

_Words = dict[str, object]


def mock_box(
    deed: Annotated[
        list[str] | None,
        typer.Argument(metavar="DEED", help="A hand at the mock-box that runs: `look`, `tip front-7 SHUT` and others."),
    ] = None,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
    json: Json = False,
) -> None:
    """A simulated box in a process of its own, for daemons to join; with words, a hand that reaches into it."""
    installation = Installation(box, mock=True)
    if deed:
        _refuse("the mock-box runs already", box=box, faults=faults, seed=seed)
        reach_in(installation.home, deed, as_json=json)
        return
    chance = secrets.randbits(32) if seed is None else seed
    serve_mock_box(installation.load_box(), installation.home, seed=chance, faults=parse_faults(faults), announce=say)


def find_mock_box(installation: Installation, *, mock: bool, **options: object) -> ChosenBox:
    """Find the mock-box of this home, for `--mock-box`. Raises `NoBox`, also for options that it was started with."""
    _refuse("a mock-box was started with its own", mock=mock or None, **options)
    return join_mock_box(installation.home, installation.settings)


def _refuse(why: str, **options: object) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise NoBox(f"{why}; leave out {', '.join(given)}")


def _tip(tile: str, position: str) -> _Words:
    return {"tile": tile, "position": position.upper()}


def _press(seconds: str = "0.2") -> _Words:
    return {"seconds": _number(seconds)}


def _lid(state: str) -> _Words:
    if state not in ("open", "closed"):
        raise BadDeed(f"the lid is open or closed, not {state}")
    return {"closed": state == "closed"}


def _throw(dice: str = "2") -> _Words:
    return {"dice": _number(dice)}


def _break(fault: str) -> _Words:
    return {"fault": fault}


def _lift(fault: str | None = None) -> _Words:
    return {"fault": fault}


# How each deed is written, and what becomes of its words; the mock-box checks their values.
_DEEDS: Mapping[str, tuple[str, Callable[..., _Words]]] = {
    "look": ("look", dict),
    "tip": ("tip TILE OPEN|SHUT|BETWEEN", _tip),
    "throw": ("throw [DICE]", _throw),
    "clear": ("clear", dict),
    "press": ("press [SECONDS]", _press),
    "lid": ("lid open|closed", _lid),
    "break": ("break FAULT:PART", _break),
    "lift": ("lift [FAULT:PART]", _lift),
}
FORMS = ", ".join(form for form, _ in _DEEDS.values())


def reach_in(home: Home, deed: Sequence[str], *, as_json: bool) -> None:
    """Do one deed and tell how the box is afterwards. Raises `BadDeed` that says what can be done, `NoBox`."""
    name, *words = deed
    form, read = _DEEDS.get(name, ("", dict))
    if not form:
        raise BadDeed(f"a hand cannot {name!r}; it can {FORMS}")
    try:
        asked = read(*words)
    except (TypeError, ValueError) as error:
        raise BadDeed(f"{' '.join(deed)}: say it as {form}") from error
    if name != "look":
        ask_mock_box(home, name, **asked)
    seen = ask_mock_box(home, "look")
    if as_json:
        print_json(seen)
    else:
        _tell(seen)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise BadDeed(f"{text!r} is no number") from error


def _tell(seen: Mapping[str, Any]) -> None:
    at: dict[str, list[str]] = {}
    for tile, position in seen["tiles"].items():
        at.setdefault(position, []).append(tile)
    for position, tiles in sorted(at.items()):
        answers.print(f"{position}: {', '.join(tiles)}", markup=False)
    pulses = ", ".join(f"{tile} {pulse_us} us" for tile, pulse_us in seen["pulses_us"].items()) or "none"
    answers.print(f"pulses: {pulses}; current: {seen['current_a']:.2f} A", markup=False)
    dice = ", ".join(map(str, seen["dice"])) or "none"
    faults = ", ".join(seen["faults"]) or "none"
    answers.print(f"lid: {seen['lid']}; dice: {dice}; faults: {faults}", markup=False)
