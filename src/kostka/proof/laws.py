"""The laws of the contract of a game.

A law is a function whose docstring is its sentence. It yields once a case: True where it holds,
what is wrong where it does not. An exception in a function of the game breaks the law as well.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from kostka.core import rules
from kostka.core.game import Game
from kostka.core.record import beyond_limits, clone, unlimited
from kostka.core.state import CHANCE, PUBLIC, State, View, begin, load
from kostka.proof.chances import (
    FALSE_ALARM,
    has_playout_of_its_own,
    play_out,
    surprise,
    tally,
    unlike,
)
from kostka.proof.law import Verdicts, law
from kostka.proof.positions import (
    Position,
    Secret,
    Survey,
    TracedGame,
    differences,
    follow,
    moves,
    same,
)

#: Draws at a chance node, and how exact a sum has to be.
DRAWS, TOLERANCE = 10_000, 1e-9

#: Positions of a phase from which two worlds are played side by side, and for how many events.
LOCKSTEPS, LOCKSTEP_EVENTS = 30, 30

#: Positions of a phase that are played out, playouts of each, and decisions until some are cut.
PLAYED_OUT, PLAYOUTS, SHORT = 6, 1000, 12

#: Positions after a secret that are sampled for each viewer, and how often each.
SECRETS, SAMPLES = 40, 4

#: At a position: illegal actions that are asked about, and events that a viewer is told about.
REFUSALS, TOLD = 4, 12

#: Events played to see whether two games share anything.
SHARED_EVENTS = 50

#: Positions of a phase in which all turns are tried, unless there are more of them than this, and
#: the most decisions of a turn.
TURNS_TRIED, MOST_TURNS, LONGEST_TURN = 30, 20_000, 64

#: Room for the quantities that a game conserves.
QUANTITIES = 256

OPEN = "nothing is hidden"
NO_LUCK = "there is no luck"


# --- the course of a game ---


@law(Survey)
def every_phase_is_reached(survey: Survey) -> Verdicts:
    """Every phase is reached."""
    for phase in survey.game.phases or ("play", "over"):
        yield bool(survey.positions.get(phase)) or f"phase {phase} was never reached"


@law(Survey)
def every_option_can_be_played(survey: Survey) -> Verdicts:
    """Every value of every option can be played."""
    for options, refusal in survey.tried:
        yield not refusal or f"{options} is refused: {refusal}"


@law(TracedGame)
def every_random_game_ends(line: TracedGame) -> Verdicts:
    """Every random game ends within the length that the game declares."""
    if line.trouble:
        yield line.trouble
    else:
        ended = line.last is not None and line.last.over
        yield ended or f"it goes on after {line.decisions} decisions, {len(line.codes)} events"


@law(Position)
def somebody_is_to_move(p: Position) -> Verdicts:
    """A player is to move, or luck, or the game is over."""
    s = p.state
    yield rules.OVER <= s.mover < s.players or f"the mover is {s.mover}"


@law(Position)
def fields_stay_within_limits(p: Position) -> Verdicts:
    """Every field declares limits, and no position or view leaves them."""
    s = p.state
    missing = ", ".join(unlimited(s.game.dtype))
    yield not missing or f"no limits are declared for {missing}"
    for v in (s, *(s.view(seat) for seat in (*range(s.players), PUBLIC))):
        yield beyond_limits(v.buffer) is None or f"{beyond_limits(v.buffer)}, {v}"


@law(Position)
def legal_actions_are_sound(p: Position) -> Verdicts:
    """Legal actions are distinct codes of the game, no more than declared; each can be applied."""
    s = p.state
    if s.mover >= 0:
        actions, most = s.legal_actions, s.game.choices or s.game.actions
        yield len(actions) <= most or f"there are {len(actions)}, but {most} choices are declared"
        yield bool(actions) or "there is no legal action"
        yield len(set(actions)) == len(actions) or f"actions are listed twice: {actions}"
        for a in actions:
            yield in_range("action", a, s.game.actions)
        yield bool(p.after) or "none can be applied"  # an exception tells which cannot


@law(Position)
def the_mover_knows_his_actions(p: Position) -> Verdicts:
    """The legal actions are the same from the mover's view as from the state."""
    s = p.state
    if s.mover >= 0:
        true, seen = s.legal_actions, s.view(s.mover).legal_actions
        yield true == seen or f"they are {true}, but from the view {seen}"


