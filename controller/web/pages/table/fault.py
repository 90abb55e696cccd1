"""A fault as a page shows it: three pictures of who does what, the tiles that it is about, and the answers to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from controller.game import ActionKind, FoundTile
from controller.web.pages.phrases import name_tiles
from controller.web.pages.table.broken import BrokenPart, broken_parts
from controller.web.pages.table.view import TableView, Throw
from controller.words import Words
from hardware.errors import Fault
from hardware.tiles import Position

# They have places of their own on the page: the dice and the tiles beside the box, pause and end below all.
_OF_RACE: frozenset[ActionKind] = frozenset({"name", "go", "throw", "shout", "claim", "withdraw", "end_round"})
_ELSEWHERE: frozenset[ActionKind] = _OF_RACE | {"roll", "choose", "dice", "correct", "park", "abandon"}

Who = Literal["box", "you"]
Picture = Literal[
    "tile-stuck",
    "tile-press",
    "tile-lift",
    "tile-shut",
    "tile-open",
    "tile-doubt",
    "tap",
    "camera",
    "lamp",
    "dice",
    "lid-closed",
    "lid-open",
    "plug",
    "chip",
    "off",
]


@dataclass(frozen=True, slots=True)
class Step:
    """One of the pictures: who does what."""

    picture: Picture
    who: Who
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of people: a command by its kind, and what comes of it.

    asks: what its button asks before it is done. vouched: somebody says by it that he watches the tiles move.
    """

    kind: ActionKind
    label: str
    meaning: str
    asks: str = ""
    vouched: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """A mark beside a tile on the drawn box. ghost: how the tile should be, where it is drawn as it is seen."""

    tile: str
    caption: str
    ghost: Literal["", "open", "shut"] = ""


@dataclass(frozen=True, slots=True)
class FaultView:
    """What is amiss, as it is drawn.

    differing: every tile that is elsewhere, in words. note: what the box notices by itself. by_hand: a tap on a marked
    tile is the hand that puts it right. theirs: True if others than who looks answer. likely: throws that are taken
    with one tap. waits: True while nothing else can be done. broken: what is mended here of a box that was broken on
    purpose.
    """

    steps: tuple[Step, ...] = ()
    answers: tuple[Answer, ...] = ()
    flags: tuple[Flag, ...] = ()
    differing: tuple[str, ...] = ()
    note: str = ""
    by_hand: bool = False
    theirs: bool = False
    code: str = ""
    likely: tuple[Throw, ...] = ()
    waits: bool = True
    broken: tuple[BrokenPart, ...] = ()


def fault_of(table: TableView, words: Words) -> FaultView | None:
    """What is amiss now; None where nothing is."""
    amiss, broken = _amiss(table, words), tuple(broken_parts(table, words))
    if amiss is None or not broken or not _may_reach(table):
        return amiss
    return replace(amiss, steps=_with_mending(amiss.steps, words), broken=broken)


def _may_reach(table: TableView) -> bool:
    """True if a tap of who looks is a hand at the box: at a simulated one, for all but those who look on."""
    return table.snapshot.simulated and table.audience.caller.role != "spectator"


def _with_mending(steps: tuple[Step, ...], words: Words) -> tuple[Step, ...]:
    """The same where nobody can press a tile or look for a plug: what was broken on purpose is mended instead."""
    by_hand = next((number for number, step in enumerate(steps) if number and step.who == "you"), len(steps))
    mend = Step("tap", "you", words.gettext("It was broken on purpose: mend it, below."))
    return tuple(mend if number == by_hand else step for number, step in enumerate(steps))


def _amiss(table: TableView, words: Words) -> FaultView | None:
    now = table.snapshot
    if now.job is not None:
        return _outage(table, words) if now.job.kind == "outage" else None
    if now.fault is not None:
        return _halted(now.fault, table, words)
    if now.found:
        return _differing(table, words)
    if now.phase == "parked" and now.lid == "closed":
        answers = tuple(_answers(table, words))
        return FaultView(_lid_steps(words), answers, theirs=not answers)
    keys = {message.key for message in now.messages}
    if "lid.closed" in keys:
        return FaultView(_lid_steps(words)[:2], waits=False)
    if any(key.startswith("reading.") for key in keys):
        return _doubtful(table, words)
    return None


def _halted(fault: Fault, table: TableView, words: Words) -> FaultView:
    name = name_tiles(table.snapshot.tiles, words).get(fault.part)
    code = f"{fault.code} {fault.part}"
    answers = tuple(_answers(table, words))
    if name is None or fault.kind != "motion":
        return FaultView(_box_steps(fault, words), answers, theirs=not answers, code=code)
    return FaultView(
        _tile_steps(fault, name, words),
        answers,
        (Flag(fault.part, _caption(fault, name, words), _ghost(fault.expected)),),
        note=_moved_note(table, words) if fault.code == "H-303" else "",
        by_hand=fault.code == "H-303" and _may_reach(table),
        theirs=not answers,
        code=code,
    )


