"""Plans: who plays whom, grids, and errors that name the line and the key."""

import json
from dataclasses import replace
from math import comb, factorial
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kostka.arena.plan import EXAMPLE, MOST_SEED, Plan, expand, parse_plan, read_plan
from kostka.core.errors import KostkaError

HEAD = 'game = "dicewars"\nagents = ["stei", "sdc", "ste"]\n'
FOUR = ("stei", "sdc", "ste", "wpm-d")


def test_the_example_is_a_plan():
    plan = parse_plan(EXAMPLE, "example")
    assert plan.having == ("stei",)
    assert plan.options == {"edition": 2020}
    # stei with one of five others, or with two of them
    assert [len(line_up) for line_up in plan.line_ups()] == [2] * 5 + [3] * comb(5, 2)
    assert all("stei" in line_up for line_up in plan.line_ups())


def test_all_pairs_and_triples_sit_in_every_order():
    matches = Plan("dicewars", FOUR, games=6, seed=1, tables=(2, 3)).matches()
    assert len(matches) == comb(4, 2) + comb(4, 3)
    seen = set()
    for match in matches:
        assert len(match.seatings) == factorial(match.players)
        seen |= {tuple(match.specs[who] for who in seats) for seats in match.seatings}
    assert len(seen) == 4 * 3 + 4 * 3 * 2  # all ordered pairs and triples


def test_eight_players_rotate_so_that_everybody_has_every_seat_once():
    eight = (*FOUR, "random", "expectimax", "mcts:c=1", "mcts:c=2")
    (match,) = Plan("dicewars", eight, games=8, tables=(8,)).matches()
    assert match.players == 8 and len(match.seatings) == 8
    for seat in range(8):
        assert sorted(seats[seat] for seats in match.seatings) == list(range(8))


def test_games_are_made_up_to_whole_blocks():
    assert [m.games for m in Plan("dicewars", FOUR[:2], games=7).matches()] == [8]
    assert [m.games for m in Plan("dicewars", FOUR[:3], games=7, tables=(3,)).matches()] == [12]
    fixed = Plan("dicewars", FOUR[:2], games=7, seats="fixed").matches()
    assert [(m.games, m.seatings) for m in fixed] == [(7, ((0, 1),))]


def test_games_of_each_seating_are_fewer_where_agents_are_alike():
    text = 'game = "dicewars"\nagents = ["stei", "sdc"]\nrepeat = true\neach = 64'
    plan = parse_plan(text, "here")
    assert {m.specs: m.games for m in plan.matches()} == {
        ("stei", "stei"): 64,
        ("stei", "sdc"): 128,
        ("sdc", "sdc"): 64,
    }
    six = Plan("dicewars", ("stei", "sdc", "ste", "wpm-d", "wpm-c", "random"), repeat=True)
    assert sum(m.games for m in replace(six, each=64).matches()) == 36 * 64
    assert sum(m.games for m in replace(six, each=6, tables=(3,)).matches()) == 6**3 * 6
    assert parse_plan(text, "here", games=10).each is None
    with pytest.raises(KostkaError, match="not both"):
        parse_plan(text + "\ngames = 5", "here")


def test_equal_agents_that_change_seats_change_nothing():
    (match,) = Plan("dicewars", lineups=(("stei", "stei", "sdc"),), games=3).matches()
    assert len(match.seatings) == 3
    (match,) = Plan("dicewars", lineups=(("stei", "stei"),), games=3).matches()
    assert len(match.seatings) == 1


def test_agents_may_sit_twice():
    plan = Plan("dicewars", ("stei", "sdc"), tables=(2, 3), repeat=True)
    assert plan.line_ups() == [
        ("stei", "stei"), ("stei", "sdc"), ("sdc", "sdc"),
        ("stei", "stei", "stei"), ("stei", "stei", "sdc"),
        ("stei", "sdc", "sdc"), ("sdc", "sdc", "sdc"),
    ]  # fmt: skip
    with_sdc = Plan("dicewars", ("stei", "sdc"), tables=(2, 3), repeat=True, having=("sdc",))
    assert sorted(with_sdc.line_ups()) == sorted(x for x in plan.line_ups() if "sdc" in x)


