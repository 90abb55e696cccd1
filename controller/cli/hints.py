"""The hints beside the prompt: what can be typed now, and what it does.

Pure functions of a snapshot, so that they are tested without a terminal or a game.
"""

from collections.abc import Sequence
from dataclasses import asdict

from controller.cli.not_understood import NotUnderstood
from controller.cli.places import acts_for, others_turn
from controller.cli.race import PHASES, race_hint
from controller.cli.tile_names import shorten
from controller.game import ActionKind, Message, Snapshot, asks_nothing
from controller.words import ENGLISH, Words
from firmware.errors import TileMoved
from hardware.tiles import Position

_MOST_LIKELY = 3  # are told of in a hint


def hint_for(snapshot: Snapshot, names: Sequence[str] = (), words: Words = ENGLISH) -> tuple[str, ...]:
    """The hints of what can be typed now at a terminal with the seats of `names`; none where nothing can."""
    if asks_nothing(snapshot):
        return ()
    if snapshot.race is not None and snapshot.phase in PHASES:
        hint = race_hint(snapshot, names, words)
        return (*hint, *_undoing(snapshot, names, words)) if hint else ()
    whose = others_turn(snapshot, names)
    undoing = _undoing(snapshot, names, words)
    if not whose:
        hint = _hint_beside_the_house(snapshot, names, words) if snapshot.house else _hint_of_phase(snapshot, words)
        return (*hint, *undoing) if hint else ()
    pause = _pause(words)
    if any(seat.here for seat in snapshot.seats if seat.name in whose):
        return (_waiting_for(snapshot, whose, words), *undoing, pause)
    away = words.ngettext("{names} is away", "{names} are away", len(whose)).format(names=words.all_of(whose))
    mine = (*names, whose[0])
    sit = words.gettext("sit {typed}: play for {names}").format(typed=" ".join(mine), names=words.all_of(mine))
    return (away, sit, *undoing, pause)


def _waiting_for(snapshot: Snapshot, whose: Sequence[str], words: Words) -> str:
    text = {
        "page": words.gettext("waiting for {names}, who plays at another page"),
        "script": words.gettext("waiting for {names}, who plays at another script"),
    }.get(_door_of(snapshot, whose[0]), words.gettext("waiting for {names}, who plays at another terminal"))
    return text.format(names=words.one_of(whose))


def unread_hint(snapshot: Snapshot, words: Words = ENGLISH) -> tuple[str, ...]:
    """The hints where dice lie there that were not read: the camera's offers, how they are typed, another throw."""
    again = words.gettext("Enter: look again")
    if snapshot.simulated:
        again = words.gettext("Enter: throw all dice again")
    return (*camera_offers(snapshot, words), how_dice_are_typed(snapshot, words), again)


def asks_one_by_one(snapshot: Snapshot) -> bool:
    """True where somebody has to decide what becomes of tiles: each answer is a line of its own."""
    return snapshot.phase in ("halted", "differing")


def _is_of_journal(message: Message) -> bool:
    """True if it says that something is not kept."""
    return message.key in ("error", "journal.closed") and str(message.args.get("code")).startswith("J-")


def repair_hint(snapshot: Snapshot, words: Words = ENGLISH) -> tuple[str, ...]:
    """The lines about all that is wrong: data, and English ones, as whoever repairs the box has them in its pages.

    Raises `NotUnderstood` where nothing is wrong.
    """
    told = [] if snapshot.fault is None else [asdict(snapshot.fault)]
    told += [dict(each.args) for each in snapshot.messages if each.key == "fault"]
    lines = ["{code}: {part}, expected {expected}, seen {seen}. {cure}".format(**each) for each in told]
    if any(each.key == "lid.closed" for each in snapshot.messages):
        lines.append(
            "H-210: the lid's switch says: closed. If the lid is open, check the switch, its wire and the magnet."
        )
    lines += [f"{each.args['code']}: {each.args['cause']}" for each in snapshot.messages if _is_of_journal(each)]
    if not lines:
        raise NotUnderstood(words.gettext("Nothing is wrong with the box just now."))
    return tuple(lines)


