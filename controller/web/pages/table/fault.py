"""A fault as a page shows it: three pictures of the steps to take, the tiles concerned, and the answers to choose."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from controller.game.core.actions import ActionKind
from controller.messages.words import Words
from controller.web.pages.phrases import name_tiles
from controller.web.pages.table.drawer import BrokenPart, broken_parts
from controller.web.pages.table.view import TableView, Throw
from hardware.errors import Fault
from hardware.tiles import Position

# Actions with places of their own on the page: dice and tiles next to the box, pause and end at the bottom.
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
    """One of the pictures: who acts, and the act in words."""

    picture: Picture
    who: Who
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: a command by its kind, and its consequence."""

    kind: ActionKind
    label: str
    meaning: str
    asks: str = ""  # the confirmation that its button asks for
    vouched: bool = False  # by choosing it a person vouches that they watch the tiles move


@dataclass(frozen=True, slots=True)
class Flag:
    """A note on a tile of the drawn box. ghost: the expected position, if the tile is drawn in the seen one."""

    tile: str
    caption: str
    ghost: Literal["", "open", "shut"] = ""


@dataclass(frozen=True, slots=True)
class FaultView:
    """A fault as it is drawn."""

    steps: tuple[Step, ...] = ()
    answers: tuple[Answer, ...] = ()
    flags: tuple[Flag, ...] = ()
    differing: tuple[str, ...] = ()  # every tile that is not where the game expects it, in words
    note: str = ""  # what the box notices by itself
    by_hand: bool = False  # a tap on a marked tile is the hand that restores it
    theirs: bool = False  # others answer, not this audience
    code: str = ""
    likely: tuple[Throw, ...] = ()  # throws that can be entered with one tap
    waits: bool = True  # nothing else can be done meanwhile
    broken: tuple[BrokenPart, ...] = ()  # deliberate faults of a simulated box, which can be repaired here


def fault_of(table: TableView, words: Words) -> FaultView | None:
    """Return the present fault; None if there is none."""
    now, _ = table.snapshot, words.gettext
    fault, broken, answers = None, tuple(broken_parts(table, words)), tuple(_answers(table, words))
    keys = {message.key for message in now.messages}
    if now.job is not None:
        fault = _outage(table, words) if now.job.kind == "outage" else None
    elif now.fault is not None:
        fault = _halted(now.fault, table, words)
    elif now.found:
        fault = _differing(table, words)
    elif now.phase == "parked" and now.lid == "closed":
        fault = FaultView(_lid_steps(words))
    elif "lid.closed" in keys:
        fault = FaultView(_lid_steps(words)[:2], waits=False)
    elif any(key.startswith("reading.") for key in keys):
        likely = table.likely if "dice" in table.actions else ()
        said = _("Throw again, or tap what the dice show.") if likely else _("Throw again.")
        fault = FaultView((Step("dice", "you", said),), likely=likely, waits=False)
    if fault is None:
        return None
    if fault.waits and now.job is None:
        fault = replace(fault, answers=answers, theirs=not answers)
    if not broken or not _may_reach(table):
        return fault
    # Nobody can press a simulated tile or check its plug: instead of the first such step, the fault is repaired.
    by_hand = next((at for at, step in enumerate(fault.steps) if at and step.who == "you"), None)
    mend = Step("tap", "you", _("It was broken on purpose: mend it, below."))
    steps = tuple(mend if at == by_hand else step for at, step in enumerate(fault.steps))
    return replace(fault, steps=steps, broken=broken)


def _may_reach(table: TableView) -> bool:
    """Return True if a tap acts as a hand at the box: for all but spectators, at a simulated box."""
    return table.snapshot.simulated and table.audience.caller.role != "spectator"