@law(Position)
def looking_changes_nothing(p: Position) -> Verdicts:
    """Looking at a position does not change it."""
    looked_at = p.state.copy()
    for name, look in looks(p, looked_at):
        look()
        yield same(looked_at, p.state) or f"{name} changes {differences(looked_at, p.state)}"


@law(Position)
def apply_is_deterministic(p: Position) -> Verdicts:
    """The same event has the same effect."""
    for a, state in p.after.items():
        again = follow(p.state, a)
        yield same(state, again) or f"{p.state.text(a)} leaves another {differences(state, again)}"


@law(Position, idle="the game declares nothing fixed")
def what_is_fixed_stays(p: Position) -> Verdicts:
    """What is declared fixed never changes: not in play, not in a view, not in a sample."""
    _, *fixed = itertools.dropwhile(lambda name: name[0] != "@", p.state.buffer.dtype.names or ())
    found: list[tuple[str, View]] = [(f"after {a}", after) for a, after in p.after.items()]
    found += [(f"in the view of {who(v)}", p.state.view(v)) for v in p.viewers]
    found += [(f"in a sample of {who(v)}", p.sample(v)) for v in p.viewers]
    for where, other in found if fixed else ():
        changed = differences(p.state, other, fixed)
        yield not changed or f"{where} there is another {changed}"


@law(TracedGame, idle="the game names nothing that is conserved")
def what_is_conserved_stays(line: TracedGame) -> Verdicts:
    """What the game says is conserved is conserved."""
    quantities = [conserved(state) for state, _ in line.past]
    for now in quantities if any(quantities) else ():
        yield now == quantities[0] or f"{quantities[0]} became {now}"


# --- luck ---


@law(Position, idle=NO_LUCK)
def probabilities_sum_to_one(p: Position) -> Verdicts:
    """Outcomes are distinct codes of the game with positive probabilities that sum to 1."""
    s = p.state
    if s.mover == CHANCE:
        outcomes = s.outcomes
        yield len(dict(outcomes)) == len(outcomes) or f"outcomes are listed twice: {outcomes}"
        for a, probability in outcomes:
            yield in_range("outcome", a, s.game.outcomes)
            yield probability > 0 or f"{s.text(a)} has the probability {probability}"
        total = sum(probability for _, probability in outcomes)
        yield abs(total - 1) < TOLERANCE or f"the probabilities sum to {total}"


@law(Position, idle=NO_LUCK)
def luck_is_fair(p: Position) -> Verdicts:
    """Luck falls as its probabilities say, and comes from a stream of the game."""
    s = p.state
    if s.mover == CHANCE:
        yield in_range("stream", int(rules.luck_source(s.record)), s.game.streams)
        out, prob = buffers(s.game)
        counts = np.zeros(s.game.outcomes, np.int64)
        tally(s.copy().buffer, out, prob, p.stream("draws"), DRAWS, counts)
        odds = dict(s.outcomes)
        drawn = int(counts[list(odds)].sum())
        yield drawn == DRAWS or f"{DRAWS - drawn} of {DRAWS} draws are no outcome of this node"
        limit = math.log(2 * len(odds) / FALSE_ALARM)
        for a, probability in odds.items():
            yield surprise(counts[a] / DRAWS, probability) * DRAWS < limit or (
                f"{s.text(a)} was drawn {counts[a]} times of {DRAWS}, "
                f"but its probability is {probability:.4f}"
            )


@law(Position, idle="the game has no playout of its own")
def playouts_are_as_likely_as_play(p: Position) -> Verdicts:
    """A game's own playouts end as play by the rules does, and are whole where they are cut."""
    s = p.state
    own = [n for n, one in s.game.policies.items() if has_playout_of_its_own(s.game, one)]
    if own and p.rank < PLAYED_OUT:
        name = own[p.rank % len(own)]
        for limit in (s.game.length, p.chooser("limit").randrange(SHORT)):
            mine, due = (
                play_out(s, s.game.policies[name], limit, PLAYOUTS, p.stream(name, way), way)
                for way in (False, True)
            )
            wrong = next(unlike(mine, due), "")
            yield not wrong or f"{name}, {limit} decisions at most, leaves {wrong}"
            cut = [State(s.game, s.options, one) for one in mine.cut[:SAMPLES, None]]
            for one in cut:
                sound = beyond_limits(one.buffer) is None and bool(rules.plausible(one.record))
                yield sound or f"{name} is cut short in an impossible position: {one}"


