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

HELP = """\
  Enter        throw the dice (on the simulated box), or say that you have thrown them; go on; try again
  1            when one die is allowed: throw one die
  3            while you choose: take move number 3
  f7 b2        while you choose: shut these tiles (front-7 back-2 does as well)
  d 5 3        the dice show 5 and 3: correct a wrong reading, or enter a throw the camera cannot read
  u            take your choice back, before the next throw (u yes: you watch a tile that was vouched for)
  s            after a fault: the tile is where it should be, go on
  e            after a fault: end this turn with the tiles that are shut
  k            after a power cut: the tiles that were moved are right, keep them
               (Enter: the box puts them right, hands off)
  b            the board again: [9] shows, (9) stands behind another, _9_ lies
  h            a hint: what the odds say to this board or throw
  new          start another game          give up      end this game
  sit Ann      take the seat of Ann: nobody else acts for her; stand gives it back
  p            pause: pulses off           ?            this help
  q            leave (Ctrl-C too); the box is parked and the game is kept"""

_SHORT = re.compile(r"([fb])-?(\d{1,2})")
_ROWS = {"f": "front", "b": "back"}


# What can be answered to a fault, or about tiles that were moved while the box was off, and how it is typed.
_ANSWERS: dict[ActionKind, str] = {
    "try_again": "Enter tries again",
    "believe": "s: it is where it should be, go on",
    "end_turn": "e ends the turn",
    "put_right": "Enter: the box puts them right",
    "correct_game": "k: they are right, keep them",
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
            return Abandon()
        case ["s" | "shut"] if snapshot.can("believe"):
            return Believe()
        case ["e" | "end"] if snapshot.can("end_turn"):
            return EndTurn()
        case ["k" | "keep"] if snapshot.can("correct_game"):
            return CorrectGame()
        case ["d" | "dice", *_]:
            faces = _parse_faces(line.replace(",", " ").split()[1:], snapshot)
            return TakeThrow(faces) if snapshot.can("dice") or not snapshot.can("correct") else CorrectThrow(faces)
        case ["u" | "undo"]:
            return Undo()
        case ["u" | "undo", "yes"]:
            return Undo(vouched=True)
        case [number] if number.isascii() and number.isdigit():
            return _command_for_number(int(number), snapshot)
    if snapshot.phase == "choosing":
        return Choose(tuple(map(_parse_tile, words)))
    raise NotUnderstood(f"{line!r} means nothing now; ? shows help")


def _command_for_enter(snapshot: Snapshot) -> ClientCommand:
    command = RollDice(snapshot.dice_wanted) if snapshot.can("roll") else agreed_command(snapshot)
    if command is not None:
        return command
    if not snapshot.can("choose") or snapshot.house:
        raise NotUnderstood("nothing to do just now")
    if len(snapshot.moves) > 1:
        raise NotUnderstood("choose a move by its number or its tiles")
    return Choose(snapshot.moves[0])


def _command_for_number(number: int, snapshot: Snapshot) -> ClientCommand:
    if snapshot.phase == "awaiting_throw":
        if number not in snapshot.dice_allowed:
            allowed = " or ".join(map(str, snapshot.dice_allowed))
            raise NotUnderstood(f"this throw is made with {allowed} dice; d 5 3 types what they show")
        return RollDice(number)
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


def _parse_tile(word: str) -> str:
    match = _SHORT.fullmatch(word)
    return f"{_ROWS[match[1]]}-{match[2]}" if match else word


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
    if whose:
        return f"{join_or(whose)} {plural(len(whose), 'sits', 'sit')} elsewhere; p pauses, sit takes another seat"
    hint = _hint_of_phase(snapshot)
    return f"{hint}; u takes that back" if hint and snapshot.can("undo") else hint


def _hint_of_phase(snapshot: Snapshot) -> str:
    dice = plural(len(snapshot.example.split()), "die shows", "dice show")
    typing = f"d {snapshot.example} types what the {dice}"
    match snapshot.phase:
        case "awaiting_throw" if len(snapshot.dice_allowed) > 1:
            wanted = f"{snapshot.turn} wants {snapshot.dice_wanted}, Enter throws; "
            return f"{wanted if snapshot.dice_wanted else 'Enter throws all, '}1 + Enter throws one die, ? shows help"
        case "awaiting_throw":
            return "Enter throws, h is a hint, ? shows help" if snapshot.camera_reads else f"{typing}, h is a hint"
        case "choosing" if not snapshot.house and snapshot.moves_count == 1:
            return f"Enter takes the only move; d {snapshot.example} corrects the dice"
        case "choosing" if not snapshot.house:
            return f"the number of a move or its tiles (f7 b2); d {snapshot.example} corrects the dice"
        case "turn_lost" if not snapshot.house:
            return f"Enter accepts, d {snapshot.example} corrects the dice"
        case "halted" if snapshot.fault and snapshot.fault.kind == "camera":
            return f"Enter goes on, {typing}"
        case "halted" | "differing":
            return "; ".join(typed for answer, typed in _ANSWERS.items() if snapshot.can(answer))
        case "parked":
            return "Enter goes on"
        case "ended":
            return "Enter starts another game, q leaves"
    return ""
