"""Everything that goes over the network, as types: OpenAPI and JSON Schema are made from them."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

#: Texts are cut to what people need before anything else looks at them.
Notation = Annotated[str, Field(max_length=200)]
Words = Annotated[str, Field(max_length=500)]
PersonName = Annotated[str, Field(max_length=200)]
Token = Annotated[str, Field(max_length=200)]
Seconds = Annotated[float, Field(ge=1, le=86_400)]
SeatNumber = Annotated[int, Field(ge=0, le=63)]
At = Annotated[int, Field(ge=0, le=2**31)]


class Given(BaseModel):
    """What a client sends: exact types, and no field that we do not know."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


# --- clicks ---


class Amount(Given):
    """A number from low to high, and which one was chosen."""

    amount: Annotated[list[int], Field(min_length=3, max_length=3)]


class Choice(Given):
    """One of several that lie on top of each other; what going on and taking it are called."""

    choice: Annotated[str, Field(max_length=100)]
    verbs: Annotated[
        list[Annotated[str, Field(max_length=40)]], Field(min_length=2, max_length=2)
    ] = ["Next", "Choose"]


Click = Annotated[str, Field(max_length=100)] | Amount | Choice


def plain(clicks: Sequence[str | Amount | Choice]) -> list[str | dict[str, Any]]:
    """Clicks as a game names them."""
    return [one if isinstance(one, str) else one.model_dump() for one in clicks]


# --- HTTP: what clients send ---


class SeatWish(Given):
    """A seat of a new table: ``person`` is you, ``open`` is for whoever joins."""

    kind: Literal["person", "open", "agent"]
    agent: Annotated[str | None, Field(max_length=200, description="a level or a spec")] = None
    name: PersonName | None = None
    clock: Seconds | None = None


class NewTable(Given):
    """A table to open. Without seats: you against the game's first level."""

    game: Annotated[str, Field(max_length=100)]
    options: Annotated[dict[str, int | float | bool | str], Field(max_length=50)] = {}
    seats: Annotated[list[SeatWish] | None, Field(min_length=1, max_length=16)] = None
    name: PersonName = ""
    public: bool = False
    casual: Annotated[
        bool | None, Field(description="hints are allowed; by default where you sit alone")
    ] = None
    clock: Annotated[Seconds | None, Field(description="seconds for each decision")] = None
    you: Annotated[PersonName, Field(description="your name")] = ""


class Join(Given):
    """Sit down on an open seat."""

    name: PersonName = ""
    seat: SeatNumber | None = None


# --- HTTP: what the server answers ---


class Error(BaseModel):
    """What was wrong and what would be right; nothing has changed."""

    error: str


class SeatToken(BaseModel):
    """A seat and the right to it."""

    seat: int
    token: str


class Seated(BaseModel):
    """A table, and the right to a seat if you have one; ``seats``: all of yours."""

    table: str
    seat: int | None = None
    token: str | None = None
    seats: list[SeatToken] = []


class OptionInfo(BaseModel):
    """An option of a game or a parameter of an agent."""

    name: str
    default: int | float | bool | str
    help: str
    values: Annotated[str, Field(description="what is right, in words")]
    low: float | None
    high: float | None
    choices: list[int | float | bool | str]
    file: Annotated[bool, Field(description="may a file's content stand in place of a choice?")]


class LevelInfo(BaseModel):
    """An opponent by name."""

    name: str
    agent: str


class AgentInfo(BaseModel):
    """A kind of agent."""

    name: str
    help: str
    parameters: list[OptionInfo]


class PresetInfo(BaseModel):
    """A set of options by name; those that it leaves out are as usual."""

    name: str
    options: dict[str, int | float | bool | str]


class GameInfo(BaseModel):
    """A game that can be played here; it is ``ready`` once it is compiled."""

    name: str
    title: str
    players: Annotated[list[int], Field(description="fewest and most")]
    options: list[OptionInfo]
    presets: list[PresetInfo]
    roles: Annotated[list[str], Field(description="of the first seats; the last of all others")]
    levels: list[LevelInfo]
    agents: list[AgentInfo]
    hidden: Annotated[bool, Field(description="do seats see different things?")]
    ready: bool