# --- what it is worth ---


@law(Position)
def returns_sum_to_one(p: Position) -> Verdicts:
    """Returns lie between 0 and 1, are equal within a side, and sum to 1 over the sides."""
    s = p.state
    if s.over:
        returns, teams = s.returns, s.game.teams(s.options)
        sides = dict(zip(teams, returns, strict=True))
        yield all(0 <= one <= 1 for one in returns) or f"the returns are {returns}"
        yield abs(sum(sides.values()) - 1) < TOLERANCE or f"{returns} do not sum to 1"
        equal = all(sides[side] == one for side, one in zip(teams, returns, strict=True))
        yield equal or f"the sides are {teams}, but the returns {returns}"


@law(Position)
def evaluations_are_in_range(p: Position) -> Verdicts:
    """Evaluations lie between 0 and 1 for every player."""
    s = p.state
    for name, one in s.game.evaluations.items() if s.mover != CHANCE else ():
        for player in range(s.players):
            value = float(rules.evaluate(one[0], s.record, player))
            yield 0 <= value <= 1 or f"{name} gives {who(player)} {value}"


@law(Position, idle="the game knows no best turn without trying all")
def the_best_turn_is_the_best_of_all(p: Position) -> Verdicts:
    """A best turn that the game knows is the one that trying all of them finds."""
    s = p.state
    knowing = [
        (name, one)
        for name, one in s.game.evaluations.items()
        if (one.dtype, s.game.dtype) in rules.best_turn.methods
    ]
    for name, one in knowing if s.mover >= 0 and p.rank < TURNS_TRIED else ():
        looked_at, (out, _) = s.copy(), buffers(s.game)
        turn, gain = np.zeros(LONGEST_TURN, np.int64), np.zeros(s.players)
        count = int(rules.best_turn(one[0], looked_at.record, turn, gain, out))
        yield same(looked_at, s) or f"{name} leaves another {differences(looked_at, s)}"
        every = list(itertools.islice(turns(s, s.mover), MOST_TURNS)) if count else []
        if 0 < len(every) < MOST_TURNS:
            worth = [worths(after, one) for _, after in every]
            most = max(each[s.mover] for each in worth)
            first = next(i for i, w in enumerate(worth) if w[s.mover] > most - TOLERANCE)
            found, due = tuple(turn[:count].tolist()), every[first][0]
            yield found == due or f"{name} takes {texts(s, found)}, but {texts(s, due)} is first"
            right = found != due or np.allclose(gain, worth[first], rtol=0, atol=TOLERANCE)
            yield right or f"{name} says {gain.tolist()} of {worth[first]}"


@law(Position)
def sides_are_those_that_are_declared(p: Position) -> Verdicts:
    """The rules know the sides that the game declares."""
    s = p.state
    teams = s.game.teams(s.options)
    for player in range(s.players):
        side = int(rules.side(s.record, player))
        yield side == teams.index(teams[player]) or f"{who(player)} is on the side of {side}"


@law(Position)
def heuristics_are_read_only(p: Position) -> Verdicts:
    """No policy or evaluation changes its record."""
    game = p.state.game
    for name, one in {**game.policies, **game.evaluations}.items():
        record = clone(one)
        for question, ask in questions(p, record):
            ask()
            yield record.tobytes() == one.tobytes() or f"{question} changes the record of {name}"


@law(Position)
def policies_take_legal_actions(p: Position) -> Verdicts:
    """Policies take legal actions, and need no more than the mover's view."""
    s = p.state
    if s.mover >= 0:
        view, (out, _) = s.view(s.mover), buffers(s.game)
        for name, one in s.game.policies.items():
            a = int(rules.policy(one[0], view.record, out, p.stream(name)))
            yield a in s.legal_actions or f"{name} takes {a}, which is not legal"


# --- what is hidden ---


@law(Position)
def a_view_reads_like_the_state(p: Position) -> Verdicts:
    """A view of a view is that view, with the mover and the phase of the state."""
    s = p.state
    for v in p.viewers:
        view = s.view(v)
        again = State(s.game, s.options, view.buffer).view(v)
        yield same(view, again) or f"seen again by {who(v)}: another {differences(view, again)}"
        true, read = (s.mover, s.phase), (view.mover, view.phase)
        yield read == true or f"mover and phase are {true}, but {read} for {who(v)}"


