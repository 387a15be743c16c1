"""Playing in a terminal: typed games from beginning to end, and what people may see of them."""

import io
import json
import os
import pty
import select
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from kostka.agents import make
from kostka.arena.referee import play_game
from kostka.cli import app, load
from kostka.cli.terminal import Left, Screen, painted, play_here, seated
from kostka.core.errors import KostkaError
from kostka.core.game import Game, game
from kostka.core.log import GameLog
from kostka.core.rng import stream
from kostka.core.state import CHANCE, View
from kostka.search.expectimax import Expectimax
from kostka.search.mcts import Branch, Mcts

load()
SMALL = ["play", "dicewars", "--option", "areas=8", "--seed", "3"]


def typed(*args: str, lines: str) -> str:
    """What the command prints when a person types these lines."""
    done = CliRunner().invoke(app, args, input=lines)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


# --- a whole game ---


def test_a_game_is_typed_to_its_end_in_a_process_of_its_own(tmp_path):
    kept = tmp_path / "game.jsonl"
    done = subprocess.run(
        [sys.executable, "-m", "kostka", *SMALL, "stei", "--record", str(kept)],
        input="nonsense\n" + "end\n" * 300,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert "Dice Wars: Blue (me) and Orange (stei)." in done.stdout
    assert "Orange (stei): attack" in done.stdout and "luck: a new die on" in done.stdout
    assert done.stdout.rstrip().endswith("seed 3")
    assert "Orange (stei) has won." in done.stdout
    assert "\x1b" not in done.stdout
    record = GameLog.read(kept)
    record.verify()
    assert (record.seats, record.seed, record.result) == (["me", "stei"], 3, [0.0, 1.0])
    assert {e.text for e in record.events if e.by == 0} == {"end"}


def test_the_same_game_as_the_referee_plays_it(tmp_path):
    kept = tmp_path / "game.jsonl"
    typed(*SMALL, "stei", "me:Anna", "--record", str(kept), lines="end\n" * 300)

    class Ends:
        def act(self, view: View) -> str:
            return "end"

    dicewars = game("dicewars")
    agents = [make(dicewars, "stei"), Ends()]
    names = ["stei", "Anna"]
    options = dicewars.check({"areas": 8})
    played = play_game(dicewars, options, agents, 3, names=names, record=True)
    assert played.record is not None
    assert kept.read_text() == played.record.dumps()


def test_who_wins_is_told_to_the_one_person_as_you():
    pig = ["play", "pig", "random", "-o", "goal=10", "--seed"]
    ends = {typed(*pig, str(seed), lines="roll\nhold\n" * 60).split("\n")[-4] for seed in range(6)}
    assert ends == {"You have won.", "Orange (random) has won."}


# --- what can be typed ---


def test_wrong_input_is_explained_and_costs_nothing():
    said = typed(*SMALL, lines="3-4\n60>1\n0>0\n" + "quit\nno\nquit\nyes\n")
    assert "'3-4' is no Dice Wars notation here; for example: " in said
    assert "There is no such area; the board has 0 to 7. Type ? to see" in said
    why = game("dicewars").new(seed=3, areas=8).view(0).why_not("0>0")
    assert why is not None and f"{why.capitalize()}. Type ?" in said
    assert said.count("Your turn:") == 1
    assert said.count("Leave the game?") == 2
    assert "nobody has won" in said


def test_a_question_mark_lists_what_can_be_done_in_words():
    view = game("dicewars").new(seed=3, areas=8).view(0)
    known = {view.text(a): view.describe(a) for a in view.legal_actions}
    first = next(iter(known))
    for line in ("?", f"{first[0]}?", f"? {first[0]}", "End the?"):
        said = typed(*SMALL, lines=f"{line}\n").split(" > ")[1]
        listed = dict(row.split(maxsplit=1) for row in said.splitlines() if row.startswith("  "))
        part = line.strip("? ")
        chosen = {text: words for text, words in known.items() if text.startswith(part)}
        assert listed == (chosen or {"end": "end the turn"})
    assert "has to do with 'zzz'" in typed(*SMALL, lines="zzz?\n")


def test_help_and_an_empty_line():
    said = typed(*SMALL, lines="help\n\n")
    assert "save FILE" in said and "Tab completes" in said
    assert said.count("Your turn:") == 2


def test_who_ends_the_input_leaves_and_the_record_is_kept(tmp_path):
    kept, saved = tmp_path / "kept.jsonl", tmp_path / "saved.jsonl"
    lines = f"end\nsave\nsave {saved}\nsave {saved}\nsave {tmp_path}/no/where\n"
    said = typed(*SMALL, "stei", "--record", str(kept), lines=lines)
    assert "Say where to: save FILE." in said
    assert f"The record so far is in {saved}." in said
    assert f"{saved} exists already" in said
    assert "cannot be written: No such file" in said
    assert "The game was left; nobody has won." in said
    assert kept.read_text() == saved.read_text()
    record = GameLog.read(kept)
    record.verify()
    assert record.result is None and record.seed is None
    assert record.replay().mover == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["play", "dicewars", "sdx"], "did you mean sdc?"),
        (["play", "dicewars", "me", "stei", "sdc", "-o", "players=2"], "do not fit"),
        (["play", "dicewars", "-o", "players=9"], "from 2 to 8"),
        (["play", "dicewars", "--record", "/no/such/file"], "cannot be written"),
        (["play", "dicewars", "--record", __file__], "exists already"),
    ],
)
def test_what_is_wrong_is_said_before_the_game(args, words):
    found = CliRunner().invoke(app, args)
    assert isinstance(found.exception, KostkaError)
    assert words in str(found.exception)


