"""The words typed at a seat: the command that a line means now, and hints of what can be typed.

Pure functions of a snapshot, so that they are tested without a terminal or a game.
"""

import re
from collections.abc import Sequence

from controller.cli.places import others_turn
from controller.game import (
    Abandon,
    ActionKind,
    Believe,
    Choose,
    ClientCommand,
    CorrectGame,
    CorrectThrow,
    EndTurn,
    GameChoice,
    Park,
    Question,
    RollDice,
    Snapshot,
    TakeThrow,
    Undo,
    agreed_command,
    join_or,
    plural,
)

# What can be typed, and what it does.
KEYS = {
    "Enter": "go on: throw (or, on a real box, have the camera look), take the only move, try again",
    "t 1": "throw one die, where one is enough",
    "a number": "take that move of the list",
    "f7 b2": "shut front-7 and back-2",
    "d 5 3": "the dice show 5 and 3: where they were read wrong, or not at all",
    "c": "the dice are as the camera's second guess has them; c 2: its third",
    "u": "undo the last choice, before the next throw",
    "s": "after a fault: I have put the tile right, go on",
    "e": "after a fault: end this turn, with the tiles that are shut",
    "k": "after a power cut: leave the tiles as they are",
    "h": "a hint: the best moves by the odds",
    "b": "the board: [9] is up, (9) is hidden behind another, _9_ is shut, !9! needs you",
    "new": "start another game",
    "give up": "end this one",
    "sit Ann": "play for Ann alone, where others play at other terminals; stand: for all who have none",
    "p": "pause: nothing moves until somebody goes on",
    "q": "leave; the game is kept",
}

_MOST_LIKELY = 3  # are told of in a hint
_SHORT = re.compile(r"([fb])-?(\d{1,2})")
_ROWS = {"f": "front", "b": "back"}


# What can be answered to a fault, or about tiles that were moved while the box was off, and how it is typed.
_ANSWERS: dict[ActionKind, str] = {
    "try_again": "Enter: the box tries again",
    "believe": "s: I have put it right, go on",
    "end_turn": "e: end this turn with what is shut",
    "put_right": "Enter: the box puts them back",
    "correct_game": "k: leave them as they are",
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
    "stand": None,
    "quit": None,
}


class NotUnderstood(ValueError):
    """A line that means nothing here; the message says what would."""


def command_for(line: str, snapshot: Snapshot) -> ClientCommand:
    """The command that a typed line means now. Raises `NotUnderstood`."""
    words = line.lower().replace(",", " ").split()
    match words:
        case []:
            return _command_for_enter(snapshot)
        case ["p" | "park" | "pause"]:
            return Park()
        case ["give", "up"]:
            raise NotUnderstood("that ends the game for everybody: type give up yes if it is meant")
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
            return Undo()
        case ["u" | "undo", "yes"]:
            return Undo(vouched=True)
        case ["c" | "correct"]:
            return _command_for_likely(1, snapshot)
        case ["c" | "correct", number] if _is_number(number):
            return _command_for_likely(int(number), snapshot)
        case ["c" | "correct", *_]:
            raise NotUnderstood("c takes the camera's second guess, c 2 its third")
        case ["t" | "throw"] if snapshot.can("roll"):
            return RollDice(snapshot.dice_wanted)
        case ["t" | "throw", number] if _is_number(number):
            return _throw_so_many(int(number), snapshot)
        case [number] if _is_number(number):
            return _command_for_number(int(number), snapshot)
    if snapshot.phase == "choosing":
        return Choose(tuple(map(_parse_tile, words)))
    hint = _hint_of_phase(snapshot) or "? shows help"
    raise NotUnderstood(f"{line!r} means nothing now. {hint}")


def _command_for_enter(snapshot: Snapshot) -> ClientCommand:
    command = RollDice(snapshot.dice_wanted) if snapshot.can("roll") else agreed_command(snapshot)
    if command is not None:
        return command
    if not snapshot.can("choose") or snapshot.house:
        raise NotUnderstood(f"nothing to type just now. {snapshot.notice or snapshot.say}")
    if len(snapshot.moves) > 1:
        raise NotUnderstood("choose a move by its number or its tiles")
    return Choose(snapshot.moves[0])