def _outage(table: TableView, words: Words) -> FaultView:
    """Return the view of a simulated power cut, which lasts until somebody at the table ends it."""
    _ = words.gettext
    steps = (
        Step("off", "box", _("The power is out. The box holds nothing and sees nothing.")),
        Step("tile-press", "you", _("Move tiles by hand, if you like: tap them on the drawn box.")),
        Step("tile-doubt", "box", _("With the power the box looks at every tile, and asks about those that differ.")),
    )
    if table.audience.caller.role == "spectator":
        return FaultView(steps, theirs=True)
    starts = _("The box starts, which takes a few seconds, and the game goes on.")
    return FaultView(steps, (Answer("park", _("Power on again"), starts),))


def _halted(fault: Fault, table: TableView, words: Words) -> FaultView:
    _, name = words.gettext, name_tiles(table.snapshot.tiles, words).get(fault.part)
    code = f"{fault.code} {fault.part}"
    if name is None or fault.kind != "motion":
        return FaultView(_box_steps(fault, words), code=code)
    captions = {
        "H-301": _("%(tile)s, stuck"),
        "H-303": _("%(tile)s was moved"),
        "H-305": _("%(tile)s, in the way"),
        "H-306": _("%(tile)s is slow"),
        "H-309": _("%(tile)s does not stay"),
    }
    caption = captions.get(fault.code, _("%(tile)s, in doubt"))
    if fault.seen == Position.BETWEEN:
        caption = _("%(tile)s, half way")
    return FaultView(
        _tile_steps(fault, name, words),
        flags=(Flag(fault.part, caption % {"tile": name}, _ghost(fault.expected)),),
        note=_moved_note(table, words) if fault.code == "H-303" else "",
        by_hand=fault.code == "H-303" and _may_reach(table),
        code=code,
    )


def _differing(table: TableView, words: Words) -> FaultView:
    names, _ = name_tiles(table.snapshot.tiles, words), words.gettext
    found = [(each, names.get(each.name, each.name)) for each in table.snapshot.found]
    said = {
        (Position.SHUT, True): _("The %(tile)s is down and should be up"),
        (Position.OPEN, False): _("The %(tile)s is up and should be down"),
        (Position.BETWEEN, True): _("The %(tile)s is half way and should be up"),
        (Position.BETWEEN, False): _("The %(tile)s is half way and should be down"),
    }
    unknown = _("The box cannot tell where the %(tile)s is")
    return FaultView(
        flags=tuple(Flag(each.name, name, _ghost(each.expected)) for each, name in found),
        differing=tuple(
            said.get((each.seen, each.expected is Position.OPEN), unknown) % {"tile": name} for each, name in found
        ),
        note=_moved_note(table, words),
        by_hand=_may_reach(table),
    )


def _ghost(expected: str) -> Literal["", "open", "shut"]:
    """Return the expected position of a tile by the first word of its description in a fault."""
    if expected.startswith(Position.OPEN):
        return "open"
    return "shut" if expected.startswith(Position.SHUT) else ""


def _moved_note(table: TableView, words: Words) -> str:
    _ = words.gettext
    if _may_reach(table):
        return _("Tap a marked tile on the drawn box to put it right by hand: the game then goes on by itself.")
    return _("If you put it back by hand, the box notices: the game then goes on by itself.")


def _tile_steps(fault: Fault, name: str, words: Words) -> tuple[Step, ...]:
    _, stands = words.gettext, fault.expected.startswith(Position.OPEN)
    in_place: Picture = "tile-open" if stands else "tile-shut"
    lift = Step("tile-lift", "you", _("Lift the tile gently until it stands."))
    press = Step("tile-press", "you", _("Press the tile gently down until it lies."))
    by_hand = lift if stands else press
    let_go = Step("tile-stuck", "box", _("The box has let go of the %(tile)s. Nothing pushes it now.") % {"tile": name})
    again = Step(in_place, "you", _("Let the box try again, below: it checks whether the tile is in place."))
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
            look = _("Check whether something springs back under the tile.")
            return (let_go, Step("tile-doubt", "you", look), again)
    return (let_go, by_hand, again)


