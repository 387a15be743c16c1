"""The drawing of The Discovery: tiles from what they show, and everything that can be clicked."""

import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest

from kostka.core import present
from kostka.core.palette import PLAYERS
from kostka.core.rng import below, stream
from kostka.core.state import begin
from kostka.core.theme import pieces
from kostka.games.carcassonne import actions, art, game, shores, view
from kostka.games.carcassonne.actions import PASS, is_put, is_take, place_of
from kostka.games.carcassonne.state import FOLLOW, MOUNTAIN, PLACE, SEA
from kostka.games.carcassonne.tileset import SHIPPED, TERRAINS, Tile, TileSet, tile_set

STANDARD = [art.shown(tile) for tile in tile_set("standard").tiles]
SVG = "{http://www.w3.org/2000/svg}"

#: What ``--k-paper`` is by day and at night.
PAPERS = ("#f6f1e7", "#1d2126")


def odd_tiles(n, seed=1):
    """Tiles of layouts that no set has, whether or not they could be drawn on paper."""
    rng = random.Random(seed)
    while n:
        many = rng.randint(1, 6)
        outer = rng.randint(1, min(4, many))
        sides = tuple(rng.randrange(outer) for _ in range(4))
        pairs = [(a, b) for a in range(many) for b in range(a + 1, many) if rng.random() < 0.5]
        if set(sides) != set(range(outer)) or (
            many > 1 and {j for pair in pairs for j in pair} != set(range(many))
        ):
            continue
        regions = tuple(rng.choice(TERRAINS) for _ in range(many))
        shores_ = [(a, b) for a, b in pairs if "sea" in (regions[a], regions[b])]
        cities = tuple(pair for pair in shores_ if regions[pair[0]] != regions[pair[1]])[:3]
        yield Tile(f"odd{n}", 1, sides, regions, tuple(pairs), cities)
        n -= 1


def played(laid, seed=1, phase=PLACE, **options):
    """A position of a random game, compact and with many followers, and its luck."""
    luck, rng = stream(seed), stream(seed + 1)
    state = begin(game, game.check({"players": 3, **options}), seed).settle(luck)
    while not state.over and (state.record.laid < laid or state.record.phase != phase):
        legal = state.view().legal_actions
        puts = [a for a in legal if is_put(a)]
        if state.record.phase == PLACE:
            legal = sorted(legal, key=lambda a: sum(map(abs, place_of(state.record, a >> 2))))[:6]
        elif puts and below(rng, 3):
            legal = puts
        state = state.apply(legal[below(rng, len(legal))]).settle(luck)
    return state


@pytest.fixture(scope="module")
def mid_game():
    return played(40)


# --- tiles ---


def ends(path):
    """Where the parts of a path begin and end."""
    at, found = (0.0, 0.0), []
    for command, text in re.findall(r"([MLcZ])([^MLcZ]*)", path):
        values = [float(v) for v in re.findall(r"-?(?:\d*\.\d+|\d+)", text)]
        if command in "ML":
            at = values[0], values[1]
        elif command == "c":
            assert len(values) == 6
            at = at[0] + values[4], at[1] + values[5]
        found.append((round(at[0], 1), round(at[1], 1)))
    return found


def test_borders_run_from_corner_to_corner_or_to_the_middle_or_around_an_island():
    for tile in (*STANDARD, *map(art.shown, odd_tiles(300))):
        for stretch in shores.plan(tile).stretches:
            points = shores.placed(stretch)
            if points[0] == points[-1]:
                continue
            inner = {"branch", "fork", "bridge"}
            assert points[0] in shores.CORNERS or stretch.curve[:-1] in inner
            assert points[-1] in (*shores.CORNERS, shores.MIDDLE) or stretch.curve[:-1] in inner


def test_every_side_of_a_tile_shows_its_segment_from_corner_to_corner():
    """So that two tiles whose sides match meet at exactly the same points: the corners."""
    for tile in (*STANDARD, *map(art.shown, odd_tiles(300))):
        found = shores.plan(tile)
        for d, (a, b) in enumerate(pairwise((*shores.CORNERS, shores.CORNERS[0]))):
            path = ends(found.path(tile.sides[d]))
            assert (a, b) in pairwise((*path, path[0])), (d, tile)