def _differing(table: TableView, words: Words) -> FaultView:
    names = name_tiles(table.snapshot.tiles, words)
    found = [(each, names.get(each.name, each.name)) for each in table.snapshot.found]
    answers = tuple(_answers(table, words))
    return FaultView(
        answers=answers,
        flags=tuple(Flag(each.name, name, _ghost(each.expected)) for each, name in found),
        differing=tuple(_say_differing(each, name, words) for each, name in found),
        note=_moved_note(table, words),
        by_hand=_may_reach(table),
        theirs=not answers,
    )


def _say_differing(found: FoundTile, name: str, words: Words) -> str:
    _ = words.gettext
    stands = found.expected is Position.OPEN
    said = {
        (Position.SHUT, True): _("The %(tile)s is down and should be up"),
        (Position.OPEN, False): _("The %(tile)s is up and should be down"),
        (Position.BETWEEN, True): _("The %(tile)s is half way and should be up"),
        (Position.BETWEEN, False): _("The %(tile)s is half way and should be down"),
    }.get((found.seen, stands), _("The box cannot tell where the %(tile)s is"))
    return said % {"tile": name}


def _ghost(expected: str) -> Literal["", "open", "shut"]:
    """How a tile should be, by the word with which what is expected of it begins."""
    if expected.startswith(Position.OPEN):
        return "open"
    return "shut" if expected.startswith(Position.SHUT) else ""


def _moved_note(table: TableView, words: Words) -> str:
    _ = words.gettext
    if _may_reach(table):
        return _("Tap a marked tile on the drawn box to put it right by hand: the game then goes on by itself.")
    return _("Put back by hand, it is noticed: the game then goes on by itself.")


def _doubtful(table: TableView, words: Words) -> FaultView:
    _ = words.gettext
    likely = table.likely if "dice" in table.actions else ()
    said = _("Throw again, or tap what lies there.") if likely else _("Throw again.")
    return FaultView((Step("dice", "you", said),), likely=likely, waits=False)


def _caption(fault: Fault, name: str, words: Words) -> str:
    _ = words.gettext
    if fault.seen == Position.BETWEEN:
        return _("%(tile)s, half way") % {"tile": name}
    said = {
        "H-301": _("%(tile)s, stuck"),
        "H-303": _("%(tile)s was moved"),
        "H-305": _("%(tile)s, in the way"),
        "H-306": _("%(tile)s is slow"),
        "H-309": _("%(tile)s does not stay"),
    }.get(fault.code, _("%(tile)s, in doubt"))
    return said % {"tile": name}


def _tile_steps(fault: Fault, name: str, words: Words) -> tuple[Step, ...]:
    """What to do about one tile, by what is wrong with it and where it should be."""
    _ = words.gettext
    stands = fault.expected.startswith(Position.OPEN)
    by_hand = Step(
        "tile-lift" if stands else "tile-press",
        "you",
        _("Lift the tile gently until it stands.") if stands else _("Press the tile gently down until it lies."),
    )
    let_go = Step("tile-stuck", "box", _("The box has let go of the %(tile)s. Nothing pushes it now.") % {"tile": name})
    in_place: Picture = "tile-open" if stands else "tile-shut"
    again = Step(in_place, "you", _("Let the box try again, below: it looks whether the tile is in place."))
    match fault.code:
        case "H-303":
            seen = _("The box has seen that the %(tile)s was moved, and waits.") % {"tile": name}
            goes_on = Step(in_place, "box", _("The box sees it in place, and the game goes on."))
            return (Step("tile-doubt", "box", seen), by_hand, goes_on)
        case "H-302" | "H-304" | "H-307" | "H-308":
            doubt = _("The box cannot tell where the %(tile)s is, and has let go of it.") % {"tile": name}
            say = Step("tap", "you", _("Say that it is where it should be, or let the box try again."))
            return (Step("tile-doubt", "box", doubt), by_hand, say)
        case "H-309":
            look = _("Look whether something springs back under the tile.")
            return (let_go, Step("tile-doubt", "you", look), again)
    return (let_go, by_hand, again)


