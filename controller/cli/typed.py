"""The words typed at a seat: the command that a line means now, and hints of what can be typed.

Pure functions of a snapshot, so that they are tested without a terminal or a game.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from controller.cli.places import acts_for, others_turn
from controller.game import (
    NO_HINTS,
    Abandon,
    ActionKind,
    Believe,
    Choose,
    ClientCommand,
    CorrectGame,
    CorrectThrow,
    EndTurn,
    Message,
    Park,
    Question,
    RollDice,
    Snapshot,
    TakeThrow,
    Undo,
    agreed_command,
    asks_nothing,
    count,
    join_and,
    join_or,
    plural,
    question_now,
)
from firmware.errors import TileMoved
from hardware.tiles import Position

# What can be typed, and what it does.
KEYS = {
    "Enter": "go on: throw (a real box: have the camera look now), take the only move, have the box try again",
    "t 1": "throw one die, where one is allowed",
    "a number": "take the move with that number",
    "f7 b2": "shut front-7 and back-2; tipping the tiles by hand does the same",
    "d 5 3": "tell the box that the dice show 5 and 3, where the camera is wrong or cannot read them",
    "c, c 2": "where the camera offers other readings: take the first, or the second",
    "u": "take back the last choice, as long as nobody has thrown since",
    "s": "after a fault: the tile is where it should be, go on",
    "e": "after a fault: end this turn; all tiles that were chosen in it count as shut",
    "i": "after a fault: what is wrong, for whoever repairs the box",
    "k": "after a power cut: leave the tiles as they are, and count them so",
    "h": "a hint: the best moves by the odds",
    "b": "the board: [9] is up, (9) is hidden behind another, _9_ is shut, !9! is not where it should be",
    "new": "start another game, once this one is over",
    "give up": "end this game for everybody; it asks once more",
    "sit Ann": "only Ann plays at this terminal from now on; other players need another",
    "stand": "undo that: whoever has no terminal of their own plays here",
    "p": "pause: nothing moves until somebody presses Enter",
    "q": "leave; the game is kept, and goes on when you start as you did now",
}

_MOST_LIKELY = 3  # are told of in a hint
_SHORT = re.compile(r"([fb])-?(\d{1,2})")
_ROWS = {"f": "front", "b": "back"}
_ROW = re.compile(r"front|back|row\d")


# What can be answered to a fault, or about tiles that were moved while the box was off, and how it is typed.
_ANSWERS: dict[ActionKind, str] = {
    "try_again": "Enter: the box tries again",
    "believe": "s: the tile is where it should be, go on",
    "end_turn": "e: end this turn",
    "put_right": "Enter: the box puts the tiles right, hands off",
    "correct_game": "k: leave the tiles as they are, and count them so",
}
# Words that are typed whole, by what must be possible for them; None: always.
_WORDS: dict[str, ActionKind | None] = {
    "undo": "undo",
    "shut": "believe",
    "end": "end_turn",
    "keep": "correct_game",
    "pause": "park",
    "give up yes": "abandon",
    "new": "start",
    "hint": None,
    "board": None,
    "info": "try_again",
    "stand": None,
    "quit": None,
}


class NotUnderstood(ValueError):
    """A line that means nothing here. The message says why; `asks_hint`: what can be typed instead is to follow."""

    def __init__(self, message: str, *, asks_hint: bool = False) -> None:
        super().__init__(message)
        self.asks_hint = asks_hint


def command_for(line: str, snapshot: Snapshot) -> ClientCommand:
    """The command that a typed line means now. Raises `NotUnderstood`."""
    words = line.lower().replace(",", " ").split()
    match words:
        case []:
            return _command_for_enter(snapshot)
        case ["p" | "park" | "pause"] if snapshot.can("park"):
            return Park()
        case ["give", "up"]:
            raise NotUnderstood("That ends the game for everybody. If you mean it, type: give up yes")
        case ["give", "up", "yes"]:
            return Abandon()
        case ["s" | "shut"] if snapshot.can("believe"):
            return Believe()
        case ["e" | "end"] if snapshot.can("end_turn"):
            return EndTurn()
        case ["k" | "keep"] if snapshot.can("correct_game"):
            return CorrectGame()
        case ["d" | "dice", *_]:
            faces = _parse_faces(line.replace(",", " ").split()[1:], snapshot)
            return _command_for_faces(faces, snapshot)
        case ["u" | "undo"]:
            return _command_to_undo(snapshot)
        case ["u" | "undo", "yes"]:
            return Undo(vouched=True)
        case ["c" | "correct"]:
            return _command_for_likely(1, snapshot)
        case ["c" | "correct", number] if _is_number(number):
            return _command_for_likely(int(number), snapshot)
        case ["c" | "correct", *_]:
            raise NotUnderstood("c and c 2 take what the camera offers beside these letters")
        case ["t" | "throw"] if snapshot.can("roll"):
            return RollDice(snapshot.dice_wanted)
        case ["t" | "throw", number] if _is_number(number):
            return _throw_so_many(int(number), snapshot)
        case [number] if _is_number(number):
            return _command_for_number(int(number), snapshot)
    if snapshot.phase == "choosing" and any(character.isdigit() for character in line):
        return Choose(tuple(_parse_tiles(words)))
    raise NotUnderstood(f"{line!r} does nothing now.", asks_hint=True)


def _command_to_undo(snapshot: Snapshot) -> ClientCommand:
    vouched = [tile for action in snapshot.actions if action.kind == "undo" for tile in action.vouched]
    if vouched:
        raise NotUnderstood(f"The box does not see {join_and(vouched)} move back. Watch, and type: u yes")
    return Undo()


def _command_for_enter(snapshot: Snapshot) -> ClientCommand:
    throws = snapshot.can("roll") and not asks_nothing(snapshot)
    command = RollDice(snapshot.dice_wanted) if throws else agreed_command(snapshot)
    if command is not None:
        return command
    if not snapshot.can("choose") or snapshot.house:
        # A call for help says why the game waits better than the moment does.
        calls = any(each.severity == "help" and each.text in snapshot.notice for each in snapshot.messages)
        told = snapshot.notice if calls else f"{snapshot.say} {snapshot.notice}".strip()
        raise NotUnderstood(f"The game waits. {told}", asks_hint=True)
    if len(snapshot.moves) > 1:
        raise NotUnderstood("Choose a move by its number or its tiles.")
    return Choose(snapshot.moves[0])


def _command_for_faces(faces: tuple[int, ...], snapshot: Snapshot) -> ClientCommand:
    return TakeThrow(faces) if snapshot.can("dice") or not snapshot.can("correct") else CorrectThrow(faces)


def _command_for_likely(number: int, snapshot: Snapshot) -> ClientCommand:
    if not snapshot.likely:
        raise NotUnderstood(f"The camera has no other reading: {_typing(snapshot)}.")
    if not 1 <= number <= len(snapshot.likely):
        raise NotUnderstood(f"The camera offers {'; '.join(_offers(snapshot))}.")
    return _command_for_faces(snapshot.likely[number - 1], snapshot)


def _throw_so_many(number: int, snapshot: Snapshot) -> ClientCommand:
    if snapshot.phase != "awaiting_throw":
        raise NotUnderstood("No throw is due now.", asks_hint=True)
    if number not in snapshot.dice_allowed:
        allowed = join_or(map(str, snapshot.dice_allowed))
        raise NotUnderstood(f"This throw is made with {allowed} {plural(max(snapshot.dice_allowed), 'die', 'dice')}.")
    return RollDice(number)


def _command_for_number(number: int, snapshot: Snapshot) -> ClientCommand:
    if snapshot.reading:
        raise NotUnderstood("The dice are being read, a moment.")
    if snapshot.phase == "awaiting_throw":
        raise NotUnderstood("There is no move to choose yet: throw first.", asks_hint=True)
    if snapshot.phase != "choosing":
        raise NotUnderstood("A number does nothing now.", asks_hint=True)
    if not 1 <= number <= len(snapshot.moves):
        more = "; type the tiles of any other" if snapshot.moves_count > len(snapshot.moves) else ""
        raise NotUnderstood(f"The moves are numbered 1 to {len(snapshot.moves)}{more}.")
    return Choose(snapshot.moves[number - 1])


def _parse_faces(words: Sequence[str], snapshot: Snapshot) -> tuple[int, ...]:
    """The values of the dice as typed, by their numbers or marks. Raises `NotUnderstood`."""
    faces = [snapshot.marks.face_of(word) for word in words]
    if not faces or not all(face.isascii() and face.isdigit() and len(face) < 3 for face in faces):
        marks = f" ({', '.join(snapshot.marks.faces)})" if snapshot.marks.faces else ""
        raise NotUnderstood(f"{_typing(snapshot).capitalize()}{marks}.")
    return tuple(map(int, faces))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _parse_tiles(words: Iterable[str]) -> Iterator[str]:
    """The tiles by their names, by `f7`, or as a list shows them: `front 1 3, back 8`."""
    row = ""
    for word in words:
        if _ROW.fullmatch(word):
            row = word
        else:
            yield f"{row}-{word}" if row and word.isdigit() else _parse_tile(word)


def _parse_tile(word: str) -> str:
    match = _SHORT.fullmatch(word)
    return f"{_ROWS[match[1]]}-{match[2]}" if match else word


def complete_line(line: str, snapshot: Snapshot) -> Sequence[str]:
    """The lines that what is typed so far may become now: moves by their tiles, throws, words."""
    moves = snapshot.moves if snapshot.phase == "choosing" and not snapshot.house else ()
    known = [" ".join(map(shorten, move)) for move in moves]
    known += [" ".join(move) for move in moves]
    if snapshot.can("dice") or snapshot.can("correct"):
        known += [" ".join(map(str, ("d", *faces))) for faces in snapshot.likely]
    known += [word for word, do in _WORDS.items() if do is None or snapshot.can(do)]
    known += [f"sit {seat.name}" for seat in snapshot.seats if not seat.held]
    return tuple(dict.fromkeys(each for each in known if each.lower().startswith(line.lower())))


def shorten(tile: str) -> str:
    """`f7` for `front-7`, where there is such a form."""
    short = tile[:1] + tile.partition("-")[2]
    return short if _parse_tile(short) == tile else tile


def question_about(snapshot: Snapshot) -> Question:
    """The question about the odds that a player would ask now. Raises `NotUnderstood` where there is none."""
    if not snapshot.hints:
        raise NotUnderstood(f"{NO_HINTS[0].upper()}{NO_HINTS[1:]}.")
    question = question_now(snapshot)
    if question is None:
        raise NotUnderstood("A hint is there before a throw and while you choose.")
    return question


def hint_for(snapshot: Snapshot, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The hints of what can be typed now at a terminal with the seats of `names`; none where nothing can."""
    if asks_nothing(snapshot):
        return ()
    whose = others_turn(snapshot, names)
    if not whose:
        hint = _hint_beside_the_house(snapshot, names) if snapshot.house else _hint_of_phase(snapshot)
        return (*hint, *_undoing(snapshot, names)) if hint else ()
    if any(seat.here for seat in snapshot.seats if seat.name in whose):
        waits = f"waiting for {join_or(whose)}, who plays at another {_door_of(snapshot, whose[0])}"
        return (waits, *_undoing(snapshot, names), _PAUSE)
    away = f"{join_and(whose)} {plural(len(whose), 'is', 'are')} away"
    mine = (*names, whose[0])
    return (away, f"sit {' '.join(mine)}: play for {join_and(mine)}", *_undoing(snapshot, names), _PAUSE)