@law(Position)
def what_is_seen_has_a_code(p: Position) -> Verdicts:
    """What is seen is the event or a code beyond the game's, and own actions look different."""
    s = p.state
    beyond = s.game.outcomes if s.mover == CHANCE else s.game.actions
    for v in p.viewers:
        codes = {a: s.seen(a, v) for a in p.options}
        for a, code in codes.items():
            yield code == a or code >= beyond or f"{who(v)} sees {code} in place of {a}"
        clear = not moves(s, v) or len(set(codes.values())) == len(codes)
        yield clear or f"{who(v)} cannot tell his own actions apart: {codes}"


@law(Position, idle=OPEN)
def what_looks_the_same_leaves_the_same_view(p: Position) -> Verdicts:
    """What looks the same leaves the same view."""
    for v in p.viewers:
        for a, b in p.lookalikes(v):
            one, two = p.after[a].view(v), p.after[b].view(v)
            yield same(one, two) or (
                f"{who(v)} should not tell {p.state.text(a)} from {p.state.text(b)}, "
                f"but can by {differences(one, two)}"
            )


@law(Position, idle=OPEN)
def the_log_tells_no_more_than_the_view(p: Position) -> Verdicts:
    """The log tells no more than the view."""
    s = p.state
    for v in p.viewers:
        first: dict[bytes, int] = {}
        for b, after in p.after.items():
            a = first.setdefault(after.view(v).buffer.tobytes(), b)
            if not same(p.after[a], after):
                yield s.seen(a, v) == s.seen(b, v) or (
                    f"{who(v)} is told whether it was {s.text(a)} or {s.text(b)}, "
                    "but his view is the same"
                )


@law(Position, idle=OPEN)
def the_public_sees_no_more_than_a_player(p: Position) -> Verdicts:
    """The public sees no more than any player."""
    s = p.state
    for v in range(s.players):
        for a, b in p.lookalikes(v):
            yield s.seen(a, PUBLIC) == s.seen(b, PUBLIC) or (
                f"the public can tell {s.text(a)} from {s.text(b)}, {who(v)} cannot"
            )


@law(Position, idle=OPEN)
def worlds_that_look_the_same_stay_so(p: Position) -> Verdicts:
    """Worlds that look the same to a viewer stay so as long as he sees the same events.

    What comes to light must be seen: by a code of its own, or as an outcome of its own.
    """
    if p.rank < LOCKSTEPS:
        secrets = [(v, p.after[a], p.after[b]) for v in p.viewers for a, b in p.lookalikes(v)]
        rng = p.chooser("worlds")
        if secrets:
            yield lockstep(*rng.choice(secrets), rng)
        v = rng.choice(p.viewers)
        if not same(guess := p.sample(v), p.state):
            yield lockstep(v, p.state, guess, rng)


def lockstep(v: int, left: State, right: State, rng: random.Random) -> bool | str:
    """Play on in two worlds by events that look the same to a viewer, and compare his views."""
    seen: list[str] = []
    for _ in range(LOCKSTEP_EVENTS):
        if left.over or right.over or same(left, right):  # the end may reveal everything
            break
        one, two = left.view(v), right.view(v)
        if not same(one, two):
            how = f"{who(v)} sees {', '.join(seen[-6:])} in two worlds, but can tell them apart"
            return not seen or f"{how} by {differences(one, two)}"
        if moves(left, v) and left.legal_actions != right.legal_actions:
            return f"{who(v)} has other legal actions in a world that looks the same"
        pair = alike(v, left, right, rng)
        if pair is None:
            break
        seen.append(one.text(left.seen(pair[0], v)))
        left, right = follow(left, pair[0]), follow(right, pair[1])
    return True


def alike(v: int, left: State, right: State, rng: random.Random) -> tuple[int, int] | None:
    """Random events of two worlds that look the same to a viewer; his own are the same."""
    here, there = left.legal_now(), right.legal_now()
    matches = {right.seen(b, v): b for b in rng.sample(there, len(there))}
    for a in rng.sample(here, len(here)):
        b = matches.get(left.seen(a, v))
        if b is not None and (a == b or not moves(left, v)):
            return a, b
    return None


