"""Export the games of a journal as plain rows for spreadsheets and other programs: games, throws, choices, scores.

Each row is complete without the others. Choices that were taken back stay in and are marked; a corrected throw is one
row that also has the first reading.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from controller.errors import JournalDiffers
from controller.game.core.engine import AnyGame
from controller.game.core.phases import Ended
from controller.game.core.players import Door, Source
from controller.game.fleet.events import ChipReturned, ChipTaken, ClaimRefused, RaceRolled
from controller.game.fleet.state import Race
from controller.game.shutbox.events import ChoiceUndone, DiceThrown, FirstRolled, MoveChosen, ThrowCorrected, TurnEnded
from controller.game.shutbox.state import Game
from controller.game.table.engines import evolve
from controller.journal.store import Entry, Journal
from controller.rules.options import Value

Number = Annotated[int, Field(ge=1)]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    game: Number = Field(description="the number of the game in its journal")


class GameRow(_Row):
    """One game: where and when it was played, by whom, and who won."""

    table: Literal["games"] = "games"
    box: str = Field(description="the name of the box")
    began: str = Field(description="when it began, in ISO 8601")
    ended: str | None = Field(description="when it was over, in ISO 8601; none while it goes on")
    name: str = Field(description="which game it is, by its name in `shutbox games`")
    options: Mapping[str, Value] = Field(description="all its options, by their names in `shutbox games NAME`")
    players: tuple[str, ...] = Field(description="who plays, seat by seat")
    house: tuple[str, ...] = Field(description="those of them that the box plays")
    rounds: Number = Field(description="the number of the round that was played last")
    outcome: Literal["won", "given_up", "unfinished"]
    winners: tuple[str, ...] = Field(description="who has won; several share it")


class _EventRow(_Row):
    event: Number = Field(description="the number of the event in its game")
    at: str = Field(description="when it happened by the clock of the box, in ISO 8601")
    round: Number = Field(description="the round of the match")
    player: str = Field(description="whose it is")


class ThrowRow(_EventRow):
    """One throw of the dice."""

    table: Literal["throws"] = "throws"
    purpose: Literal["turn", "first"] = Field(description="thrown in a turn, or for who begins")
    dice: tuple[int, ...] = Field(description="what the dice showed")
    source: Source = Field(description="who said so at first")
    read: tuple[int, ...] | None = Field(default=None, description="what was said at first, where it was corrected")


class ChoiceRow(_EventRow):
    """One choice of tiles to shut."""

    table: Literal["choices"] = "choices"
    house: bool = Field(description="chosen by the box, for a player of its own")
    door: Door = Field(description="where the choice came in")
    board: str = Field(description="the tiles that stood before, row by row from the front; a dot lies")
    dice: tuple[int, ...] = Field(description="what the dice showed")
    tiles: tuple[str, ...] = Field(description="the tiles that were chosen")
    taken_back: bool = Field(default=False, description="it was taken back before the next throw")


class ScoreRow(_EventRow):
    """The end of one turn."""

    table: Literal["scores"] = "scores"
    score: int = Field(description="its score, as the game counts")
    lost: bool = Field(description="lost on its first throw, in games that call it so")
    taken_back: bool = Field(default=False, description="the end was taken back before the next throw")


class ClaimRow(_EventRow):
    """One claim in a race, and the chip that it brought."""

    table: Literal["claims"] = "claims"
    house: bool = Field(description="claimed by the box, for a player of its own")
    combination: str | None = Field(description="what was claimed; none of the last one, who had named nothing")
    dice: tuple[int, ...] = Field(description="what the dice showed, 7 being a joker; none of the last one")
    source: Source = Field(description="who said so")
    points: int | None = Field(description="what the chip is worth; none where the claim was refused")
    taken_back: bool = Field(default=False, description="the chip was put back")


TurnRow = ThrowRow | ChoiceRow | ScoreRow | ClaimRow
Row = GameRow | TurnRow
TABLES: Mapping[str, type[Row]] = {
    "games": GameRow,
    "throws": ThrowRow,
    "choices": ChoiceRow,
    "scores": ScoreRow,
    "claims": ClaimRow,
}
_ROW: TypeAdapter[Row] = TypeAdapter(Annotated[Row, Field(discriminator="table")])


def row_schema() -> dict[str, Any]:
    """Return the JSON Schema of a row of any table."""
    return _ROW.json_schema(mode="serialization")


def export_rows(journal: Journal) -> Iterator[Row]:
    """Yield every row of a journal: game by game, each followed by its throws, choices, scores and claims in order.

    Raises `JournalDamaged`, and `JournalDiffers` for a game whose events do not fit together.
    """
    for game_id in journal.game_ids():
        if (told := rows_of_game(journal, game_id)) is not None:
            game, rows = told
            yield game
            yield from rows


def rows_of_game(journal: Journal, game_id: int) -> tuple[GameRow, list[TurnRow]] | None:
    """Return the row of one game and the rows of its throws, choices, scores and claims; None without events.

    Raises `JournalDamaged`, and `JournalDiffers` if the events do not fit together.
    """
    entries = journal.entries(game_id)
    if not entries:
        return None
    game: AnyGame | None = None
    teller: _AnyTeller | None = None
    for entry in entries:
        try:
            after = evolve(game, entry.event)
            if game is None and type(after) in _TELLERS:
                teller = _TELLERS[type(after)](game_id)
            elif game is not None and teller is not None:
                teller.tell(game, entry)
        except Exception as error:  # an event that a disk error has changed or removed may raise anything
            raise JournalDiffers(f"game {game_id}, event {entry.number} ({entry.event.kind}): {error}") from error
        game = after
    assert game is not None  # noqa: S101  there is an entry
    return _game_row(game_id, journal.box_of(game_id), game, entries), list(teller.rows if teller else ())


def _game_row(game_id: int, box: str, game: AnyGame, entries: list[Entry]) -> GameRow:
    end = game.phase if isinstance(game.phase, Ended) else None
    outcome: Literal["won", "given_up", "unfinished"] = "unfinished"
    if end is not None:
        outcome = "given_up" if end.given_up else "won"
    return GameRow(
        game=game_id,
        box=box,
        began=entries[0].at,
        ended=entries[-1].at if end is not None else None,
        name=game.rules.name,
        options=game.rules.chosen,
        players=tuple(player.name for player in game.players),
        house=tuple(player.name for player in game.players if player.house),
        rounds=game.round,
        outcome=outcome,
        winners=tuple(game.players[seat].name for seat in end.winners) if end is not None else (),
    )


class _AnyTeller(Protocol):
    """Turns the events of one game of a family into rows."""

    @property
    def rows(self) -> Sequence[TurnRow]:
        """The rows so far."""

    def tell(self, game: Any, entry: Entry) -> None:
        """Add the next event; `game` is the state before it."""


class _Teller:
    """Turns the events of one game into rows."""

    def __init__(self, game_id: int) -> None:
        self._game_id = game_id
        self._settled: list[TurnRow] = []
        self._since_throw: list[TurnRow] = []  # the current throw and the rows that followed from it

    @property
    def rows(self) -> list[TurnRow]:
        return [*self._settled, *self._since_throw]

    def tell(self, game: Game, entry: Entry) -> None:
        match entry.event:
            case FirstRolled(player, dice, source):
                about = self._about(game, entry, player)
                self._since_throw.append(ThrowRow(**about, purpose="first", dice=dice, source=source))
            case DiceThrown(dice, source):
                self._settled = self.rows
                about = self._about(game, entry, game.turn)
                self._since_throw = [ThrowRow(**about, purpose="turn", dice=dice, source=source)]
            case ThrowCorrected(read, dice):
                thrown = self._thrown
                self._since_throw[0] = thrown.model_copy(update={"dice": dice, "read": thrown.read or read})
            case MoveChosen(tiles):
                choice = ChoiceRow(
                    **self._about(game, entry, game.turn),
                    house=game.player.house,
                    door=entry.origin.door,
                    board=str(game.board),
                    dice=self._thrown.dice,
                    tiles=tiles,
                )
                self._since_throw.append(choice)
            case TurnEnded(player, score, lost):
                self._since_throw.append(ScoreRow(**self._about(game, entry, player), score=score, lost=lost))
            case ChoiceUndone():
                # Everything that followed from the current throw was taken back, but not the throw.
                taken_back = {"taken_back": True}
                followed = (row.model_copy(update=taken_back) for row in self._since_throw[1:])
                self._since_throw = [self._thrown, *followed]

    def _about(self, game: Game, entry: Entry, seat: int) -> dict[str, Any]:
        """Return the columns common to all rows of an event that this seat caused."""
        player = game.players[seat].name
        return {
            "game": self._game_id,
            "event": entry.number,
            "at": entry.at,
            "round": game.match.round,
            "player": player,
        }

    @property
    def _thrown(self) -> ThrowRow:
        """The current throw; there is one whenever something has followed from it."""
        thrown = self._since_throw[0]
        assert isinstance(thrown, ThrowRow)  # noqa: S101  the list begins with it
        return thrown


class _RaceTeller:
    """Turns the events of one race into rows."""

    def __init__(self, game_id: int) -> None:
        self._game_id = game_id
        self.rows: list[TurnRow] = []

    def tell(self, race: Race, entry: Entry) -> None:
        match entry.event:
            case RaceRolled(player, dice, source):
                about = self._about(race, entry, player)
                self.rows.append(ThrowRow(**about, purpose="first", dice=dice, source=source))
            case ClaimRefused(player, combination, dice, source):
                self._add(race, entry, player, combination, dice, source, points=None)
            case ChipTaken(players, combinations, tile, dice, source):
                shown = dice or ((),) * len(players)
                for player, named, lies in zip(players, combinations, shown, strict=True):
                    self._add(race, entry, player, named, lies, source, points=race.worth(tile))
            case ChipReturned(players):
                self._take_back({race.players[seat].name for seat in players})

    def _about(self, race: Race, entry: Entry, seat: int) -> dict[str, Any]:
        player = race.players[seat].name
        return {"game": self._game_id, "event": entry.number, "at": entry.at, "round": race.round, "player": player}

    def _add(
        self,
        race: Race,
        entry: Entry,
        seat: int,
        combination: str | None,
        dice: tuple[int, ...],
        source: Source,
        *,
        points: int | None,
    ) -> None:
        row = ClaimRow(
            **self._about(race, entry, seat),
            house=race.players[seat].house,
            combination=combination,
            dice=dice,
            source=source,
            points=points,
        )
        self.rows.append(row)

    def _take_back(self, players: set[str]) -> None:
        """Mark the last chips of these players, and later chips too: the one left over goes to the last player."""
        for at in reversed(range(len(self.rows))):
            row = self.rows[at]
            if isinstance(row, ClaimRow) and row.points is not None and not row.taken_back:
                self.rows[at] = row.model_copy(update={"taken_back": True})
                if row.player in players:
                    players.discard(row.player)
                    if not players:
                        return


# By the class of the game; for other families only the row of the game is exported.
_TELLERS: Mapping[type[AnyGame], Callable[[int], _AnyTeller]] = {Game: _Teller, Race: _RaceTeller}
