"""The proof kit passes a sound game, and catches every fault by the law that it breaks."""

import importlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from scipy.stats import binom

from kostka.core.game import Game
from kostka.core.state import load
from kostka.proof import drawings, laws
from kostka.proof.check import Report, check
from kostka.proof.law import name_of
from kostka.proof.laws import surprise
from kostka.proof.positions import Explorer, TracedGame, option_sets

HERE = Path(__file__).parents[1] / "core"
SOURCE = (HERE / "cardgame" / "rules.py").read_text()
DATA = (HERE / "cardgame" / "__init__.py").read_text()

#: Faults in compiled rules: what is replaced by what, and the laws that this breaks.
FAULTS: dict[str, tuple[dict[str, str], list[Callable]]] = {
    "the_last_card_shows_in_every_view": (
        {
            'turns=within(0, 100, "i4"),': 'turns=within(0, 100, "i4"), last=within(0, 3, "i4"),',
            "s.deck[r] -= 1\n    s.hands": "s.last = r\n    s.deck[r] -= 1\n    s.hands",
        },
        [laws.what_looks_the_same_leaves_the_same_view],
    ),
    "the_next_hand_shows_after_each_turn": (
        {
            'turns=within(0, 100, "i4"),': 'turns=within(0, 100, "i4"), nines=within(0, 9, "i4"),',
            "s.turns += 1": "s.turns += 1\n    s.nines = s.hands[(s.player + 1) % s.players, 3]",
        },
        [laws.worlds_that_look_the_same_stay_so],
    ),
    "everybody_is_told_who_got_what": (
        {"return a if s.phase == TURN or viewer == s.player else SOME_CARD": "return a"},
        [laws.the_log_tells_no_more_than_the_view],
    ),
    "the_public_sits_on_the_last_seat": (
        {
            "redact(s, viewer):": "redact(s, viewer):\n    viewer = viewer % s.players",
            "determinize(s, viewer, rng):": (
                "determinize(s, viewer, rng):\n    viewer = viewer % s.players"
            ),
            "viewer == s.player else": "viewer % s.players == s.player else",
        },
        [laws.the_public_sees_no_more_than_a_player],
    ),
    "every_rank_is_as_likely": (
        {"prob[k] = s.deck[r] / left(s)": "prob[k] = 1.0 / RANKS"},
        [laws.luck_is_fair, laws.probabilities_sum_to_one],
    ),
    "samples_are_the_truth_hidden_in_the_view": (
        {
            'turns=within(0, 100, "i4"),': (
                'turns=within(0, 100, "i4"), memo=within(0, 9, "i4", (MAX_PLAYERS, RANKS)),'
            ),
            "s.hands[p, r] = 0": "s.memo[p, r] += s.hands[p, r]\n                s.hands[p, r] = 0",
            "for _ in range(s.held[p]):\n                r = random_card(s, rng)": (
                "for r in range(RANKS):"
            ),
            "s.deck[r] -= 1\n                s.hands[p, r] += 1": (
                "s.deck[r] -= s.memo[p, r]\n                s.hands[p, r] = s.memo[p, r]\n"
                "                s.memo[p, r] = 0"
            ),
        },
        [laws.samples_are_not_the_truth, laws.what_looks_the_same_leaves_the_same_view],
    ),
    "a_sample_deals_to_the_viewer_too": (
        {"if p != viewer:\n            for _ in": "if p >= 0:\n            for _ in"},
        [laws.a_sample_fits_the_view],
    ),
    "cards_are_taken_while_there_are_sixes_in_the_deck": (
        {"if left(s) > 0:": "if s.deck[0] > 0:"},
        [laws.the_mover_knows_his_actions],
    ),
    "turns_are_never_counted": (
        {"s.turns += 1": "s.turns += 0"},
        [laws.every_random_game_ends, laws.every_phase_is_reached],
    ),
    "a_played_card_lies_beside_the_table": (
        {"s.table[r] += 1": "s.table[r + 1] += 1"},
        [laws.legal_actions_are_sound, laws.every_random_game_ends],
    ),
    "playouts_deal_the_lowest_card": (
        {
            "apply(s, random_card(s, rng))": "apply(s, lowest_card(s))",
            "# --- playouts ---": (
                "@kernel\ndef lowest_card(s):\n    r = 0\n"
                "    while s.deck[r] == 0:\n        r += 1\n    return r\n"
            ),
        },
        [laws.playouts_are_as_likely_as_play],
    ),
    "a_playout_that_is_cut_short_has_lost_the_table": (
        {"    return decisions": "    s.table[0] = 0\n    return decisions"},
        [laws.playouts_are_as_likely_as_play],
    ),
    "a_playout_never_ends": (
        {"decisions < limit and s.phase != DONE": "decisions < min(limit, 4) and s.phase != DONE"},
        [laws.playouts_are_as_likely_as_play],
    ),
}

