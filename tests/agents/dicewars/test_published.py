"""The agents of the course against slow, clear references written from the notes alone.

A reference maps a plain ``Board`` to the set of its tied best actions, in notation.
"""

import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product
from math import exp, log, prod

import pytest

from kostka.agents import make
from kostka.core.record import new
from kostka.core.state import CHANCE, State
from kostka.games.dicewars import game
from kostka.games.dicewars.rules import note_dice, note_owners

END = frozenset({"end"})
CLOSE = 1e-9


@dataclass(frozen=True)
class Board:
    """What an agent of the course looks at; ``players`` is how many the game started with."""

    links: tuple[tuple[int, ...], ...]
    owner: tuple[int, ...]
    dice: tuple[int, ...]
    players: int
    me: int

    def after(self, i, j, won):
        """The board after an attack; no dice are produced."""
        owner, dice = list(self.owner), list(self.dice)
        if won:
            owner[j], dice[j] = owner[i], dice[i] - 1
        dice[i] = 1
        return replace(self, owner=tuple(owner), dice=tuple(dice))


def read(view):
    """The board of a view or state."""
    s = view.record
    n = int(s.areas)
    return Board(
        links=tuple(tuple(j for j in range(n) if int(s.neighbours[i]) >> j & 1) for i in range(n)),
        owner=tuple(int(p) for p in s.owner[:n]),
        dice=tuple(int(d) for d in s.dice[:n]),
        players=int(s.players),
        me=int(s.player),
    )


# --- what the notes call P, hold, q, region and score ---


@cache
def sums(n):
    return Counter(map(sum, product(range(1, 7), repeat=n)))


@cache
def win_chance(a, d):
    """P(a, d): the attacker's sum is strictly greater."""
    wins = sum(n * m for x, n in sums(a).items() for y, m in sums(d).items() if x > y)
    return wins / 6 ** (a + d)


def attacks(b):
    """All legal attacks of the player to move, by area number."""
    return [
        (i, j)
        for i in range(len(b.owner))
        if b.owner[i] == b.me and b.dice[i] >= 2
        for j in b.links[i]
        if b.owner[j] != b.me
    ]


def p_of(b, attack):
    i, j = attack
    return win_chance(b.dice[i], b.dice[j])


def hold(b, t, k):
    """The chance that k dice on t survive one attack of each enemy neighbour that can attack."""
    return prod(
        1 - win_chance(b.dice[y], k) for y in b.links[t] if b.owner[y] != b.me and b.dice[y] >= 2
    )


def quality(b, attack):
    """q: win the attack and hold the area."""
    i, j = attack
    return p_of(b, attack) * hold(b, j, b.dice[i] - 1)


def regions(b, player):
    """The connected regions of a player, in the order of their lowest areas."""
    found, seen = [], set()
    for start, p in enumerate(b.owner):
        if p != player or start in seen:
            continue
        region = [start]
        seen.add(start)
        for i in region:
            for j in b.links[i]:
                if b.owner[j] == player and j not in seen:
                    seen.add(j)
                    region.append(j)
        found.append(frozenset(region))
    return found


def score(b, player):
    return max(map(len, regions(b, player)), default=0)


def dice_by_turn(b):
    """The dice of every player in turn order from the one to move; the dead have none."""
    order = [(b.me + k) % b.players for k in range(b.players)]
    return [sum(d for d, p in zip(b.dice, b.owner, strict=True) if p == q) for q in order]


def name(attack):
    return "end" if attack is None else f"{attack[0]}>{attack[1]}"


def best(rated):
    """The names of the options rated within a hair of the best."""
    top = max(rated.values())
    return frozenset(name(a) for a, value in rated.items() if value >= top - CLOSE)


# --- the references ---


def sdc(b):
    """The attack with the largest difference of dice, if it is not negative."""
    rated = {(i, j): b.dice[i] - b.dice[j] for i, j in attacks(b) if b.dice[i] >= b.dice[j]}
    return best(rated) if rated else END


def ste(b):
    """The best q among those of at least 0.2 and those of 8 dice."""
    rated = {a: quality(b, a) for a in attacks(b)}
    rated = {a: q for a, q in rated.items() if q >= 0.2 or b.dice[a[0]] == 8}
    return best(rated) if rated else END