def _hint_beside_the_house(snapshot: Snapshot, names: Sequence[str], words: Words) -> tuple[str, ...]:
    """The hints in a turn of the house: it chooses by itself, and whoever throws for it may correct its dice."""
    if snapshot.phase not in ("choosing", "turn_lost"):
        return _hint_of_phase(snapshot, words)
    may_correct = any(
        acts_for(snapshot, names, name) for action in snapshot.actions if action.kind == "correct" for name in action.by
    )
    before = words.gettext("{hint}, before {player} goes on")
    correcting = _correcting(snapshot, words) if may_correct else ()
    return tuple(before.format(hint=each, player=snapshot.turn) for each in correcting)


def _hint_of_phase(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    _ = words.gettext
    hint, help_, info = _("h: hint"), _("?: help"), _("i: what is wrong, for whoever repairs the box")
    match snapshot.phase:
        case "awaiting_throw":
            how = _throwing(snapshot, words) if snapshot.camera_reads else (how_dice_are_typed(snapshot, words),)
            return (*how, *(() if snapshot.rolling else (hint,)), help_)
        case "choosing" if snapshot.moves_count == 1:
            return (_("Enter: take the only move"), *_correcting(snapshot, words))
        case "choosing":
            tiles = " ".join(map(shorten, snapshot.moves[0])) if snapshot.moves else "f7 b2"
            choose = _("type a move's number, or its tiles, such as {tiles}").format(tiles=tiles)
            return (choose, hint, *_correcting(snapshot, words))
        case "turn_lost":
            return (_("Enter: go on"), *_correcting(snapshot, words))
        case "halted" if snapshot.fault and snapshot.fault.kind == "camera":
            told = _answers(snapshot, words, "end_turn")
            again = _("Enter: the camera tries again")
            return (*camera_offers(snapshot, words), how_dice_are_typed(snapshot, words), again, *told, info, help_)
        case "halted":
            return (*_answers(snapshot, words, "try_again", "believe", "end_turn"), info, help_)
        case "differing":
            return (*_answers(snapshot, words, "put_right", "correct_game"), help_)
        case "parked":
            return (_("Enter: go on (anybody may)"),)
        case "idle" | "ended":
            return (_("Enter: a new game"), _leave(words))
    return ()


def between_hint(words: Words = ENGLISH) -> tuple[str, ...]:
    """What can be typed while the box is at work."""
    return (_pause(words), _leave(words))


def _pause(words: Words) -> str:
    return words.gettext("p: pause")


def _leave(words: Words) -> str:
    return words.gettext("q: leave")


def _answers(snapshot: Snapshot, words: Words, *kinds: ActionKind) -> tuple[str, ...]:
    """How those of these answers are typed that can be given."""
    return tuple(_answer(snapshot, words, kind) for kind in kinds if snapshot.can(kind))


def _answer(snapshot: Snapshot, words: Words, kind: ActionKind) -> str:
    fault = snapshot.fault
    if kind == "try_again" and fault is not None and fault.code == TileMoved.code:
        return words.gettext("Enter: the box puts it right, hands off")
    if kind == "believe" and fault is not None:
        text = words.gettext("s: {tile} really is up (look first), go on")
        if fault.expected.startswith(Position.SHUT):
            text = words.gettext("s: {tile} really is down (look first), go on")
        return text.format(tile=fault.part)
    points = next((action.points for action in snapshot.actions if action.kind == kind), None)
    if points is not None:
        text = words.ngettext(
            "e: end the turn of {player} now, with {points} point",
            "e: end the turn of {player} now, with {points} points",
            points,
        )
        return text.format(player=snapshot.turn, points=points)
    return _known_answers(words)[kind]


def _known_answers(words: Words) -> dict[ActionKind, str]:
    """What can be answered to a fault, or about tiles that were moved while the box was off, and how it is typed."""
    _ = words.gettext
    return {
        "try_again": _("Enter: the box tries again"),
        "believe": _("s: the tile is where it should be, go on"),
        "end_turn": _("e: end this turn"),
        "put_right": _("Enter: the box puts the tiles right, hands off"),
        "correct_game": _("k: leave the tiles as they are, and count them so"),
    }


def _undoing(snapshot: Snapshot, names: Sequence[str], words: Words) -> tuple[str, ...]:
    """How the last choice is taken back, where it is this terminal's; that of the house is nobody's to regret."""
    by = next((action.by for action in snapshot.actions if action.kind == "undo"), ())
    people = [seat.name for seat in snapshot.seats if seat.house is None and acts_for(snapshot, names, seat.name)]
    if len(by) == 1:
        text = words.gettext("u: take back what ended {player}'s turn")
        if by[0] == snapshot.turn:
            text = words.gettext("u: take back {player}'s last choice")
        return (text.format(player=by[0]),) if by[0] in people else ()
    text = words.gettext("u: take back the last choice")
    if snapshot.race is not None:
        text = words.gettext("u: put the last chip back")
    return (text,) if any(name in people for name in by) else ()


def _door_of(snapshot: Snapshot, name: str) -> str:
    return next((seat.held for seat in snapshot.seats if seat.name == name and seat.held), "terminal")


def _faces(dice: Sequence[int], snapshot: Snapshot, words: Words) -> str:
    """Dice as they are marked."""
    marked = snapshot.marks.faces
    return words.all_of(marked[face - 1] if marked else str(face) for face in dice)


def _throwing(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """What Enter does before a throw: on the simulated box it throws, on a real one people do."""
    _, ngettext = words.gettext, words.ngettext
    counts, wanted = snapshot.dice_allowed, snapshot.dice_wanted or max(snapshot.dice_allowed, default=2)
    if not snapshot.simulated:
        return (_("throw on the baize: the camera looks by itself"), _("Enter: it looks now"))
    if len(counts) == 1 or snapshot.house:
        return (ngettext("Enter: throw the simulated die", "Enter: throw the simulated dice", wanted),)
    throw = ngettext("Enter: throw {number} simulated die", "Enter: throw {number} simulated dice", wanted)
    fewer, more = _("t {number}: throw only {number}"), _("t {number}: throw {number}")
    others = ((fewer if each < wanted else more).format(number=each) for each in counts if each != wanted)
    return (throw.format(number=wanted), *others)


def how_dice_are_typed(snapshot: Snapshot, words: Words) -> str:
    """How dice that lie there are typed."""
    example = _example(snapshot)
    text = words.ngettext(
        "type d and what the die shows, such as d {example}",
        "type d and what the dice show, such as d {example}",
        len(example.split()),
    )
    return text.format(example=example)


def _correcting(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """How a wrong reading is put right: by one key, where the camera knows what else it may be."""
    text = words.ngettext(
        "die read wrong? type d and what it shows, such as d {example}",
        "dice read wrong? type d and what they show, such as d {example}",
        len(snapshot.throw),
    )
    # Where the camera was sure, what else it may have been is not worth a word; c takes it all the same.
    offers = camera_offers(snapshot, words) if snapshot.eye == "doubtful" else ()
    return (*offers, text.format(example=_example(snapshot)))


def camera_offers(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """The throws that the camera has taken the dice for, too, each with its key; not the one that is played."""
    text = words.ngettext(
        "{key}: it shows {faces}", "{key}: they show {faces}", len(snapshot.likely[0]) if snapshot.likely else 0
    )
    return tuple(
        text.format(key=f"c {number}" if number > 1 else "c", faces=_faces(faces, snapshot, words))
        for number, faces in enumerate(snapshot.likely[:_MOST_LIKELY], 1)
        if sorted(faces) != sorted(snapshot.throw)
    )


def _example(snapshot: Snapshot) -> str:
    """A throw as one types it, of as many dice as lie there or are due, and not the one that lies there."""
    number = len(snapshot.throw) or max(snapshot.dice_allowed, default=0)
    faces = snapshot.example.split()[: number or None]
    if sorted(map(snapshot.marks.face_of, faces)) == sorted(map(str, snapshot.throw)):
        # Any other face does that every die has.
        marks = snapshot.marks.faces[:2] or ("1", "2")
        faces[-1] = next(mark for mark in marks if mark != faces[-1])
    return " ".join(faces)
