"""Matches: rotation, counting, records, and the same games with any number of processes."""

from pathlib import Path

import pytest

from kostka.arena.executor import executor
from kostka.arena.match import play_one, prepare, seatings
from kostka.arena.referee import Played
from kostka.arena.results import columns, rows
from kostka.arena.schedule import Schedule
from kostka.arena.statistics import standings
from kostka.core.errors import KostkaError
from kostka.core.game import game
from kostka.core.log import GameLog

dicewars = game("dicewars")


def a_match(*specs: str, games: int = 6, seed: int = 1, record: Path | None = None, **options):
    return prepare(dicewars, specs, games, seed, options, record=record)


def run(match, jobs: int = 1) -> list[tuple[int, Played]]:
    with executor("auto", jobs, [match]) as workers:
        return list(Schedule([match]).in_order(workers))


def results_of(match, jobs: int = 1):
    found = [row for index, played in run(match, jobs) for row in rows(0, match, index, played)]
    return columns(found, match.learners, dicewars, [match.options])


def test_the_seats_rotate_and_a_rotation_shares_its_board():
    match = a_match("stei", "sdc", "ste")
    assert [match.seats(i) for i in range(4)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    seeds = [match.game_seed(i) for i in range(6)]
    assert seeds[0] == seeds[1] == seeds[2] != seeds[3]


def test_without_rotation_everybody_keeps_his_seat_and_every_game_has_its_board():
    match = prepare(dicewars, ("stei", "sdc"), 3, 1, {}, "fixed")
    assert [match.seats(i) for i in range(3)] == [(0, 1)] * 3
    assert len({match.game_seed(i) for i in range(3)}) == 3


def test_a_permutation_has_every_order_of_the_seats():
    assert len(set(seatings("abcd", "permute"))) == 24
    match = prepare(dicewars, ("stei", "sdc", "ste"), 12, 1, {}, "permute")
    assert {match.seats(i) for i in range(6)} == set(seatings("abc", "permute"))
    assert [match.block(i) for i in range(12)] == [0] * 6 + [1] * 6
    with pytest.raises(KostkaError, match="rotate their seats"):
        prepare(dicewars, ("stei",) * 8, 12, 1, {}, "permute")
    with pytest.raises(KostkaError, match="rotate, permute, fixed"):
        prepare(dicewars, ("stei",) * 8, 12, 1, {}, "random")


def test_every_game_counts_once_for_every_agent():
    found = standings(results_of(a_match("stei", "sdc", "random", games=9)))
    for s in found:
        assert s["games"] == 9 == s["wins"] + s["draws"] + s["losses"]
    assert sum(s["games"] * s["share"] for s in found) == pytest.approx(9)


def records(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_one_seed_gives_the_same_records_with_any_number_of_jobs(tmp_path):
    specs = ("mcts:iterations=20", "expectimax")
    results = []
    for name, jobs in (("once", 1), ("twice", 1), ("three", 3)):
        match = a_match(*specs, games=5, seed=11, record=tmp_path / name)
        results.append([(i, p.returns, p.codes.tolist()) for i, p in run(match, jobs)])
    assert results[0] == results[1] == results[2]
    assert records(tmp_path / "once") == records(tmp_path / "twice") == records(tmp_path / "three")
    assert len(records(tmp_path / "once")) == 5
    for path in (tmp_path / "once").iterdir():
        GameLog.read(path).verify()


def test_records_are_never_overwritten(tmp_path):
    run(a_match("stei", "sdc", games=2, record=tmp_path))
    with pytest.raises(KostkaError, match="exists already"):
        a_match("sdc", "ste", games=2, record=tmp_path)


def test_compiled_games_are_those_that_the_referee_plays():
    match = a_match("stei", "wpm-d", "random", games=12, edition=2021)
    compiled = [p for _, p in run(match)]
    refereed = [play_one(match, index) for index in range(12)]
    for one, other in zip(compiled, refereed, strict=True):
        assert (one.returns, one.scores, one.decisions) == (
            other.returns,
            other.scores,
            other.decisions,
        )
        assert one.codes.tolist() == other.codes.tolist()


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
    played = [p for _, p in run(a_match("moody_bot:Bot", "sdc", games=4))]
    crash = "crashed: ValueError: moody (moody_bot.py:5)"
    assert [list(p.faults.values()) for p in played] == [[crash], [], [], []]


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


def test_a_match_knows_what_its_duplicate_play_was_worth():
    for row in standings(results_of(a_match("stei", "sdc", games=200))):
        assert row["worth"] > 1
    alone = prepare(dicewars, ("stei", "sdc"), 100, 1, {}, "fixed")
    assert standings(results_of(alone))[0]["worth"] == pytest.approx(1)


def test_turns_are_counted_alike_in_one_call_and_by_the_referee():
    match = a_match("stei", "sdc", games=4)
    assert match.policies is not None
    found = results_of(match)
    one_by_one = [play_one(match, index).turns for index in range(4)]
    assert found.values("turns").tolist() == [float(n) for n in one_by_one for _ in range(2)]
    assert min(one_by_one) > 2