@given(
    st.integers(2, 6), st.sets(st.integers(2, 5), min_size=1), st.sets(st.integers(0, 5)),
    st.booleans(),
)  # fmt: skip
def test_line_ups_with_some_agents_are_those_of_all_that_hold_them(n, tables, having, repeat):
    agents = tuple(f"x{i}" for i in range(n))
    wanted = tuple(f"x{i}" for i in having if i < n)
    sizes = tuple(sorted(tables))
    try:
        every = Plan("dicewars", agents, tables=sizes, repeat=repeat).line_ups()
    except KostkaError:
        return
    held = [line_up for line_up in every if set(wanted) <= set(line_up)]
    plan = Plan("dicewars", agents, tables=sizes, repeat=repeat, having=wanted)
    if not held:
        with pytest.raises(KostkaError, match=r"fill no table|do not fit"):
            plan.line_ups()
    else:
        found = plan.line_ups()
        assert sorted(found) == sorted(held) and len(found) == len(set(found))


def test_line_ups_of_a_few_among_very_many_are_found_at_once():
    agents = ("stei", *(f"random:x={i}" for i in range(300)))
    plan = Plan("dicewars", agents, tables=(8,), having=agents[:7])
    assert len(plan.line_ups()) == 301 - 7
    with pytest.raises(KostkaError, match="more than 20000 line-ups"):
        Plan("dicewars", agents, tables=(8,)).line_ups()


def test_nothing_is_played_twice_by_mistake():
    assert Plan("dicewars", ("stei", "sdc", " stei "), tables=(2, 2)).line_ups() == [
        ("stei", "sdc")
    ]
    twice = Plan("dicewars", lineups=(("stei", "sdc"), ("stei", "sdc "), ("sdc", "stei")))
    assert twice.line_ups() == [("stei", "sdc"), ("sdc", "stei")]


def test_every_line_up_has_luck_of_its_own_whatever_else_is_played():
    few = Plan("dicewars", FOUR[:2], seed=5).matches()
    many = Plan("dicewars", FOUR, seed=5, tables=(3, 2)).matches()
    seeds = {match.specs: match.seed for match in many}
    assert seeds[FOUR[:2]] == few[0].seed
    assert len(set(seeds.values())) == len(many)
    assert Plan("dicewars", FOUR[:2], seed=6).matches()[0].seed != few[0].seed


@pytest.mark.parametrize(
    ("grid", "specs"),
    [
        ("stei", ["stei"]),
        (" mcts: c = 1 , luck = 2 ", ["mcts:c=1,luck=2"]),
        ("mcts:c=0.3|0.7", ["mcts:c=0.3", "mcts:c=0.7"]),
        (
            "mcts:c=1|2,luck=3|4",
            ["mcts:c=1,luck=3", "mcts:c=1,luck=4", "mcts:c=2,luck=3", "mcts:c=2,luck=4"],
        ),
        ("my.module:Bot:x=1|2", ["my.module:Bot:x=1", "my.module:Bot:x=2"]),
        ("my.module:Bot", ["my.module:Bot"]),
    ],
)
def test_a_grid_is_all_its_points(grid, specs):
    assert expand(grid) == specs
    for spec in specs:
        assert expand(spec) == [spec]


@pytest.mark.parametrize("grid", ["|", "a|b", "mcts:c=|", "mcts:c=1|", "mcts:c=|1", "mcts:c=1||2"])
def test_what_is_no_grid_is_refused(grid):
    with pytest.raises(KostkaError, match="is no grid"):
        expand(grid)


def test_a_grid_as_large_as_the_world_is_refused_at_once():
    with pytest.raises(KostkaError, match="grid of more than"):
        expand("mcts:" + ",".join(f"k{i}=1|2|3|4|5|6|7|8" for i in range(40)))


def test_a_plan_comes_back_from_json():
    plan = Plan(
        "dicewars", FOUR, 10, MOST_SEED, 'odd "name" 🎲', (2, 3), True, ("stei",),
        (("stei", "sdc"),), "fixed", 0.5, False, {"edition": 2021},
    )  # fmt: skip
    assert Plan.from_json(json.loads(json.dumps(plan.json()))) == plan
    assert Plan.from_json(json.loads(json.dumps(Plan("dicewars").json()))) == Plan("dicewars")


