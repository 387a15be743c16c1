"""Samples of hidden cards against every possible world, counted from the log alone."""

import os
import random
from collections import Counter
from math import sqrt

from possible import Chronicle, deals, unseen, worlds

from kostka.core.game import game
from kostka.core.rng import stream
from kostka.core.state import PUBLIC
from kostka.games.catan.state import THEFTS

#: Positions to try; the full number is for a quiet machine.
POSITIONS = int(os.environ.get("KOSTKA_HIDDEN_POSITIONS", "12"))
DRAWS = 1500
#: Thefts that a viewer has not seen: so many are tried in all their ways.
MOST_UNSEEN = 5
#: Under these options there are thefts, offers and monopolies soon.
OPTIONS = {"map": "variable", "offers": 2, "turns": 400}


def chronicles():
    """Random games, each stopped at several points."""
    seed = 0
    while True:
        seed += 1
        lot = random.Random(seed)
        form, discard = lot.choice(("free", "thesis")), lot.choice((5, 7))
        players = lot.choice((3, 4))
        points = lot.choice((5, 8, 10))
        options = {**OPTIONS, "form": form, "players": players, "points": points}
        state = game("catan").new(seed, **options, discard=discard)
        one = Chronicle(state, seed)
        while not state.over and len(one.log) < 2000:
            for _ in range(lot.randint(1, 150)):
                if not state.over:
                    one.step()
            if not state.over:
                yield seed, one


def close(got: int, draws: int, p: float) -> bool:
    return abs(got / draws - p) <= 5 * sqrt(p * (1 - p) / draws) + 1e-9


def test_samples_of_hands_have_the_right_weights():
    tried = doubtful = 0
    for seed, one in chronicles():
        s = one.state
        thefts = sum(e[0] == "theft" for e in one.log)
        if thefts > THEFTS:
            continue
        for viewer in (PUBLIC, *range(s.players)):
            if not 1 <= unseen(one.log, viewer) <= MOST_UNSEEN:
                continue
            expected = worlds(one.log, viewer, s.players)
            truth = s.record.hand[: s.players].astype(int).tobytes()
            assert truth in expected
            view, got = s.view(viewer), Counter()
            rng = stream(seed, len(one.log), viewer)
            for _ in range(DRAWS if len(expected) > 1 else 20):
                sample = view.sample(rng).record.hand[: s.players]
                got[sample.astype(int).tobytes()] += 1
            assert set(got) <= set(expected), f"seed {seed}: an impossible world"
            if len(expected) > 1:
                for hands, p in expected.items():
                    assert close(got[hands], DRAWS, p), (seed, viewer, p, got[hands] / DRAWS)
                doubtful += 1
        tried += 1
        if doubtful >= POSITIONS:
            break
    print(f"{tried} positions, {doubtful} views in doubt")


def test_samples_of_development_cards_have_the_right_weights():
    tried = 0
    for seed, one in chronicles():
        s = one.state
        for viewer in (PUBLIC, *range(s.players)):
            others = [p for p in range(s.players) if p != viewer]
            held = sum(one.bought[p] - len(one.played[p]) for p in others)
            if not 1 <= held <= 12:
                continue
            expected, got, fresh = deals(one, viewer), Counter(), 0
            view, rng = s.view(viewer), stream(seed, len(one.log), viewer)
            for _ in range(DRAWS):
                record = view.sample(rng).record
                got[tuple(int(record.dev[p, 4]) for p in others)] += 1
                assert (record.dev[: s.players].sum(axis=1) == record.devs[: s.players]).all()
                fresh += (record.fresh > record.dev[record.player]).any()
            assert set(got) <= set(expected), f"seed {seed}: an impossible world"
            assert fresh == 0
            for counts, p in expected.items():
                assert close(got[counts], DRAWS, p), (seed, viewer, counts, p, got[counts] / DRAWS)
            tried += 1
        if tried >= POSITIONS:
            break
    print(f"{tried} views")


def test_samples_of_vague_hands_add_up():
    tried = 0
    for seed in range(1, 40):
        state = game("catan").new(seed, map="variable", offers=0)
        one, lot = Chronicle(state, seed), random.Random(seed)
        while not state.over:
            one.step()
            s = state.record
            if s.vague.any() and lot.random() < 0.02:
                tried += 1
                for viewer in (PUBLIC, *range(4)):
                    for _ in range(5):
                        guess = state.view(viewer).sample(stream(seed, tried, viewer)).record
                        assert (guess.hand >= 0).all()
                        assert (guess.hand.sum(axis=1) == s.cards).all()
                        assert (guess.hand.sum(axis=0) == s.hand.sum(axis=0)).all()
                        assert viewer < 0 or (guess.hand[viewer] == s.hand[viewer]).all()
        if tried > 10 * POSITIONS:
            break
    assert tried > POSITIONS