def _box_steps(fault: Fault, words: Words) -> tuple[Step, ...]:
    """Return the steps for a part of the box other than a tile."""
    _ = words.gettext
    if fault.code == "H-210":
        return _lid_steps(words)
    if fault.kind == "camera":
        uncover = Step("camera", "you", _("Uncover the four marks in the corners of the baize."))
        checks = {
            "V-103": uncover,
            "V-104": Step("lamp", "you", _("Switch the lamp on, and take away what is in front of the camera.")),
            "V-105": Step("lamp", "you", _("Look at the lamp, the camera and the dice.")),
            "V-106": Step("camera", "you", _("Its owner can turn the camera round, or tell the box: shutbox bringup.")),
        }
        cables = Step("plug", "you", _("Check that the camera's cable is plugged in at both ends."))
        return (
            Step("camera", "box", _("The camera does not see the dice. The game is saved.")),
            checks.get(fault.code, cables),
            Step("dice", "you", _("Say what the dice show, or let the box try again.")),
        )
    supply = Step("plug", "you", _("Check the power supply and its plug."))
    restart = Step("tap", "you", _("Switch the box off and on if this comes again."))
    calibrate = Step("tile-lift", "you", _("Pause the game, and calibrate the servos: shutbox calibrate servos."))
    mend = Step("chip", "you", _("Its owner can correct the file, and start the box again."))
    checks = {
        "C-101": mend,
        "C-102": calibrate,
        "C-103": calibrate,
        "H-208": supply,
        "H-209": supply,
        "H-212": Step("chip", "you", _("Give the computer of the box some air.")),
        "H-214": Step("plug", "you", _("Pull the plug of the motors' power if something is warm.")),
        "H-221": restart,
        "H-222": restart,
    }
    usual = _("Check that all plugs are in and no tile is blocked.")
    if fault.kind == "bus":
        usual = _("Check that all plugs are in.")
    return (
        Step("off", "box", _("The box holds still. Nothing pushes a tile, and the game is saved.")),
        checks.get(fault.code, Step("plug", "you", usual)),
        Step("tap", "you", _("Let the box try again, below: it checks whether all is well.")),
    )


def _lid_steps(words: Words) -> tuple[Step, ...]:
    _ = words.gettext
    return (
        Step("lid-closed", "box", _("The box moves no tile under a closed lid.")),
        Step("lid-open", "you", _("Open the lid.")),
        Step("tap", "you", _("Let the game go on.")),
    )


def _answers(table: TableView, words: Words) -> Iterator[Answer]:
    """Yield the answers of this audience, in the order of the snapshot, with undo last."""
    _, fault = words.gettext, table.snapshot.fault
    try_again = (_("Let the box try again"), _("The box looks once more, and moves what it must."))
    if fault is not None and fault.code == "H-303":
        # In the words in which the sentence of this fault offers it.
        try_again = (_("Let the box do it"), _("Hands off: the tile goes back to where the game has it."))
    ends = table.actions.get("end_turn")
    ended = _("The turn ends with the tiles that are shut now.")
    if ends is not None and ends.points is not None:
        ended = words.ngettext(
            "The turn ends with the tiles that are shut now: %(num)s point.",
            "The turn ends with the tiles that are shut now: %(num)s points.",
            ends.points,
        ) % {"num": ends.points}
    # The label of each button, and the consequence of pressing it.
    said: dict[ActionKind, tuple[str, str]] = {
        "try_again": try_again,
        "put_right": (_("Let the box do it"), _("Hands off: the tiles go back to where the game has them.")),
        "correct_game": (_("Leave them as they are"), _("The game takes the tiles as they are.")),
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
    for kind, action in sorted(table.actions.items(), key=lambda each: each[0] == "undo"):
        if kind not in _ELSEWHERE:
            asks = _("I watch the tiles move: undo") if action.vouched else ""
            yield Answer(kind, *said[kind], asks=asks, vouched=bool(action.vouched))