def test_tiles_that_fit_meet_at_the_same_points_in_all_pairs_and_rotations():
    """What lies on a side, as (terrain, from, to), is the same seen from both tiles."""

    def along(tile, turn, side):
        d = (side - turn) % 4
        path = ends(shores.plan(tile).path(tile.sides[d]))
        a, b = shores.CORNERS[d], shores.CORNERS[(d + 1) % 4]
        assert (a, b) in pairwise((*path, path[0]))
        first, second = (shores.turned(p, turn) for p in (a, b))
        return tile.terrain[tile.sides[d]], first, second

    east = {(t, r): along(t, r, 1) for t in STANDARD for r in range(4)}
    west = {(t, r): along(t, r, 3) for t in STANDARD for r in range(4)}
    met = 0
    for terrain, begin_, end in east.values():
        for other, first, second in west.values():
            if terrain == other:
                met += 1
                assert {begin_[1], end[1]} == {first[1], second[1]} == {0, 100}
                assert (begin_[0], first[0]) == (100, 0)
    assert met > 20_000


def test_documented_tiles_show_between_which_regions_there_are_borders():
    for tile in STANDARD:
        drawn = {tuple(sorted((s.left, s.right))) for s in shores.plan(tile).stretches}
        assert drawn == set(tile.borders), tile


def test_an_unknown_layout_shows_every_region():
    for tile in odd_tiles(200, 3):
        if len(tile.regions) < 5:
            assert all(shores.spots(art.shown(tile))), tile


def test_a_layout_of_any_kind_can_be_drawn():
    odd = TileSet("odd", tuple(odd_tiles(60, 7)))
    drawn = ET.fromstring(art.sheet(odd))
    assert len(drawn.findall(f"{SVG}g")) == 60


def test_cities_hills_and_trees_stand_upright_in_every_rotation():
    for tile in STANDARD:
        for turn in range(tile.period):
            root = ET.fromstring(f"<g>{art.motifs(tile, turn)}</g>")
            assert not [one for one in root.iter() if "transform" in one.attrib]
            assert len(root.findall("use")) == len(tile.cities)


def test_a_city_stands_on_the_border_of_its_two_regions_in_every_rotation():
    for tile in STANDARD:
        for (x, y), (a, b) in zip(art.towns_of(tile), tile.cities, strict=True):
            near = [
                min(np.hypot(u - x, v - y) for _, u, v in shores.spots(tile)[segment])
                for segment in (a, b)
            ]
            assert max(near) < 10


def test_followers_on_different_regions_of_a_tile_do_not_hide_each_other():
    for tile in STANDARD:
        places = [art.anchor(tile, j, 0) for j in range(len(tile.terrain))]
        for i, p in enumerate(places):
            assert all(np.hypot(p[0] - q[0], p[1] - q[1]) > 24 for q in places[:i])


def test_a_drawing_is_the_same_every_time():
    first = art.definitions.__wrapped__(tuple(STANDARD))
    for cached in (shores.plan, shores.spots, shores.curve, art.towns_of, art.key):
        cached.cache_clear()
    assert art.definitions.__wrapped__(tuple(STANDARD)) == first


def test_kinds_of_tile_have_names_of_their_own():
    assert len({art.key(tile) for tile in STANDARD}) == len(set(STANDARD)) == 70


@pytest.mark.parametrize("name", SHIPPED)
def test_a_sheet_shows_every_tile_with_its_name_and_number(name):
    found = tile_set(name)
    text = art.sheet(found)
    words = [one.text for one in ET.fromstring(text).iter(f"{SVG}text")]
    for tile in found.tiles:
        assert (f"{tile.id} × {tile.count}" if tile.count > 1 else tile.id) in words
    assert ("italics: reconstructed" in text) == any(t.reconstructed for t in found.tiles)


# --- on paper ---


