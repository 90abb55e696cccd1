"""A replayed game in words and figures, as its page shows it after one of its throws. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.game import Choosing, Game, as_sentence
from controller.rules import Move, Throw
from controller.strategy import Choice, GameStory, Share, TurnStory
from controller.web.pages.lookback.bars import Bar, bar_of
from controller.web.pages.lookback.curve import Curve, curve_of
from controller.web.pages.lookback.turns import Step, Turn
from controller.web.pages.phrases import say_board, say_change, say_dice, say_number, say_score, say_throw, say_tiles
from controller.web.pages.scene import TilePictures
from controller.web.pages.table import TableView, still_table
from controller.words import Language, Words, words_in


@dataclass(frozen=True, slots=True)
class MoveLine:
    """One throw of the turn as a line. luck, choice: what they added, in words; empty without odds.

    costs: another choice would have been better: `best`. before, after: what was expected.
    """

    number: int
    throw: str
    did: str
    best: str = ""
    luck: str = ""
    choice: str = ""
    costs: bool = False
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class TurnLink:
    """One turn of the game: whose, what it ended on, and its first throw. now: it is the one that is shown."""

    round: int
    name: str
    score: str
    first: int
    now: bool


@dataclass(frozen=True, slots=True)
class ShareLine:
    """What one player's turns came to: start + luck + choices = score."""

    name: str
    start: str
    luck: Bar
    choices: Bar
    score: str


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A game after one of its throws.

    headline: what the turn came to. say: what happened in this throw. spoken: which tiles stand after it.
    label: what this throw is called. missing: why there are no odds to look back by.
    """

    headline: str
    say: str
    spoken: str
    label: str
    table: TableView
    move: int
    last: int
    lines: tuple[MoveLine, ...]
    turns: tuple[TurnLink, ...]
    curve: Curve | None
    shares: tuple[ShareLine, ...]
    missing: str


def tell_replay(
    game: Game,
    turns: Sequence[Turn],
    story: GameStory | None,
    move: int,
    language: Language,
    pictures: TilePictures | None = None,
) -> ReplayView:
    """The game after throw number `move`, or after its last one.

    story: what the odds say; None: not known yet. pictures: those that are drawn on tiles.
    """
    words = words_in(language)
    last = turns[-1].steps[-1].number
    move = min(move, last)
    at = next(index for index, turn in enumerate(turns) if move <= turn.steps[-1].number)
    turn, told = turns[at], _told_turn(story, turns, at)
    step = next(step for step in turn.steps if step.number == move)
    return ReplayView(
        headline=_headline(game, turn, told, words),
        say=_say_step(step, turn, words),
        spoken=say_board(step.game.board, words),
        label=words.gettext("Throw {number} of {count}").format(number=move, count=last),
        table=still_table(step.game, language, step.dice, pictures),
        move=move,
        last=last,
        lines=_lines(turn, told, words),
        turns=tuple(_link(game, each, words, now=each is turn) for each in turns),
        curve=curve_of(told) if told is not None and told.choices else None,
        shares=_share_lines(story, words) if story is not None else (),
        missing=as_sentence(story.missing) if story is not None and story.missing else "",
    )


def _told_turn(story: GameStory | None, turns: Sequence[Turn], at: int) -> TurnStory | None:
    """What the odds say of the turn at this place; None where they say nothing."""
    if story is None or turns[at].player is None or len(story.turns) != len(turns):
        return None
    return story.turns[at]


def _headline(game: Game, turn: Turn, told: TurnStory | None, words: Words) -> str:
    _ = words.gettext
    if turn.player is None:
        return _("Round {number}").format(number=turn.round)
    name = game.players[turn.player].name
    if turn.score is None:
        return _("{name}: this turn was not over.").format(name=name)
    if told is None or told.result is None:
        return _("{name} ended on {score}.").format(name=name, score=turn.score)
    given = {"luck": say_number(abs(_dice_luck(told)), words), "errors": say_number(told.errors, words)}
    shares = _say_shares(told, words).format(name=name, score=turn.score, **given)
    beside = say_change(told.beside, words)
    if beside == "0":
        return shares
    added = _("By faults and moved tiles: {change}.").format(change=beside)
    return f"{shares} {added}"


def _dice_luck(told: TurnStory | Share) -> float:
    """What the dice added: of a turn, without what a fault did or tiles that were moved."""
    return told.luck - told.beside if isinstance(told, TurnStory) else told.luck


def _say_shares(told: TurnStory | Share, words: Words) -> str:
    """The sentence of a turn, or of all of a player's, that dice and choices brought to its score."""
    _, helped = words.gettext, _dice_luck(told) <= 0
    if say_change(told.errors, words) != "0":
        if helped:
            return _("{name} ended on {score}: luck with the dice saved {luck} points, choices cost {errors}.")
        return _("{name} ended on {score}: bad luck with the dice cost {luck} points, choices {errors}.")
    if helped:
        return _("{name} ended on {score}: luck with the dice saved {luck} points, no choice could have been better.")
    return _("{name} ended on {score}: bad luck with the dice cost {luck} points, no choice could have been better.")