def _box_steps(fault: Fault, words: Words) -> tuple[Step, ...]:
    """What to do about a part of the box that is no tile."""
    _ = words.gettext
    kept = Step("off", "box", _("The box holds still. Nothing pushes a tile, and the game is kept."))
    again = Step("tap", "you", _("Let the box try again, below: it looks whether all is well."))
    if fault.kind == "camera":
        blind = Step("camera", "box", _("The camera does not see the dice. The game is kept."))
        typed = Step("dice", "you", _("Say what the dice show, or let the box try again."))
        return (blind, _camera_step(fault, words), typed)
    match fault.code:
        case "H-210":
            return _lid_steps(words)
        case "H-208" | "H-209":
            return (kept, Step("plug", "you", _("Check the power supply and its plug.")), again)
        case "H-212":
            return (kept, Step("chip", "you", _("Give the computer of the box some air.")), again)
        case "H-221" | "H-222":
            return (kept, Step("tap", "you", _("Switch the box off and on if this comes again.")), again)
    if fault.kind == "bus":
        return (kept, Step("plug", "you", _("Check that all plugs are in.")), again)
    return (kept, Step("plug", "you", _("Look whether all plugs are in and no tile is blocked.")), again)


def _camera_step(fault: Fault, words: Words) -> Step:
    _ = words.gettext
    match fault.code:
        case "V-103":
            return Step("camera", "you", _("Uncover the four marks in the corners of the baize."))
        case "V-104":
            return Step("lamp", "you", _("Switch the lamp on, and take away what is before the camera."))
        case "V-105":
            return Step("lamp", "you", _("Look at the lamp, the camera and the dice."))
    return Step("plug", "you", _("Look whether the cable of the camera is in, at both ends."))


def _lid_steps(words: Words) -> tuple[Step, ...]:
    _ = words.gettext
    return (
        Step("lid-closed", "box", _("The box moves no tile under a closed lid.")),
        Step("lid-open", "you", _("Open the lid.")),
        Step("tap", "you", _("Let the game go on.")),
    )


def _outage(table: TableView, words: Words) -> FaultView:
    """The cut of a simulated box's power: it lasts until somebody at the table ends it."""
    _ = words.gettext
    steps = (
        Step("off", "box", _("The power is out. The box holds nothing and sees nothing.")),
        Step("tile-press", "you", _("Move tiles by hand, if you like: tap them on the drawn box.")),
        Step("tile-doubt", "box", _("With the power the box looks at every tile, and asks about those that differ.")),
    )
    if table.audience.caller.role == "spectator":
        return FaultView(steps, theirs=True)
    back = Answer("park", _("Power on again"), _("The box starts, which takes a few seconds, and the game goes on."))
    return FaultView(steps, (back,))


def _answers(table: TableView, words: Words) -> Iterator[Answer]:
    """The answers that this audience has, in the order of the snapshot; what goes back comes last."""
    _ = words.gettext
    said = _meanings(table, words)
    for kind, action in sorted(table.actions.items(), key=lambda each: each[0] == "undo"):
        if kind in _ELSEWHERE:
            continue
        asks = _("I watch the tiles move: undo") if action.vouched else ""
        yield Answer(kind, *said[kind], asks=asks, vouched=bool(action.vouched))


def _meaning_of_trying(fault: Fault | None, words: Words) -> tuple[str, str]:
    """In the words in which the sentence of the fault has offered it."""
    _ = words.gettext
    if fault is not None and fault.code == "H-303":
        return _("Let the box do it"), _("Hands off: the tile goes back to where the game has it.")
    return _("Let the box try again"), _("The box looks once more, and moves what it must.")


def _meanings(table: TableView, words: Words) -> Mapping[ActionKind, tuple[str, str]]:
    """Of each answer, what stands on its button and what it means."""
    _ = words.gettext
    ends = table.actions.get("end_turn")
    points = ends.points if ends is not None else None
    ended = (
        _("The turn ends with the tiles that are shut now.")
        if points is None
        else words.ngettext(
            "The turn ends with the tiles that are shut now: %(num)s point.",
            "The turn ends with the tiles that are shut now: %(num)s points.",
            points,
        )
        % {"num": points}
    )
    return {
        "try_again": _meaning_of_trying(table.snapshot.fault, words),
        "put_right": (_("Let the box do it"), _("Hands off: the tiles go back to where the game has them.")),
        "correct_game": (_("Leave them so"), _("The game takes the tiles as they are.")),
        "go_on": (_("Go on"), _("The game goes on where it was.")),
        "believe": (
            _("It is where it should be"),
            _("The game goes on. A small hand on the tile shows: taken on your word."),
        ),
        "end_turn": (_("End the turn"), ended),
        "accept": (_("End the turn"), _("The turn is over.")),
        "undo": (_("Undo"), _("The last choice is taken back.")),
        "start": (_("Start a game"), _("A new game begins.")),
    }
