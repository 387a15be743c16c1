"""Matches: rotation, counting, records, and the same games with any number of processes."""

import math
from pathlib import Path

import numpy as np
import pytest

from kostka.arena.match import Standing, play_one, prepare, run, tally
from kostka.arena.statistics import duplicate_gain, wilson
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.log import Record

dicewars = game("dicewars")


def a_match(*specs: str, games: int = 6, seed: int = 1, record: Path | None = None, **options):
    return prepare(dicewars, specs, games, seed, options, record=record)


def test_the_seats_rotate_and_a_rotation_shares_its_board():
    match = a_match("stei", "sdc", "ste")
    assert [match.seats(i) for i in range(4)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]
    seeds = [match.game_seed(i) for i in range(6)]
    assert seeds[0] == seeds[1] == seeds[2] != seeds[3]


def test_without_rotation_everybody_keeps_his_seat_and_every_game_has_its_board():
    match = prepare(dicewars, ("stei", "sdc"), 3, 1, {}, rotate=False)
    assert [match.seats(i) for i in range(3)] == [[0, 1]] * 3
    assert len({match.game_seed(i) for i in range(3)}) == 3


def test_every_game_counts_once_for_every_agent():
    standings = tally(a_match("stei", "sdc", "random", games=9))
    for s in standings:
        assert s.games == 9 == s.wins + s.draws + s.losses
    assert sum(s.points for s in standings) == pytest.approx(9)


def records(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_one_seed_gives_the_same_records_with_any_number_of_jobs(tmp_path):
    specs = ("mcts:iterations=20", "expectimax")
    results = []
    for name, jobs in (("once", 1), ("twice", 1), ("three", 3)):
        match = a_match(*specs, games=5, seed=11, record=tmp_path / name)
        results.append([s.json() for s in tally(match, jobs)])
    assert results[0] == results[1] == results[2]
    assert records(tmp_path / "once") == records(tmp_path / "twice") == records(tmp_path / "three")
    assert len(records(tmp_path / "once")) == 5
    for path in (tmp_path / "once").iterdir():
        Record.read(path).verify()


def test_records_are_never_overwritten(tmp_path):
    tally(a_match("stei", "sdc", games=2, record=tmp_path))
    with pytest.raises(KostkaError, match="exists already"):
        a_match("sdc", "ste", games=2, record=tmp_path)


def test_compiled_games_are_those_that_the_referee_plays():
    match = a_match("stei", "wpm-d", "random", games=12, edition=2021)
    compiled = [(i, p.returns, p.scores, p.decisions) for i, p in run(match)]
    refereed = [play_one(match, index) for index in range(12)]
    assert compiled == [(i, p.returns, p.scores, p.decisions) for i, p in enumerate(refereed)]


def test_another_seed_gives_other_games():
    games = [[p.decisions for _, p in run(a_match("stei", "sdc", seed=seed))] for seed in (1, 2)]
    assert games[0] != games[1]


def test_an_agent_that_fails_loses_and_the_match_goes_on(tmp_path, monkeypatch):
    (tmp_path / "moody_bot.py").write_text(
        "class Bot:\n"
        "    calls = 0\n"
        "    def act(self, view):\n"
        "        Bot.calls += 1\n"
        "        if Bot.calls == 5: raise ValueError('moody')\n"
        "        return view.legal_actions[-1]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    bot, sdc = tally(a_match("moody_bot:Bot", "sdc", games=4))
    assert bot.faults == {"crashed: ValueError: moody": 1}
    assert sdc.games == 4


@pytest.mark.parametrize(
    ("specs", "options", "words"),
    [
        (("stei",), {}, "players must be a whole number from 2 to 8"),
        (("stei",) * 9, {}, "from 2 to 8"),
        (("stei", "sdc"), {"players": 3}, "3 players need as many agents, not 2"),
        (("stei", "sdx"), {}, "did you mean sdc"),
        (("stei", "sdc"), {"editon": 2021}, "did you mean edition"),
        (("stei", "sdc"), {"edition": 2022}, "one of 2019, 2020, 2021"),
    ],
)
def test_bad_input_is_refused_before_anything_is_played(specs, options, words):
    with pytest.raises(KostkaError, match=words):
        a_match(*specs, **options)


def test_wins_draws_and_losses():
    standing = Standing("x")
    for gain in (1.0, 0.0, 0.5, 1 / 3):
        standing.add(gain, 0.1, None)
    assert (standing.wins, standing.draws, standing.losses) == (1, 2, 1)
    assert standing.share == pytest.approx((1 + 0.5 + 1 / 3) / 4)


def test_the_wilson_interval_has_its_published_values():
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29
    for wins, games, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(wins / games, games)
        assert math.isclose(found[0], low, abs_tol=5e-5)
        assert math.isclose(found[1], high, abs_tol=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def test_duplicate_play_is_worth_what_the_shared_luck_explains():
    """Two games under luck x and -x: their mean has less noise the more the luck decides."""
    rng = np.random.default_rng(1)
    for share in (0.0, 0.5, 0.8):
        luck = rng.normal(0, np.sqrt(share), 20_000)
        noise = rng.normal(0, np.sqrt(1 - share), (2, 20_000))
        blocks = np.stack([luck + noise[0], -luck + noise[1]], axis=1)
        assert duplicate_gain(blocks) == pytest.approx(1 / (1 - share), rel=0.05)
    assert duplicate_gain([[1.0, 0.0]] * 5) is None
    assert duplicate_gain([[1.0, 0.0]] * 50) is None


def test_a_match_knows_what_its_duplicate_play_was_worth():
    stei, _ = tally(a_match("stei", "sdc", games=200))
    assert len(stei.blocks) == 100
    assert sum(sum(block.values()) for block in stei.blocks.values()) == stei.points
    assert stei.worth(2) > 1
    alone, _ = tally(prepare(dicewars, ("stei", "sdc"), 100, 1, {}, rotate=False))
    assert alone.worth(2) is None