def test_seed_and_name_do_not_make_another_tournament_but_all_else_does():
    plan = Plan("dicewars", FOUR, seed=1, name="a")
    assert plan.same_as(Plan("dicewars", FOUR, seed=2, name="b"))
    for other in (
        Plan("pig", FOUR), Plan("dicewars", FOUR[:3]), Plan("dicewars", FOUR, games=50),
        Plan("dicewars", FOUR, tables=(3,)), Plan("dicewars", FOUR, limit=1),
        Plan("dicewars", FOUR, options={"edition": 2019}),
    ):  # fmt: skip
        assert not plan.same_as(other)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # what is no TOML
        ("game =", "f.toml, line 1, key game: Invalid value"),
        ('game = "dicewars"\nagents = ["stei",\n', "f.toml, line 2, key agents:"),
        (HEAD + "games = 1O0", "f.toml, line 3, key games:"),
        (HEAD + "\n\n[options\nedition = 2020", "f.toml, line 5, key options:"),
        (HEAD + "seed = " + "1" * 5000, "f.toml, line 3, key seed:"),
        ("game = " + "[" * 5000, "f.toml: lists within lists are too deep"),
        (HEAD + "# \u2028 this line is one\ngames = 1O0", "f.toml, line 4, key games:"),
        # keys
        ('gmae = "dicewars"', "f.toml, line 1, key gmae: unknown key 'gmae'; did you mean game?"),
        (HEAD + "\n[optoins]\nedition = 1", "f.toml, line 4, key optoins: .* did you mean options"),
        ("", "f.toml: the key game is missing"),
        ('game = "dicewars"', "f.toml: the key agents is missing"),
        ('game = "dicewars"\nlineups = []', "f.toml: the key agents is missing"),
        # types and ranges
        ("game = 3\n", "line 1, key game: game must be a text, not 3"),
        ('game = "dicewars"\nagents = "stei"', "line 2, key agents: .* a list of texts"),
        ('game = "dicewars"\nagents = ["stei", 3]', "line 2, key agents: .* a list of texts"),
        (HEAD + 'games = "3"', "line 3, key games: .* not '3'"),
        (HEAD + "games = true", "line 3, key games: .* not True"),
        (HEAD + "games = 0", "line 3, key games: .* from 1 to"),
        (HEAD + "games = 1000000000000", "line 3, key games: .* from 1 to"),
        (HEAD + f"seed = {2**63}", "line 3, key seed: seed must be a whole number from 0 to"),
        (HEAD + "seed = -1", "line 3, key seed: seed must be a whole number from 0 to"),
        (HEAD + "seed = 0x" + "f" * 4000, "line 3, key seed: seed must be a whole number from 0"),
        (HEAD + "limit = 0", "line 3, key limit: .* above 0"),
        (HEAD + "limit = nan", "line 3, key limit: .* above 0"),
        (HEAD + "limit = inf", "line 3, key limit: .* above 0"),
        (HEAD + "repeat = 1", "line 3, key repeat: .* true or false"),
        (HEAD + 'seats = "all"', "line 3, key seats: .* one of rotate, permute, fixed"),
        (HEAD + 'memory = "mine"', "line 3, key memory: .* one of line-up, seat"),
        (HEAD + "tables = 2", "line 3, key tables: .* a list of numbers"),
        (HEAD + "tables = []", "line 3, key tables: .* a list of numbers"),
        (HEAD + "tables = [2.0]", "line 3, key tables: .* a list of numbers"),
        (HEAD + 'lineups = ["stei"]', "line 3, key lineups: .* a list of lists"),
        (HEAD + "options = 3", "line 3, key options: .* a table"),
        # what the game and the agents say
        ('agents = ["a", "b"]\ngame = "chess"', "line 2, key game: unknown game 'chess'"),
        (
            'game = "dicewars"\nagents = [\n  "stei",\n  "sdx",\n]',
            "f.toml, line 4, key agents: unknown agent for dicewars 'sdx'; did you mean sdc?",
        ),
        (
            'game = "dicewars"\nagents = [\n  "stei",\n  "mcts:d=1|2",\n]',
            "f.toml, line 4, key agents: unknown parameter of mcts 'd'",
        ),
        (
            'game = "dicewars"\nagents = [\n  "stei",\n  "mcts:c=1|x",\n]',
            "f.toml, line 4, key agents: c must be a number from 0 to 100, not 'x'",
        ),
        ('game = "dicewars"\nagents = ["stei", ""]', "line 2, key agents: '' names no agent"),
        ('game = "dicewars"\nagents = ["stei", "no.such:Bot"]', "line 2, key agents: 'no.such'"),
        (HEAD + 'with = ["wpm-d"]', "line 3, key with: unknown agent of this tournament 'wpm-d'"),
        (HEAD + "[options]\neditoin = 2020", "line 4, key options: .* did you mean edition"),
        (HEAD + "[options]\nedition = 2022", "line 4, key options: edition must be one of 2019"),
        (HEAD + "[options]\nedition = 2020-02-02", "line 4, key options: edition must be one of"),
        (HEAD + "[options]\nplayers = 3", "line 4, key options: .* write tables"),
        (HEAD + "options.edition = 1", "line 3, key options: edition must be one of 2019"),
        # tables that nobody can fill
        (HEAD + "tables = [9]", "line 3, key tables: players must be .* from 2 to 8, not 9"),
        (HEAD + "tables = [1]", "line 3, key tables: players must be .* from 2 to 8, not 1"),
        (HEAD + f"tables = [{10**30}]", "line 3, key tables: players must be .* from 2 to 8"),
        (
            HEAD + "repeat = true\ntables = [1000000000]",
            "line 4, key tables: players must be .* from 2 to 8",
        ),
        (HEAD + "tables = [2, 4]\n" + 'with = ["stei", "sdc", "ste"]', "fill no table of 4"),
        (HEAD + 'with = ["stei", "sdc", "ste"]', "line 3, key with: .* do not fit at a table of 2"),
        (HEAD + "tables = [4]", "line 3, key tables: 3 agents fill no table of 4"),
        ('game = "dicewars"\nagents = ["stei"]', "1 agents fill no table of 2"),
        (HEAD + 'tables = [8]\nrepeat = true\nseats = "permute"', "more than 1000 ways"),
        ('game = "pig"\nagents = ["random", "mcts"]\ntables = [3]', "line 3, key tables: players"),
    ],
)  # fmt: skip
def test_errors_name_the_line_and_the_key(text, words):
    with pytest.raises(KostkaError, match=words) as caught:
        parse_plan(text, "f.toml")
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