def _command_for_faces(faces: tuple[int, ...], snapshot: Snapshot) -> ClientCommand:
    return TakeThrow(faces) if snapshot.can("dice") or not snapshot.can("correct") else CorrectThrow(faces)


def _command_for_likely(number: int, snapshot: Snapshot) -> ClientCommand:
    if not snapshot.likely:
        raise NotUnderstood(f"the camera has no other guess; d {snapshot.example} types what the dice show")
    if not 1 <= number <= len(snapshot.likely):
        raise NotUnderstood(f"of these there are {len(snapshot.likely)}: {_describe_likely(snapshot)}")
    return _command_for_faces(snapshot.likely[number - 1], snapshot)


def _throw_so_many(number: int, snapshot: Snapshot) -> ClientCommand:
    if snapshot.phase != "awaiting_throw":
        raise NotUnderstood("no throw is due now; ? shows help")
    if number not in snapshot.dice_allowed:
        allowed = join_or(map(str, snapshot.dice_allowed))
        raise NotUnderstood(f"this throw is made with {allowed} {plural(max(snapshot.dice_allowed), 'die', 'dice')}")
    return RollDice(number)


def _command_for_number(number: int, snapshot: Snapshot) -> ClientCommand:
    if snapshot.phase == "awaiting_throw":
        raise NotUnderstood(f"throw first; then a number takes a move. d {snapshot.example} types the dice")
    if snapshot.phase != "choosing":
        raise NotUnderstood("a number means nothing now; ? shows help")
    if not 1 <= number <= len(snapshot.moves):
        more = "; type the tiles of any other" if snapshot.moves_count > len(snapshot.moves) else ""
        raise NotUnderstood(f"the moves are numbered 1 to {len(snapshot.moves)}{more}")
    return Choose(snapshot.moves[number - 1])


def _parse_faces(words: Sequence[str], snapshot: Snapshot) -> tuple[int, ...]:
    """The values of the dice as typed, by their numbers or marks. Raises `NotUnderstood`."""
    faces = [snapshot.marks.face_of(word) for word in words]
    if not faces or not all(face.isascii() and face.isdigit() and len(face) < 3 for face in faces):
        shown = ", ".join(snapshot.marks.faces) or "1 to 6"
        raise NotUnderstood(f"a die shows {shown}: they are typed d {snapshot.example}")
    return tuple(map(int, faces))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _parse_tile(word: str) -> str:
    match = _SHORT.fullmatch(word)
    return f"{_ROWS[match[1]]}-{match[2]}" if match else word


def complete_line(line: str, snapshot: Snapshot) -> Sequence[str]:
    """The lines that what is typed so far may become now: moves by their tiles, throws, words."""
    moves = snapshot.moves if snapshot.phase == "choosing" and not snapshot.house else ()
    known = [" ".join(map(_shorten, move)) for move in moves]
    known += [" ".join(move) for move in moves]
    if snapshot.can("dice") or snapshot.can("correct"):
        known += [" ".join(map(str, ("d", *faces))) for faces in snapshot.likely]
    known += [word for word, do in _WORDS.items() if do is None or snapshot.can(do)]
    known += [f"sit {seat.name}" for seat in snapshot.seats if not seat.held]
    return tuple(dict.fromkeys(each for each in known if each.lower().startswith(line.lower())))


def _shorten(tile: str) -> str:
    """`f7` for `front-7`, where there is such a form."""
    short = tile[:1] + tile.partition("-")[2]
    return short if _parse_tile(short) == tile else tile


def question_about(snapshot: Snapshot) -> Question:
    """The question about the odds that a player would ask now. Raises `NotUnderstood` where there is none."""
    if snapshot.game is None or snapshot.rolling or snapshot.phase not in ("awaiting_throw", "choosing"):
        raise NotUnderstood("there is a hint before a throw and while you choose")
    choice = GameChoice(snapshot.game, snapshot.options, snapshot.marks)
    throw = list(snapshot.throw) if snapshot.phase == "choosing" else None
    return Question.about(choice, board=snapshot.board, throw=throw)


