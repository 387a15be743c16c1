"""Records that somebody has tampered with: a reader answers with a sentence, or with a game.

Real records of a game, of the referee and of seats, are damaged in every way we could think of and
read by a process of its own, with bounds checks and a limit of memory and time. It must never die,
hang, or be stopped by anything but a ``KostkaError``.
"""

import base64
import json
import multiprocessing
import os
import random
import resource
import signal
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core import present, rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game
from kostka.core.game import game as find_game
from kostka.core.log import Event, GameLog, start_record
from kostka.core.record import canonical, canonical_size
from kostka.core.rng import below, stream
from kostka.core.state import CHANCE, PUBLIC, State, begin, load
from kostka.proof.positions import option_sets

#: Seconds that one record may take, and bytes that reading may take beyond what is there before.
PATIENCE, MEMORY = 60, 1 << 30
#: Events of the games that are tampered with, and decisions that are played on from a record.
LONGEST, ONWARD = 120, 40
#: Numbers and other things that somebody may write in place of what belongs there.
ODDITIES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 7, 255, 2**31, 2**63, -(2**63), 2**70, 0.5, float("nan"), float("inf"),
    "", "x", "0", "é\0", "9" * 400, [], [[]], {}, {"by": 0}, [1] * 300,
)  # fmt: skip


@dataclass
class Outcome:
    """What came of the records: how many were played, refused, and what went wrong with which."""

    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)


# --- records to tamper with ---


def played(game: Game, seed: int) -> GameLog:
    """The record of a random game, with options drawn by lot; perhaps broken off."""
    rng = stream(seed, "fuzz")
    chosen = option_sets(game, random.Random(seed))
    options = game.check(chosen[below(rng, len(chosen))])
    number = int(below(rng, 1 << 31))
    state = begin(game, options, number)
    log = start_record(state, ["somebody"] * state.players)
    while not state.over and len(log.events) < LONGEST:
        if state.mover == CHANCE:
            code = state.draw(rng)
        else:
            code = state.legal_actions[below(rng, len(state.legal_actions))]
        log.events.append(Event(state.mover, state.text(code)))
        state.apply(code)
    if state.over:
        log.result, log.hash, log.seed = state.returns, state.hash, number
    return log


def tampered(game: Game, seed: int, number: int) -> bytes:
    """One record, damaged in one or several ways; a few are left as they are."""
    lot = random.Random(f"{seed} {number}")
    log = played(game, lot.randrange(64))
    seats = [None, PUBLIC, *range(len(log.seats))]
    seat = lot.choice(seats)
    lines = (log if seat is None else log.for_seat(seat)).dumps().splitlines()
    content = [json.loads(line) for line in lines]
    for _ in range(lot.choice((0, 1, 1, 1, 2, 4))):
        lot.choice((spoil_json, spoil_json, spoil_lines, spoil_start, spoil_start, spoil_view))(
            lot, game, content
        )
    text = "".join(json.dumps(line, ensure_ascii=lot.random() < 0.5) + "\n" for line in content)
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(lot.choice((0, 0, 0, 1, 5))):
        spoil_bytes(lot, raw)
    return bytes(raw)


def spoil_bytes(lot: random.Random, raw: bytearray) -> None:
    """Change, cut out or repeat some bytes, or open more brackets than any reader can count."""
    if raw:
        at = lot.randrange(len(raw))
        how = lot.choice((0, 0, 0, 1, 1, 1, 2, 2, 2, 3))
        if how == 0:
            raw[at] = lot.randrange(256)
        elif how == 1:
            del raw[at : at + lot.choice((1, 8, 4000))]
        elif how == 3:
            raw[at:at] = lot.choice((b"[", b'{"a":')) * 100_000
        else:
            raw[at:at] = raw[at : at + lot.choice((1, 8, 4000))]


def spoil_json(lot: random.Random, game: Game, content: list) -> None:
    """Put something odd in place of a value, anywhere; or leave it out."""
    line = lot.choice(content) if content else {}
    if isinstance(line, dict) and line:
        key = lot.choice(list(line))
        inside = line[key]
        if isinstance(inside, dict) and inside and lot.random() < 0.7:
            line, key = inside, lot.choice(list(inside))
        if lot.random() < 0.1:
            del line[key]
        else:
            line[key] = lot.choice(ODDITIES)


def spoil_lines(lot: random.Random, game: Game, content: list) -> None:
    """Lose, repeat or exchange lines."""
    if len(content) > 1:
        a, b = lot.randrange(len(content)), lot.randrange(len(content))
        how = lot.randrange(3)
        if how == 0:
            del content[a]
        elif how == 1:
            content.insert(a, content[b])
        else:
            content[a], content[b] = content[b], content[a]


