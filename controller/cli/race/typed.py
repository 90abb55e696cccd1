"""Dice as people type them in a race: numbers, and a joker by its picture or by its first letter."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from controller.cli.play.tile_names import NotUnderstood
from controller.cli.race.seats import column_of, mine, mine_due, named_first, named_in_short, whose
from controller.game.core.actions import ActionKind
from controller.game.fleet.commands import CallGo, Claim, EndRound, NameCombination, Shout, ThrowOwnDice, WithdrawShout
from controller.game.fleet.engine import RaceView
from controller.game.table.snapshot import Snapshot, agreed_command
from controller.game.table.wire import ClientCommand
from controller.messages.names import combination_title, faces_told, joker_name
from controller.messages.words import Words
from controller.rules.fleet.dice import JOKER, JOKER_NAME, NUMBERS, SET_SIZE

_DIGITS = frozenset(map(str, NUMBERS))


def parse_faces(typed: Sequence[str], race: RaceView, words: Words) -> tuple[int | str, ...]:
    """Parse faces such as `2 2 boat` or `22b`. Raises `NotUnderstood` for a word that is no face of these dice."""
    calls = (JOKER_NAME, race.joker, joker_name(words, race.joker).lower())
    faces: list[int | str] = []
    for word in typed:
        if any(call.startswith(word) for call in calls):
            faces.append(JOKER_NAME)
        elif all(letter in _DIGITS or letter in {call[0] for call in calls} for letter in word):
            faces += (int(letter) if letter in _DIGITS else JOKER_NAME for letter in word)
        else:
            text = words.gettext("{word} is no face of these dice: they show {first} to {last} and {joker}.")
            joker = joker_name(words, race.joker)
            raise NotUnderstood(text.format(word=repr(word), first=NUMBERS[0], last=NUMBERS[-1], joker=joker))
    return tuple(faces)


def parse_combination(typed: Sequence[str], race: RaceView, words: Words) -> str:
    """Return the name of a combination. Raises `NotUnderstood` if the sheet has none or several that fit."""
    text = " ".join(typed)
    names = [row.name for row in race.rows]
    if text.isascii() and text.isdigit() and len(text) < 3:
        number = int(text)
        if 1 <= number <= len(names):
            return names[number - 1]
        raise NotUnderstood(words.gettext("The combinations are numbered 1 to {last}.").format(last=len(names)))
    found = matching(text, race, words)
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotUnderstood(words.gettext("{typed} is no combination of this sheet.").format(typed=repr(text)))
    titles = words.one_of(combination_title(words, name, race.joker) for name in found)
    raise NotUnderstood(words.gettext("Which one: {titles}?").format(titles=titles))


def matching(text: str, race: RaceView, words: Words) -> list[str]:
    """Return the combinations that a text may mean: those that it is, else that begin with it, else that contain it."""
    wanted = _plain(text)
    known = {row.name: (_plain(row.name), _plain(combination_title(words, row.name, race.joker))) for row in race.rows}
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [name for name, calls in known.items() if wanted and any(fits(call, wanted) for call in calls)]
        if found:
            return found
    return []


def _plain(text: str) -> str:
    return text.lower().replace("-", " ")


# First words that mean something in races only; when they are not possible they do nothing.
_OWN = frozenset(("go", "g", "n", "name", "t", "throw", "k", "keep", "c", "claim", "d", "dice", "w", "withdraw"))
_SHOUTS = ("s", "shout", "fleet", "fleet!", "flash", "flash!")


def race_command(line: str, snapshot: Snapshot, names: Sequence[str], words: Words) -> ClientCommand | None:
    """Return the command of a race that a line means at a terminal with the seats of `names`; None if it means none.

    Players who share the terminal type their names first. The beginning of a name counts only if the line means
    nothing else. Raises `NotUnderstood`, in the language of `words`.
    """
    race = snapshot.race
    if race is None:
        return None
    if not line.strip():
        # Enter agrees, calls GO, makes a first throw. It never shouts, and gives no dice away.
        agreed = agreed_command(snapshot)
        if agreed is not None:
            return agreed
        if snapshot.can("go"):
            return CallGo()
        if fresh := first_throwers(snapshot, names):
            return ThrowOwnDice(player=fresh[0])
        told = words.say_at_terminal(snapshot.messages[:1], snapshot.tiles)
        raise NotUnderstood(words.gettext("The game waits. {told}").format(told=told).strip(), asks_hint=True)
    ways = chain(named_first(line, snapshot), [(None, line)], named_in_short(line, snapshot))
    commands = (_Line(rest, player, snapshot, race, names, words).command() for player, rest in ways)
    found = next((command for command in commands if command is not None), None)
    if found is None and line.lower().split()[0] in (*_OWN, *_SHOUTS[1:]):
        raise NotUnderstood(words.gettext("{line} is not possible now.").format(line=repr(line)), asks_hint=True)
    return found


def race_lines(snapshot: Snapshot, names: Sequence[str] = ()) -> Iterator[str]:
    """Iterate over the lines that can be typed in a race now, for completion."""
    race = snapshot.race
    if race is None:
        return
    if snapshot.can("go"):
        yield "go"
    if snapshot.can("end_round"):
        yield "end round"
    yield from _of_each("throw", mine(snapshot, names, "throw"))
    yield from _of_each("withdraw", mine(snapshot, names, "withdraw"))
    for player in mine_due(snapshot, names, "name"):
        for row in race.rows:
            if row.name not in column_of(snapshot, player).boxes:
                yield from _of_each(f"name {row.name}", (player,), mine_due(snapshot, names, "name"))
    shouting = mine(snapshot, names, "shout")
    for player in shouting:
        column = column_of(snapshot, player)
        free = [f"shout {row.name}" for row in race.rows if row.name not in column.boxes]
        for line in ["shout"] if column.named else free:
            yield from _of_each(line, (player,), shouting)


def _of_each(line: str, players: Sequence[str], all_of_them: Sequence[str] | None = None) -> Iterator[str]:
    """Iterate over the line for each of these players; without a name if it can only be for one."""
    several = len(players if all_of_them is None else all_of_them) > 1
    yield from (f"{player} {line}" if several else line for player in players)


def first_throwers(snapshot: Snapshot, names: Sequence[str]) -> tuple[str, ...]:
    """Return the players of this terminal for whom the box throws, and who have not thrown yet."""
    columns = (column_of(snapshot, name) for name in mine(snapshot, names, "throw"))
    return tuple(column.player for column in columns if not column.dice and not column.kept)


class _Line:
    """A typed line without the name of the player that may stand before it."""

    def __init__(
        self, line: str, player: str | None, snapshot: Snapshot, race: RaceView, names: Sequence[str], words: Words
    ) -> None:
        self._line = line
        self._player = player
        self._snapshot = snapshot
        self._race = race
        self._names = names
        self._words = words

    def command(self) -> ClientCommand | None:
        """Return the command of a race that the line means now; None if it means none. Raises `NotUnderstood`."""
        can = self._snapshot.can
        match self._line.lower().replace(",", " ").split():
            case ["go" | "g"] if can("go") and self._player is None:
                return CallGo()
            case ["end", "round"] if can("end_round") and self._player is None:
                return EndRound()
            case ["n" | "name", *typed] if can("name"):
                return self._name(typed)
            case ["t" | "throw", *typed] if can("throw"):
                return self._throw(typed)
            case ["k" | "keep", *typed] if can("throw"):
                if not typed:
                    raise self._incomplete(self._words.gettext("Type the dice you keep, for example: {typed}"), "2 2")
                return self._throw(typed)
            case [word, *typed] if word in _SHOUTS and can("shout"):
                player = self._whose("shout")
                if typed:
                    return Shout(parse_combination(typed, self._race, self._words), player)
                if player is not None and column_of(self._snapshot, player).named is None:
                    raise self._what_is_it(player)
                return Shout(None, player)
            case ["c" | "claim" | "d" | "dice", *typed] if can("claim"):
                dice = parse_faces(typed, self._race, self._words)
                if len(dice) != SET_SIZE:
                    text = self._words.gettext("Type all six dice, for example: {typed}")
                    raise NotUnderstood(text.format(typed=f"c {self._snapshot.example}"))
                return Claim(dice, self._whose("claim"))
            case ["w" | "withdraw"] if can("withdraw"):
                return WithdrawShout(self._whose("withdraw"))
            case typed if can("name"):
                # The whole line may be a combination: its number, or so much of its name that it is no mistake.
                text = " ".join(typed)
                is_number = text.isascii() and text.isdigit() and len(text) < 3
                if is_number or (len(text) > 2 and matching(text, self._race, self._words)):
                    return self._name(typed)
        return None

    def _name(self, typed: Sequence[str]) -> ClientCommand:
        player = self._whose("name")
        if not typed:
            raise self._what_is_it(player)
        return NameCombination(parse_combination(typed, self._race, self._words), player)

    def _throw(self, typed: Sequence[str]) -> ClientCommand:
        keep = parse_faces(typed, self._race, self._words)
        player = self._whose("throw")
        lying = loose_faces(self._snapshot, player or "")
        if Counter(JOKER if face == JOKER_NAME else face for face in keep) - Counter(lying):
            there = faces_told(self._words, lying, self._race.joker) or self._words.pgettext("dice to keep", "none")
            raise NotUnderstood(self._words.gettext("Not all of these are there: {dice}.").format(dice=there))
        return ThrowOwnDice(keep, player)

    def _what_is_it(self, player: str | None) -> NotUnderstood:
        text = self._words.gettext("Name the combination, for example: {typed}")
        return self._incomplete(text, free_combination(self._race, player or ""))

    def _incomplete(self, text: str, rest: str) -> NotUnderstood:
        by = f"{self._player} " if self._player else ""
        return NotUnderstood(text.format(typed=f"{by}{self._line.strip()} {rest}"))

    def _whose(self, kind: ActionKind) -> str | None:
        """Return the player that the line is for; after several shouts at this terminal, the one whose dice are due."""
        looked_at = next(
            (message.args["player"] for message in self._snapshot.messages[:1] if message.key == "race.shouted"), None
        )
        if self._player is None and kind in ("claim", "withdraw"):
            first = next((name for name in mine(self._snapshot, self._names, kind) if name == looked_at), None)
            if first is not None:
                return first
        return self._player or whose(self._snapshot, self._names, kind, self._line, self._words)


def loose_faces(snapshot: Snapshot, player: str) -> tuple[int, ...]:
    """Return the dice of a player that may still be kept or thrown: all of them, unless some are frozen."""
    column = column_of(snapshot, player)
    return column.dice if snapshot.options.get("keeping") == "frozen" else (*column.kept, *column.dice)


def free_combination(race: RaceView, player: str) -> str:
    """Return a free combination of a player, as an example: the straight, if it is free."""
    used = next((column.boxes for column in race.columns if column.player == player), {})
    free = [row.name for row in race.rows if row.name not in used]
    return "straight" if "straight" in free or not free else free[0]
