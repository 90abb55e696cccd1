"""The commands that lines typed at a seat mean. Pure functions of a snapshot."""

from collections.abc import Sequence

from controller.cli.play.hints import camera_offers, how_dice_are_typed
from controller.cli.play.tile_names import NotUnderstood, parse_tiles, shorten
from controller.cli.race.typed import race_command, race_lines
from controller.game.core.actions import ActionKind
from controller.game.core.commands import Abandon, Believe, Park, Undo
from controller.game.shutbox.commands import Choose, CorrectGame, CorrectThrow, EndTurn, RollDice, TakeThrow
from controller.game.table.questions import Question, question_now
from controller.game.table.snapshot import Snapshot, agreed_command, asks_nothing
from controller.game.table.wire import ClientCommand
from controller.messages.words import ENGLISH, Words

# Words that completion offers, by the action that they need; None: none.
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


def command_for(line: str, snapshot: Snapshot, words: Words = ENGLISH, names: Sequence[str] = ()) -> ClientCommand:
    """Return the command that a typed line means now at a terminal with the seats of `names`.

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
            faces = [snapshot.marks.face_of(word) for word in line.replace(",", " ").split()[1:]]
            if not faces or not all(face.isascii() and face.isdigit() and len(face) < 3 for face in faces):
                marks = f" ({', '.join(snapshot.marks.faces)})" if snapshot.marks.faces else ""
                typing = how_dice_are_typed(snapshot, words)
                raise NotUnderstood(f"{typing[0].upper()}{typing[1:]}{marks}.")
            return _command_for_faces(tuple(map(int, faces)), snapshot)
        case ["u" | "undo"]:
            vouched = [tile for action in snapshot.actions if action.kind == "undo" for tile in action.vouched]
            if vouched:
                text = _("The box does not see {tiles} move back. Watch, and type: u yes")
                raise NotUnderstood(text.format(tiles=words.all_of(vouched)))
            return Undo()
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
            if snapshot.phase != "awaiting_throw":
                raise NotUnderstood(_("No throw is due now."), asks_hint=True)
            if int(number) not in snapshot.dice_allowed:
                text = words.ngettext(
                    "This throw is made with {counts} die.",
                    "This throw is made with {counts} dice.",
                    max(snapshot.dice_allowed),
                )
                raise NotUnderstood(text.format(counts=words.one_of(map(str, snapshot.dice_allowed))))
            return RollDice(int(number))
        case [number] if _is_number(number):
            return _command_for_number(int(number), snapshot, words)
    if snapshot.phase == "choosing" and any(character.isdigit() for character in line):
        return Choose(tuple(parse_tiles(typed)))
    raise NotUnderstood(_("{line} is not possible now.").format(line=repr(line)), asks_hint=True)


def _command_for_enter(snapshot: Snapshot, words: Words) -> ClientCommand:
    throws = snapshot.can("roll") and not asks_nothing(snapshot)
    command = RollDice(snapshot.dice_wanted) if throws else agreed_command(snapshot)
    if command is not None:
        return command
    if not snapshot.can("choose") or snapshot.house:
        # A call for help says why the game waits better than the moment does.
        notice = snapshot.notice_messages
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
        raise NotUnderstood(text.format(typing=how_dice_are_typed(snapshot, words)))
    if not 1 <= number <= len(snapshot.likely):
        text = words.gettext("The camera offers {offers}.")
        raise NotUnderstood(text.format(offers="; ".join(camera_offers(snapshot, words))))
    return _command_for_faces(snapshot.likely[number - 1], snapshot)


def _command_for_number(number: int, snapshot: Snapshot, words: Words) -> ClientCommand:
    if snapshot.reading:
        raise NotUnderstood(words.gettext("The dice are being read, a moment."))
    if snapshot.phase == "awaiting_throw":
        raise NotUnderstood(words.gettext("There is no move to choose yet: throw first."), asks_hint=True)
    if snapshot.phase != "choosing":
        raise NotUnderstood(words.gettext("There is nothing to choose by number now."), asks_hint=True)
    if not 1 <= number <= len(snapshot.moves):
        text = words.gettext("The moves are numbered 1 to {last}.")
        if snapshot.moves_count > len(snapshot.moves):
            text = words.gettext("The moves are numbered 1 to {last}; type the tiles of any other.")
        raise NotUnderstood(text.format(last=len(snapshot.moves)))
    chosen = snapshot.moves[number - 1]
    # The number may be that of a tile, too, which can be shut by itself.
    alone = {move[0] for move in snapshot.moves if len(move) == 1}
    tile = next((tile.name for tile in snapshot.tiles if tile.mark == str(number) and tile.name in alone), None)
    if tile is not None and chosen != (tile,):
        text = words.gettext("{number} is the number of a move and of a tile. Type {tile} for the tile, or {move}.")
        move = " ".join(map(shorten, chosen))
        raise NotUnderstood(text.format(number=number, tile=shorten(tile), move=move))
    return Choose(chosen)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def complete_line(line: str, snapshot: Snapshot, names: Sequence[str] = ()) -> Sequence[str]:
    """Return the lines that the beginning of one may become: moves by their tiles, throws, combinations, words."""
    moves = snapshot.moves if snapshot.phase == "choosing" and not snapshot.house else ()
    known = [" ".join(map(shorten, move)) for move in moves]
    known += [" ".join(move) for move in moves]
    if snapshot.can("dice") or snapshot.can("correct"):
        known += [" ".join(map(str, ("d", *faces))) for faces in snapshot.likely]
    known += race_lines(snapshot, names)
    known += [word for word, do in _WORDS.items() if do is None or snapshot.can(do)]
    known += [f"sit {seat.name}" for seat in snapshot.seats if not seat.held]
    return tuple(dict.fromkeys(each for each in known if each.lower().startswith(line.lower())))


def question_about(snapshot: Snapshot, words: Words = ENGLISH) -> Question:
    """Return the question about the odds that a player would ask now. Raises `NotUnderstood` if there is none."""
    if not snapshot.hints:
        raise NotUnderstood(words.gettext("Nobody sees the odds in this game, as agreed."))
    question = question_now(snapshot)
    if question is None:
        raise NotUnderstood(words.gettext("You can get a hint before a throw and while you choose."))
    return question