#: An evaluation that prefers low cards on the table, and the head of its best turn.
HASTY = (
    "Hasty = record(f'{__name__}.hasty', unused='i8')\n"
    "@rules.evaluate.method(Hasty, State)\n"
    "def hasty(h, s, player):\n    return s.table[0] / 8 + s.table[1] / 16\n"
    "@rules.best_turn.method(Hasty, State)\n"
    "def hasty_turn(h, s, turn, gain, out):\n"
)

#: Faults outside compiled rules: what the author wrote after the sound ones.
SLIPS: dict[str, tuple[str, Callable]] = {
    "two_actions_have_one_notation": (
        "def text(s, a): return {TAKE: 'move', PASS: 'move'}.get(a) or str(LOWEST + a)",
        laws.every_notation_parses_back,
    ),
    "a_notation_is_read_as_another": (
        "def parse(s, words): return PASS",
        laws.every_notation_parses_back,
    ),
    "a_card_that_somebody_got_has_no_words": (
        "def text(s, a): return {TAKE: 'take', PASS: 'pass', SOME_CARD: ''}.get(a, str(a))",
        laws.what_is_seen_can_be_told,
    ),
    "replays_go_another_way": (
        "def parse(s, words): return TAKE if s.phase == TURN and s.turns == 4 else int(words) - 6",
        laws.a_replay_is_identical,
    ),
    "a_refusal_says_nothing": ("def why_not(s, a): return ''", laws.refusals_have_reasons),
    "an_evaluation_is_above_one": (
        "EVALUATIONS = {'lead': new(Lead, weight=1.5)}",
        laws.evaluations_are_in_range,
    ),
    "an_evaluation_counts_how_often_it_was_asked": (
        "Counting = record(f'{__name__}.counting', asked='i8')\n"
        "@rules.evaluate.method(Counting, State)\n"
        "def counting(h, s, player):\n"
        "    h.asked += 1\n"
        "    return 0.5\n"
        "EVALUATIONS = {'counting': new(Counting)}\n",
        laws.heuristics_are_read_only,
    ),
    "a_policy_notes_what_it_did": (
        "Noting = record(f'{__name__}.noting', did='i8')\n"
        "@rules.policy.method(Noting, State)\n"
        "def noting(p, s, out, rng):\n"
        "    rules.legal(s, out)\n"
        "    p.did = out[0] + 1\n"
        "    return out[0]\n"
        "POLICIES = {'noting': new(Noting)}\n",
        laws.heuristics_are_read_only,
    ),
    "a_best_turn_is_the_last": (
        f"{HASTY}    turn[0] = out[rules.legal(s, out) - 1]\n"
        "    return 1\nEVALUATIONS = {'hasty': new(Hasty)}\n",
        laws.the_best_turn_is_the_best_of_all,
    ),
    "a_best_turn_is_not_legal": (
        f"{HASTY}    turn[0] = -5\n    return 1\nEVALUATIONS = {{'hasty': new(Hasty)}}\n",
        laws.the_best_turn_is_the_best_of_all,
    ),
    "looking_for_the_best_turn_takes_it": (
        f"{HASTY}    s.turns += 1\n    return 0\nEVALUATIONS = {{'hasty': new(Hasty)}}\n",
        laws.the_best_turn_is_the_best_of_all,
    ),
    "games_deal_from_one_deck": (
        "DECK = []\n"
        "def start(s, options):\n"
        "    sound.start(s, options)\n"
        "    DECK.append(1)\n"
        "    s.deck[0] += len(DECK)\n",
        laws.a_seed_gives_one_game,
    ),
    "a_start_changes_the_options": (
        "def start(s, options):\n    sound.start(s, options)\n    options['copies'] -= 1\n",
        laws.a_seed_gives_one_game,
    ),
    "three_players_are_refused": (
        "from kostka.core.errors import KostkaError\n"
        "def start(s, options):\n"
        "    if options['players'] == 3: raise KostkaError('it is a game for two')\n"
        "    sound.start(s, options)\n",
        laws.every_option_can_be_played,
    ),
    "nobody_may_play": (
        "from kostka.core.errors import KostkaError\n"
        "def start(s, options): raise KostkaError('it is too late')\n",
        laws.every_option_can_be_played,
    ),
    "a_start_forgets_the_cards": (
        "def start(s, options): s.players = options['players']",
        laws.every_random_game_ends,
    ),
    "a_drawing_is_broken": (
        "def svg(s): return '<svg><text></svg>'",
        drawings.the_drawing_is_sound,
    ),
    "a_drawing_changes_by_itself": (
        "DRAWN = []\n"
        "def svg(s):\n"
        "    DRAWN.append(s)\n"
        "    return f'<svg id=\"{len(DRAWN)}\"></svg>'\n",
        drawings.the_drawing_is_sound,
    ),
    "all_actions_are_one_click": (
        "def clicks(s, a): return ['!play']",
        drawings.every_action_can_be_clicked,
    ),
    "one_click_begins_another": (
        "def clicks(s, a): return ['!play'] + ['!again'] * a",
        drawings.every_action_can_be_clicked,
    ),
    "what_is_to_be_clicked_is_not_drawn": (
        "def clicks(s, a): return [f'card{a}']",
        drawings.every_action_can_be_clicked,
    ),
    "a_choice_has_no_preview": (
        "def clicks(s, a): return ['!play', {'choice': str(a)}]",
        drawings.choices_can_be_told_apart,
    ),
    "two_choices_look_the_same": (
        "def clicks(s, a): return ['!play', {'choice': str(a)}]\n"
        "def preview(s, a): return '<circle r=\"9\"/>'",
        drawings.choices_can_be_told_apart,
    ),
    "a_preview_uses_what_nobody_has_drawn": (
        "def clicks(s, a): return ['!play', {'choice': str(a)}]\n"
        "def preview(s, a): return f'<use href=\"#card{a}\"/>'",
        drawings.choices_can_be_told_apart,
    ),
    "a_preview_has_a_name": (
        "def clicks(s, a): return ['!play', {'choice': str(a)}]\n"
        "def preview(s, a): return f'<g id=\"g{a}\"/>'",
        drawings.choices_can_be_told_apart,
    ),
    "cards_chosen_together_are_refused": (
        "def bundle(s):\n"
        "    cards = [{'name': 'any', 'action': 'no such card', 'limits': [0, 2]}]\n"
        "    row = {'words': 'Choose', 'total': [1, 2], 'cards': cards}\n"
        "    return {'words': 'Choose', 'rows': [row]}\n",
        drawings.cards_chosen_together_are_legal,
    ),
    "too_many_cards_are_wanted": (
        "def bundle(s):\n"
        "    cards = [{'name': 'any', 'action': a, 'limits': [0, 1]} for a in range(2)]\n"
        "    row = {'words': 'Choose', 'total': [3, 3], 'cards': cards}\n"
        "    return {'words': 'Choose', 'rows': [row]}\n",
        drawings.cards_chosen_together_are_legal,
    ),
    "two_choices_have_one_name": (
        "def clicks(s, a): return ['!play', {'choice': 'it', 'verbs': ['Next', f'Take {a}']}]",
        drawings.every_action_can_be_clicked,
    ),
}

