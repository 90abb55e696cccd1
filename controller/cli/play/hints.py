"""The hints beside the prompt: what can be typed now, and what it does. Pure functions of a snapshot."""

from collections.abc import Sequence
from dataclasses import asdict

from controller.cli.places import acts_for, others_turn
from controller.cli.play.tile_names import NotUnderstood, shorten
from controller.cli.race.hints import PHASES, race_hint
from controller.game.core.actions import ActionKind
from controller.game.table.snapshot import Snapshot, asks_nothing
from controller.messages.words import ENGLISH, Words
from firmware.errors import TileMoved
from hardware.tiles import Position

_MOST_LIKELY = 3  # readings offered in a hint


def hint_for(snapshot: Snapshot, names: Sequence[str] = (), words: Words = ENGLISH) -> tuple[str, ...]:
    """Return the hints for a terminal with the seats of `names`; none if nothing can be typed."""
    if asks_nothing(snapshot):
        return ()
    if snapshot.race is not None and snapshot.phase in PHASES:
        hint = race_hint(snapshot, names, words)
        return (*hint, *_undoing(snapshot, names, words)) if hint else ()
    whose = others_turn(snapshot, names)
    undoing = _undoing(snapshot, names, words)
    if not whose:
        if snapshot.house and snapshot.phase in ("choosing", "turn_lost"):
            # The house goes on by itself; people who throw for it may correct its dice before.
            by = [name for action in snapshot.actions if action.kind == "correct" for name in action.by]
            before = words.gettext("{hint}, before {player} goes on")
            correcting = _correcting(snapshot, words) if any(acts_for(snapshot, names, name) for name in by) else ()
            hint = tuple(before.format(hint=each, player=snapshot.turn) for each in correcting)
        else:
            hint = _hint_of_phase(snapshot, words)
        return (*hint, *undoing) if hint else ()
    pause = words.gettext("p: pause")
    if any(each.args.get("by_house") for each in snapshot.messages):
        # Nobody is waited for: the house throws for itself.
        return (*undoing, pause)
    if any(seat.here for seat in snapshot.seats if seat.name in whose):
        door = next((seat.held for seat in snapshot.seats if seat.name == whose[0] and seat.held), "terminal")
        waiting = {
            "page": words.gettext("waiting for {names}, who plays at another page"),
            "script": words.gettext("waiting for {names}, who plays at another script"),
            "remote": words.gettext("waiting for {names}, who plays at the other box"),
        }.get(door, words.gettext("waiting for {names}, who plays at another terminal"))
        return (waiting.format(names=words.one_of(whose)), *undoing, pause)
    away = words.ngettext("{names} is away", "{names} are away", len(whose)).format(names=words.all_of(whose))
    mine = (*names, whose[0])
    sit = words.gettext("sit {typed}: play for {names}").format(typed=" ".join(mine), names=words.all_of(mine))
    return (away, sit, *undoing, pause)


def unread_hint(snapshot: Snapshot, words: Words = ENGLISH) -> tuple[str, ...]:
    """Return the hints for dice that were not read: the camera's offers, how they are typed, another throw."""
    again = words.gettext("Enter: look again")
    if snapshot.simulated:
        again = words.gettext("Enter: throw all dice again")
    return (*camera_offers(snapshot, words), how_dice_are_typed(snapshot, words), again)


def asks_one_by_one(snapshot: Snapshot) -> bool:
    """Return whether somebody has to decide about tiles: each answer then has a line of its own."""
    return snapshot.phase in ("halted", "differing")


def repair_hint(snapshot: Snapshot, words: Words = ENGLISH) -> tuple[str, ...]:
    """Return a line on everything that is wrong, in English like the documents for repair.

    Raises `NotUnderstood` if nothing is wrong.
    """
    told = [] if snapshot.fault is None else [asdict(snapshot.fault)]
    told += [dict(each.args) for each in snapshot.messages if each.key == "fault"]
    lines = ["{code}: {part}, expected {expected}, seen {seen}. {cure}".format(**each) for each in told]
    if any(each.key == "lid.closed" for each in snapshot.messages):
        lines.append(
            "H-210: the lid's switch says: closed. If the lid is open, check the switch, its wire and the magnet."
        )
    # Errors of the journal: something is not kept.
    errors = [each for each in snapshot.messages if each.key in ("error", "journal.closed")]
    lines += [
        f"{each.args['code']}: {each.args['cause']}" for each in errors if str(each.args.get("code")).startswith("J-")
    ]
    if not lines:
        raise NotUnderstood(words.gettext("Nothing is wrong with the box just now."))
    return tuple(lines)