def test_who_sits_where():
    dicewars = game("dicewars")
    assert seated(dicewars, [], {}) == ["me", "mcts"]
    assert seated(dicewars, ["stei", "sdc"], {}) == ["me", "stei", "sdc"]
    assert seated(dicewars, ["stei", "me:Anna"], {}) == ["stei", "me:Anna"]
    assert seated(dicewars, ["me:Anna", "me"], {"players": "4"}) == ["me:Anna", "me"] + ["mcts"] * 2


# --- agents at the table ---


def test_an_agent_that_is_too_slow_loses(tmp_path):
    kept = tmp_path / "game.jsonl"
    slow = ["mcts:seconds=0.5", "--limit", "0.1", "--record", str(kept)]
    said = typed(*SMALL, *slow, lines="end\n" * 5)
    assert "Orange (mcts:seconds=0.5) ran out of time" in said
    record = GameLog.read(kept)
    record.verify()
    assert record.result == [1.0, 0.0] and 1 in record.faults


def test_the_tree_of_an_agent_is_shown_to_a_level():
    said = typed(*SMALL, "mcts:iterations=60", "--tree", "2", lines="end\n")
    assert "Orange (mcts:iterations=60) considers:" in said
    assert "├── " in said and "│   ├── " in said and "│   │   ├── " not in said
    assert " for orange" in said
    deep = typed(*SMALL, "expectimax:depth=2", "--tree", "3", lines="end\n")
    assert " %, 0." in deep and "│   │   ├── " in deep
    assert "considers" not in typed(*SMALL, "mcts:iterations=60", lines="end\n")


def test_a_tree_that_has_no_room_left_says_so():
    said = typed(*SMALL, "mcts:iterations=60,nodes=20", "--tree", "1", lines="end\n")
    assert "Orange (mcts:iterations=60,nodes=20) considers (its tree is full):" in said


def nodes(branch: Branch) -> list[Branch]:
    return [branch, *(node for below in branch.below for node in nodes(below))]


@pytest.mark.parametrize("luck", [0, 2])
def test_a_tree_search_unfolds_into_what_it_has_visited(luck):
    view = game("dicewars").new(seed=3, areas=8).view(0)
    search = Mcts(view, stream(1), luck=luck).run(400)
    before = search.rng.copy()
    root = search.unfold(3, widest=100)
    assert (search.rng == before).all()
    assert root.visits == 400 and root.more == 0
    found = [(view.parse(one.text), one.visits, one.value) for one in root.below]
    assert found == [(one.action, one.visits, one.value) for one in search.root]
    for node in nodes(root):
        below = sum(one.visits or 0 for one in node.below)
        assert below <= (node.visits or 0) <= below + 1 or not node.below
        assert {one.text for one in node.below if one.mover == CHANCE} <= {"win", "lose"}
        assert [one.visits for one in node.below] == sorted(
            (one.visits or 0 for one in node.below), reverse=True
        )
    assert any(one.mover == CHANCE for one in nodes(root)[1:]) == (luck > 0)
    narrow = search.unfold(1, widest=2)
    assert narrow.below[0].below == () and narrow.more == len(root.below) - 2


@pytest.mark.parametrize("maxn", [False, True])
def test_a_depth_search_unfolds_into_lines_that_add_up(maxn):
    """A decision is worth what its best line is worth, luck what its outcomes are on average."""
    view = game("pig").new(seed=1, goal=20).view(0)
    search = Expectimax(view, stream(1), maxn=maxn)
    search.run(3)
    root = search.unfold(6, widest=100)
    assert root.value == pytest.approx(search.root[0].value)
    decisions = 0
    for node in nodes(root):
        if not node.below:
            continue
        mover = node.below[0].mover
        values = [one.value for one in node.below]
        if mover == CHANCE:
            mean = sum((one.chance or 0) * (one.value or 0) for one in node.below)
            assert node.value == pytest.approx(mean)
            assert [one.text for one in node.below] == list("123456")
        elif not maxn:
            assert node.value == pytest.approx((max if mover == 0 else min)(values))
            decisions += len(values) > 1
        else:
            assert {one.whose for one in node.below} == {mover}
    assert maxn or decisions > 3