def unread_hint(snapshot: Snapshot) -> tuple[str, ...]:
    """The hints where dice lie there that were not read: the camera's offers, how they are typed, another throw."""
    again = "Enter: throw all dice again" if snapshot.simulated else "Enter: look again"
    return (*_offers(snapshot), _typing(snapshot), again)


def asks_one_by_one(snapshot: Snapshot) -> bool:
    """True where somebody has to decide what becomes of tiles: each answer is a line of its own."""
    return snapshot.phase in ("halted", "differing")


def _is_of_journal(message: Message) -> bool:
    """True if it says that something is not kept."""
    return message.key in ("error", "journal.closed") and str(message.args.get("code")).startswith("J-")


def repair_hint(snapshot: Snapshot) -> tuple[str, ...]:
    """The lines about all that is wrong, for whoever repairs the box. Raises `NotUnderstood` where nothing is."""
    told = [] if snapshot.fault is None else [asdict(snapshot.fault)]
    told += [dict(each.args) for each in snapshot.messages if each.key == "fault"]
    lines = ["{code}: {part}, expected {expected}, seen {seen}. {cure}".format(**each) for each in told]
    if any(each.key == "lid.closed" for each in snapshot.messages):
        lines.append(
            "H-210: the lid's switch says: closed. If the lid is open, check the switch, its wire and the magnet."
        )
    lines += [f"{each.args['code']}: {each.text}" for each in snapshot.messages if _is_of_journal(each)]
    if not lines:
        raise NotUnderstood("Nothing is wrong with the box just now.")
    return tuple(lines)