def stei_ranking(b, players=None):
    """Its attacks by quality in a game of so many, by default of those who began."""
    threshold, weight = (0.2, 3) if (players or b.players) == 2 else (0.4, 2)
    first_largest = max(regions(b, b.me), key=len, default=frozenset())
    rated = {}
    for a in attacks(b):
        q = quality(b, a)
        if q >= threshold or b.dice[a[0]] == 8:
            rated[a] = q * weight if a[0] in first_largest else q
    return rated


def stei(b):
    """As ste, but attacks from the (first) largest region count double or triple."""
    rated = stei_ranking(b)
    return best(rated) if rated else END


def sigmoid(x):
    return 1 / (1 + exp(-x))


def safe_log(x):
    return log(x) if x else 0.0


def maximise_win_chance(b, value):
    """wpm-d and wpm-c: the expected value after the move and the production that follows it.

    ``value`` takes the dice of all players in turn order. The bound of -0.05 on the gain of an
    attack never decides: ending the turn always gains, so a better attack does, too.
    """
    dice = dice_by_turn(b)
    now = value(dice)
    with_score = [dice[0] + score(b, b.me), *dice[1:]]
    gain = {None: log(value(with_score)) - log(now)}
    for i, j in attacks(b):
        p = win_chance(b.dice[i], b.dice[j])
        won, lost = list(with_score), list(with_score)
        won[(b.owner[j] - b.me) % b.players] -= b.dice[j]
        lost[0] -= b.dice[i] - 1
        gain[i, j] = log(p * value(won) + (1 - p) * value(lost)) - log(now)
    top = max(gain.values())
    assert top >= -0.05
    chosen = {a for a, g in gain.items() if g >= top - CLOSE}
    result = {name(a) for a in chosen if a is not None}
    if None in chosen:
        eights = {a: g for a, g in gain.items() if a is not None and b.dice[a[0]] == 8}
        result |= best(eights) if eights else END
    return frozenset(result)


WPM_D = {2: (3.066, -3.066), 4: (0.913, -0.559, -0.518, -0.572)}
WPM_C = {  # weights of score and dice
    2: ((1.30214778, 2.25563871), (-1.30214778, -2.25563871)),
    4: (
        (1.04279419, 0.25416893),
        (-0.64830571, -0.15321224),
        (-0.64217824, -0.11354054),
        (-0.59113493, -0.19902261),
    ),
}
WPM_S = {2: (0.519, -0.417), 4: (0.265, -0.207, -0.193, -0.202)}


def wpm_d(b):
    weights = WPM_D[b.players]

    def value(dice):
        return sigmoid(sum(w * safe_log(d) for w, d in zip(weights, dice, strict=True)))

    return maximise_win_chance(b, value)


def wpm_c(b):
    """The score of everybody is the own one: the course's bug."""
    weights = WPM_C[b.players]
    mine = log(score(b, b.me) + 1)

    def value(dice):
        return sigmoid(
            sum(ws * mine + wd * log(d + 1) for (ws, wd), d in zip(weights, dice, strict=True))
        )

    return maximise_win_chance(b, value)


def wpm_s(b):
    """Attacks that seem to extend a largest region, or of 8 dice; the own score stands for all."""
    weights = WPM_S[b.players]
    mine = score(b, b.me)
    largest = {i for region in regions(b, b.me) if len(region) == mine for i in region}

    def value(own):
        return sigmoid(weights[0] * own + sum(weights[1:]) * mine)

    gain = {}
    for i, j in attacks(b):
        extends = i in largest or any(k in largest for k in b.links[j])
        if extends or b.dice[i] == 8:
            p = win_chance(b.dice[i], b.dice[j])
            g = log(value(mine + extends)) + log(p) - log(value(mine))
            if g >= -1:
                gain[i, j] = g
    if not gain:
        return END
    top = max(gain.values())
    chosen = [a for a, g in gain.items() if g >= top - CLOSE]
    return frozenset(name(a) if top >= -0.05 or b.dice[a[0]] == 8 else "end" for a in chosen)


def seed_eval(b, player):
    """(largest region - 1) + 1 / (abd + naa + 1); nothing without areas."""
    s = score(b, player)
    if s == 0:
        return 0.0
    abd = naa = 0
    for i, p in enumerate(b.owner):
        enemies = [j for j in b.links[i] if b.owner[j] != player]
        if p != player or not enemies:
            continue
        abd += sum(max(0, b.dice[j] - b.dice[i]) for j in enemies)
        naa += b.dice[i] == 1
    return s - 1 + 1 / (abd + naa + 1)


