"""What agents do in games of Risk: the table on the game's page.

    python benchmarks/risk.py AGENT [AGENT …] [--games N] [--seed N] [-o NAME=VALUE …]

Each agent in turn sits with copies of the last one, in every seat. Of its own turns it says how
many continents it held when they began and how many territories it took; of games how many were
decided, in how many turns, and who won. Time is processor time.
"""

import argparse
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from kostka.agents import make
from kostka.arena.match import prepare
from kostka.arena.referee import play_game
from kostka.core import bits, rules
from kostka.core.game import game
from kostka.core.state import begin
from kostka.games.risk.actions import END
from kostka.games.risk.state import DONE, NOBODY, TRADE

GAME = game("risk")


class Timed:
    """An agent, and the processor time of its decisions between several actions."""

    def __init__(self, agent: Any) -> None:
        self.agent, self.seconds, self.decisions = agent, 0.0, 0
        for name in ("begin", "observe", "end"):
            if hasattr(agent, name):
                setattr(self, name, getattr(agent, name))

    def act(self, view: Any) -> int:
        began, several = time.process_time(), len(view.legal_actions) > 1
        code = self.agent.act(view)
        self.seconds += (time.process_time() - began) * several
        self.decisions += several
        return int(code)


def continents(s: Any, player: int) -> int:
    """How many continents a player holds."""
    whole = (bits.minus(s.continent_land[c], s.land[player]) for c in range(s.continents))
    return sum(bool(bits.empty(rest)) for rest in whole)


def turns(options: Any, seed: int, codes: Any, seat: int) -> Iterator[tuple[int, int]]:
    """Of a seat's turns: the continents held when each began, and the territories taken in it."""
    state = begin(GAME, options, seed)
    s, at, held, before = state.record, -1, 0, 0
    for code in codes:
        rules.apply(s, code)
        begun = not s.setup[: s.players].any() and s.phase != DONE
        if begun and s.player == seat and s.turns != at:
            at, held, before = int(s.turns), continents(s, seat), int(bits.count(s.land[seat]))
        elif at >= 0 and (s.player != seat or s.phase == DONE):
            yield held, int(bits.count(s.land[seat])) - before
            at = -1


def trades(options: Any, seed: int, codes: Any, seat: int) -> list[int]:
    """The armies that each set brought which a seat traded."""
    from kostka.games.risk.cards import value_of

    state, found = begin(GAME, options, seed), []
    for code in codes:
        s = state.record
        if s.phase == TRADE and s.player == seat and code != END:
            found.append(int(value_of(s, code)))
        rules.apply(s, code)
    return found


def tell(spec: str, other: str, games: int, seed: int, given: dict[str, Any]) -> None:
    """Play and print what was seen."""
    checked = GAME.check({"players": 3, **given})
    others = (other,) * (int(checked["players"]) - 1)
    match = prepare(GAME, (spec, *others), games, seed, checked)
    share, decided, lengths, sets = 0.0, 0, [], []
    seen: list[tuple[int, int]] = []
    seconds, decisions = 0.0, 0
    for index in range(games):
        order, own = match.seats(index), match.game_seed(index)
        agents = [Timed(make(GAME, match.specs[who])) for who in order]
        played = play_game(GAME, match.options, agents, own)
        if played.faults:
            raise SystemExit(f"{played.faults}")
        seat = order.index(0)
        codes = played.codes.tolist()
        last = begin(GAME, match.options, own)
        for code in codes:
            rules.apply(last.record, code)
        share += played.returns[seat]
        decided += int(last.record.winner) != NOBODY
        lengths.append(int(last.record.turns))
        seen += turns(match.options, own, codes, seat)
        sets += trades(match.options, own, codes, seat)
        seconds += agents[seat].seconds
        decisions += agents[seat].decisions
    held, taken = np.array(seen, float).T
    text = " ".join(f"{name}={value}" for name, value in given.items())
    print(
        f"{text or 'classic'}: {spec} against {len(others)} of {other}: "
        f"{100 * share / games:.1f} % of {games} games; "
        f"{100 * decided / games:.0f} % decided, {np.mean(lengths):.0f} turns; "
        f"a turn: {held.mean():.2f} continents held when it begins, {taken.mean():.2f} "
        f"territories won; a game: {len(sets) / games:.1f} sets of {np.mean(sets or [0]):.1f} "
        f"armies; {1000 * seconds / max(1, decisions):.1f} ms a decision",
        flush=True,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("agents", nargs="+")
    options.add_argument("--games", type=int, default=30)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", action="store_true", help="tell of the first agent only")
    options.add_argument("-o", "--option", action="append", default=[])
    args = options.parse_args()
    given = dict(pair.split("=", 1) for pair in args.option)
    for spec in args.agents[:1] if args.first else args.agents:
        tell(spec, args.agents[-1], args.games, args.seed, given)


if __name__ == "__main__":
    main()