#: Wrong declarations: what is replaced by what.
CLAIMS: dict[str, tuple[dict[str, str], Callable]] = {
    "too_few_actions": ({"actions=6": "actions=5"}, laws.legal_actions_are_sound),
    "too_few_choices": ({"outcomes=4": "outcomes=4, choices=3"}, laws.legal_actions_are_sound),
    "too_few_outcomes": ({"outcomes=4": "outcomes=3"}, laws.probabilities_sum_to_one),
    "too_short": ({"length=12": "length=5"}, laws.every_random_game_ends),
    "a_phase_too_many": ({'"over")': '"over", "party")'}, laws.every_phase_is_reached),
    "sides_that_do_not_share": (
        {"length=12": "length=12, sides=lambda options: (0,) * options['players']"},
        laws.returns_sum_to_one,
    ),
    "sides_that_the_rules_do_not_know": (
        {"length=12": "length=12, sides=lambda options: (0, 1, 0, 1)[: options['players']]"},
        laws.sides_are_those_that_are_declared,
    ),
}


def build(folder: Path, name: str, rules: str, data: str = DATA) -> Game:
    """A game of this name, written into a folder and imported."""
    (folder / name).mkdir()
    (folder / name / "rules.py").write_text(rules)
    (folder / name / "__init__.py").write_text(data)
    importlib.invalidate_caches()
    return importlib.import_module(name).game


