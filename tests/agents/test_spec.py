"""Spec strings: what they mean, and what is said when they mean nothing."""

import sys

import pytest

from kostka.agents import kinds, make
from kostka.agents.spec import parse
from kostka.core.errors import KostkaError
from kostka.core.game import game

dicewars = game("dicewars")


def test_a_spec_has_a_name_and_parameters():
    assert parse("mcts:iterations=2000,c=1.2") == ("mcts", {"iterations": "2000", "c": "1.2"})
    assert parse("sdc") == ("sdc", {})
    assert parse("my.module:Bot:depth=3") == ("my.module:Bot", {"depth": "3"})
    assert parse("my.module:Bot") == ("my.module:Bot", {})


def test_parameters_reach_the_agent_with_their_types():
    agent = make(dicewars, "mcts:iterations=20,c=1,playout=sdc")
    assert (agent.iterations, agent.selection["c"]) == (20, 1.0)
    assert agent.policy is dicewars.policies["sdc"]


def test_every_named_agent_can_be_made_with_its_defaults():
    for name in kinds(dicewars):
        assert hasattr(make(dicewars, name), "act")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mtcs", "did you mean mcts?"),
        ("mcts:iteration=5", "did you mean iterations?"),
        ("mcts:iterations=many", "iterations must be a whole number"),
        ("mcts:iterations=-1", "from 0 to"),
        ("mcts:c=nan", "c must be a number"),
        ("mcts:iterations=0", "budget"),
        ("mcts:playout=sdcc", "did you mean sdc?"),
        ("mcts:c=1,c=2", "twice"),
        ("mcts:c=", "name=value"),
        ("expectimax:players=nice,depth=1", "one of paranoid, maxn"),
        ("expectimax:depth=65", "from 0 to 64"),
        ("sdc:depth=1", "unknown parameter of sdc"),
        ("", "names no agent"),
        ("no.such.module:Bot", "cannot be imported"),
        ("json:Nothing", "has no 'Nothing'"),
        ("json:JSONDecoder", "no method act"),
    ],
)
def test_a_bad_spec_gets_one_clear_sentence(spec, words):
    with pytest.raises(KostkaError, match=words.replace("?", r"\?")) as caught:
        make(dicewars, spec)
    assert "\n" not in str(caught.value)


def test_a_class_with_one_method_is_an_agent(tmp_path, monkeypatch):
    (tmp_path / "my_bot.py").write_text(
        "class Bot:\n"
        "    def __init__(self, depth=1): self.depth = depth\n"
        "    def act(self, view): return view.legal_actions[-1]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    agent = make(dicewars, "my_bot:Bot:depth=3")
    assert agent.depth == 3
    assert make(dicewars, "my_bot.Bot").depth == 1
    with pytest.raises(KostkaError, match="unknown parameter"):
        make(dicewars, "my_bot:Bot:width=3")
    sys.modules.pop("my_bot")