def _say_step(step: Step, turn: Turn, words: Words) -> str:
    """What happened in one throw, in a sentence."""
    _ = words.gettext
    given = {
        "name": step.game.players[step.player].name,
        "dice": say_dice(step.dice, words, step.game.rules.marks.faces),
        "tiles": say_tiles(step.move, words),
        "score": turn.score,
    }
    if step.move:
        return _("{name} threw {dice} and shut {tiles}.").format(**given)
    if step is not turn.steps[-1] or turn.score is None:
        return _("{name} threw {dice}.").format(**given)
    if isinstance(step.game.phase, Choosing):  # what ended it was no throw
        return _("{name} threw {dice}. The turn ends on {score}.").format(**given)
    if not step.game.rules.meets(Throw(step.dice)):
        return _("{name} threw {dice}. A 7 ends the turn, on {score}.").format(**given)
    return _("{name} threw {dice}. Nothing fits: the turn ends on {score}.").format(**given)


def _lines(turn: Turn, told: TurnStory | None, words: Words) -> tuple[MoveLine, ...]:
    """The throws of a turn, each with what the odds say of it where they do."""
    choices = list(told.choices) if told is not None else []
    value = told.expected if told is not None else 0.0
    lines = []
    for step in turn.steps:
        choice = choices.pop(0) if choices and choices[0].dice == Throw(step.dice).dice else None
        line = _line(step, turn, words)
        if choice is not None:
            line = _with_odds(line, step, choice, value, words)
            value += choice.luck + choice.dice_error + choice.error
        lines.append(line)
    return tuple(lines)


def _line(step: Step, turn: Turn, words: Words) -> MoveLine:
    did = _say_move(step, turn, words)
    if turn.player is None:
        name = step.game.players[step.player].name
        did = words.gettext("{name}: {did}").format(name=name, did=did)
    return MoveLine(step.number, say_throw(step.dice, step.game.rules.marks.faces), did)


def _say_move(step: Step, turn: Turn, words: Words) -> str:
    """What was made of a throw, in short."""
    if step.move:
        return say_tiles(step.move, words)
    if isinstance(step.game.phase, Choosing):
        return words.gettext("not chosen yet")
    if turn.score is None:
        return words.gettext("nothing")
    if not step.game.rules.meets(Throw(step.dice)):
        return words.gettext("a 7: ends on {score}").format(score=turn.score)
    return words.gettext("nothing fits: ends on {score}").format(score=turn.score)


def _with_odds(line: MoveLine, step: Step, choice: Choice, value: float, words: Words) -> MoveLine:
    """A line with what the throw and the choice added to `value`, which was expected before."""
    _ = words.gettext
    cost = choice.dice_error + choice.error
    text = say_change(cost, words)
    costs = text != "0"
    best = [say_tiles(_move_of(step, tiles), words) for tiles in choice.best]
    return replace(
        line,
        luck=say_change(choice.luck, words),
        choice=text if costs else _("best") if choice.tiles else "",
        costs=costs,
        best=_say_best(best, choice, words) if costs else "",
        before=say_number(value, words),
        after=say_number(value + choice.luck + cost, words),
    )


def _say_best(best: Sequence[str], choice: Choice, words: Words) -> str:
    _ = words.gettext
    if choice.dice_error and not choice.error:
        return _("best: another number of dice")
    return _("best: {moves}").format(moves=words.one_of(best))


def _move_of(step: Step, names: Sequence[str]) -> Move:
    return step.game.rules.move(names)


def _link(game: Game, turn: Turn, words: Words, *, now: bool) -> TurnLink:
    if turn.player is None:
        name = words.gettext("Round {number}").format(number=turn.round)
    else:
        name = game.players[turn.player].name
    return TurnLink(turn.round, name, say_score(turn.score), turn.steps[0].number, now)


def say_luck(story: GameStory, words: Words) -> tuple[str, ...]:
    """What dice and choices brought every player to, a sentence each; none where there are no odds."""
    return tuple(
        _say_shares(share, words).format(
            name=share.name,
            score=say_number(share.result, words, 0),
            luck=say_number(abs(share.luck), words),
            errors=say_number(share.errors, words),
        )
        for share in _finished_shares(story)
    )


def _finished_shares(story: GameStory) -> Sequence[Share]:
    """The shares of those who have finished a turn."""
    finished = {turn.player for turn in story.turns if turn.result is not None}
    return [share for share in story.shares if share.name in finished]


def _share_lines(story: GameStory, words: Words) -> tuple[ShareLine, ...]:
    """What the finished turns of those came to who have finished one."""
    shares = _finished_shares(story)
    most = max((abs(value) for share in shares for value in (share.luck, share.errors)), default=0.0) or 1.0
    return tuple(
        ShareLine(
            share.name,
            say_number(share.expected, words),
            bar_of(share.luck, most, words),
            bar_of(share.errors, most, words),
            say_number(share.result, words, 0),
        )
        for share in shares
    )