@lru_cache(100_000)
def answers(b, root, left):
    """The value for ``root`` when ``left`` more players in the order play out a turn of stei.

    Of equally good attacks stei takes the first, by the number of its source, then its target, and
    it takes the game for one of those who are alive at this point.
    """
    if left == 0:
        return seed_eval(b, root)
    rated = stei_ranking(b, len(set(b.owner)))
    if not rated:
        return answers(next_player(b), root, left - 1)
    top = max(rated.values())
    attack = min(a for a, value in rated.items() if value >= top - CLOSE)
    p = p_of(b, attack)
    won, lost = b.after(*attack, True), b.after(*attack, False)
    success = answers(won, root, left) if p > 0.47 else seed_eval(won, root)
    failure = answers(lost, root, left) if 0.47 < p < 0.8 else seed_eval(lost, root)
    return p * success + (1 - p) * failure


def next_player(b):
    """The next in the order, alive or not: a dead one has no attack and just passes."""
    return replace(b, me=(b.me + 1) % b.players)


def expectimax(b):
    """The seed's agent: every own attack over 0.47, answered by one turn of stei of each enemy.

    As many enemies answer as are alive before the attack.
    """
    left = len(set(b.owner)) - 1
    rated = {}
    for a in attacks(b):
        if (p := p_of(b, a)) > 0.47:
            won, lost = b.after(*a, True), b.after(*a, False)
            success = answers(next_player(won), b.me, left)
            failure = answers(next_player(lost), b.me, left) if p < 0.8 else seed_eval(lost, b.me)
            rated[a] = (p * success + (1 - p) * failure, success, failure)
    for part in range(3):
        if rated:
            top = max(values[part] for values in rated.values())
            rated = {a: values for a, values in rated.items() if values[part] >= top - CLOSE}
    return frozenset(map(name, rated)) or END


def gathering(b):
    """The first transfer from an inner area with two dice to the border, where there is room."""
    own = [i for i in range(len(b.owner)) if b.owner[i] == b.me]
    border = [i for i in own if any(b.owner[j] != b.me for j in b.links[i])]
    for i in own:
        if i not in border and b.dice[i] >= 2:
            for j in b.links[i]:
                if j in border and b.dice[j] < 8:
                    return frozenset({f"{i}={j}"})
    return frozenset()


def retreating(b):
    """The transfers from the border that most lower the dice expected to be lost."""
    drop = {}
    for i, j in product(range(len(b.owner)), repeat=2):
        own = b.owner[i] == b.owner[j] == b.me and j in b.links[i]
        if own and b.dice[i] >= 2 and any(b.owner[k] != b.me for k in b.links[i]):
            n = min(8 - b.dice[j], b.dice[i] - 1)
            now = [(i, b.dice[i]), (j, b.dice[j])]
            then = [(i, b.dice[i] - n), (j, b.dice[j] + n)]
            drop[i, j] = sum((1 - hold(b, *x)) * x[1] for x in now)
            drop[i, j] -= sum((1 - hold(b, *x)) * x[1] for x in then)
    top = max(drop.values(), default=0.0)
    if top <= CLOSE:
        return END
    return frozenset(f"{i}={j}" for (i, j), d in drop.items() if d >= top - CLOSE)


def transferring(attack, gather, retreat):
    """A kb agent of 2021: gather while fewer transfers were made, attack, retreat up to six."""

    def decide(s):
        b, used = read(s), int(s.record.transfers)
        if used < gather and gathering(b):
            return gathering(b)
        chosen = attack(b)
        return retreating(b) if retreat and chosen == END and used < 6 else chosen

    return decide


TRANSFERRING = {
    "sdc-pre-at": transferring(sdc, 6, False),
    "sdc-post-dt": transferring(sdc, 0, True),
    "stei-at": transferring(stei, 6, True),
    "stei-dt": transferring(stei, 0, True),
    "stei-adt": transferring(stei, 4, True),
}


REFERENCES = {
    "sdc": sdc,
    "ste": ste,
    "stei": stei,
    "wpm-d": wpm_d,
    "wpm-c": wpm_c,
    "wpm-s": wpm_s,
    "expectimax": expectimax,
}