def _hint_beside_the_house(snapshot: Snapshot, names: Sequence[str]) -> tuple[str, ...]:
    """The hints in a turn of the house: it chooses by itself, and whoever throws for it may correct its dice."""
    if snapshot.phase not in ("choosing", "turn_lost"):
        return _hint_of_phase(snapshot)
    may_correct = any(
        acts_for(snapshot, names, name) for action in snapshot.actions if action.kind == "correct" for name in action.by
    )
    return tuple(f"{each}, before {snapshot.turn} goes on" for each in _correcting(snapshot)) if may_correct else ()


def _hint_of_phase(snapshot: Snapshot) -> tuple[str, ...]:
    match snapshot.phase:
        case "awaiting_throw":
            how = _throwing(snapshot) if snapshot.camera_reads else (_typing(snapshot),)
            return (*how, *(() if snapshot.rolling else (_HINT,)), _HELP)
        case "choosing" if snapshot.moves_count == 1:
            return ("Enter: take the only move", *_correcting(snapshot))
        case "choosing":
            tiles = " ".join(map(shorten, snapshot.moves[0])) if snapshot.moves else "f7 b2"
            return (f"type a move's number, or its tiles, such as {tiles}", _HINT, *_correcting(snapshot))
        case "turn_lost":
            return ("Enter: go on", *_correcting(snapshot))
        case "halted" if snapshot.fault and snapshot.fault.kind == "camera":
            told = _answers(snapshot, "end_turn")
            return (*_offers(snapshot), _typing(snapshot), "Enter: the camera tries again", *told, _INFO, _HELP)
        case "halted":
            return (*_answers(snapshot, "try_again", "believe", "end_turn"), _INFO, _HELP)
        case "differing":
            return (*_answers(snapshot, "put_right", "correct_game"), _HELP)
        case "parked":
            return ("Enter: go on (anybody may)",)
        case "idle" | "ended":
            return ("Enter: a new game", "q: leave")
    return ()


