"""Themes: somebody's artwork takes the place of ours, and nothing else changes."""

from xml.etree import ElementTree

import pytest

from kostka.core import present, theme
from kostka.core.errors import KostkaError
from kostka.core.game import game

dicewars = game("dicewars")
STAR = '<svg xmlns="http://www.w3.org/2000/svg"><path id="star" d="M0 0h9v9z"/></svg>'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "dicewars").mkdir()
    (tmp_path / "dicewars" / "dicewars-die0.svg").write_text(STAR)
    (tmp_path / "dicewars.css").write_text(".dicewars .water { fill: #123456 }")
    monkeypatch.setenv("KOSTKA_THEME", str(tmp_path))
    return tmp_path


def test_without_a_theme_nothing_changes(monkeypatch):
    monkeypatch.delenv("KOSTKA_THEME", raising=False)
    assert theme.dress("dicewars", "<g/>") == "<g/>"


def test_a_piece_and_the_style_are_replaced(folder):
    view = dicewars.new(seed=1).view()
    still, moving, _ = present.drawing(view)
    assert 'id="star"' in still
    assert "#123456" in still
    assert 'id="t0"' in moving
    whole = ElementTree.fromstring(view.svg)
    assert whole.tag == f"{{{theme.SVG}}}svg"
    assert [e for e in whole.iter() if e.get("id") == "star"]
    assert len(list(whole.iter(f"{{{theme.SVG}}}text"))) > 20


def test_another_game_is_left_alone(folder):
    pig = game("pig").new(seed=1).view()
    assert "#123456" not in pig.svg


def test_the_pieces_can_be_written_and_used_unchanged(tmp_path, monkeypatch):
    monkeypatch.delenv("KOSTKA_THEME", raising=False)
    view = dicewars.new(seed=1).view()
    found = theme.pieces(present.drawing(view)[0])
    assert {"dicewars-die0", "dicewars-8"} <= set(found)
    (tmp_path / "dicewars").mkdir()
    for name, text in found.items():
        (tmp_path / "dicewars" / f"{name}.svg").write_text(text)
    plain = ElementTree.canonicalize(view.svg)
    monkeypatch.setenv("KOSTKA_THEME", str(tmp_path))
    assert ElementTree.canonicalize(view.svg) == plain


def test_a_theme_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(KostkaError, match="no theme folder"):
        theme.check(tmp_path / "no")
    (tmp_path / "dicewars").mkdir()
    (tmp_path / "dicewars" / "bad.svg").write_text("<svg>")
    with pytest.raises(KostkaError, match=r"bad\.svg is no SVG"):
        theme.check(tmp_path)