def hint_for(snapshot: Snapshot, names: Sequence[str] = ()) -> str:
    """The hint of what can be typed now at a terminal with the seats of `names`; empty where nothing can."""
    whose = others_turn(snapshot, names)
    if whose and not any(seat.here for seat in snapshot.seats if seat.name in whose):
        return f"{join_or(whose)} {plural(len(whose), 'is', 'are')} away: sit {whose[0]} takes the seat; p pauses"
    if whose and snapshot.phase == "moving":
        return ""
    if whose:
        return f"{join_or(whose)} {plural(len(whose), 'plays', 'play')} at another place; p pauses"
    hint = _hint_of_phase(snapshot)
    return f"{hint}; u undoes the last choice" if hint and snapshot.can("undo") and not snapshot.house else hint


def _hint_of_phase(snapshot: Snapshot) -> str:
    typing = typing_hint(snapshot)
    match snapshot.phase:
        case "awaiting_throw" if len(snapshot.dice_allowed) > 1:
            return f"{_throwing(snapshot)}, t 1 throws one die, h is a hint, ? shows help"
        case "awaiting_throw":
            return (
                f"{_throwing(snapshot)}, h is a hint, ? shows help"
                if snapshot.camera_reads
                else f"{typing}, h is a hint"
            )
        case "choosing" if not snapshot.house and snapshot.moves_count == 1:
            return f"Enter takes the only move; {_correcting(snapshot)}"
        case "choosing" if not snapshot.house:
            tiles = " ".join(map(_shorten, snapshot.moves[0])) if snapshot.moves else "f7 b2"
            return f"type the number of a move, or its tiles ({tiles}); {_correcting(snapshot)}"
        case "turn_lost" if not snapshot.house:
            return f"Enter goes on; {_correcting(snapshot)}"
        case "halted" if snapshot.fault and snapshot.fault.kind == "camera":
            return f"Enter goes on, {typing}"
        case "halted" | "differing":
            return "; ".join(typed for answer, typed in _ANSWERS.items() if snapshot.can(answer))
        case "parked":
            return "Enter goes on"
        case "ended":
            return "Enter starts another game, q leaves"
    return ""


def _faces(dice: Sequence[int], snapshot: Snapshot) -> str:
    """Dice as they are marked."""
    marked = snapshot.marks.faces
    return " ".join(marked[face - 1] if marked else str(face) for face in dice)


def _throwing(snapshot: Snapshot) -> str:
    """What Enter does before a throw: on the simulated box it throws, on a real one people do."""
    if snapshot.simulated and len(snapshot.dice_allowed) > 1:
        return f"Enter throws {snapshot.dice_wanted or max(snapshot.dice_allowed)} dice"
    return "Enter throws" if snapshot.simulated else "throw on the baize (Enter: look again)"


def typing_hint(snapshot: Snapshot) -> str:
    """How dice that lie there are typed: by one key, where the camera wavers between a few throws."""
    dice = plural(len(snapshot.example.split()), "die shows", "dice show")
    typed = f"type what the {dice} as d {snapshot.example}"
    return f"{_describe_likely(snapshot)}; or {typed}" if snapshot.likely else typed


def _correcting(snapshot: Snapshot) -> str:
    """How a wrong reading is put right: by one key, where the camera knows what else it may be."""
    typed = f"d {snapshot.example} would correct the dice"
    return f"{typed}, {_describe_likely(snapshot)}" if snapshot.likely else typed


def _describe_likely(snapshot: Snapshot) -> str:
    said = [
        f"c{f' {number}' if number > 1 else ''} if they are {_faces(faces, snapshot)}"
        for number, faces in enumerate(snapshot.likely[:_MOST_LIKELY], 1)
    ]
    return ", ".join(said)
