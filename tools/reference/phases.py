"""The pages of the phases: what each means, a diagram of the steps between them, and the same steps as tables."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from inspect import getdoc
from typing import Any, get_args

from controller.game.core import phases as core
from controller.game.core.actions import NO_GAME
from controller.game.core.engine import Engine
from controller.game.core.events import GameEvent
from controller.game.core.phases import PhaseName
from controller.game.fleet import state as fleet
from controller.game.shutbox import state as shutbox
from controller.game.table.engines import ENGINES
from tools.reference.diagram import Edge, draw_phases
from tools.reference.explored import Step, explore
from tools.reference.markdown import code, heading, link, paragraphs, prose, table, text, toctree

_FOLDER = "phases"
_GAMES, _SEED = 600, 1
_RESTING = "at rest"
_HELD = ("moving", "halted", "parked", "differing")
_OPEN: tuple[PhaseName, ...] = ("idle", "ended")
# By two ways of looking at a step: from rest to rest, and what holds a game.
Ways = Mapping[tuple[str, str], tuple[str, ...]]


def phase_pages(games: int = _GAMES) -> dict[str, str]:
    """Return a page and the diagrams for each family, and a page of all phases. games: how many tell the steps."""
    pages = {f"{_FOLDER}/index.md": _overview()}
    for engine in ENGINES:
        pages |= _family_pages(engine, games)
    return pages


def phase_meanings() -> dict[str, str]:
    """Return what each phase means, in the order of their names."""
    told = {
        each.word: getdoc(each) or ""
        for module in (core, shutbox, fleet)
        for each in vars(module).values()
        if isinstance(getattr(each, "word", None), str)
    }
    return {name: told.get(name, NO_GAME) for name in get_args(PhaseName)}


def _overview() -> str:
    rows = ((code(name), text(meaning)) for name, meaning in phase_meanings().items())
    families = ((link(code(_name(engine)), f"{_name(engine)}.md"), text(_about(engine))) for engine in ENGINES)
    return paragraphs(
        heading("Phases"),
        toctree(map(_name, ENGINES), hidden=True),
        prose(getdoc(core) or ""),
        table(("family", "games"), families),
        table(("phase", "meaning"), rows),
    )


def _name(engine: Engine[Any]) -> str:
    """Return the folder of a family: `shutbox`, `fleet`."""
    return type(engine).__module__.split(".")[-2]


def _about(engine: Engine[Any]) -> str:
    return getdoc(type(engine)) or ""


def _family_pages(engine: Engine[Any], games: int) -> dict[str, str]:
    name, steps = _name(engine), explore(engine, games, _SEED)
    kinds: tuple[tuple[str, str, Ways], ...] = (
        ("played", "From phase to phase", _played(steps)),
        ("held", "What holds a game", _held(steps)),
    )
    pages, parts = dict[str, str](), list[str]()
    for kind, title, ways in kinds:
        drawn = f"{name}-{kind}.svg"
        pages[f"{_FOLDER}/{drawn}"] = _draw(f"{name}: {title}", ways)
        listed = ((code(before), _events(events), code(after)) for (before, after), events in ways.items())
        parts += (
            heading(title, 2),
            f"![{title}: the table below says the same]({drawn})",
            table(("phase", "events", "next phase"), listed),
        )
    told = f"Made of the steps in {games} games that were played by chance, with all that may be done tried on the way."
    page = paragraphs(heading(f"Phases of {code(name)}"), prose(_about(engine)), told, *parts)
    return {f"{_FOLDER}/{name}.md": page, **pages}


def _played(steps: Iterable[Step]) -> Ways:
    """Return the ways from one phase of the family to another, whatever holds the game meanwhile."""
    holding = {event for event in _kinds_of_core() if event not in ("game_started", "game_ended")}
    found = ((each.rests_before, each.rests_after, each.event) for each in steps if each.event not in holding)
    return _sorted(way for way in found if way[0] != way[1])


def _held(steps: Iterable[Step]) -> Ways:
    """Return the ways into what holds a game, and out of it; all phases of the family are one, in which it rests."""
    found = ((_held_name(each.before), _held_name(each.after), each.event) for each in steps)
    return _sorted(way for way in found if way[0] != way[1])


def _held_name(phase: PhaseName) -> str:
    return phase if phase in (*_HELD, *_OPEN) else _RESTING


def _kinds_of_core() -> Iterator[str]:
    for each in GameEvent.__subclasses__():
        if each.__module__ == GameEvent.__module__:
            [kind] = get_args(each.__annotations__["kind"])
            yield kind


def _sorted(ways: Iterable[tuple[str, str, str]]) -> Ways:
    """Return the events of each way, all in the order of the phases' names."""
    order = (*get_args(PhaseName)[:1], _RESTING, *get_args(PhaseName)[1:])
    events = defaultdict[tuple[str, str], set[str]](set)
    for before, after, event in ways:
        events[before, after].add(event)
    places = sorted(events, key=lambda way: tuple(map(order.index, way)))
    return {way: tuple(sorted(events[way])) for way in places}


def _events(events: Iterable[str]) -> str:
    return ", ".join(map(code, events))


def _draw(title: str, ways: Ways) -> str:
    order = (*get_args(PhaseName)[:1], _RESTING, *get_args(PhaseName)[1:])
    nodes = [name for name in order if any(name in way for way in ways)]
    return draw_phases(
        title, nodes, [Edge(before, ", ".join(events), after) for (before, after), events in ways.items()]
    )