class SeatInfo(BaseModel):
    """Who sits where."""

    kind: Literal["person", "open", "agent"]
    name: str
    role: Annotated[str, Field(description="what the seat is called, where seats differ")]
    side: Annotated[int, Field(description="seats of one side win and lose together")]
    agent: Annotated[str | None, Field(description="the agent that plays here")]
    ready: bool
    here: Annotated[bool, Field(description="is somebody connected?")]
    resigned: Annotated[str | None, Field(description="why, if so")]
    clock: Annotated[float | None, Field(description="seconds for each decision")]


class TableInfo(BaseModel):
    """A table as everybody may see it."""

    id: str
    game: str
    title: str
    options: dict[str, int | float | bool | str]
    name: str
    status: Literal["waiting", "playing", "over"]
    seats: list[SeatInfo]
    host: int | None
    public: bool
    clock: float | None
    casual: bool
    at: int
    result: list[float] | None
    next: Annotated[str | None, Field(description="the table of the rematch")]


class Results(BaseModel):
    """How people have done against an agent: games, and the mean gain of both."""

    game: str
    agent: str
    players: int
    games: int
    people: float
    agents: float


class Rung(BaseModel):
    """Somebody on the ladder of a game."""

    game: str
    kind: str
    name: str
    games: int
    rating: int
    error: int


class LuckAt(BaseModel):
    """What chance brought each seat at one event; ``by``: who brought it about."""

    n: int
    by: int
    luck: list[float]


class ConsideredAction(BaseModel):
    """An action that was thought about: how often, and what it is worth to the mover."""

    action: str
    words: str
    value: float | None
    visits: int | None
    clicks: list[Click] = []
    preview: str | None = None


class ConsideredAt(BaseModel):
    """What an agent considered after ``at`` events, and what it did."""

    at: int
    by: int
    did: str
    actions: list[ConsideredAction]


class Analysis(BaseModel):
    """A game that is over: expectation by event and seat, luck, and what agents considered."""

    expectation: list[list[float]]
    fair: float
    start: list[float]
    luck: list[float]
    rest: list[float]
    events: list[LuckAt]
    considered: list[ConsideredAt]


# --- WebSocket: what clients send ---


class Hello(Given):
    """Who you are; without a token a spectator. Bots need no ``board``."""

    type: Literal["hello"]
    token: Token | None = None
    board: bool = True
    name: Annotated[PersonName, Field(description="of a spectator who chats")] = ""


class Ready(Given):
    """When everybody is ready, the game starts."""

    type: Literal["ready"]
    ready: bool = True


class Act(Given):
    """One decision, or several of which all are carried out or none."""

    type: Literal["act"]
    at: At
    action: Notation | None = None
    actions: Annotated[list[Notation] | None, Field(min_length=1, max_length=200)] = None

    @model_validator(mode="after")
    def one_of_both(self) -> "Act":
        if (self.action is None) == (self.actions is None):
            raise ValueError("give either action or actions")
        return self


class Draft(Given):
    """Try decisions on a copy of what you see."""

    type: Literal["draft"]
    at: At
    actions: Annotated[list[Notation], Field(max_length=200)]


class Why(Given):
    """Why can the last of these not be clicked?"""

    type: Literal["why"]
    at: At
    clicks: Annotated[list[Click], Field(max_length=50)]


class Look(Given):
    """The position after so many events, as seen by a seat, by everybody, or whole."""

    model_config = ConfigDict(validate_by_alias=True)

    type: Literal["look"]
    at: At
    whose: Annotated[SeatNumber | Literal["all"] | None, Field(alias="as")] = None


class Hint(Given):
    """What would a strong agent do?"""

    type: Literal["hint"]


class Resign(Given):
    """Give up."""

    type: Literal["resign"]


class Chat(Given):
    """Say something to all at the table."""

    type: Literal["chat"]
    words: Words


class Leave(Given):
    """Give the seat back while the table waits."""

    type: Literal["leave"]