# What can be typed while the box is at work.
BETWEEN = ("p: pause", "q: leave")
_HINT, _HELP, _PAUSE, _INFO = "h: hint", "?: help", "p: pause", "i: what is wrong, for whoever repairs the box"


def _answers(snapshot: Snapshot, *kinds: ActionKind) -> tuple[str, ...]:
    """How those of these answers are typed that can be given."""
    return tuple(_answer(snapshot, kind) for kind in kinds if snapshot.can(kind))


def _answer(snapshot: Snapshot, kind: ActionKind) -> str:
    fault = snapshot.fault
    if kind == "try_again" and fault is not None and fault.code == TileMoved.code:
        return "Enter: the box puts it right, hands off"
    if kind == "believe" and fault is not None:
        should = "down" if fault.expected.startswith(Position.SHUT) else "up"
        return f"s: {fault.part} really is {should} (look first), go on"
    points = next((action.points for action in snapshot.actions if action.kind == kind), None)
    if points is not None:
        return f"e: end the turn of {snapshot.turn} now, with {count(points, 'point')}"
    return _ANSWERS[kind]


def _undoing(snapshot: Snapshot, names: Sequence[str]) -> tuple[str, ...]:
    """How the last choice is taken back, where it is this terminal's; that of the house is nobody's to regret."""
    by = next((action.by for action in snapshot.actions if action.kind == "undo"), ())
    people = [seat.name for seat in snapshot.seats if seat.house is None and acts_for(snapshot, names, seat.name)]
    if len(by) == 1:
        what = f"{by[0]}'s last choice" if by[0] == snapshot.turn else f"what ended {by[0]}'s turn"
        return (f"u: take back {what}",) if by[0] in people else ()
    return ("u: take back the last choice",) if any(name in people for name in by) else ()


