"""A replayed game in words and numbers, as its page shows it after one of its throws. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.game.core.english import as_sentence
from controller.game.core.message import Language
from controller.game.shutbox.state import Choosing, Game
from controller.messages.words import Words, words_in
from controller.opponents.lookback import GameStory, Share, TurnStory
from controller.rules.throw import Throw
from controller.web.pages.lookback.figures import Bar, Curve, bar_of, curve_of
from controller.web.pages.lookback.turns import Step, Turn
from controller.web.pages.phrases import say_board, say_change, say_dice, say_number, say_score, say_throw, say_tiles
from controller.web.pages.scene import TilePictures
from controller.web.pages.table.view import TableView, still_table


@dataclass(frozen=True, slots=True)
class MoveLine:
    """One throw of the turn as a line.

    luck, choice: the points that they added, in words; empty without odds.
    before, after: the expected score.
    """

    number: int
    throw: str
    did: str
    best: str = ""  # the better choices, if there were any
    luck: str = ""
    choice: str = ""
    costs: bool = False  # another choice would have been better
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class TurnLink:
    """One turn of the game: its round, player, score and first throw. now: this turn is shown."""

    round: int
    name: str
    score: str
    first: int
    now: bool


@dataclass(frozen=True, slots=True)
class ShareLine:
    """The sum of a player's turns: start + luck + choices = score."""

    name: str
    start: str
    luck: Bar
    choices: Bar
    score: str


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A game after one of its throws."""

    headline: str  # the result of the turn
    say: str  # the events of this throw
    spoken: str  # the standing tiles after it
    label: str  # the number of this throw
    table: TableView
    move: int
    last: int
    lines: tuple[MoveLine, ...]
    turns: tuple[TurnLink, ...]
    curve: Curve | None
    shares: tuple[ShareLine, ...]
    missing: str  # the reason why there is no analysis by the odds


def replay_view_of(
    game: Game,
    turns: Sequence[Turn],
    story: GameStory | None,
    move: int,
    language: Language,
    pictures: TilePictures | None = None,
) -> ReplayView:
    """Return the game after throw number `move`, or after its last one.

    story: its analysis by the odds; None if not known yet. pictures: for the tiles.
    """
    words = words_in(language)
    last = turns[-1].steps[-1].number
    move = min(move, last)
    turn = next(turn for turn in turns if move <= turn.steps[-1].number)
    step = next(step for step in turn.steps if step.number == move)
    told = None
    if story is not None and turn.player is not None and len(story.turns) == len(turns):
        told = story.turns[turns.index(turn)]
    names = [
        words.gettext("Round {number}").format(number=each.round)
        if each.player is None
        else game.players[each.player].name
        for each in turns
    ]
    shares = _finished_shares(story) if story is not None else []
    most = max((abs(value) for share in shares for value in (share.luck, share.errors)), default=0.0) or 1.0
    return ReplayView(
        headline=_headline(names[turns.index(turn)], turn, told, words),
        say=_say_step(step, turn, words),
        spoken=say_board(step.game.board, words),
        label=words.gettext("Throw {number} of {count}").format(number=move, count=last),
        table=still_table(step.game, language, step.dice, pictures),
        move=move,
        last=last,
        lines=_lines(turn, told, words),
        turns=tuple(
            TurnLink(each.round, name, say_score(each.score), each.steps[0].number, each is turn)
            for each, name in zip(turns, names, strict=True)
        ),
        curve=curve_of(told) if told is not None and told.choices else None,
        shares=tuple(
            ShareLine(
                share.name,
                say_number(share.expected, words),
                bar_of(share.luck, most, words),
                bar_of(share.errors, most, words),
                say_number(share.result, words, 0),
            )
            for share in shares
        ),
        missing=as_sentence(story.missing) if story is not None and story.missing else "",
    )


def _headline(name: str, turn: Turn, told: TurnStory | None, words: Words) -> str:
    _ = words.gettext
    if turn.player is None:
        return name
    if turn.score is None:
        return _("{name}: this turn was not over.").format(name=name)
    if told is None or told.result is None:
        return _("{name} ended on {score}.").format(name=name, score=turn.score)
    beside = say_change(told.beside, words)
    shares = _say_shares(name, str(turn.score), told.luck - told.beside, told.errors, words)
    if beside == "0":
        return shares
    added = _("By faults and moved tiles: {change}.").format(change=beside)
    return f"{shares} {added}"


def _say_shares(name: str, score: str, luck: float, errors: float, words: Words) -> str:
    """Return how dice and choices led to a score. luck, errors: the points that they added."""
    _ = words.gettext
    told = {
        (True, True): _(
            "{name} ended on {score}: lucky dice saved {luck} points, and no choice could have been better."
        ),
        (False, True): _(
            "{name} ended on {score}: unlucky dice cost {luck} points, and no choice could have been better."
        ),
        (True, False): _(
            "{name} ended on {score}: lucky dice saved {luck} points, and better choices would have saved {errors}."
        ),
        (False, False): _(
            "{name} ended on {score}: unlucky dice cost {luck} points, and better choices would have saved {errors}."
        ),
    }[luck <= 0, say_change(errors, words) == "0"]
    return told.format(name=name, score=score, luck=say_number(abs(luck), words), errors=say_number(errors, words))


def _say_step(step: Step, turn: Turn, words: Words) -> str:
    _ = words.gettext
    if step.move:
        told = _("{name} threw {dice} and shut {tiles}.")
    elif step is not turn.steps[-1] or turn.score is None:
        told = _("{name} threw {dice}.")
    elif isinstance(step.game.phase, Choosing):  # something other than the throw has ended it
        told = _("{name} threw {dice}. The turn ends on {score}.")
    elif not step.game.rules.meets(Throw(step.dice)):
        told = _("{name} threw {dice}. A 7 ends the turn, on {score}.")
    else:
        told = _("{name} threw {dice}. Nothing fits: the turn ends on {score}.")
    return told.format(
        name=step.game.players[step.player].name,
        dice=say_dice(step.dice, words, step.game.rules.marks.faces),
        tiles=say_tiles(step.move, words),
        score=turn.score,
    )


def _lines(turn: Turn, told: TurnStory | None, words: Words) -> tuple[MoveLine, ...]:
    """Return the throws of a turn, each with its odds if they are known."""
    _ = words.gettext
    choices = list(told.choices) if told is not None else []
    expected = told.expected if told is not None else 0.0
    lines = []
    for step in turn.steps:
        if step.move:
            did = say_tiles(step.move, words)
        elif isinstance(step.game.phase, Choosing):
            did = _("not chosen yet")
        elif turn.score is None:
            did = _("nothing")
        elif not step.game.rules.meets(Throw(step.dice)):
            did = _("a 7: ends on {score}").format(score=turn.score)
        else:
            did = _("nothing fits: ends on {score}").format(score=turn.score)
        if turn.player is None:
            did = _("{name}: {did}").format(name=step.game.players[step.player].name, did=did)
        line = MoveLine(step.number, say_throw(step.dice, step.game.rules.marks.faces), did)
        if choices and choices[0].dice == Throw(step.dice).dice:
            choice = choices.pop(0)
            cost = choice.dice_error + choice.error
            after, costs = expected + choice.luck + cost, say_change(cost, words) != "0"
            moves = words.one_of(say_tiles(step.game.rules.move(tiles), words) for tiles in choice.best)
            best = _("best: {moves}").format(moves=moves)
            if choice.dice_error and not choice.error:
                best = _("best: another number of dice")
            line = replace(
                line,
                luck=say_change(choice.luck, words),
                choice=say_change(cost, words) if costs else _("best") if choice.tiles else "",
                costs=costs,
                best=best if costs else "",
                before=say_number(expected, words),
                after=say_number(after, words),
            )
            expected = after
        lines.append(line)
    return tuple(lines)


def say_luck(story: GameStory, words: Words) -> tuple[str, ...]:
    """Return how dice and choices led to each player's score, a sentence each; empty without odds."""
    return tuple(
        _say_shares(share.name, say_number(share.result, words, 0), share.luck, share.errors, words)
        for share in _finished_shares(story)
    )


def _finished_shares(story: GameStory) -> Sequence[Share]:
    """Return the shares of the players who have finished a turn."""
    finished = {turn.player for turn in story.turns if turn.result is not None}
    return [share for share in story.shares if share.name in finished]
