"""The drawing of Scotland Yard, its clicks and its words."""

import itertools
import random
import re
import xml.etree.ElementTree as ET
from importlib.resources import files

import numpy as np
import pytest

from kostka.core import present, rules
from kostka.core.palette import OUTLINES, PLAYERS
from kostka.core.rng import stream
from kostka.core.state import PUBLIC, begin
from kostka.games.scotlandyard import game, grid, scenery, view
from kostka.games.scotlandyard.actions import DOUBLE, HIDDEN_MOVE, HIDDEN_START, PASS, move_code
from kostka.games.scotlandyard.setup import LONDON
from kostka.games.scotlandyard.state import (
    BLACK,
    BUS,
    DETECTIVES,
    DETECTIVES_WON,
    DONE,
    FIRST_HALF,
    MR_X,
    MR_X_WON,
    SECOND_HALF,
    START,
    TAXI,
    UNDERGROUND,
    UNKNOWN,
    UNLIMITED,
)

SVG = "{http://www.w3.org/2000/svg}"
LATER = {"players": 3, "edition": "later", "starts": "random"}
ALL = [(game, {}), (game, LATER), (grid, {}), (grid, {"size": 4, "players": 4})]


def started(which=game, seed=1, **options):
    """A game before Mr X hides."""
    return begin(which, which.check(options), seed)


def london(*stations, **fields):
    """A position of London: where Mr X is (-1: hidden), where the detectives are, and the rest."""
    s = started(players=max(2, len(stations))).record
    s.phase, s.turn = MR_X, 1
    s.station[: len(stations)] = stations
    s.possible[:] = 0
    for name, value in fields.items():
        s[name] = value
    return s


def cells(*stations, size=5, **fields):
    """The same on a grid."""
    s = started(grid, players=len(stations), size=size).record
    s.phase, s.turn = MR_X, 1
    s.station[: len(stations)] = stations
    s.possible[:] = 0
    for name, value in fields.items():
        s[name] = value
    return s


def moved(s, *entries):
    """Mr X's log: tickets, with the station where he showed himself."""
    for kind, shown in entries:
        s.log[s.moves], s.seen[s.moves] = kind, shown
        s.moves += 1
    return s


def drawn(s):
    return ET.fromstring(view.svg(s))


def classed(root, name):
    return [e for e in root.iter() if name in e.get("class", "").split()]


def titles(elements):
    return [e.find(SVG + "title").text for e in elements]


def random_games(which, options, seeds=range(3)):
    """Every position of some games at random in which a player is to act."""
    for seed in seeds:
        state = started(which, seed, **options).settle(stream(seed))
        choose = random.Random(seed)
        while not state.over:
            yield state
            state.apply(choose.choice(state.legal_actions))


# --- the document ---


@pytest.mark.parametrize(("which", "options"), ALL)
def test_a_drawing_is_one_document_with_a_title_and_a_frame(which, options):
    s = started(which, **options).record
    root = drawn(s)
    assert root.get("class") == which.name
    assert root.get("role") == "img"
    left, top, width, height = map(float, root.get("viewBox").split())
    assert left < 0 and top < 0 and width > 0 and height > 0
    assert root.find(SVG + "title").text == view.title(s)