def lightness(colour):
    """How light a colour is in grey print, from 0 to 100."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    y = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * y ** (1 / 3) - 16


def printed(colour, paper):
    share = int(re.search(r" (\d+)%", art.hue(colour))[1]) / 100
    both = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (colour, paper)]
    mixed = (round(share * a + (1 - share) * b) for a, b in zip(*both, strict=True))
    return "#" + "".join(f"{c:02x}" for c in mixed)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_three_terrains_are_told_apart_in_grey_by_day_and_at_night(paper):
    light = sorted(lightness(printed(colour, paper)) for colour in art.GROUND.values())
    assert all(b - a > 12 for a, b in pairwise(light)), light


def test_a_region_that_is_pointed_at_is_lighter():
    for terrain in (MOUNTAIN, SEA):
        assert lightness(art.LIT[terrain]) > lightness(art.GROUND[terrain]) + 8


# --- positions ---


def things(text):
    """The ids in a drawing, all different."""
    found = re.findall(r' id="([^"]*)"', text)
    assert len(found) == len(set(found))
    return set(found)


def test_the_backdrop_and_the_layer_are_small():
    state = played(84, phase=FOLLOW, players=5)
    assert state.record.laid == 84
    assert len(view.backdrop(state.record)) < 250_000
    assert len(view.layer(state.record)) < 25 * 1024


def test_everything_that_is_used_is_defined(mid_game):
    text = view.svg(mid_game.record)
    ET.fromstring(text)
    known = things(text)
    assert set(re.findall(r'href="#([^"]*)"', text)) <= known
    assert set(re.findall(r"url\(#([^)]*)\)", text)) <= known


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("phase", [PLACE, FOLLOW])
def test_every_legal_action_has_something_to_click_and_a_preview(seed, phase):
    state = played(9 * seed, seed, phase, players=2 + seed % 4)
    s = state.record
    known = things(view.layer(s))
    for action in state.view().legal_actions:
        first, *choice = view.clicks(s, action)
        assert first == "!pass" or first in known
        assert bool(choice) == (phase == PLACE)
        shown = view.preview(s, action)
        assert (shown == "") == (action == PASS)
        ET.fromstring(f"<g>{shown}</g>")
        assert "id=" not in shown
        used = set(re.findall(r'href="#([^"]*)"', shown))
        assert used <= things(view.backdrop(s))


def test_only_cells_where_the_tile_fits_are_drawn_and_all_say_where_they_are(mid_game):
    s = mid_game.record
    text = view.layer(s)
    fits = set(re.findall(r'id="(c[^"]*)"[^>]* class="thing cell fits"', text))
    assert fits == {view.clicks(s, a)[0] for a in mid_game.view().legal_actions}
    assert len(re.findall(r'id="c-?\d+,-?\d+"', text)) == s.empty > len(fits)


def test_a_follower_is_twelve_pixels_wide_on_a_phone():
    for tiles in (1, 20, 40, 84):
        s = played(tiles, phase=FOLLOW).record
        _, _, wide, _ = view.frame(s)
        if wide <= 360 / 12 * 2 * view.FIGURE[1]:
            assert 2 * view.Board(s).figure * 360 / wide >= 12


def test_a_region_says_what_it_is_worth_whether_it_is_closed_and_how_many_cities_it_has():
    s = begin(game, game.check({}), 1).record
    text = view.layer(s)
    assert "<title>sea, 1 tile, 1 city, open: 1</title>" in text
    assert "<title>mountain, 1 tile, 1 city, open: 1</title>" in text
    assert "<title>grassland, 1 tile, open: 1</title>" in text


def test_all_tiles_of_a_region_are_lit_together(mid_game):
    s = mid_game.record
    b = view.Board(s)
    for region, shapes in b.shapes.items():
        assert len({re.search(r"x=.*", one)[0] for one in shapes}) == s.area[region]


def test_the_tile_laid_last_is_framed_and_can_be_brought_into_sight(mid_game):
    s = mid_game.record
    x, y = place_of(s, s.last)
    assert f'class="last" href="#cdx" x="{100 * x}" y="{100 * y}"' in view.layer(s)
    assert "last" not in view.layer(begin(game, game.check({}), 1).record)


def test_the_bag_shows_every_kind_that_is_left_with_its_number(mid_game):
    s = mid_game.record
    drawn = "".join(view.bag(view.Board(s)))
    assert len(re.findall(r"<use", drawn)) == 2 * (s.bag > 0).sum()
    counts = [int(n) for n in re.findall(r'class="count"[^>]*>(\d+)<', drawn)]
    assert sorted(counts) == sorted(n for n in s.bag.tolist() if n > 1)
    assert f"{s.left} tiles in the bag" in drawn


def test_a_position_is_drawn_from_its_record_alone_also_with_a_set_of_ones_own():
    tiles = [
        '{"id": "start", "sides": [0, 0, 0, 0], "regions": ["sea"], "start": true}',
        '{"id": "isle", "count": 4, "sides": [0, 0, 0, 0], "regions": ["sea", "grassland"], '
        '"touching": [[0, 1]], "cities": [[0, 1]]}',
    ]
    own = f'{{"name": "isles", "tiles": [{", ".join(tiles)}]}}'
    state = played(4, phase=FOLLOW, tiles=own, players=2)
    ET.fromstring(view.svg(state.record))
    (isle,) = [tile for tile in view.drawn_kinds(state.record).tiles if len(tile.terrain) == 2]
    assert art.key(isle) in view.layer(state.record)
    assert view.drawn_kinds(state.record).tiles == tuple(map(art.shown, tile_set(own).tiles))


def test_the_record_says_of_every_kind_what_the_set_says(mid_game):
    assert view.drawn_kinds(mid_game.record).tiles == tuple(STANDARD)


def test_the_start_tile_is_always_at_the_same_place():
    boxes = [list(map(float, view.viewbox(played(n).record).split())) for n in (1, 20, 60)]
    for left, top, wide, high in boxes:
        assert left < 0 < left + wide and top < 0 < top + high
    assert 0.7 < boxes[0][2] / boxes[0][3] < 1.4


def test_a_theme_can_replace_motifs_borders_and_followers():
    text = view.backdrop(begin(game, game.check({}), 1).record)
    named = pieces(text)
    assert {"cd-peak", "cd-city", "cd-tree", "cd-waves", "cdf0", "cdcap0sm"} <= set(named)
    assert len(named) < 80


def test_a_theme_of_ones_own_is_drawn(tmp_path, monkeypatch):
    folder = tmp_path / "carcassonne"
    folder.mkdir()
    own = f'<svg xmlns="{SVG[1:-1]}"><circle class="own" r="9"/></svg>'
    (folder / "cd-city.svg").write_text(own)
    (tmp_path / "carcassonne.css").write_text(".cd2 { fill: teal }")
    monkeypatch.setenv("KOSTKA_THEME", str(tmp_path))
    text = begin(game, game.check({}), 1).svg
    assert '<circle class="own" r="9"' in text and ".cd2 { fill: teal }" in text
    assert "M-15 8V0L-11-4.5" not in text


# --- why not, and what happens ---


def refused(state, path):
    """Why a click is refused to whose turn it is."""
    return present.why_not(state.view(state.mover), path)


def test_a_cell_says_what_its_sides_must_be(mid_game):
    s = mid_game.record
    legal = {view.clicks(s, a)[0] for a in mid_game.view().legal_actions}
    cells = {f"c{x},{y}" for x, y in map(lambda c: place_of(s, c), s.border[: s.empty])}
    for cell in cells - legal:
        words = refused(mid_game, [cell])
        assert re.search(r"the (north|east|south|west) side must be (mount|grassl|sea)", words)
    assert refused(mid_game, [min(legal)]) is None
    assert "next to" in refused(mid_game, ["c60,60"])
    assert refused(mid_game, ["m00"]) == "lay the tile first: choose a cell where it fits"


def test_a_region_says_who_stands_there_or_that_it_is_not_on_the_tile():
    for seed in range(1, 40):
        state = played(20, seed, FOLLOW)
        s = state.record
        b = view.Board(s)
        on_tile = {b.roots[b.first[s.last] + j] for j in range(s.segments[s.type_at[s.last]])}
        for region in b.shapes:
            words = refused(state, [f"r{region}"])
            if region not in on_tile:
                assert words == "a follower can only be put on the tile just laid"
            elif s.men[region] and (s.standing[s.player] < 0).any():
                assert "stands on that region" in words


def test_nobody_takes_back_the_follower_of_another_player():
    state = played(30, 2, FOLLOW)
    s = state.record
    p = next(p for p in range(3) if p != s.player and (s.standing[p] >= 0).any())
    f = int(np.flatnonzero(s.standing[p] >= 0)[0])
    words = refused(state, [f"m{p}{f}"])
    name = PLAYERS[p].name.capitalize()
    assert words == f"that follower is {name}'s; you can take back only your own"
    assert "no such follower" in refused(state, ["m94"])


@pytest.mark.parametrize(
    "path", [["t3"], ["!end"], [{"amount": [1, 2, 1]}], ["r999"], ["f9"], ["c1,1,1"], ["m0"]]
)
@pytest.mark.parametrize("phase", [PLACE, FOLLOW])
def test_nonsense_is_answered_with_what_would_be_right(path, phase):
    assert refused(played(12, 3, phase), path)


def test_a_follower_that_comes_is_shown_and_one_that_goes_says_what_it_brings():
    seen = set()
    for seed in range(1, 30):
        state = played(25, seed, FOLLOW)
        s = state.record
        for a in state.view().legal_actions:
            after = state.copy().apply(a).record
            shown = view.effects(s, a, after)
            seen |= {one["kind"] for one in shown}
            if is_put(a):
                assert shown[0]["at"] in things(view.layer(after))
            elif is_take(a):
                gained = after.points[s.player] - s.points[s.player]
                assert f"back: {gained} point" in shown[0]["words"]
            else:
                assert shown == []
    assert seen == {"pulse", "say"}


def test_players_and_status_say_what_everybody_can_count(mid_game):
    s = mid_game.record
    assert [dict(row)["points"] for row in view.players(s)] == [str(n) for n in s.points[:3]]
    assert view.status(s, int(s.player)) == actions.status(s, int(s.player))