def test_flags_are_checked_too_and_win_over_the_file():
    assert parse_plan(HEAD + "games = 10", "x", games=4).games == 4
    for flags, words in (
        ({"seed": 2**70}, "key seed: seed must be a whole number"),
        ({"games": 0}, "games must be a whole number"),
        ({"limit": float("inf")}, "limit must be a number of seconds"),
        ({"tables": (10**30,)}, "key tables: players must be"),
        ({"having": ("nobody",)}, "key with: unknown agent"),
        ({"options": {"edition": "x"}}, "key options: edition must be"),
    ):
        with pytest.raises(KostkaError, match=words):
            parse_plan(HEAD, "the tournament", **flags)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path):
    with pytest.raises(KostkaError, match="cannot be read: No such file"):
        read_plan(tmp_path / "none.toml")
    with pytest.raises(KostkaError, match="cannot be read: Is a directory"):
        read_plan(tmp_path)
    (tmp_path / "picture.toml").write_bytes(b"\x89PNG\xff")
    with pytest.raises(KostkaError, match="is no text file"):
        read_plan(tmp_path / "picture.toml")
    (tmp_path / "mine.toml").write_text(HEAD)
    assert read_plan(tmp_path / "mine.toml").name == "mine"


KEYS = st.sampled_from(
    ["game", "agents", "with", "games", "seed", "tables", "repeat", "moves", "lineups", "seats",
     "limit", "options", "name", "options.edition", "x", '"a b"'],
)  # fmt: skip
SCALARS = st.one_of(
    st.sampled_from(
        ['"stei"', '"sdc"', '"dicewars"', '"pig"', '"mcts:c=1|2"', '"|"', '"a:b=|"', '".."', '":"',
         '"x.y:Z"', "inf", "nan", "2020-01-01", "0x10", "true", '"\\u0000"', "'rotate'", "1e400"],
    ),
    st.integers().map(str),
    st.integers(0, 9).map(str),
    st.floats().map(str),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4).map(lambda v: "[" + ", ".join(v) + "]"),
    max_leaves=8,
)
LINES = st.one_of(
    st.tuples(KEYS, VALUES).map(" = ".join), st.sampled_from(["[options]", "[[x]]", "", "# a"])
)


@given(st.lists(LINES, max_size=8).map("\n".join))
@example("a = " + "{b = " * 3000)
@example("tables = [" + "9" * 4000 + "]")
def test_whatever_a_file_says_the_answer_is_a_plan_or_one_sentence(text):
    for before in ("", HEAD):
        try:
            plan = parse_plan(before + text, "f.toml")
        except KostkaError as error:
            assert str(error).startswith("f.toml")
        else:
            assert plan.matches()
            assert Plan.from_json(json.loads(json.dumps(plan.json()))) == plan


@given(st.text())
def test_noise_is_no_plan(text):
    with pytest.raises(KostkaError, match=r"^f\.toml"):
        parse_plan(text, "f.toml")