class Fill(Given):
    """The host lets an agent play on an open seat while the table waits."""

    type: Literal["fill"]
    seat: SeatNumber
    agent: Annotated[str, Field(max_length=200, description="a level or a spec")]


Asked = Annotated[
    Hello | Ready | Act | Draft | Why | Look | Hint | Resign | Chat | Leave | Fill,
    Field(discriminator="type"),
]


# --- WebSocket: what the server sends ---


class TableNow(TableInfo):
    """The table, at first and when anything at it changes."""

    type: Literal["table"]
    you: int | None


class LegalAction(BaseModel):
    """A legal action; ``ends``: nothing can be drafted after it. Bots get the notation alone."""

    action: str
    words: str | None = None
    clicks: list[Click] | None = None
    ends: bool | None = None
    preview: Annotated[str | None, Field(description="SVG laid over the board")] = None


Limits = Annotated[list[int], Field(min_length=2, max_length=2, description="low and high")]


class Card(BaseModel):
    """A kind of card: the action that takes one, how many may be taken, and where it is drawn."""

    name: str
    action: str
    limits: Limits
    thing: str | None = None
    symbol: str | None = None


class Row(BaseModel):
    """Cards of which so many are taken together."""

    words: str
    total: Limits
    cards: list[Card]


class Bundle(BaseModel):
    """Several cards chosen together, row by row, and taken as decisions in that order."""

    words: str
    verb: str
    rows: list[Row]
    apart: Annotated[bool, Field(description="no name is chosen in two rows")]
    then: Annotated[str | None, Field(description="the action that ends it")]


class PlayerFact(BaseModel):
    """Something public about a player."""

    label: str
    value: str


class Position(BaseModel):
    """A position as a seat sees it."""

    type: Literal["position"]
    at: int
    mover: int
    phase: str
    scores: list[float]
    legal: list[LegalAction]
    clock: float | None
    bundle: Bundle | None = None
    turn: Annotated[int | None, Field(description="whose turn it is, whoever decides")] = None
    words: str | None = None
    players: list[list[PlayerFact]] | None = None
    view: str | None = None
    backdrop: str | None = None
    layer: str | None = None
    box: str | None = None
    result: list[float] | None = None
    seed: int | None = None
    replay: bool = False
    whose: Annotated[
        int | Literal["all"] | None, Field(alias="as", description="of a replay: who looks")
    ] = None


class Drafted(Position):
    """The position as if what was drafted had been done; ``done``: no more can be drafted."""

    type: Literal["drafted"]  # type: ignore[assignment]
    draft: list[str]
    done: bool


class Happened(BaseModel):
    """An action or outcome as your seat sees it; ``by`` is -1 for luck."""

    n: int
    by: int
    text: str
    words: str | None = None
    note: str | None = None
    effects: list[dict[str, Any]] | None = None


class Events(BaseModel):
    """What has happened since the last position, or at first everything (``past``)."""

    type: Literal["events"]
    past: bool = False
    events: list[Happened]


class Said(BaseModel):
    """Chat; ``by`` is null for a spectator."""

    type: Literal["chat"]
    by: int | None
    name: str
    words: str


class Thinking(BaseModel):
    """An agent is at work."""

    type: Literal["thinking"]
    seat: int


class Hinted(BaseModel):
    """The answer to a hint, the best action first."""

    type: Literal["hint"]
    at: int
    actions: list[ConsideredAction]


class Refused(BaseModel):
    """What was wrong; ``re`` is the type of the message that was refused."""

    type: Literal["error"]
    error: str
    re: str | None


Told = Annotated[
    TableNow | Position | Drafted | Events | Said | Thinking | Hinted | Refused,
    Field(discriminator="type"),
]

asked: TypeAdapter[Any] = TypeAdapter(Asked)
told: TypeAdapter[Any] = TypeAdapter(Told)


def schema() -> dict[str, Any]:
    """The JSON Schema of what goes over a WebSocket, both ways."""
    return {"client": asked.json_schema(), "server": told.json_schema(mode="serialization")}