@pytest.mark.parametrize(("which", "options"), ALL)
def test_ids_are_unique_and_everything_referred_to_is_there(which, options):
    for state in itertools.islice(random_games(which, options, [4]), 0, 60, 9):
        text = view.svg(state.record)
        ids = re.findall(r' id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
        assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(ids)


@pytest.mark.parametrize(("which", "options"), ALL)
def test_the_style_keeps_to_its_own_drawing(which, options):
    style = drawn(started(which, **options).record).find(f".//{SVG}style").text
    flat = re.sub(r"@media[^{]*\{(.*?\})\s*\}", r"\1", style, flags=re.DOTALL)
    selectors = [one for group in re.findall(r"([^{}]+)\{", flat) for one in group.split(",")]
    assert len(selectors) > 30
    assert {one.split()[0] for one in selectors} == {f".{which.name}"}
    assert "prefers-color-scheme: dark" in style


@pytest.mark.parametrize(("which", "options"), ALL)
def test_the_backdrop_stays_for_a_whole_game_and_the_layer_is_small(which, options):
    stills, sizes = set(), []
    for state in random_games(which, options, [2]):
        stills.add(view.backdrop(state.record))
        sizes.append(len(view.layer(state.view(1).record)))
    assert len(stills) == 1
    assert max(sizes) < 15_000


def test_the_largest_layer_is_small():
    s = moved(london(46, 1, 2, 3, 4, 5, possible=1), *[(BUS, 199)] * 24)
    assert len(view.layer(s)) < 25_000


def test_the_page_gets_the_drawing_in_a_group_of_the_games_name():
    for which in (game, grid):
        still, moving, box = present.drawing(started(which).view(1))
        assert ET.fromstring(still).get("class") == which.name
        assert ET.fromstring(moving).get("class") == which.name
        assert len(box.split()) == 4


def test_two_boards_on_a_page_do_not_mix():
    """What differs from one to the other has its own ids."""
    classic, later = (drawn(started(edition=e).record) for e in ("classic", "later"))
    shapes = [
        {e.get("id"): ET.tostring(e) for e in root.find(f".//{SVG}defs")}
        for root in (classic, later)
    ]
    shapes += [{e.get("id"): ET.tostring(e) for e in heat} for heat in two_heats()]
    for one, other in itertools.permutations(shapes, 2):
        assert all(one[name] == other[name] for name in one.keys() & other.keys())


def two_heats():
    for station in (46, 58):
        s = london(UNKNOWN, 103)
        s.possible[station] = 1
        yield classed(drawn(s), "heat")[0].find(SVG + "defs")


@pytest.mark.parametrize("which", [game, grid])
def test_the_page_has_no_rules_for_what_is_drawn(which):
    sheet = (files("kostka.table") / "static" / "style.css").read_text(encoding="utf-8")
    heads = re.findall(r"([^{};]+)\{", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL))
    plain = {one.strip() for head in heads for one in head.split(",")}
    state = next(itertools.islice(random_games(which, {}, [1]), 12, None))
    used = {c for e in drawn(state.record).iter() for c in e.get("class", "").split()}
    assert len(used) > 15
    assert not {c for c in used for one in plain if re.match(rf"\.{c}(?![\w-])", one)}


# --- the board ---


def test_every_station_is_a_thing_with_its_number_and_what_stops_there():
    things = classed(drawn(started().record), "thing")
    assert [e.get("id") for e in things] == [f"s{n}" for n in range(1, 200)]
    assert [classed(e, "number")[0].text for e in things] == [str(n) for n in range(1, 200)]
    told = titles(things)
    assert told[46 - 1] == "station 46: taxi, bus and underground"
    assert told[108 - 1] == "station 108: taxi, bus and ferry"
    assert told[2 - 1] == "station 2: taxi"
    for n, (x, y) in enumerate(LONDON["coordinates"]):
        at = re.fullmatch(r"translate\((\d+) (\d+)\)", things[n].get("transform"))
        assert np.allclose([int(at[1]) / 2, int(at[2]) / 2], [x, y], atol=0.3)


@pytest.mark.parametrize("edition", ["classic", "later"])
def test_every_line_of_the_edition_is_drawn_between_its_stations(edition):
    root = drawn(started(edition=edition).record)
    places = {p: n for n, p in enumerate(scenery.station_places())}
    for kind in ("taxi", "bus", "underground"):
        (used,) = {e.get("href") for e in classed(root, kind)}
        path = root.find(f".//*[@id='{used[1:]}']").get("d")
        ends = set()
        for line in path.split("M")[1:]:
            numbers = [int(n) for n in re.findall(r"\d+", line)]
            ends.add((places[tuple(numbers[:2])], places[tuple(numbers[-2:])]))
        lacks = {(13, 14)} if (edition, kind) == ("later", "taxi") else set()
        assert ends == {tuple(line) for line in LONDON["lines"][kind]} - lacks
    assert len(classed(root, "ferry")) == 3


def test_the_artwork_knows_no_lines_but_those_of_the_map():
    for kind in ("taxi", "bus", "underground", "ferry"):
        lines = {f"{a}-{b}" for a, b in LONDON["lines"][kind]}
        assert set(scenery.ART[kind]) <= lines
    assert set(scenery.ART["ferry"]) == {f"{a}-{b}" for a, b in LONDON["lines"]["ferry"]}