# --- positions ---


def row(owners, dice, player=0, players=None, links=""):
    """Areas in a row, each touching the next, or linked as told: ``links="0-1 1-2"``."""
    n = len(owners)
    one = new(game.dtype)
    s = one[0]
    pairs = [tuple(map(int, link.split("-"))) for link in links.split()]
    for i, j in pairs or [(i, i + 1) for i in range(n - 1)]:
        s.neighbours[i] |= 1 << j
        s.neighbours[j] |= 1 << i
    s.owner[:n] = [int(c) for c in owners]
    s.dice[:n] = [int(c) for c in dice]
    s.areas = n
    s.players = players or max(2, 1 + max(s.owner))
    note_owners(s)
    note_dice(s)
    s.player = player
    s.edition, s.quiet_limit, s.battle_limit = 2019, 8, 10_000
    s.source = s.target = s.won = -1
    return State(game, game.check({"players": int(s.players)}), one)


@cache
def positions(players, wanted=150):
    """Positions with something to decide, reached by random play in 2019."""
    chooser = random.Random(players)
    found = []
    seed = 0
    while len(found) < wanted:
        s = game.new(seed=seed, players=players)
        seed += 1
        zeal = chooser.uniform(0.2, 0.9)
        lead = chooser.randrange(4)  # the better the attacks, the sooner somebody is out
        for _ in range(900):
            if s.over:
                break
            if s.mover == CHANCE:
                codes, weights = zip(*s.outcomes, strict=True)
                s.apply(chooser.choices(codes, weights)[0])
                continue
            moves = s.legal_actions
            if len(moves) > 1 and chooser.random() < 0.08:
                found.append(s.copy())
            if len(moves) > 1 and chooser.random() < zeal:
                b = read(s)
                fair = [(i, j) for i, j in attacks(b) if b.dice[i] >= b.dice[j] + lead]
                s.apply(name(chooser.choice(fair or attacks(b))))
            else:
                s.apply("end")
    chooser.shuffle(found)
    return found[:wanted]


@cache
def small_boards(players, wanted=400):
    """Boards of 6 to 10 areas by lot, some players dead or with one area: where readings differ."""
    chooser = random.Random(players)
    found = []
    while len(found) < wanted:
        n = chooser.randint(6, 10)
        links = {(i, chooser.randrange(i)) for i in range(1, n)}
        links |= {(i, j) for i in range(n) for j in range(i) if chooser.random() < 0.15}
        owners = "".join(str(chooser.randrange(players)) for _ in range(n))
        dice = "".join(str(chooser.randint(1, 8)) for _ in range(n))
        player = int(chooser.choice(owners))
        if len(set(owners)) > 1:
            text = " ".join(f"{i}-{j}" for i, j in sorted(links))
            found.append(row(owners, dice, player, players, text))
    return found


def decision(agent, s):
    return s.text(agent.act(s.view(s.mover)))


# --- the references themselves, by hand ---


def test_sdc_takes_the_largest_difference():
    b = read(row("0101", "6485"))
    assert sdc(b) == {"2>1"}
    assert sdc(read(row("0101", "5485"))) == {"2>1"}
    assert sdc(read(row("011", "454"))) == END
    assert sdc(read(row("011", "444"))) == {"0>1"}


def test_ste_wants_a_chance_of_a_fifth_to_win_and_hold():
    assert ste(read(row("011", "311"))) == {"0>1"}
    weak = read(row("011", "228"))  # 0.444 to win, then one die against eight
    assert quality(weak, (0, 1)) == 0
    assert ste(weak) == END
    assert ste(read(row("011", "888"))) == {"0>1"}  # eight dice always may


def test_stei_prefers_its_first_largest_region():
    links = "0-1 1-2 3-4 4-5 2-5"
    s = row("001001", "141141", links=links)
    assert stei(read(s)) == {"1>2"}  # regions 0-1 and 3-4 are equally large
    assert ste(read(s)) == {"1>2", "4>5"}


def test_the_threshold_of_stei_depends_on_how_many_started():
    s = row("0111", "4431", players=2)
    q = quality(read(s), (0, 1))
    assert 0.2 <= q < 0.4
    assert stei(read(s)) == {"0>1"}
    assert stei(read(row("0111", "4431", players=3))) == END