def edited(text: str, edits: dict[str, str]) -> str:
    for old, new in edits.items():
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def broken(report: Report) -> set[str]:
    return {law.name for law in report.laws if law.failed}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to import games from; the sound one can be imported as well."""
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def game() -> Game:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        return importlib.import_module("cardgame").game


@pytest.fixture(scope="module")
def report(game: Game) -> Report:
    return check(game, seed=1, positions=20)


# --- a sound game ---


def test_a_sound_game_keeps_every_law(report: Report):
    assert [failure for law in report.laws for failure in law.failures] == []
    assert report.ok


def test_every_law_is_tried_on_a_game_with_hidden_cards(report: Report):
    """But for those that only a game with a drawing or a best turn of its own can keep."""
    idle = [law.name for law in report.laws if law.note]
    own = (
        laws.the_best_turn_is_the_best_of_all,
        drawings.choices_can_be_told_apart,
        drawings.cards_chosen_together_are_legal,
    )
    assert idle == [name_of(f) for f in own]


def test_positions_are_sampled_phase_by_phase(report: Report):
    assert report.positions == {"deal": 20, "turn": 20, "draw": 20, "over": 16}


def test_a_report_is_plain_data(report: Report):
    assert json.loads(json.dumps(asdict(report)))["game"] == "cardgame"


def test_a_check_can_be_repeated(game: Game):
    told: list[tuple[str, float]] = []
    one = asdict(check(game, seed=5, positions=3))
    two = asdict(check(game, seed=5, positions=3, progress=lambda *what: told.append(what)))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    assert {what for what, _ in told} == {"playing games", "trying the laws"}
    assert all(0 <= part <= 1 for _, part in told)


# --- faults ---


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_rules_is_caught_by_its_law(name: str, folder: Path):
    edits, caught_by = FAULTS[name]
    rules = edited(SOURCE, edits).replace('"cardgame.', f'"{name}.')
    found = check(build(folder, name, rules), seed=1, positions=20)
    assert {name_of(f) for f in caught_by} <= broken(found)


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_of_the_author_is_caught_by_its_law(name: str, folder: Path):
    slip, caught_by = SLIPS[name]
    head = "import cardgame.rules as sound\nfrom cardgame.rules import *\n\n"
    found = check(build(folder, name, head + slip), seed=1, positions=6)
    assert name_of(caught_by) in broken(found)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_wrong_claim_is_caught_by_its_law(name: str, folder: Path):
    edits, caught_by = CLAIMS[name]
    head = "from cardgame.rules import *\n"
    found = check(build(folder, name, head, edited(DATA, edits)), seed=1, positions=6)
    assert name_of(caught_by) in broken(found)


def test_a_past_state_that_changed_is_caught(game: Game):
    state = game.new(1)
    line = TracedGame(game, dict(state.options), 1, past=[(state, state.buffer.tobytes())])
    assert list(laws.past_states_stay(line)) == [True]
    state.apply("9")
    assert list(laws.past_states_stay(line)) == ["the state after 0 events has changed"]


def test_amounts_are_clicks_like_any_other(folder: Path):
    head = "from cardgame.rules import *\n\n"
    slider = "def clicks(s, a): return [{'amount': [0, 5, a]}]"
    assert broken(check(build(folder, "sliders", head + slider), seed=1, positions=6)) == set()


def test_a_failure_leads_to_its_place(folder: Path):
    slip = "def svg(s): return '<svg>' if s.turns < 2 else '<svg/>'"
    head = "from cardgame.rules import *\n"
    game = build(folder, "early_drawings_are_broken", head + slip)
    found = check(game, seed=1, positions=6)
    [failures] = [law.failures for law in found.laws if law.failed]
    assert len(failures) == 3
    for failure in failures:
        state = game.new(failure.seed, **failure.options)
        for move in failure.moves:
            state.apply(move)
        assert state.record.turns < 2
        assert state.phase == failure.phase
        assert load(game, failure.options, failure.code) == state


def test_small_mistakes_are_caught_in_a_game_that_hides_nothing(folder: Path):
    edits = {
        "out[p] = 1.0 / winners if": "out[p] = 1.0 if",
        "out[p] = s.sums[p]": "out[p] = s.sums[p]\n        s.turns = s.turns | 1",
        'copies=within(1, 100, "i4"))': (
            'copies=within(1, 100, "i4"), played=within(0, 99, "i4"))'
        ),
        "s.table[r] += 1": "s.table[r] += 1\n    s.played += 1",
        "out[0] += s.deck[r] + s.table[r]": "out[0] += s.deck[r]",
        "@rules.redact.method(State)": "@kernel",
        "@rules.determinize.method(State)": "@kernel",
        "viewer == s.player else SOME_CARD": "viewer == s.player else RANKS - 1 - a",
    }
    rules = edited(SOURCE, edits).replace('"cardgame.', '"open_cards.')
    found = check(build(folder, "open_cards", rules), seed=1, positions=20)
    assert broken(found) == {
        name_of(laws.returns_sum_to_one),
        name_of(laws.looking_changes_nothing),
        name_of(laws.what_is_fixed_stays),
        name_of(laws.what_is_conserved_stays),
        name_of(laws.what_is_seen_has_a_code),
    }
    assert {law.name for law in found.laws if law.note == "nothing is hidden"} == {
        name_of(laws.what_looks_the_same_leaves_the_same_view),
        name_of(laws.the_log_tells_no_more_than_the_view),
        name_of(laws.the_public_sees_no_more_than_a_player),
        name_of(laws.worlds_that_look_the_same_stay_so),
        name_of(laws.a_sample_fits_the_view),
        name_of(laws.samples_are_not_the_truth),
    }


# --- sampling ---


def test_games_are_played_under_all_kinds_of_options(game: Game):
    sets = option_sets(game, Explorer(game, 1, 1).rng)
    assert {"players": 2} in sets and {"players": 3} in sets
    assert {one["copies"] for one in sets if "copies" in one} >= {2, 4}


def test_a_rare_phase_is_sought(game: Game):
    explorer = Explorer(game, seed=1, count=10)
    explorer.seen = Counter(deal=9, turn=9, over=9)
    state = game.new(1)
    for card in "6789":
        state.apply(card)
    assert state.text(explorer.rarest(state)) == "take"


# --- numbers ---


@pytest.mark.parametrize("probability", [0.001, 0.2, 0.5])
def test_surprise_bounds_the_tail_of_the_binomial(probability: float):
    draws = 1000
    for count in range(0, draws + 1, 50):
        bound = 2 * 2.718281828 ** (-draws * surprise(count / draws, probability))
        below = binom.cdf(count, draws, probability)
        above = binom.sf(count - 1, draws, probability)
        assert min(below, above) <= bound


def test_the_impossible_is_infinitely_surprising():
    assert surprise(0.1, 0.0) == surprise(0.9, 1.0) == float("inf")
    assert surprise(1.0, 1.0) == surprise(0.0, 0.0) == 0.0