def _hint_of_phase(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    _ = words.gettext
    hint, help_, info = _("h: hint"), _("?: help"), _("i: technical details, for repairs")
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
            return (_("Enter: a new game"), words.gettext("q: leave"))
    return ()


def between_hint(words: Words = ENGLISH) -> tuple[str, ...]:
    """Return the hints while the box is at work."""
    return (words.gettext("p: pause"), words.gettext("q: leave"))


def _answers(snapshot: Snapshot, words: Words, *kinds: ActionKind) -> tuple[str, ...]:
    _, fault = words.gettext, snapshot.fault
    answers: dict[ActionKind, str] = {
        "try_again": _("Enter: the box tries again"),
        "believe": _("s: the tile is where it should be, go on"),
        "end_turn": _("e: end this turn"),
        "put_right": _("Enter: let the box put the tiles right (keep your hands away)"),
        "correct_game": _("k: leave the tiles as they are and go on from there"),
    }
    for action in snapshot.actions:
        if action.points is not None:
            text = words.ngettext(
                "e: end {player}'s turn now, with {points} point",
                "e: end {player}'s turn now, with {points} points",
                action.points,
            )
            answers[action.kind] = text.format(player=snapshot.turn, points=action.points)
    if fault is not None:
        text = _("s: {tile} really is up (look first), go on")
        if fault.expected.startswith(Position.SHUT):
            text = _("s: {tile} really is down (look first), go on")
        answers["believe"] = text.format(tile=fault.part)
        if fault.code == TileMoved.code:
            answers["try_again"] = _("Enter: let the box put it right (keep your hands away)")
    return tuple(answers[kind] for kind in kinds if snapshot.can(kind))


def _undoing(snapshot: Snapshot, names: Sequence[str], words: Words) -> tuple[str, ...]:
    """Return how the last choice is taken back, if it was this terminal's; nobody takes back one of the house.

    After a game that was given up, that is taken back.
    """
    by = next((action.by for action in snapshot.actions if action.kind == "undo"), ())
    people = [seat.name for seat in snapshot.seats if seat.house is None and acts_for(snapshot, names, seat.name)]
    if snapshot.phase == "ended":
        return (words.gettext("u: play on after all"),) if any(name in people for name in by) else ()
    if len(by) == 1:
        text = words.gettext("u: undo the end of {player}'s turn")
        if by[0] == snapshot.turn:
            text = words.gettext("u: take back {player}'s last choice")
        return (text.format(player=by[0]),) if by[0] in people else ()
    text = words.gettext("u: take back the last choice")
    if snapshot.race is not None:
        text = words.gettext("u: put the last chip back")
    return (text,) if any(name in people for name in by) else ()


def _throwing(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
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
    """Return how dice that lie there are typed."""
    example = _example(snapshot)
    text = words.ngettext(
        "type d and what the die shows, such as d {example}",
        "type d and what the dice show, such as d {example}",
        len(example.split()),
    )
    return text.format(example=example)


def _correcting(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    text = words.ngettext(
        "die read wrong? type d and what it shows, such as d {example}",
        "dice read wrong? type d and what they show, such as d {example}",
        len(snapshot.throw),
    )
    # Where the camera was sure, its other readings are not worth a word; c takes them all the same.
    offers = camera_offers(snapshot, words) if snapshot.eye == "doubtful" else ()
    return (*offers, text.format(example=_example(snapshot)))


def camera_offers(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """Return the other readings of the camera, each with its key."""
    text = words.ngettext(
        "{key}: it shows {faces}", "{key}: they show {faces}", len(snapshot.likely[0]) if snapshot.likely else 0
    )
    marks, offers = snapshot.marks.faces, []
    for number, faces in enumerate(snapshot.likely[:_MOST_LIKELY], 1):
        if sorted(faces) != sorted(snapshot.throw):
            told = words.all_of(marks[face - 1] if marks else str(face) for face in faces)
            offers.append(text.format(key=f"c {number}" if number > 1 else "c", faces=told))
    return tuple(offers)


def _example(snapshot: Snapshot) -> str:
    """Return an example of a throw as people type it, with the dice that are due, but not the throw that lies there."""
    number = len(snapshot.throw) or max(snapshot.dice_allowed, default=0)
    faces = snapshot.example.split()[: number or None]
    if sorted(map(snapshot.marks.face_of, faces)) == sorted(map(str, snapshot.throw)):
        # Any other face will do, if every die has it.
        marks = snapshot.marks.faces[:2] or ("1", "2")
        faces[-1] = next(mark for mark in marks if mark != faces[-1])
    return " ".join(faces)