@law(Position, idle=OPEN)
def a_sample_fits_the_view(p: Position) -> Verdicts:
    """A sample fits all that the viewer knows."""
    s = p.state
    for v in p.viewers:
        view, guess = s.view(v), p.sample(v)
        if same(view, s) and same(guess, s):
            continue
        seen = guess.view(v)
        yield same(seen, view) or f"{who(v)} would see another {differences(seen, view)}"
        yield guess.mover == view.mover or f"in a sample of {who(v)} somebody else is to move"
        if moves(view, v):
            true = guess.legal_actions == s.legal_actions
            yield true or f"in a sample {who(v)} has other legal actions"
        yield conserved(guess) == conserved(s) or (
            f"{conserved(s)} is conserved, but {conserved(guess)} in a sample of {who(v)}"
        )
        yield same(guess, p.sample(v)) or f"samples of {who(v)} from one stream differ"
        view.sample(p.stream("sample", v))
        yield same(view, s.view(v)) or f"taking a sample changes the view of {who(v)}"


@law(Secret, idle=OPEN)
def samples_are_not_the_truth(secret: Secret) -> Verdicts:
    """Samples are not always the truth, and not always the same."""
    true = alike = True
    for p in secret.positions[:SECRETS]:
        view = p.state.view(secret.viewer)
        guesses = [view.sample(p.stream("guess", n)) for n in range(SAMPLES)]
        true = true and all(same(guess, p.state) for guess in guesses)
        alike = alike and all(same(guess, guesses[0]) for guess in guesses)
    yield not true or f"all samples of {who(secret.viewer)} are the truth"
    yield not alike or f"all samples of {who(secret.viewer)} from one view are the same"


# --- copies, replays and notation ---


@law(TracedGame)
def past_states_stay(line: TracedGame) -> Verdicts:
    """Copies share nothing: no past state changes as play goes on."""
    for number, (state, before) in enumerate(line.past):
        yield state.buffer.tobytes() == before or f"the state after {number} events has changed"


@law(TracedGame)
def a_seed_gives_one_game(line: TracedGame) -> Verdicts:
    """Games from one seed start alike and share nothing, not even their options."""
    options = dict(line.options)
    one, two = (begin(line.game, options, line.seed) for _ in range(2))
    yield options == line.options or f"starting a game changes its options to {options}"
    yield same(one, two) or f"the second differs in {differences(one, two)}"
    yield not np.shares_memory(one.buffer, two.buffer) or "they share memory"
    for a in line.codes[:SHARED_EVENTS]:
        rules.apply(two.record, a)
    three = begin(line.game, options, line.seed)
    yield same(one, three) or f"playing one changes {differences(one, three)} of another"


@law(TracedGame)
def a_replay_is_identical(line: TracedGame) -> Verdicts:
    """A replay from the notations is identical, bit by bit."""
    state = begin(line.game, dict(line.options), line.seed)
    for a, (past, _) in zip(line.codes, line.past, strict=False):
        yield same(state, past) or f"another {differences(state, past)} before {state.text(a)}"
        state.apply(state.text(a))


@law(Position)
def every_notation_parses_back(p: Position) -> Verdicts:
    """Every notation parses back, for the mover too, and no two are alike."""
    s = p.state
    readers: list[View] = [s, *([s.view(s.mover)] if s.mover >= 0 else [])]
    texts = [s.text(a) for a in p.options]
    yield len(set(texts)) == len(texts) or f"two events have one notation: {sorted(texts)}"
    for a, text in zip(p.options, texts, strict=True):
        for reader in readers:
            yield reader.text(a) == text or f"{text} is {reader.text(a)} in the mover's view"
            back = reader.parse(text)
            yield back == a or f"{text} stands for {a}, but is read as {back}"


@law(Position)
def what_is_seen_can_be_told(p: Position) -> Verdicts:
    """Whatever a viewer sees has a notation and a description in his view."""
    for v in p.viewers:
        view, codes = p.state.view(v), {p.state.seen(a, v) for a in p.options}
        some = p.chooser("told", v).sample(sorted(codes), min(TOLD, len(codes)))
        texts = [view.text(code) for code in some]
        told = all(texts) and all(view.describe(code) for code in some)
        yield told or f"something that {who(v)} sees has no words: {texts}"
        yield len(set(texts)) == len(texts) or f"{who(v)} reads one notation of two: {texts}"


@law(Position)
def refusals_have_reasons(p: Position) -> Verdicts:
    """Only illegal actions are refused, and with a reason."""
    s = p.state
    for a in p.options[:REFUSALS]:
        yield s.why_not(a) is None or f"{s.text(a)} is refused: {s.why_not(a)}"
    if s.mover >= 0:
        view, rng = s.view(s.mover), p.chooser("refused")
        some = {rng.randrange(s.game.actions) for _ in range(REFUSALS)}
        for a in some - set(s.legal_actions):
            yield bool(view.why_not(a)) or f"{a} is not legal, but nothing is said against it"