def test_the_river_flows_past_the_ferry_and_leaves_all_other_stations_dry():
    outline = np.array(re.findall(r"(-?\d+) (-?\d+)", scenery.ART["river"]), float)
    ferry = {n for line in LONDON["lines"]["ferry"] for n in line}
    gap = {n: np.hypot(*(outline - p).T).min() for n, p in enumerate(scenery.station_places())}
    wet = {n for n, p in enumerate(scenery.station_places()) if n and inside(p, outline)}
    assert all(n in wet or gap[n] < scenery.SIGN for n in ferry)
    assert wet <= ferry
    assert outline[:, 0].max() >= scenery.LONDON_SIZE[0]
    assert outline[:, 1].max() >= scenery.LONDON_SIZE[1]


def inside(point, polygon):
    """By the parity of crossings of a ray to the right."""
    x, y = point
    u, v = polygon.T
    p, q = np.roll(u, -1), np.roll(v, -1)
    crosses = (v > y) != (q > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        return bool((crosses & (x < u + (y - v) * (p - u) / (q - v))).sum() % 2)


def test_lines_keep_off_the_numbers_of_other_stations():
    """A line that crosses the middle of a sign would seem to stop there."""
    at = np.array(scenery.station_places(), float)
    for kind in (TAXI, BUS, UNDERGROUND):
        for a, b in LONDON["lines"][view.KINDS[kind]]:
            numbers = [int(n) for n in re.findall(r"\d+", scenery.road(a, b, kind))]
            bends = np.reshape(numbers, (-1, 2)).astype(float)
            others = np.delete(at[1:], [a - 1, b - 1], axis=0)
            near = np.linalg.norm(bezier(bends)[:, None] - others, axis=2).min()
            assert near > scenery.SIGN * 0.8, (a, b, kind)


def bezier(points):
    """Points along a curve by de Casteljau's scheme."""
    t = np.linspace(0, 1, 60)[:, None, None]
    row = np.repeat(points[None], 60, axis=0)
    while row.shape[1] > 1:
        row = row[:, :-1] * (1 - t) + row[:, 1:] * t
    return row[:, 0]


@pytest.mark.parametrize("size", [3, 14])
def test_every_cell_is_a_thing_with_its_name(size):
    things = classed(drawn(started(grid, size=size).record), "thing")
    assert [e.get("id") for e in things] == [f"g{n}" for n in range(size * size)]
    assert titles(things)[size + 2] == "cell c2"


# --- pieces, tickets and the log ---


def test_a_piece_stands_where_it_is_in_its_owners_colour_and_shape():
    root = drawn(london(46, 103, 199))
    (group,) = classed(root, "pieces")
    assert set(titles(group)) == {"Mr X on 46", "orange on 103", "green on 199"}
    orange = next(e for e in group if e.find(SVG + "title").text == "orange on 103")
    assert {e.get("color") for e in orange.iter()} - {None} == {PLAYERS[1].colour}
    assert classed(orange, "badge")[0].get("d") == OUTLINES["▲"]
    x, y = scenery.station_places()[103]
    assert f"translate({x} {y})" in orange.get("transform")


def test_a_hidden_mr_x_is_nowhere():
    root = drawn(london(UNKNOWN, 103))
    assert titles(classed(root, "pieces")[0]) == ["orange on 103"]
    assert "sy-mrx" not in view.pieces(london(UNKNOWN, 103))


def test_bobbies_are_moved_by_the_last_detective_and_have_no_tickets():
    s = started(**LATER).record
    assert [view.piece_name(s, p) for p in range(5)][2:] == ["green", "bobby 1", "bobby 2"]
    assert view.pieces(s).count("#sy-bobby") == 2
    panels = classed(drawn(s), "hand")
    assert [len(classed(p, "stock")) for p in panels] == [5, 3, 3, 1, 1]
    facts = view.players(s)
    assert [label for label, _ in facts[2]][:3] == ["station", "bobby 1", "bobby 2"]


def test_panels_count_tickets_and_frame_whose_turn_it_is():
    s = london(46, 103, 199, phase=DETECTIVES, piece=2, seat=2)
    s.tickets[0], s.tickets[2], s.doubles = (4, UNLIMITED, 0, 2), (9, 8, 0, 0), 1
    mr_x, _, green = classed(drawn(s), "hand")
    assert [e.text for e in classed(mr_x, "stock")] == ["4", "∞", "0", "2", "1"]
    assert [e.text for e in classed(green, "stock")] == ["9", "8", "0"]
    assert len(classed(mr_x, "none")) == 1
    assert [bool(classed(p, "pill")) for p in (mr_x, green)] == [False, True]
    assert titles([green]) == ["green on 199: 9 taxi, 8 bus, 0 underground"]


def test_the_log_has_a_slot_for_each_move_with_its_ticket_and_where_he_was_seen():
    s = moved(london(79, 103), (TAXI, UNKNOWN), (BLACK, UNKNOWN), (UNDERGROUND, 79))
    root = drawn(s)
    (log,) = classed(root, "journey")
    assert titles(e for e in log if e.tag == SVG + "g") == [
        "move 1: taxi",
        "move 2: a black ticket",
        "move 3: underground, seen on 79",
    ]
    used = [e.get("href") for e in log.iter(SVG + "use")]
    assert used == ["#sy-card0", "#sy-card3", "#sy-card2"]
    assert [e.text for e in classed(log, "shown")] == ["79"]
    assert len(classed(root, "slot")) == 24
    assert [n for n, e in enumerate(classed(root, "slot"), 1) if "shows" in e.get("class")] == [
        *(3, 8, 13, 18, 24)
    ]


def test_where_he_was_last_seen_is_marked_with_the_move():
    assert not classed(drawn(london(46, 103)), "last")
    s = moved(london(46, 103), (TAXI, UNKNOWN), (TAXI, 58), (TAXI, UNKNOWN))
    assert titles(classed(drawn(s), "last")) == ["Mr X was on 58 after move 2"]


def covers(station, at, half):
    """The signs of other stations in a box beside one."""
    places = scenery.station_places()
    x, y = places[station][0] + at[0], places[station][1] + at[1]
    return [
        n
        for n, (u, v) in enumerate(places)
        if n not in (0, station) and abs(u - x) < half[0] and abs(v - y) < half[1]
    ]


def test_figures_and_flags_hide_no_other_station():
    for station in range(1, 200):
        x, y = scenery.stances(station)[0]
        assert not covers(station, (x, y - 56), scenery.FIGURE)
        assert not covers(station, scenery.clearest(station, scenery.TAG), scenery.TAG)


def test_who_is_caught_and_who_caught_him_stand_side_by_side():
    s = london(103, 103, 199, phase=DONE)
    assert view.stance(s, 0) != view.stance(s, 1)
    s = cells(7, 3, 7, phase=DONE)
    assert view.stance(s, 0)[0] < 0 < view.stance(s, 2)[0]
    assert view.stance(s, 1)[0] == 0


def test_the_lines_that_can_be_taken_are_lit_in_the_colours_of_their_tickets():
    s = london(UNKNOWN, 46, 58, phase=DETECTIVES, piece=1, seat=1)
    (roads,) = classed(drawn(s), "roads")
    near = {(int(n), int(k)) for n, k in zip(s.to[46], s.kind[46], strict=True) if n > 0}
    assert (58, BUS) in near
    lines = {(e.get("class"), e.get("d")) for e in roads if e.get("class") != "lit"}
    ways = {(view.KINDS[k], scenery.line_path(46, n, k)) for n, k in near if n != 58}
    assert lines == ways and len({name for name, _ in lines}) == 3
    s.tickets[1, UNDERGROUND] = 0
    assert not classed(classed(drawn(s), "roads")[0], "underground")


def test_nothing_is_lit_for_who_does_not_see_where_mr_x_is():
    assert not classed(drawn(london(UNKNOWN, 103)), "roads")
    assert classed(drawn(london(108, 103)), "roads")[0].findall(f"{SVG}path[@class='ferry']")


@pytest.mark.parametrize(("which", "options"), ALL)
def test_after_the_game_mr_xs_way_is_told_with_the_numbers_of_his_moves(which, options):
    state = started(which, 3, **options)
    first, way, codes = state.copy(), [], []
    choose = random.Random(3)
    while not state.over:
        luck = state.record.phase == START
        code = state.record.possible.nonzero()[0][0] if luck else choose.choice(state.legal_actions)
        if luck or (state.record.phase == MR_X and code not in (DOUBLE, PASS)):
            way.append(code % 200)
        codes.append(int(code))
        rules.apply(state.record, codes[-1])

    def played():
        s = first.copy()
        for code in codes:
            yield s.record, code
            rules.apply(s.record, code)

    root = ET.fromstring(view.story(played()))
    found = {}
    place = {f"translate({x} {y})": n for n, (x, y) in enumerate(scenery.board(first.record).place)}
    for one in root.iter("g"):
        at = place.get(one.get("transform", "").split(" scale")[0])
        if at is not None:
            found |= {int(n): at for n in one.find("text").text.split(",")}
    assert [found[n] for n in range(len(way))] == way
    assert view.story([]) == ""


# --- where Mr X can be ---


def halos(s):
    at = {p: n for n, p in enumerate(scenery.board(s).place)}
    found = re.findall(r"M(\d+) (\d+)h0", view.layer(s))
    return {at[int(x), int(y)] for x, y in found}


@pytest.mark.parametrize(("which", "options"), ALL)
def test_there_is_a_halo_wherever_mr_x_can_be(which, options):
    for state in itertools.islice(random_games(which, options, [3]), 0, 60, 7):
        s = state.view(1).record
        assert halos(s) == set(np.flatnonzero(s.possible[: s.stations]))


def test_halos_are_lighter_for_who_sees_him_and_gone_when_the_game_is_over():
    s = london(46, 103)
    s.possible[[46, 58]] = 1
    assert len(classed(drawn(s), "known")) == 1
    s.station[0] = UNKNOWN
    assert not classed(drawn(s), "known")
    s.phase = DONE
    assert not halos(s)


def test_the_fewer_the_stations_the_warmer_they_are():
    def warmth(n):
        s = london(UNKNOWN, 103)
        s.possible[1 : n + 1] = 1
        return float(re.search(r'class="heat" opacity="([\d.]+)"', view.layer(s))[1])

    assert 1 >= warmth(1) > warmth(5) > warmth(30) >= warmth(150) > 0.3


def shown_to(state, seat):
    """All that a seat is shown of a position."""
    v = state.view(seat)
    s = v.record
    words = view.status(s, seat), view.title(s), view.players(s), view.picture(s)
    return view.backdrop(s), view.layer(s), *words


@pytest.mark.parametrize(("which", "options"), ALL)
def test_nothing_that_a_detective_is_shown_depends_on_where_mr_x_hides(which, options):
    compared = 0
    for state in itertools.islice(random_games(which, options, [5]), 0, 90, 4):
        other = state.copy()
        places = set(np.flatnonzero(state.record.possible)) - {state.record.station[0]}
        if not places or state.view(1).record.station[0] != UNKNOWN:
            continue
        other.record.station[0] = min(places)
        assert shown_to(state, 0) != shown_to(other, 0)
        for seat in (1, PUBLIC):
            assert shown_to(state, seat) == shown_to(other, seat)
        compared += 1
    assert compared > 2


# --- clicks ---


@pytest.mark.parametrize(("which", "options"), ALL)
def test_every_action_has_a_path_and_no_path_begins_another(which, options):
    ids = set(re.findall(r' id="([sg]\d+)"', view.backdrop(started(which, **options).record)))
    for state in random_games(which, options):
        s = state.view(state.mover).record
        paths = [tuple(view.clicks(s, a)) for a in state.legal_actions]
        assert len(set(paths)) == len(paths)
        for first, second in itertools.permutations(paths, 2):
            assert second[: len(first)] != first
        assert {p for path in paths for p in path if not p.startswith("!")} <= ids


def test_a_ticket_is_chosen_only_where_there_is_a_choice():
    s = london(46, 103)
    s.tickets[0] = 4, 3, 3, 0
    assert view.clicks(s, move_code(UNDERGROUND, 79)) == ["s79"]
    assert view.clicks(s, move_code(TAXI, 47)) == ["s47"]
    assert view.clicks(s, move_code(BUS, 58)) == ["s58"]
    s.tickets[0, BLACK] = 1
    assert view.clicks(s, move_code(UNDERGROUND, 79)) == ["s79", "!underground"]
    assert view.clicks(s, move_code(BLACK, 79)) == ["s79", "!black"]
    assert view.clicks(s, DOUBLE) == ["!double"]
    assert view.clicks(s, PASS) == ["!pass"]


def test_on_the_grid_a_cell_is_all_there_is_to_click():
    assert view.clicks(cells(12, 0, 24), move_code(TAXI, 13)) == ["g13"]


def detective(*tickets):
    """A detective on 46, another one on 47, and Mr X far away."""
    s = london(199, 46, 47, phase=DETECTIVES, piece=1, seat=1)
    s.tickets[1, :3] = tickets
    return s


@pytest.mark.parametrize(
    ("tickets", "path", "why"),
    [
        ((1, 1, 0), ["s79"], "there is no underground ticket left"),
        ((1, 1, 1), ["s47"], "a detective stands at 47"),
        ((1, 1, 1), ["s199"], "199 is not next to 46"),
        ((1, 1, 1), ["s46"], "orange stands there; choose a station next to it"),
        ((1, 1, 1), ["s200"], "choose a station next to 46"),
        ((1, 1, 1), ["g3"], "choose a station next to 46"),
        ((1, 1, 1), [{"amount": [1, 2, 3]}], "choose a station next to 46"),
        ((1, 1, 1), ["!double"], "only Mr X makes double moves"),
        ((1, 1, 1), ["!pass"], "who can move must move"),
        ((1, 1, 1), ["s79", "!taxi"], "79 is enough: there is nothing more to choose"),
    ],
)
def test_a_refused_click_is_explained(tickets, path, why):
    assert view.why_not(detective(*tickets), path) == why


def test_a_refused_ticket_is_explained():
    s = london(46, 103)
    assert "!underground" in view.clicks(s, move_code(UNDERGROUND, 79))
    only = "46 and 79 are linked by underground only"
    assert view.why_not(s, ["s79", "!taxi"]) == only
    assert view.why_not(s, ["s79", "s58"]).startswith("79 is chosen: choose a ticket")
    assert view.why_not(s, ["s79", {"amount": [1, 2, 2]}]).startswith("79 is chosen")


def test_the_ferry_is_explained():
    s = london(46, 115, phase=DETECTIVES, piece=1, seat=1)
    assert view.why_not(s, ["s108"]) == (
        "115 and 108 are linked by ferry only: that takes a black ticket, which only Mr X has"
    )
    s = london(115, 46)
    s.tickets[0, BLACK] = 0
    assert view.why_not(s, ["s108"]).endswith("which you have none left")


@pytest.mark.parametrize(("which", "options"), ALL)
def test_every_thing_that_begins_no_action_is_explained(which, options):
    letter = "g" if which is grid else "s"
    for state in itertools.islice(random_games(which, options, [6]), 0, 60, 11):
        v = state.view(state.mover)
        begins = {view.clicks(v.record, a)[0] for a in v.legal_actions}
        for n in range(1, int(v.record.stations)):
            why = present.why_not(v, [f"{letter}{n}"])
            assert (why is None) == (f"{letter}{n}" in begins)
            assert why is None or len(why) > 10


# --- words ---


def test_the_status_says_what_is_expected():
    s = london(46, 103, 199)
    s.doubles = 2
    assert view.status(s, 0) == "Your turn: choose a station next to 46, or make a double move."
    assert view.status(s, 1) == "Mr X moves in secret."
    assert view.status(s, 1, ["Anna", None, None]) == "Mr X (Anna) moves in secret."
    s.moves, s.half = 2, FIRST_HALF
    assert view.status(s, 0) == (
        "Your turn: choose a station next to 46 for the first of two moves; you will be seen there."
    )
    assert view.status(s, PUBLIC) == "Mr X moves and will be seen."
    s.half = SECOND_HALF
    assert "for the second move" in view.status(s, 0)


def test_the_status_tells_a_detective_what_is_known():
    s = london(UNKNOWN, 103, 199, phase=DETECTIVES, piece=1, seat=1)
    s.possible[[46, 58]] = 1
    words = "Your turn: choose a station next to 103; Mr X can be on 2 stations."
    assert view.status(s, 1) == words
    assert view.status(s, 2, [None, "Ben", None]) == "Orange (Ben) is to move."
    s.tickets[1] = 0
    assert view.status(s, 1) == "Your turn: there is nowhere to go from 103, so pass."


def test_the_end_is_told_to_each_side():
    s = moved(london(103, 103, 199, phase=DONE, won=DETECTIVES_WON), (TAXI, UNKNOWN))
    assert view.status(s, 0) == "Mr X is caught on 103 after 1 move. You have lost."
    assert view.status(s, 2) == "Mr X is caught on 103 after 1 move. You have won."
    s.station[0] = 46
    assert view.status(s, PUBLIC) == "Mr X is surrounded after 1 move."
    s.won = MR_X_WON
    assert view.status(s, 0) == "Mr X has escaped after 1 move. You have won."
    assert view.title(s) == "Scotland Yard: Mr X has escaped after 1 move"


def test_the_players_begin_with_what_people_look_at():
    s = moved(london(UNKNOWN, 103, 199), (TAXI, UNKNOWN), (TAXI, 58))
    s.possible[[58]] = 1
    s.tickets[0], s.tickets[1] = (4, 3, 3, 2), (9, 8, 4, 0)
    mr_x, orange, _ = view.players(s)
    assert mr_x[:3] == [
        ("moves", "2/24"),
        ("last seen", "58 after move 2"),
        ("can be on", "1 station"),
    ]
    assert mr_x[3:] == [
        *zip(("taxi", "bus", "underground", "black"), "4332", strict=True),
        ("double moves", "2"),
    ]
    assert orange == [("station", "103"), ("taxi", "9"), ("bus", "8"), ("underground", "4")]


# --- what a page may animate ---


def test_effects_tell_what_was_seen():
    s = london(46, 103, 199)
    own = [{"kind": "move", "from": "s46", "to": "s58"}]
    assert view.effects(s, move_code(TAXI, 58), s) == own
    assert view.effects(s, DOUBLE, s) == [{"kind": "say", "words": "Mr X makes a double move"}]
    s.station[0] = UNKNOWN
    taxi, black = HIDDEN_MOVE + TAXI, HIDDEN_MOVE + BLACK
    assert view.effects(s, taxi, s) == [{"kind": "say", "words": "Mr X: taxi"}]
    assert view.effects(s, black, s) == [{"kind": "say", "words": "Mr X: a black ticket"}]
    s.moves = 2
    assert view.effects(s, move_code(TAXI, 58), s) == [
        {"kind": "pulse", "at": "s58"},
        {"kind": "say", "words": "Mr X is seen on 58"},
    ]


def test_effects_of_detectives():
    s = london(UNKNOWN, 103, 199, phase=DETECTIVES, piece=1, seat=1)
    after = moved(london(85, 85, 199, phase=DONE, won=DETECTIVES_WON), (TAXI, UNKNOWN))
    assert view.effects(s, move_code(TAXI, 85), after) == [
        {"kind": "move", "from": "s103", "to": "s85"},
        {"kind": "say", "words": "Mr X is caught on 85 after 1 move"},
    ]
    assert view.effects(s, PASS, s) == [{"kind": "say", "words": "Orange has nowhere to go"}]


def test_only_mr_x_sees_his_start():
    s = started().record
    assert view.effects(s, HIDDEN_START, s) == []
    assert view.effects(s, 46, s) == [{"kind": "pulse", "at": "s46"}]


# --- for a terminal ---


def test_the_grid_in_letters():
    s = moved(cells(3, 0, 8, size=3), (TAXI, UNKNOWN), (TAXI, 4), (TAXI, UNKNOWN))
    s.possible[[1, 3, 5]] = 1
    rows = view.picture(s).splitlines()
    assert rows[:4] == ["   a b c", " 1 1 ? ·", " 2 X − ?", " 3 · · 2"]
    s.station[0] = UNKNOWN
    assert view.picture(s).splitlines()[2] == " 2 ? − ?"
    s.station[0], s.seen[2] = 3, 3
    assert view.picture(s).splitlines()[2] == " 2 S · ?"


def test_london_in_a_few_lines():
    s = moved(london(UNKNOWN, 103, 199, possible=1), *[(UNDERGROUND, 100)] * 24)
    text = view.picture(s)
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"^Mr X +\?  4 taxi, 3 bus, 3 underground, 2 black, 2 double$", text, re.M)
    assert re.search(r"^orange +103  10 taxi, 8 bus, 4 underground$", text, re.M)
    assert "24 underground @100" in text
    assert " 57 " in text
