"""What a server offers by name: it opens what it was started with, and nothing else."""

import json

import pytest

from kostka.core.errors import KostkaError
from kostka.core.game import game, label
from kostka.table.lobby import game_info
from kostka.table.offers import Offers

SET = {
    "name": "islands",
    "tiles": [
        {"id": "sea", "start": True, "sides": [0, 0, 0, 0], "regions": ["sea"]},
        {"id": "more", "count": 3, "sides": [0, 0, 0, 0], "regions": ["sea"]},
    ],
}
GAME = game("carcassonne")


@pytest.fixture
def offers(tmp_path):
    (tmp_path / "islands.json").write_text(json.dumps(SET))
    found = Offers()
    found.add("tiles", [str(tmp_path / "islands.json")])
    return found


def test_what_is_offered_is_among_the_choices_by_its_name(offers):
    info = {o["name"]: o for o in game_info(GAME, True, False, offers)["options"]}
    assert info["tiles"]["choices"] == ["standard", "documented", "islands"]
    assert info["tiles"]["values"] == "one of standard, documented, islands, or a file"
    assert info["tiles"]["file"] and not info["players"]["file"]
    assert json.dumps(info).isascii()


def test_a_name_stands_for_the_content(offers):
    options = GAME.check(offers.filled(GAME, {"players": 3, "tiles": "islands"}))
    assert label(options["tiles"]) == "islands" and options["players"] == 3
    assert offers.filled(GAME, {"tiles": "documented"}) == {"tiles": "documented"}
    assert offers.filled(GAME, {}) == {}


def test_a_content_may_be_brought_and_is_checked(offers):
    text = json.dumps({**SET, "name": "mine"})
    assert label(GAME.check(offers.filled(GAME, {"tiles": text}))["tiles"]) == "mine"
    with pytest.raises(KostkaError, match="a tile set is an object"):
        GAME.check(offers.filled(GAME, {"tiles": "{}"}))
    with pytest.raises(KostkaError, match="at most 64 kB, not 69 kB"):
        GAME.check(offers.filled(GAME, {"tiles": "{" + " " * 70_000}))


@pytest.mark.parametrize("wish", ["/etc/passwd", "islands.json", 7, None])
def test_no_path_comes_in_over_the_web(offers, wish):
    with pytest.raises(KostkaError, match="unknown choice of tiles") as refusal:
        offers.filled(GAME, {"tiles": wish})
    assert len(str(refusal.value)) < 200


def test_two_files_of_one_name_are_refused(offers, tmp_path):
    other = {**SET, "tiles": [*SET["tiles"], {**SET["tiles"][1], "id": "other"}]}
    (tmp_path / "other.json").write_text(json.dumps(other))
    with pytest.raises(KostkaError, match="two different files for tiles are named 'islands'"):
        offers.add("tiles", [str(tmp_path / "other.json")])


def test_a_file_that_cannot_be_played_with_is_refused_before_the_server_starts(tmp_path):
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(KostkaError, match="a tile set is an object"):
        Offers().add("tiles", [str(tmp_path / "bad.json")])
