"""``kostka odds``: exact chances for people and for programs."""

import csv
import io
import json

import pytest
from typer.testing import CliRunner

from kostka.cli import app, load
from kostka.games.dicewars.rules import ODDS

load()


def kostka(*args):
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_every_battle_of_dice_wars_is_in_its_table():
    [table] = json.loads(kostka("odds", "dicewars", "--json").stdout)
    for row in table["rows"]:
        for dice in range(2, 9):
            assert row[str(dice)] == ODDS[dice, row["defender"]]
    shown = kostka("odds", "dicewars").stdout
    assert ", in %" in shown.splitlines()[0] and "45.36" in shown  # three dice against three


def test_a_battle_is_asked_for_by_the_dice_of_both_sides():
    rows = list(csv.DictReader(io.StringIO(kostka("odds", "dicewars", 2, 1, "--csv").stdout)))
    chances = {rows[i]["value"]: float(rows[i + 1]["value"]) for i in range(0, len(rows), 2)}
    # All throws of two dice against one, counted.
    higher = sum(a + b > d for a in range(1, 7) for b in range(1, 7) for d in range(1, 7))
    assert chances == pytest.approx({"won": higher / 216, "lost": 1 - higher / 216})


@pytest.mark.parametrize(
    "asked, words",
    [
        (("dicewars", 9, 1), "the attacker's dice must be from 2 to 8, not 9"),
        (("dicewars", 3), "against how many?"),
        (("carcassonne",), "has no tables of odds"),
        (("dicewar",), "did you mean dicewars"),
    ],
)
def test_what_has_no_odds_is_refused_with_a_sentence(asked, words):
    result = kostka("odds", *asked)
    assert result.exit_code != 0
    assert words in str(result.exception)
