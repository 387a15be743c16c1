"""Positions in Python: a ``View`` is what one seat knows, a ``State`` is the whole truth."""

import base64
import hashlib
import zlib
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import numpy as np

from kostka.core import play, rules
from kostka.core.errors import IllegalAction, KostkaError, brief
from kostka.core.game import Game, Value
from kostka.core.record import (
    beyond_limits,
    brand,
    canonical,
    canonical_size,
    clone,
    fill,
    new,
    unlimited,
)
from kostka.core.rng import stream
from kostka.core.theme import dress

UNDRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" role="img">'
    '<text x="160" y="108" text-anchor="middle" font-size="28" fill="#8a8378">{}</text></svg>'
)

CHANCE, OVER, PUBLIC = rules.CHANCE, rules.OVER, rules.PUBLIC


class View:
    """A position as one seat knows it (``seat`` None: all of it)."""

    def __init__(
        self, game: Game, options: Mapping[str, Value], buffer: np.ndarray, seat: int | None = None
    ) -> None:
        self.game = game
        self.options = options
        #: The record, as an array of length 1: the form that kernels take.
        self.buffer = buffer
        self.seat = seat

    @property
    def record(self) -> Any:
        """The record itself; its fields are those of the game's state."""
        return self.buffer[0]

    @property
    def players(self) -> int:
        return int(self.options["players"])

    @property
    def mover(self) -> int:
        """The player to act, or CHANCE, or OVER."""
        return int(rules.mover(self.record))

    @property
    def over(self) -> bool:
        return self.mover == OVER

    @property
    def phase(self) -> str:
        """The name of the phase."""
        if self.game.phases:
            return self.game.phases[int(self.record.phase)]
        return {CHANCE: "chance", OVER: "over"}.get(self.mover, "play")

    @property
    def legal_actions(self) -> list[int]:
        """The legal actions of the player to act; of a hidden hand only its owner knows them."""
        out = np.empty(self.game.width, np.int64)
        _, k = play.legal_now(self.buffer, out)
        return out[:k].tolist()

    @property
    def scores(self) -> list[float]:
        """The points that people count, by player; none before the end where a game has none."""
        if not (self.game.scored or self.over):
            return []
        out = np.zeros(self.players)
        rules.score(self.record, out)
        return out.tolist()

    def text(self, action: int) -> str:
        """The notation of an action, or of an outcome at a chance node."""
        return self.game.part("actions").text(self.record, int(action))

    def describe(self, action: int) -> str:
        """An action or outcome in words."""
        words = getattr(self.game.part("actions"), "describe", None)
        return words(self.record, int(action)) if words else self.text(action)

    def parse(self, text: str) -> int:
        """The action or outcome that a notation means here."""
        text = text.strip()
        own = getattr(self.game.part("actions"), "parse", None)
        if own is not None:
            try:
                return int(own(self.record, text))
            except ValueError:
                pass
        else:
            every = [] if self.mover == CHANCE else range(self.game.actions)
            for action in (*self.legal_now(), *every):
                if self.text(action) == text:
                    return action
        example = ", ".join(self.text(a) for a in self.legal_now()[:3])
        raise KostkaError(
            f"{brief(text)} is no {self.game.title} notation here; for example: {example}"
        )

    def legal_now(self) -> list[int]:
        """What can happen next: legal actions, or outcomes at a chance node."""
        if self.mover == CHANCE:
            return [a for a, _ in self.outcomes]
        return self.legal_actions

    @property
    def outcomes(self) -> list[tuple[int, float]]:
        """At a chance node: every outcome and its exact probability."""
        if self.mover != CHANCE:
            return []
        out, prob = np.empty(self.game.width, np.int64), np.empty(self.game.width)
        k = rules.chance(self.record, out, prob)
        return list(zip(out[:k].tolist(), prob[:k].tolist(), strict=True))

    def why_not(self, action: int | str) -> str | None:
        """The rule that forbids an action here; None when it is legal."""
        try:
            code = self.parse(action) if isinstance(action, str) else int(action)
        except KostkaError as error:
            return str(error)
        if code in self.legal_now():
            return None
        if self.over:
            return "the game is over"
        if self.mover == CHANCE:
            return "that cannot come out here"
        if not 0 <= code < self.game.actions:
            return f"there is no such action in {self.game.title}"
        reason = getattr(self.game.part("actions"), "why_not", None)
        return reason(self.record, code) if reason else "the rules do not allow that now"

    def sample(self, rng: np.ndarray) -> "State":
        """A whole state that fits all this seat knows: what it does not know is guessed."""
        one = clone(self.buffer)
        if self.seat is not None:
            rules.determinize(one[0], self.seat, rng)
        return State(self.game, self.options, one)

    @property
    def svg(self) -> str:
        """The drawing of the position; of a game that does not draw itself only its name."""
        module = self.game.part("view")
        if not hasattr(module, "svg"):
            return UNDRAWN.format(escape(self.game.title))
        viewer = PUBLIC if self.seat is None else self.seat
        for_seat = (viewer,) if hasattr(module, "own") else ()
        return dress(self.game.name, module.svg(self.record, *for_seat))

    def _repr_svg_(self) -> str:
        return self.svg

    @property
    def code(self) -> str:
        """The position as one line of text that ``load`` reads back."""
        packed = base64.urlsafe_b64encode(zlib.compress(canonical(self.buffer), 9)).decode()
        return f"{self.game.name}/{self.game.version}/{packed}"

    @property
    def hash(self) -> str:
        """A short fingerprint of the position."""
        return hashlib.sha256(canonical(self.buffer)).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self.seat == other.seat and self.code == other.code

    def __hash__(self) -> int:
        return hash(self.hash)

    def __repr__(self) -> str:
        who = {CHANCE: "chance to decide", OVER: "over"}.get(self.mover, f"player {self.mover}")
        seen = "" if self.seat is None else f" seen by {self.seat}"
        return f"<{self.game.title}{seen}: {self.phase}, {who}, {self.hash}>"


