"""The words typed at a seat: the command that a line means now, and hints of what can be typed.

Pure functions of a snapshot, so that they are tested without a terminal or a game.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from controller.cli.not_understood import NotUnderstood
from controller.cli.places import acts_for, others_turn
from controller.cli.race import PHASES, keys_of_race, other_keys_of_race, race_command, race_hint, race_lines
from controller.game import (
    Abandon,
    ActionKind,
    Believe,
    Choose,
    ClientCommand,
    CorrectGame,
    CorrectThrow,
    EndTurn,
    Message,
    Messages,
    Park,
    Question,
    RollDice,
    Snapshot,
    TakeThrow,
    Undo,
    agreed_command,
    asks_nothing,
    question_now,
)
from controller.words import ENGLISH, Words
from firmware.errors import TileMoved
from hardware.tiles import Position

_MOST_LIKELY = 3  # are told of in a hint
_SHORT = re.compile(r"([fb])-?(\d{1,2})")
_ROWS = {"f": "front", "b": "back"}
_ROW = re.compile(r"front|back|row\d")


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


def keys_of_turn(words: Words, snapshot: Snapshot | None = None) -> dict[str, str]:
    """What is typed in the course of a turn, and what it does: no more than fits a terminal of 60 by 24.

    snapshot: of the game that is on; other families have other keys.
    """
    _ = words.gettext
    if snapshot is not None and snapshot.race is not None:
        return keys_of_race(words)
    return {
        "Enter": _("go on: throw (a real box: have the camera look now), take the only move, have the box try again"),
        "t 1": _("throw one die, where one is allowed"),
        _("a number"): _("take the move with that number"),
        "f7 b2": _("shut front-7 and back-2; tipping the tiles by hand does the same"),
        "d 5 3": _("tell the box that the dice show 5 and 3, where the camera is wrong or cannot read them"),
        "c, c 2": _("where the camera offers other readings: take the first, or the second"),
        "u": _("take back the last choice, as long as nobody has thrown since"),
        "h": _("a hint: the best moves by the odds"),
        "p": _("pause: nothing moves until somebody presses Enter"),
        "q": _("leave; the game is kept, and goes on when you start as you did now"),
        "??": _("what else can be typed: the board, after a fault, about seats, another game"),
    }


def other_keys(words: Words, snapshot: Snapshot | None = None) -> dict[str, str]:
    """What is typed beside a turn, and what it does; it fits, too."""
    _ = words.gettext
    if snapshot is not None and snapshot.race is not None:
        return other_keys_of_race(words)
    return {
        "b": _("the board: [9] is up, (9) is hidden behind another, _9_ is shut, !9! is not where it should be"),
        "s": _("after a fault: the tile is where it should be, go on"),
        "e": _("after a fault: end this turn; all tiles that were chosen in it count as shut"),
        "i": _("after a fault: what is wrong, for whoever repairs the box"),
        "k": _("after a power cut: leave the tiles as they are, and count them so"),
        "new": _("start another game, once this one is over"),
        "give up": _("end this game for everybody; it asks once more"),
        "sit Ann": _("only Ann plays at this terminal from now on; other players need another"),
        "stand": _("undo that: whoever has no terminal of their own plays here"),
    }


def command_for(line: str, snapshot: Snapshot, words: Words = ENGLISH, names: Sequence[str] = ()) -> ClientCommand:
    """The command that a typed line means now at a terminal with the seats of `names`.

    Raises `NotUnderstood`, in the language of `words`.
    """
    _ = words.gettext
    in_race = race_command(line, snapshot, names, words)
    if in_race is not None:
        return in_race
    typed = line.lower().replace(",", " ").split()
    match typed:
        case []:
            return _command_for_enter(snapshot, words)
        case ["p" | "park" | "pause"] if snapshot.can("park"):
            return Park()
        case ["give", "up"]:
            raise NotUnderstood(_("That ends the game for everybody. If you mean it, type: give up yes"))
        case ["give", "up", "yes"]:
            return Abandon()
        case ["s" | "shut"] if snapshot.can("believe"):
            return Believe()
        case ["e" | "end"] if snapshot.can("end_turn"):
            return EndTurn()
        case ["k" | "keep"] if snapshot.can("correct_game"):
            return CorrectGame()
        case ["d" | "dice", *_rest]:
            faces = _parse_faces(line.replace(",", " ").split()[1:], snapshot, words)
            return _command_for_faces(faces, snapshot)
        case ["u" | "undo"]:
            return _command_to_undo(snapshot, words)
        case ["u" | "undo", "yes"]:
            return Undo(vouched=True)
        case ["c" | "correct"]:
            return _command_for_likely(1, snapshot, words)
        case ["c" | "correct", number] if _is_number(number):
            return _command_for_likely(int(number), snapshot, words)
        case ["c" | "correct", *_rest]:
            raise NotUnderstood(_("c and c 2 take what the camera offers beside these letters"))
        case ["t" | "throw"] if snapshot.can("roll"):
            return RollDice(snapshot.dice_wanted)
        case ["t" | "throw", number] if _is_number(number):
            return _throw_so_many(int(number), snapshot, words)
        case [number] if _is_number(number):
            return _command_for_number(int(number), snapshot, words)
    if snapshot.phase == "choosing" and any(character.isdigit() for character in line):
        return Choose(tuple(_parse_tiles(typed)))
    raise NotUnderstood(_("{line} does nothing now.").format(line=repr(line)), asks_hint=True)


def _command_to_undo(snapshot: Snapshot, words: Words) -> ClientCommand:
    vouched = [tile for action in snapshot.actions if action.kind == "undo" for tile in action.vouched]
    if vouched:
        text = words.gettext("The box does not see {tiles} move back. Watch, and type: u yes")
        raise NotUnderstood(text.format(tiles=words.all_of(vouched)))
    return Undo()


def _command_for_enter(snapshot: Snapshot, words: Words) -> ClientCommand:
    throws = snapshot.can("roll") and not asks_nothing(snapshot)
    command = RollDice(snapshot.dice_wanted) if throws else agreed_command(snapshot)
    if command is not None:
        return command
    if not snapshot.can("choose") or snapshot.house:
        # A call for help says why the game waits better than the moment does.
        notice = notice_in(snapshot)
        calls = any(each.severity == "help" for each in notice)
        told = words.say_at_terminal(notice if calls else (*snapshot.messages[:1], *notice), snapshot.tiles)
        raise NotUnderstood(words.gettext("The game waits. {told}").format(told=told).strip(), asks_hint=True)
    if len(snapshot.moves) > 1:
        raise NotUnderstood(words.gettext("Choose a move by its number or its tiles."))
    return Choose(snapshot.moves[0])


def _command_for_faces(faces: tuple[int, ...], snapshot: Snapshot) -> ClientCommand:
    return TakeThrow(faces) if snapshot.can("dice") or not snapshot.can("correct") else CorrectThrow(faces)


def _command_for_likely(number: int, snapshot: Snapshot, words: Words) -> ClientCommand:
    if not snapshot.likely:
        text = words.gettext("The camera has no other reading: {typing}.")
        raise NotUnderstood(text.format(typing=_typing(snapshot, words)))
    if not 1 <= number <= len(snapshot.likely):
        text = words.gettext("The camera offers {offers}.")
        raise NotUnderstood(text.format(offers="; ".join(_offers(snapshot, words))))
    return _command_for_faces(snapshot.likely[number - 1], snapshot)


def _throw_so_many(number: int, snapshot: Snapshot, words: Words) -> ClientCommand:
    if snapshot.phase != "awaiting_throw":
        raise NotUnderstood(words.gettext("No throw is due now."), asks_hint=True)
    if number not in snapshot.dice_allowed:
        text = words.ngettext(
            "This throw is made with {counts} die.",
            "This throw is made with {counts} dice.",
            max(snapshot.dice_allowed),
        )
        raise NotUnderstood(text.format(counts=words.one_of(map(str, snapshot.dice_allowed))))
    return RollDice(number)


def _command_for_number(number: int, snapshot: Snapshot, words: Words) -> ClientCommand:
    if snapshot.reading:
        raise NotUnderstood(words.gettext("The dice are being read, a moment."))
    if snapshot.phase == "awaiting_throw":
        raise NotUnderstood(words.gettext("There is no move to choose yet: throw first."), asks_hint=True)
    if snapshot.phase != "choosing":
        raise NotUnderstood(words.gettext("A number does nothing now."), asks_hint=True)
    if not 1 <= number <= len(snapshot.moves):
        text = words.gettext("The moves are numbered 1 to {last}.")
        if snapshot.moves_count > len(snapshot.moves):
            text = words.gettext("The moves are numbered 1 to {last}; type the tiles of any other.")
        raise NotUnderstood(text.format(last=len(snapshot.moves)))
    return Choose(snapshot.moves[number - 1])


def _parse_faces(typed: Sequence[str], snapshot: Snapshot, words: Words) -> tuple[int, ...]:
    """The values of the dice as typed, by their numbers or marks. Raises `NotUnderstood`."""
    faces = [snapshot.marks.face_of(word) for word in typed]
    if not faces or not all(face.isascii() and face.isdigit() and len(face) < 3 for face in faces):
        marks = f" ({', '.join(snapshot.marks.faces)})" if snapshot.marks.faces else ""
        typing = _typing(snapshot, words)
        raise NotUnderstood(f"{typing[0].upper()}{typing[1:]}{marks}.")
    return tuple(map(int, faces))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _parse_tiles(typed: Iterable[str]) -> Iterator[str]:
    """The tiles by their names, by `f7`, or as a list shows them: `front 1 3, back 8`."""
    row = ""
    for word in typed:
        if _ROW.fullmatch(word):
            row = word
        else:
            yield f"{row}-{word}" if row and word.isdigit() else _parse_tile(word)


def _parse_tile(word: str) -> str:
    match = _SHORT.fullmatch(word)
    return f"{_ROWS[match[1]]}-{match[2]}" if match else word


def notice_in(snapshot: Snapshot) -> Messages:
    """The messages of a snapshot that are its notice."""
    return tuple(each for each in snapshot.messages[1:] if each.text in snapshot.notice)


def news_in(snapshot: Snapshot) -> Messages:
    """The messages of a snapshot that are its news."""
    return snapshot.messages[1 + len(notice_in(snapshot)) :]


def complete_line(line: str, snapshot: Snapshot, names: Sequence[str] = ()) -> Sequence[str]:
    """The lines that what is typed so far may become now: moves by their tiles, throws, combinations, words."""
    moves = snapshot.moves if snapshot.phase == "choosing" and not snapshot.house else ()
    known = [" ".join(map(shorten, move)) for move in moves]
    known += [" ".join(move) for move in moves]
    if snapshot.can("dice") or snapshot.can("correct"):
        known += [" ".join(map(str, ("d", *faces))) for faces in snapshot.likely]
    known += race_lines(snapshot, names)
    known += [word for word, do in _WORDS.items() if do is None or snapshot.can(do)]
    known += [f"sit {seat.name}" for seat in snapshot.seats if not seat.held]
    return tuple(dict.fromkeys(each for each in known if each.lower().startswith(line.lower())))


def shorten(tile: str) -> str:
    """`f7` for `front-7`, where there is such a form."""
    short = tile[:1] + tile.partition("-")[2]
    return short if _parse_tile(short) == tile else tile


def question_about(snapshot: Snapshot, words: Words = ENGLISH) -> Question:
    """The question about the odds that a player would ask now. Raises `NotUnderstood` where there is none."""
    if not snapshot.hints:
        raise NotUnderstood(words.gettext("Nobody is told the odds in this game, as agreed."))
    question = question_now(snapshot)
    if question is None:
        raise NotUnderstood(words.gettext("A hint is there before a throw and while you choose."))
    return question


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
    return (*_offers(snapshot, words), _typing(snapshot, words), again)


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
    lines += [f"{each.args['code']}: {each.text}" for each in snapshot.messages if _is_of_journal(each)]
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
            how = _throwing(snapshot, words) if snapshot.camera_reads else (_typing(snapshot, words),)
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
            return (*_offers(snapshot, words), _typing(snapshot, words), again, *told, info, help_)
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


def _typing(snapshot: Snapshot, words: Words) -> str:
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
    offers = _offers(snapshot, words) if snapshot.eye == "doubtful" else ()
    return (*offers, text.format(example=_example(snapshot)))


def _offers(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
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