def _door_of(snapshot: Snapshot, name: str) -> str:
    return next((seat.held for seat in snapshot.seats if seat.name == name and seat.held), "terminal")


def _faces(dice: Sequence[int], snapshot: Snapshot) -> str:
    """Dice as they are marked."""
    marked = snapshot.marks.faces
    return join_and(marked[face - 1] if marked else str(face) for face in dice)


def _throwing(snapshot: Snapshot) -> tuple[str, ...]:
    """What Enter does before a throw: on the simulated box it throws, on a real one people do."""
    counts, wanted = snapshot.dice_allowed, snapshot.dice_wanted or max(snapshot.dice_allowed, default=2)
    if not snapshot.simulated:
        return ("throw on the baize: the camera looks by itself", "Enter: it looks now")
    dice = plural(wanted, "die", "dice")
    if len(counts) == 1 or snapshot.house:
        return (f"Enter: throw the simulated {dice}",)
    others = (f"t {each}: throw {'only ' if each < wanted else ''}{each}" for each in counts if each != wanted)
    return (f"Enter: throw {wanted} simulated {dice}", *others)


def _typing(snapshot: Snapshot) -> str:
    """How dice that lie there are typed."""
    example = _example(snapshot)
    return f"type d and what the {plural(len(example.split()), 'die shows', 'dice show')}, such as d {example}"


def _correcting(snapshot: Snapshot) -> tuple[str, ...]:
    """How a wrong reading is put right: by one key, where the camera knows what else it may be."""
    dice = plural(len(snapshot.throw), "it shows", "they show")
    read = plural(len(snapshot.throw), "die read wrong", "dice read wrong")
    # Where the camera was sure, what else it may have been is not worth a word; c takes it all the same.
    offers = _offers(snapshot) if snapshot.eye == "doubtful" else ()
    return (*offers, f"{read}? type d and what {dice}, such as d {_example(snapshot)}")


def _offers(snapshot: Snapshot) -> tuple[str, ...]:
    """The throws that the camera has taken the dice for, too, each with its key; not the one that is played."""
    dice = plural(len(snapshot.likely[0]) if snapshot.likely else 0, "it shows", "they show")
    return tuple(
        f"c{f' {number}' if number > 1 else ''}: {dice} {_faces(faces, snapshot)}"
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