class State(View):
    """The whole position, as only the referee and a search in its own guesses know it."""

    def apply(self, action: int | str) -> "State":
        """Carry out a legal action or an outcome, given as code or notation."""
        code = self.parse(action) if isinstance(action, str) else int(action)
        if code not in self.legal_now():
            raise IllegalAction(self.why_not(code) or "not legal")
        rules.apply(self.record, code)
        return self

    def take(self, turn: Iterable[int]) -> str:
        """Carry out actions or outcomes, each known to be legal; their notation."""
        texts = []
        for code in turn:
            texts.append(self.text(code))
            rules.apply(self.record, code)
        return " ".join(texts)

    def draw(self, rng: np.ndarray) -> int:
        """Sample an outcome of a chance node, without applying it."""
        out, prob = np.empty(self.game.width, np.int64), np.empty(self.game.width)
        return int(rules.sample(self.record, out, prob, rng))

    def settle(self, rng: np.ndarray) -> "State":
        """Let luck decide until a player has to."""
        while self.mover == CHANCE:
            rules.apply(self.record, self.draw(rng))
        return self

    def seen(self, action: int, viewer: int) -> int:
        """What a viewer learns of an action or outcome at this position."""
        return int(rules.seen(self.record, int(action), viewer))

    def view(self, seat: int = PUBLIC) -> View:
        """What one seat knows; without one, what everybody knows."""
        one = np.empty_like(self.buffer)
        play.see(self.buffer, one, seat)
        return View(self.game, self.options, one, seat)

    @property
    def returns(self) -> list[float]:
        """Each player's utility; the game must be over."""
        if not self.over:
            raise KostkaError("the game is not over; it has no result yet")
        out = np.zeros(self.players)
        rules.returns(self.record, out)
        return out.tolist()

    def copy(self) -> "State":
        """A state of its own."""
        return State(self.game, self.options, clone(self.buffer))


def begin(game: Game, options: Mapping[str, Value], seed: int) -> State:
    """A new game with the public set-up dealt; hidden set-up is left to chance nodes."""
    return State(game, options, dealt(blank(game, options), seed))


def blank(game: Game, options: Mapping[str, Value]) -> np.ndarray:
    """A position in which nothing but the options is known: the same for every seed."""
    one = new(game.dtype)
    game.part("setup").start(one[0], options)
    return one


def dealt(one: np.ndarray, seed: int) -> np.ndarray:
    """The same with the public set-up dealt."""
    fresh = clone(one)
    rules.deal(fresh[0], stream(seed, "deal"))
    return fresh


def load(game: Game, options: Mapping[str, Value], code: str) -> State:
    """The position that ``View.code`` wrote, or somebody else: it is checked."""
    name, _, rest = code.partition("/")
    version, _, packed = rest.partition("/")
    if name != game.name:
        raise KostkaError(f"this is a position of {brief(name)}, not of {game.name}")
    if version != str(game.version):
        raise KostkaError(
            f"this position is of version {brief(version)} of {game.name}; "
            f"this engine has {game.version}"
        )
    try:
        content = unpack(base64.urlsafe_b64decode(packed.encode()), canonical_size(game.dtype))
    except (ValueError, zlib.error):
        raise KostkaError(f"the code of a {game.name} position is damaged") from None
    return State(game, options, checked(game, options, content))


def unpack(packed: bytes, size: int) -> bytes:
    """What was packed, which is so many bytes and no more, whatever somebody has packed."""
    stream = zlib.decompressobj()
    content = stream.decompress(packed, size)
    if len(content) != size or not stream.eof:
        raise ValueError("it is not of the right size")
    return content


def checked(game: Game, options: Mapping[str, Value], content: bytes) -> np.ndarray:
    """A position from outside, from which nothing can go wrong; an error if there is none.

    Each field is within its limits, what the options say is as they say, and the rest is plausible.
    """
    if unlimited(game.dtype):
        names = ", ".join(unlimited(game.dtype))
        raise KostkaError(f"{game.name} cannot read positions: limits are missing for {names}")
    one, fresh = new(game.dtype), new(game.dtype)
    try:
        fill(one, content)
    except ValueError as error:
        raise KostkaError(f"this cannot be a {game.name} position: {error}") from None
    if wrong := beyond_limits(one):
        raise KostkaError(f"this cannot be a {game.name} position: {wrong}")
    game.part("setup").start(fresh[0], options)
    unlike = getattr(game.part("setup"), "unlike", None)
    if unlike is not None and (how := unlike(one[0], fresh[0])):
        raise KostkaError(f"this position does not fit the options: {how}")
    for field in fixed_fields(game.dtype):
        if fresh[field].any() and not np.array_equal(fresh[field], one[field]):
            raise KostkaError(f"this position does not fit the options: {field} differs")
    if not rules.plausible(one[0]):
        raise KostkaError(f"this cannot be a {game.name} position: its parts do not fit together")
    return one


def fixed_fields(dtype: np.dtype) -> list[str]:
    """What never changes during a game."""
    names = list(dtype.names or ())
    return names[names.index(f"@{brand(dtype)}") + 1 :]