# --- what people see ---


def test_letters_and_names_have_the_colours_of_their_players():
    text = painted("bb BBB17/5 oo\nB blue: 3 areas\nBobby", 2)
    parts = {(text.plain[s.start : s.end], str(s.style).split()[-1]) for s in text.spans}
    blue, orange = "#2f6db3", "#e08a1e"
    assert parts == {("bb", blue), ("BBB", blue), ("B", blue), ("blue", blue), ("oo", orange)}


class Lines(io.StringIO):
    """Somebody who types; the screen is remembered as it was each time he was asked."""

    def __init__(self, lines: list[str], capsys: pytest.CaptureFixture) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self.capsys, self.screens = capsys, []

    def readline(self, *args: int) -> str:
        self.screens.append(self.capsys.readouterr().out)
        return super().readline(*args)


def hands(cards: Game, seed: int) -> list[str]:
    """The cards that come, in order, when everybody takes one."""

    class Takes:
        def act(self, view: View) -> str:
            return "take"

    played = play_game(cards, cards.check({}), [Takes(), Takes()], seed, record=True)
    assert played.record is not None
    return [event.text for event in played.record.events if event.by == CHANCE]


def test_people_at_one_keyboard_see_only_their_own_cards(cards, monkeypatch, capsys, tmp_path):
    """Between two people there are two screens without anything on them."""
    saved = tmp_path / "anna.jsonl"
    turn = ["take", "", ""]
    lines = ["", f"save {saved}", *turn, *turn, *turn, "take", "", "", "pass", "", "", "pass"]
    keyboard = Lines(lines, capsys)
    monkeypatch.setattr(sys, "stdin", keyboard)
    play_here(cards, cards.check({}), ["me:Anna", "me:Petr"], 5)
    end = capsys.readouterr().out
    hand, anna, _, seen, given, petr = keyboard.screens[:6]
    dealt = hands(cards, 5)
    assert hand == "Hand the keyboard to Blue (Anna), then press Enter. "
    assert f"luck: {dealt[0]}; card; {dealt[2]}; card\n" in anna and "Blue (Anna) > " in anna
    assert f"luck: {dealt[4]}\n" in seen and "Press Enter when you have seen everything" in seen
    assert given == "Hand the keyboard to Orange (Petr), then press Enter. "
    assert f"luck: card; {dealt[1]}; card; {dealt[3]}\n" in petr and "Orange (Petr) > " in petr
    assert "Blue (Anna): take\n  luck: card\n" in petr
    assert "Score: Blue (Anna) 0, Orange (Petr) 0." in end
    header, *events = map(json.loads, saved.read_text().splitlines())
    assert header["seat"] == 0 and [event["luck"] for event in events].count("card") == 2


def test_without_anything_hidden_there_is_no_curtain():
    assert Screen(game("dicewars"), ["me", "me"], 0).curtain is False
    said = typed(*SMALL, "me:Anna", "me:Petr", lines="end\nend\n")
    assert "Hand the keyboard" not in said
    assert said.count("Blue (Anna): end the turn") == 1
    assert said.count("Orange (Petr): end the turn") == 1


def test_who_leaves_leaves(cards, monkeypatch):
    screen = Screen(cards, ["me", "random"], 0)
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\nyes\n"))
    state = cards.new(seed=1).settle(stream(1))
    with pytest.raises(Left):
        screen.act(state.view(0))


def test_a_real_terminal_has_colours_completion_and_a_curtain(cards_installed):
    """Tab completes; when the keyboard changes hands the screen is erased."""
    args = ["play", "cardgame", "me:Anna", "me:Petr", "--seed", "2"]
    path = os.pathsep.join([str(cards_installed), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, "TERM": "xterm-256color", "NO_COLOR": ""}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kostka", *args], stdin=theirs, stdout=theirs, stderr=theirs, env=env
    )
    os.close(theirs)
    try:
        talk(ours, "Hand the keyboard to Blue (Anna), then press Enter. ", "\n")
        assert "\x1b[1;38;5;" in talk(ours, "Blue (Anna) > ", "pa\t\n")
        before = talk(ours, "the screen is cleared. ", "\n")
        assert "pass" in before and "\x1b[3J" not in before
        assert talk(ours, "Hand the keyboard to Orange (Petr)", "\n").count("\x1b[3J") == 1
        talk(ours, "Orange (Petr) > ", "quit\n")
        talk(ours, "[y/N] ", "y\n")
        talk(ours, "nobody has won", "")
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def talk(terminal: int, until: str, answer: str) -> str:
    """Wait for these words, and type an answer. Gives all that was shown meanwhile."""
    shown, end = b"", time.monotonic() + 60
    while until.encode() not in shown:
        assert select.select([terminal], [], [], end - time.monotonic())[0], shown.decode()
        shown += os.read(terminal, 65536)
    os.write(terminal, answer.encode())
    return shown.decode()
