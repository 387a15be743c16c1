"""The thesis's agents of Risk: legal under every option, networks by name, and evolution."""

import json

import numpy as np
import pytest

from kostka.agents import make
from kostka.agents.evolution import Round, Training, changed
from kostka.agents.lessons import lessons
from kostka.agents.risk.published.nets import untrained
from kostka.agents.risk.published.vasatko import CHAMPIONS, DATA
from kostka.arena.match import play_some, prepare
from kostka.arena.referee import play_game
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.learn import network

GAME = game("risk")
NETS = lessons(GAME)["nets"]

RULES = [
    dict(players=2, map="random", territories=12),
    dict(players=2, neutral=False, limit=12, map="random", territories=15),
    dict(players=3, win="missions", fortify="many", defence="choice", turns=60),
    dict(players=4, win="missions", reveal="turn-end", target="anyone", placing="all", turns=40),
    dict(players=6, sets="fixed", bonus="each", keep=5, spoils=7, fortify="adjacent", turns=60),
    dict(players=5, map="random", territories=60, sets="slow", cards="open", turns=30),
    dict(players=6, map="random", territories=9, limit=12, deck="once", turns=60),
    dict(players=3, map="random", territories=21, cap=50, start="scaled", turns=100),
]


def shares(*specs, games, **options):
    """The share of games that the first wins alone."""
    match = prepare(GAME, specs, games, 1, options)
    won = 0
    for index, played in enumerate(play_some(match, range(games))):
        assert not played.faults
        won += played.returns[match.seats(index).index(0)] == 1
    return won / games


@pytest.mark.parametrize("options", RULES, ids=str)
@pytest.mark.parametrize("spec", ["nn:net=simple", "mcts:iterations=4", "mcts-nn:iterations=4"])
def test_they_keep_the_rules_whatever_they_are(spec, options):
    given = {**options, "turns": 12} if "mcts" in spec else options
    agents = [make(GAME, spec), *(make(GAME, "sensible") for _ in range(options["players"] - 1))]
    played = play_game(GAME, GAME.check(given), agents, seed=1)
    assert not played.faults
    assert sum(played.returns) == pytest.approx(1)


@pytest.mark.parametrize(("territories", "least"), [(9, 0.35), (21, 0.7), (42, 0.8)])
def test_networks_beat_random_agents_on_every_map(territories, least):
    options = dict(map="random", territories=territories, cap=50)
    assert shares("nn", "random", "random", games=20, **options) > least


def test_untrained_networks_beat_random_agents_where_they_evolve():
    options = dict(map="random", territories=21, cap=50)
    for topology in ("simple", "complex"):
        assert shares(f"nn:net={topology}", "random", "random", games=20, **options) > 0.5


def test_a_champion_beats_those_who_never_learnt():
    options = dict(map="random", territories=21, cap=50)
    untaught = ("nn:net=complex",) * 2
    assert shares("nn:net=complex-1-1", *untaught, games=20, **options) > 0.6


def test_the_search_beats_random_agents_on_nine_territories():
    options = dict(map="random", territories=9, cap=50)
    found = shares("mcts:iterations=100", "random", "random", games=6, **options)
    assert found >= 4 / 6


def test_networks_are_named_or_in_a_file(tmp_path):
    numbers = untrained("simple", 5)
    path = tmp_path / "five.npz"
    network.save(path, network.Saved(((1, 1),), np.zeros(2)))
    with pytest.raises(KostkaError, match="the 1146 numbers"):
        make(GAME, f"nn:net=simple,file={path}")
    np.savez(path, numbers=numbers)
    read = make(GAME, f"nn:net=simple,file={path}").policy
    assert read.tobytes() == make(GAME, "nn:net=simple,seed=5").policy.tobytes()
    with pytest.raises(KostkaError, match="did you mean complex"):
        make(GAME, "nn:net=complx")
    with pytest.raises(KostkaError, match="cannot be read"):
        make(GAME, "mcts-nn:net=simple,file=nowhere.npz")
    with pytest.raises(KostkaError, match="limit"):
        make(GAME, "mcts-nn:limit=2")


def test_sixteen_champions_come_with_the_game():
    assert len(CHAMPIONS) == 16
    assert CHAMPIONS["complex-2-4"] == Round("complex", 2, 4)
    for name in CHAMPIONS:
        policy = make(GAME, f"nn:net={name}").policy
        assert policy.tobytes() != make(GAME, f"nn:net={name.partition('-')[0]}").policy.tobytes()


def test_the_curves_of_the_champions_come_with_them():
    told = json.loads((DATA / "risk.nets.json").read_text())
    plan = NETS.plans[told["preset"]]
    assert told["options"] == plan.options
    assert (told["games"], told["population"]) == (plan.games, plan.settings.population)
    rounds = {f"{r['variant']}-{r['attempt']}-{r['number']}": r for r in told["rounds"]}
    assert set(rounds) == set(CHAMPIONS)
    for found in rounds.values():
        assert len(found["best"]) == len(found["mean"]) == 1 + plan.rounds[found["number"] - 1]
        assert found["best"] == sorted(found["best"])


# --- evolution ---


@pytest.fixture
def training(tmp_path):
    plan = changed(NETS.plans["short"], generations=2, population=4, games=3, options={"turns": 30})
    return Training(GAME, NETS, plan, 1, lambda one: tmp_path / f"{one}.npz")


def test_a_stopped_evolution_goes_on_to_the_same_champion(training, tmp_path):
    one = Round("simple", 1, 1)
    whole = training.train(one)
    assert whole.champion.shape == (1146,)
    (tmp_path / f"{one}.npz").unlink()

    def stop(_, evolved):
        if evolved.generations == 1:
            raise KeyboardInterrupt

    stopped = Training(GAME, NETS, training.plan, 1, training.path, watch=stop)
    with pytest.raises(KeyboardInterrupt):
        stopped.train(one)
    assert np.array_equal(training.train(one).people, whole.people)


def test_what_evolved_is_a_file_of_networks_that_plays(training, tmp_path):
    one = Round("complex", 2, 1)
    evolved = training.train(one)
    path = tmp_path / f"{one}.npz"
    saved = network.load(path)
    assert (network.length(saved.family), saved.slope) == (1944, 2.0)
    agent = make(GAME, f"nn:net=complex,file={path}")
    assert agent.policy.tobytes() == NETS.make("complex", evolved.champion).tobytes()


def test_the_thesis_evolves_a_hundred_in_four_rounds_of_200_games():
    plan = NETS.plans["thesis"]
    assert plan.rounds == (50, 60, 80, 100)
    assert (plan.settings.population, plan.settings.crossover, plan.games) == (100, 0.5, 200)
    assert plan.settings.mutation == 0.1  # what its library makes of 0.01
    assert next(iter(NETS.plans)) == "thesis"