def test_wpm_d_by_hand():
    s = row("0111", "3124")  # 3 dice of 10, score 1
    v = {n: sigmoid(3.066 * log(n[0] / n[1])) for n in ((3, 7), (4, 7), (4, 6), (2, 7))}
    p = win_chance(3, 1)
    attack = p * v[4, 6] + (1 - p) * v[2, 7]
    assert attack > v[4, 7]
    assert wpm_d(read(s)) == {"0>1"}
    assert wpm_d(read(row("0111", "3524"))) == END
    assert wpm_d(read(row("0111", "8888"))) == {"0>1"}  # ending is better, but eight dice attack


def test_wpm_s_attacks_only_for_a_largest_region():
    links = "0-1 1-2 2-3 3-4"
    assert wpm_s(read(row("00101", "11131", links=links))) == {"3>2"}  # 2 touches the region 0-1
    assert wpm_s(read(row("00111", "13111"))) == {"1>2"}
    links = "0-1 1-2 2-3 3-4 4-5"
    assert wpm_s(read(row("001101", "111171", links=links))) == END
    assert wpm_s(read(row("001101", "111181", links=links))) == {"4>3", "4>5"}


def test_expectimax_by_hand():
    # 0>1 wins for sure and is safe: nobody can answer. 4>3 wins as surely, but joins nothing.
    b = read(row("01110", "71117"))
    assert expectimax(b) == {"0>1", "4>3"}
    assert expectimax(read(row("001110", "171117"))) == {"1>2"}
    assert expectimax(read(row("011", "778"))) == END  # 7 against 7 is below 0.47
    assert expectimax(read(row("011", "881"))) == {"0>1"}


def test_stei_in_the_search_counts_who_is_left():
    # One of three is out; now stei dares what it would not in a game of three.
    b = replace(read(row("1000", "4431", players=3)), me=1)
    assert stei_ranking(b) == {}
    assert stei_ranking(b, 2).keys() == {(0, 1)}
    assert answers(b, 0, 1) < seed_eval(b, 0)


# --- transfers, by hand ---


def of_2021(s, used=0):
    s.record.edition, s.record.transfer_limit, s.record.transfers = 2021, 6, used
    return s


def test_inner_dice_go_to_the_border_before_attacks():
    s = row("00011", "43211")  # 0 is two steps from the border, 1 beside it
    for agent in ("sdc-pre-at", "stei-at", "stei-adt"):
        assert decision(make(game, agent), of_2021(s)) == "1=2"
    for agent in ("sdc-post-dt", "stei-dt"):
        assert decision(make(game, agent), of_2021(s)) == "2>3"


def test_four_transfers_go_to_the_border_and_two_back():
    s = of_2021(row("00011", "43211"), used=4)
    assert decision(make(game, "stei-at"), s) == "1=2"
    assert decision(make(game, "stei-adt"), s) == "2>3"
    exposed = of_2021(row("0011", "1688"), used=4)  # 6 against 8 is no attack
    assert decision(make(game, "stei-adt"), exposed) == "1=0"
    assert decision(make(game, "stei-adt"), of_2021(exposed, used=6)) == "end"


def test_who_has_retreated_attacks_no_more_in_this_turn():
    s = of_2021(row("0010", "2633", links="0-1 1-2 0-3 3-2"))
    agent = make(game, "stei-dt")
    assert decision(agent, s).endswith(">2")
    s.apply("1=0")
    assert ">" not in decision(agent, s)


def test_without_transfers_they_are_the_agents_they_stand_on():
    for s in positions(2)[:60]:
        for agent in TRANSFERRING:
            assert decision(make(game, agent), s) == decision(make(game, agent.split("-")[0]), s)


# --- the examples of the seed document ---


def seed_value(s, player=0):
    from kostka.games.dicewars import heuristics

    return float(heuristics.seed_value(s.record, player))


def reference_value(s, player=0):
    return seed_eval(read(s), player)


both_evaluations = pytest.mark.parametrize(
    "value", [seed_value, reference_value], ids=("ours", "reference")
)
THREES = "3" * 17


