"""Actions of hands at a simulated box, in this process or another: they act on the box, break it and repair it.

Actions have a form for the terminal and one for the API; the box checks the rest. The guard process uses the requests
to the mock-box too, so nothing here may load a camera or a game.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter

from controller.errors import BadDeed, NoBox
from controller.runtime.home import Home
from hardware.box import Box
from hardware.sim.faults import FAULTS
from hardware.sim.link import BoxLost, Link

LONGEST_CUT_S = 60.0
_Word = Annotated[str, Field(max_length=64)]


class _Strict:
    """A request in which every key must be known."""

    __slots__ = ()
    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Look(_Strict):
    """Nothing is done: the box is only looked at."""

    FORM: ClassVar[str] = "look"

    do: Literal["look"] = "look"


@dataclass(frozen=True, slots=True)
class Tip(_Strict):
    """A hand tips a tile that no servo holds."""

    FORM: ClassVar[str] = "tip TILE OPEN|SHUT|BETWEEN"

    tile: _Word
    position: Annotated[
        Literal["OPEN", "SHUT", "BETWEEN"],
        BeforeValidator(lambda word: word.upper() if isinstance(word, str) else word),
    ]
    do: Literal["tip"] = "tip"


@dataclass(frozen=True, slots=True)
class ThrowDice(_Strict):
    """A hand throws dice into the field."""

    FORM: ClassVar[str] = "throw [DICE]"

    dice: Annotated[int, Field(ge=1, le=12)] = 2
    do: Literal["throw"] = "throw"


@dataclass(frozen=True, slots=True)
class LaySet(_Strict):
    """A hand takes the last throw away and lays dice of one colour for a claim; they show these faces."""

    FORM: ClassVar[str] = "lay COLOUR FACE,FACE,..."

    colour: _Word
    faces: _Word
    do: Literal["lay"] = "lay"


@dataclass(frozen=True, slots=True)
class TakeSet(_Strict):
    """A hand takes the dice of one colour away."""

    FORM: ClassVar[str] = "take COLOUR"

    colour: _Word
    do: Literal["take"] = "take"


@dataclass(frozen=True, slots=True)
class ClearDice(_Strict):
    """A hand takes the dice away."""

    FORM: ClassVar[str] = "clear"

    do: Literal["clear"] = "clear"


@dataclass(frozen=True, slots=True)
class PressButton(_Strict):
    """A finger holds the button of the box down."""

    FORM: ClassVar[str] = "press [SECONDS]"

    seconds: Annotated[float, Field(gt=0, le=60)] = 0.2
    do: Literal["press"] = "press"


@dataclass(frozen=True, slots=True)
class MoveLid(_Strict):
    """A hand opens or closes the lid."""

    FORM: ClassVar[str] = "lid open|closed"

    state: Literal["open", "closed"]
    do: Literal["lid"] = "lid"


@dataclass(frozen=True, slots=True)
class Break(_Strict):
    """The box is broken in a way that `shutbox faults` lists, such as jam:front-7."""

    FORM: ClassVar[str] = "break FAULT:PART"

    fault: _Word
    do: Literal["break"] = "break"


@dataclass(frozen=True, slots=True)
class Lift(_Strict):
    """What was broken is mended: one fault, or all."""

    FORM: ClassVar[str] = "lift [FAULT:PART]"

    fault: _Word | None = None
    do: Literal["lift"] = "lift"


HandAction = Look | Tip | ThrowDice | LaySet | TakeSet | ClearDice | PressButton | MoveLid | Break | Lift
_KINDS: Mapping[str, type[HandAction]] = {kind.FORM.split()[0]: kind for kind in get_args(HandAction)}
FORMS = ", ".join(kind.FORM for kind in _KINDS.values())


@dataclass(frozen=True, slots=True)
class CutPower(_Strict):
    """Pull the plug and put it in again after `seconds`. This affects the daemon as well as the box.

    seconds: None: until somebody at the table pauses. A pause also ends a timed cut.
    """

    seconds: Annotated[float, Field(gt=0, le=LONGEST_CUT_S)] | None = 8.0
    do: Literal["cut"] = "cut"


SimulatedAction = Annotated[HandAction | CutPower, Field(discriminator="do")]


def parse_action(written: Sequence[str]) -> HandAction:
    """Parse words such as `tip front-7 shut`. Raises `BadDeed`, which shows the correct form."""
    name, *words = written
    kind = _KINDS.get(name)
    if kind is None:
        raise BadDeed(f"a hand cannot {name!r}; it can {FORMS}")
    wanted = [each.name for each in fields(kind) if each.name != "do"]
    try:
        given = dict(zip(wanted, words, strict=len(words) > len(wanted)))
        return TypeAdapter[HandAction](kind).validate_python(given)
    except ValueError as error:
        raise BadDeed(f"{' '.join(written)}: say it as {kind.FORM}") from error


def arguments_of(deed: HandAction) -> dict[str, Any]:
    """Return the arguments of an action, without its name."""
    return {name: value for name, value in asdict(deed).items() if name != "do"}


Reach = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class FaultForm:
    """One way to break this box: its name and the parts that it takes, and what it does, in a sentence."""

    fault: str
    parts: tuple[str, ...]
    what: str


@dataclass(frozen=True, slots=True)
class SimulatedView:
    """A simulated box as eyes see it: where its tiles truly are, its lid, its dice, and what is broken."""

    box: str
    tiles: Mapping[str, str]
    lid: str
    dice: tuple[int, ...]
    faults: tuple[str, ...]


class Hands:
    """Hands at one simulated box.

    Lifetime: they work as long as the box exists, also while its table is closed. Concurrency: one event loop.
    """

    def __init__(self, box: Box, reach: Reach) -> None:
        """reach: performs an action by its name and arguments; raises `BadDeed`, or `NoBox` if the box is gone."""
        self._box = box
        self._reach = reach
        self.elsewhere: Reach | None = None  # reaches the box instead while a job has opened it
        self.broken: tuple[str, ...] = ()  # the faults at the time of the last look

    async def do(self, deed: HandAction) -> SimulatedView:
        """Perform an action and return the box afterwards. Raises `BadDeed` if it is impossible, and `NoBox`."""
        await (self.elsewhere or self._reach)(deed.do, arguments_of(deed))
        return await self.look()

    async def look(self) -> SimulatedView:
        """Return the present state of the box. Raises `NoBox`."""
        seen = await (self.elsewhere or self._reach)("look", {})
        self.broken = tuple(seen["faults"])
        return SimulatedView(seen["box"], seen["tiles"], seen["lid"], tuple(seen["dice"]), self.broken)

    def forms(self) -> tuple[FaultForm, ...]:
        """Return every way to break this box."""
        forms = (FaultForm(kind.name, tuple(kind.parts(self._box)), kind.description) for kind in FAULTS.values())
        return tuple(form for form in forms if form.parts)


def ask_mock_box(home: Home, do: str, **words: object) -> Mapping[str, Any]:
    """Send a request to the mock-box of this home. Raises `NoBox` if none runs, `BadDeed` if it refuses."""
    try:
        with Link(home.mock_box_socket) as link:
            return link.ask(do, **words)[0]
    except BoxLost as error:
        raise NoBox(f"no mock-box answers at {home.mock_box_socket}; start one with `shutbox mock-box`") from error
    except (ValueError, OSError) as error:
        raise BadDeed(str(error)) from error


def greet_mock_box(home: Home) -> tuple[Box, int]:
    """Return the profile and the seed of the mock-box of this home. Raises `NoBox` if none runs."""
    hello = ask_mock_box(home, "hello")
    return Box.model_validate_json(hello["box"]), hello["seed"]
