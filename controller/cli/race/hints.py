"""What can be typed in a race now, as the line below the table says it, and the keys of its help."""

from collections.abc import Iterator, Sequence

from controller.cli.race.typed import first_throwers, free_combination
from controller.cli.race.whose import column_of, mine, mine_due
from controller.game import ActionKind, Snapshot
from controller.words import Words

# What a moment of a race waits for, of each for himself.
_DUE: dict[str, ActionKind] = {"rolling_off": "claim", "naming": "name", "racing": "shout"}
PHASES = frozenset({"rolling_off", "naming", "ready", "counting", "racing"})


def race_hint(snapshot: Snapshot, names: Sequence[str], words: Words) -> tuple[str, ...]:
    """The hints of what can be typed now at a terminal with the seats of `names`, in a phase of a race."""
    _ = words.gettext
    match snapshot.phase:
        case "ready":
            return (_("Enter: GO, when all are ready"), _("?: help"))
        case "counting":
            return (_("p: pause"),)
    told = tuple(_of_moment(snapshot, names, words))
    waiting = _waiting_for(snapshot, names, words)
    return (*told, _("?: help")) if told else (waiting, _("p: pause")) if waiting else ()


def keys_of_race(words: Words) -> dict[str, str]:
    """What is typed in the course of a race, and what it does: no more than fits a terminal of 60 by 24."""
    _ = words.gettext
    return {
        "Enter": _("GO when all are ready; your first throw"),
        "n straight, n 8": _("name a combination, or its number"),
        "k 2 2 boat": _("keep these, throw the others; t: throw all"),
        "s": _("shout, when you have it"),
        "s straight": _("the same, where nothing was named before"),
        "c 2 2 2 5 5 boat": _("what your six dice show, after a shout"),
        "w": _("take your shout back"),
        "u": _("put the last chip back, until the next shout or GO"),
        "ann s": _("whose it is, where several play here; a s does"),
        "h": _("a hint: which dice to keep, by the odds"),
        "end round": _("end it for all who have not finished"),
        "p": _("pause: nothing moves until somebody presses Enter"),
        "q": _("leave; the game is kept"),
        "??": _("what else can be typed: the board, after a fault, about seats, another game"),
    }


def other_keys_of_race(words: Words) -> dict[str, str]:
    """What is typed beside a race, and what it does; it fits, too."""
    _ = words.gettext
    return {
        "b": _("the sheet: a number is what a chip counted, ▸ what one races for; the chip [3] is there, _3_ is taken"),
        "s": _("after a fault: the tile is where it should be, go on"),
        "i": _("after a fault: what is wrong, for whoever repairs the box"),
        "new": _("start another game, once this one is over"),
        "give up": _("end this game for everybody; it asks once more"),
        "sit Ann": _("only Ann plays at this terminal from now on; other players need another"),
        "stand": _("undo that: whoever has no terminal of their own plays here"),
    }


def _of_moment(snapshot: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    match snapshot.phase:
        case "rolling_off":
            yield from _throwing_for_start(snapshot, names, words)
        case "naming":
            due = mine_due(snapshot, names, "name")
            if due:
                typed = _typed("n straight", due)
                yield words.gettext("name a combination by its number or its name, such as {typed}").format(typed=typed)
        case "racing":
            yield from _claiming(snapshot, names, words)
            yield from _throwing(snapshot, names, words)
            yield from _shouting(snapshot, names, words)


def _throwing_for_start(snapshot: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    """How dice are thrown for who names first: by Enter at a simulated box, else by hand, and read or typed."""
    due = mine(snapshot, names, "claim")
    if not due:
        return
    if mine(snapshot, names, "throw"):
        yield words.gettext("Enter: throw for {player}").format(player=due[0])
        return
    if snapshot.camera_reads:
        yield words.gettext("throw on the baize: the camera looks by itself")
    yield _typing(snapshot, due, words)


def _claiming(snapshot: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    """How dice are told after a shout, where the box has not thrown them itself, and how it is taken back."""
    untold = [name for name in mine(snapshot, names, "claim") if not column_of(snapshot, name).dice]
    if untold:
        yield _typing(snapshot, (), words)
        yield words.gettext("w: take the shout back")


def _throwing(snapshot: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    may, fresh = mine(snapshot, names, "throw"), first_throwers(snapshot, names)
    if fresh:
        yield words.gettext("Enter: throw for {player}").format(player=fresh[0])
    elif may:
        typed = _typed("k 2 2", may)
        yield words.gettext("{typed}: keep these, throw the others").format(typed=typed)
        if snapshot.hints:
            yield words.gettext("{typed}: hint").format(typed=_typed("h", may))


def _shouting(snapshot: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    may = mine(snapshot, names, "shout")
    if may and snapshot.race is not None:
        column = column_of(snapshot, may[0])
        line = "s" if column.named else f"s {free_combination(snapshot.race, may[0])}"
        yield words.gettext("{typed}: shout, when you have it").format(typed=_typed(line, may))


def _typing(snapshot: Snapshot, players: Sequence[str], words: Words) -> str:
    """How six dice that lie there are typed."""
    typed = _typed(f"c {snapshot.example}", players)
    return words.gettext("type c and what the six dice show, such as {typed}").format(typed=typed)


def _typed(line: str, players: Sequence[str]) -> str:
    """A line as it is typed for the first of these players: where there are several, by his name."""
    return f"{players[0].lower()} {line}" if len(players) > 1 else line


def _waiting_for(snapshot: Snapshot, names: Sequence[str], words: Words) -> str:
    """The players who are still to do something, none of whom plays here; empty where nobody is."""
    kind = _DUE.get(snapshot.phase)
    by = next((action.by for action in snapshot.actions if action.kind == kind), ())
    due = [name for name in by if kind != "name" or not column_of(snapshot, name).has_named]
    return words.gettext("waiting for {names}").format(names=words.all_of(due)) if due else ""