@both_evaluations
def test_the_evaluation_of_the_seed_document(value):
    threatened = row("1" + "0" * 19 + "1", f"51{THREES}12")  # excess 4 and 1, two single dice
    assert value(threatened) == pytest.approx(18.125, abs=1e-12)
    safe = row("1" + "0" * 19 + "1", f"33{THREES}32")
    assert value(safe) == pytest.approx(19, abs=1e-12)


@both_evaluations
def test_the_evaluation_of_figure_6(value):
    # A is area 4 with 3 dice against 5, B area 11 with 1 die against 8; regions of 4, 3 and 2.
    s = row("1000010001001", "2444355222218")
    assert value(s) == pytest.approx(3 + 1 / 11, abs=1e-12)


@both_evaluations
def test_of_two_captures_the_less_threatened_scores_higher(value):
    facing_5 = row("1001", "1235")
    facing_7 = row("1001", "1237")
    assert value(facing_5) == pytest.approx(1 + 1 / 3, abs=1e-12)
    assert value(facing_7) == pytest.approx(1 + 1 / 5, abs=1e-12)


@both_evaluations
def test_the_excess_of_every_enemy_neighbour_counts(value):
    star = row("01120", "25421", links="0-1 0-2 0-3 0-4", players=3)  # 3 + 2 + 0, no single die
    assert value(star) == pytest.approx(1 + 1 / 6, abs=1e-12)


@both_evaluations
def test_a_single_die_away_from_the_border_does_no_harm(value):
    assert value(row("0001", "1121")) == pytest.approx(3, abs=1e-12)


@both_evaluations
def test_without_areas_the_evaluation_is_nothing(value):
    assert value(row("0110", "1111", players=3), 2) == 0


@pytest.mark.parametrize("players", (2, 4))
def test_the_evaluation_agrees_with_the_reference(players):
    for s in positions(players):
        for p in range(players):
            assert seed_value(s, p) == pytest.approx(reference_value(s, p), abs=1e-12)


# --- ours against the references ---


@pytest.mark.parametrize("players", (2, 4))
@pytest.mark.parametrize("agent", REFERENCES)
def test_the_agent_decides_as_the_reference(agent, players):
    ours = make(game, agent)
    wrong = []
    slow = agent == "expectimax" and players > 2
    for s in positions(players)[: 40 if slow else None]:
        expected = REFERENCES[agent](read(s))
        if (chosen := decision(ours, s)) not in expected:
            wrong.append((s.code, chosen, sorted(expected)))
    assert not wrong, f"{len(wrong)} differ; the first: {wrong[0]}"


@pytest.mark.parametrize("players", (2, 4))
@pytest.mark.parametrize("agent", REFERENCES)
def test_the_agent_decides_as_the_reference_on_small_boards(agent, players):
    ours = make(game, agent)
    for s in small_boards(players):
        assert decision(ours, s) in REFERENCES[agent](read(s)), s.code


def test_the_random_agent_attacks_at_random_until_nothing_is_left():
    agent = make(game, "random")
    assert decision(agent, row("0011", "1188")) == "end"
    s = row("00111", "22222", links="0-2 0-3 1-4 0-1")
    seen = Counter(decision(agent, s) for _ in range(600))
    assert set(seen) == {"0>2", "0>3", "1>4"}
    assert all(140 <= n <= 260 for n in seen.values())


@pytest.mark.parametrize("agent", ["random", *REFERENCES])
def test_every_agent_ends_its_turn_when_it_cannot_attack(agent):
    assert decision(make(game, agent), row("0011", "1188")) == "end"


@pytest.mark.parametrize("agent", ["random", *REFERENCES])
def test_an_agent_leaves_the_view_as_it_was(agent):
    ours = make(game, agent)
    for s in positions(2)[:10]:
        view = s.view(s.mover)
        before = view.hash
        ours.act(view)
        assert view.hash == before


@pytest.mark.parametrize("players", (2, 4))
@pytest.mark.parametrize("agent", TRANSFERRING)
def test_a_transferring_agent_decides_as_the_reference(agent, players):
    ours, chooser, kinds = make(game, agent), random.Random(players), Counter()
    for s in small_boards(players):
        s = of_2021(s.copy(), used=chooser.randint(0, 6))
        chosen = decision(ours, s)
        assert chosen in TRANSFERRING[agent](s), s.code
        kinds["=" in chosen] += 1
    assert min(kinds.values()) > 10