@law(Position)
def a_position_is_read_back(p: Position) -> Verdicts:
    """A position, and every view of it, is read back from its code."""
    s = p.state
    for v in (s, *(s.view(seat) for seat in (*range(s.players), PUBLIC))):
        back = load(s.game, s.options, v.code)
        yield same(back, v) or f"what is read back has another {differences(back, v)}"


# --- words and numbers for the laws ---


def looks(p: Position, s: State) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every function that may only look at a state."""
    out, _ = buffers(s.game)
    yield "mover", lambda: s.mover
    yield "score", lambda: s.scores
    yield "conserved", lambda: conserved(s)
    yield "seen", lambda: [s.seen(a, v) for a in p.options[:TOLD] for v in p.viewers]
    if s.mover == CHANCE:
        yield "chance", lambda: s.outcomes
        yield "stream", lambda: rules.luck_source(s.record)
        yield "draw", lambda: s.draw(p.stream("look"))
    elif s.over:
        yield "returns", lambda: s.returns
    else:
        yield "legal", lambda: s.legal_actions
        for one in s.game.policies.values():
            yield "policy", partial(rules.policy, clone(one)[0], s.record, out, p.stream("look"))
        for one in s.game.evaluations.values():
            yield "evaluate", partial(rules.evaluate, clone(one)[0], s.record, s.mover)


def questions(p: Position, one: np.ndarray) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Everything that a policy or an evaluation may be asked at a position."""
    s, h = p.state.copy(), one[0]
    r, (out, _) = s.record, buffers(s.game)

    def known(generic: Any) -> bool:
        return (one.dtype, s.game.dtype) in generic.methods or (one.dtype,) in generic.methods

    if s.mover != CHANCE and rules.evaluate.find((one.dtype, s.game.dtype)):
        yield "evaluate", lambda: [rules.evaluate(h, r, player) for player in range(s.players)]
    if s.over and known(rules.reward):
        yield "reward", lambda: rules.reward(h, r, np.zeros(s.players))
    if s.mover < 0:
        return
    if known(rules.policy):
        yield "policy", lambda: rules.policy(h, r, out, p.stream("ask"))
    if known(rules.prior):
        yield "prior", lambda: [rules.prior(h, r, a) for a in p.options[:TOLD]]
    if known(rules.sensible):
        yield "sensible", lambda: rules.sensible(h, r, out, rules.legal(r, out))
    if known(rules.guess):
        guessed = s.view(s.mover).buffer
        yield "guess", lambda: rules.guess(h, guessed[0], s.mover, p.stream("guess"))


def turns(s: State, mover: int, before: tuple[int, ...] = ()) -> Iterator[tuple[Any, State]]:
    """Every whole turn of the mover, in the order of its decisions, with the position after it."""
    for a in s.legal_actions:
        after = follow(s, a)
        if after.mover == mover:
            yield from turns(after, mover, (*before, a))
        else:
            yield (*before, a), after


def worths(s: State, one: np.ndarray) -> list[float]:
    """What a heuristic says of a position for each player; of a game that is over, its reward."""
    if not s.over:
        return [float(rules.evaluate(one[0], s.record, player)) for player in range(s.players)]
    gain = np.zeros(s.players)
    rules.reward(one[0], s.record, gain)
    return gain.tolist()


def texts(s: State, turn: tuple[int, ...]) -> str:
    """The notation of a turn, as far as it is legal."""
    said: list[str] = []
    now = s
    for a in turn:
        if a not in now.legal_now():
            return " ".join([*said, f"{a} (not legal)"])
        said.append(now.text(a))
        now = follow(now, a)
    return " ".join(said)


def buffers(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Room for codes and for probabilities."""
    return np.empty(game.width, np.int64), np.empty(game.width)


def conserved(state: State) -> list[int]:
    """The quantities that the game says are conserved."""
    out = np.zeros(QUANTITIES, np.int64)
    return out[: rules.conserved(state.record, out)].tolist()


def who(viewer: int) -> str:
    return "the public" if viewer == PUBLIC else f"player {viewer}"


def in_range(kind: str, code: int, size: int) -> bool | str:
    return 0 <= code < size or f"{kind} {code} is not between 0 and {size - 1}"