def spoil_start(lot: random.Random, game: Game, content: list) -> None:
    """Make up some numbers of the position at the start."""
    header = content[0] if content else {}
    try:
        buffer = load(game, game.check(header["options"]), header["start"]).buffer
    except (KostkaError, KeyError, TypeError, AttributeError):
        return
    words = np.frombuffer(canonical(buffer), np.int64).copy()
    for _ in range(lot.choice((1, 1, 3, 20))):
        words[lot.randrange(len(words))] = lot.choice(
            (-1, 0, 1, 2, lot.randrange(8), lot.randrange(64), lot.randrange(256), -(2**63), 2**40)
        )
    packed = base64.urlsafe_b64encode(zlib.compress(words.tobytes())).decode()
    header["start"] = f"{game.name}/{game.version}/{packed}"


def spoil_view(lot: random.Random, game: Game, content: list) -> None:
    """Make up how a view has changed, or pack more than a view can hold."""
    events = [line for line in content[1:] if isinstance(line, dict) and "result" not in line]
    if not events:
        return
    size = canonical_size(game.dtype)
    change = bytearray(size)
    for _ in range(lot.choice((1, 3, 20))):
        change[lot.randrange(size)] = lot.randrange(256)
    if lot.random() < 0.1:
        change = bytearray(lot.choice((0, 1, size - 8, 64 * size, 1 << 24)))
    lot.choice(events)["view"] = base64.b64encode(zlib.compress(bytes(change))).decode()


# --- reading them ---


def read(raw: bytes, seed: int) -> str:
    """Do with a record whatever any command does; what came of it, in a word."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return "refused"
    try:
        log = GameLog.loads(text)
        log.verify()
        last = log.replay()
        if isinstance(last, State):
            log.for_seat(PUBLIC)
            play_on(last, seed)
        last.legal_now()
        present.status(last)
        return "played"
    except KostkaError:
        return "refused"


def play_on(state: State, seed: int) -> None:
    """Play a little from where a record ends, as an analysis would."""
    rng = stream(seed, "onward")
    for _ in range(ONWARD):
        if state.over:
            return
        if state.mover == CHANCE:
            rules.apply(state.record, state.draw(rng))
        else:
            legal = state.legal_actions
            state.apply(legal[below(rng, len(legal))])


def serve(name: str, seed: int, numbers: range, pipe: Connection) -> None:
    """Read records one after the other and tell what came of each."""
    game = find_game(name)
    read(played(game, 0).dumps().encode(), seed)  # compiles before memory and time are limited
    for seat in (PUBLIC, 0):
        read(played(game, 1).for_seat(seat).dumps().encode(), seed)
    limit_memory()
    pipe.send("ready")
    for number in numbers:
        raw = tampered(game, seed, number)
        signal.alarm(PATIENCE)  # nobody catches it: a kernel that hangs ends the process
        try:
            answer = read(raw, seed)
        except BaseException as error:
            answer = f"! {type(error).__name__}: {error}"
        signal.alarm(0)
        pipe.send((number, answer))
    pipe.close()


def limit_memory() -> None:
    """Let this process have no more than a little beyond what it has now, where that is known."""
    held = Path("/proc/self/statm")
    if held.exists():
        limit = int(held.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE") + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def fuzz(
    game: Game, records: int, seed: int, watch: Callable[[int], None] = lambda n: None
) -> Outcome:
    """Let a process read so many records; one that dies is replaced and its record noted."""
    found, first = Outcome(), 0
    while first < records:
        for number, answer in answers(game, seed, range(first, records)):
            first = number + 1
            if answer.startswith("!"):
                found.faults.append((number, answer[2:]))
            else:
                found.kinds[answer] += 1
            watch(first)
    return found


def answers(game: Game, seed: int, numbers: range) -> Iterator[tuple[int, str]]:
    """What a fresh process says of each record; if it dies, that of the one it was reading."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe(duplex=False)
    before = os.environ.get("NUMBA_BOUNDSCHECK")
    os.environ["NUMBA_BOUNDSCHECK"] = "1"
    child = spawn.Process(target=serve, args=(game.name, seed, numbers, theirs), daemon=True)
    child.start()
    theirs.close()
    if before is None:
        del os.environ["NUMBA_BOUNDSCHECK"]
    else:
        os.environ["NUMBA_BOUNDSCHECK"] = before
    number = None
    try:
        ours.recv()
        number = numbers.start - 1
        while number + 1 < numbers.stop:
            number, answer = ours.recv()
            yield number, answer
    except EOFError:
        child.join()
        if number is None:
            raise KostkaError(f"no process can read records of {game.name}") from None
        hung = child.exitcode == -signal.SIGALRM
        yield number + 1, f"! {'it hung' if hung else f'it died with {child.exitcode}'}"
    finally:
        child.kill()
        child.join()
