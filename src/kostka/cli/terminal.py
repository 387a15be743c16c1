"""A game at this terminal: people type notation, agents think, and everybody sees what he may."""

import contextlib
import io
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.text import Text
from rich.tree import Tree

from kostka.agents.session import Session
from kostka.arena.match import warm
from kostka.arena.referee import Fault, GameInProgress, ask, blame, forfeit, teach
from kostka.cli.shared import err, out
from kostka.core import play, present, rules
from kostka.core.errors import KostkaError
from kostka.core.game import Game, Value
from kostka.core.log import GameLog
from kostka.core.palette import PLAYERS
from kostka.core.rng import stream
from kostka.core.state import CHANCE, OVER, PUBLIC, State, View, begin
from kostka.search.mcts import Branch

#: Who sits where nobody was named.
DEFAULT_AGENT = "mcts"

COMMANDS = ("?", "help", "save ", "quit")
YES = ("y", "yes")
HELP = """Type an action in notation, for example {example}. Besides:
  ?           what can be done, in words; {start}? only what begins so or tells of it
  Enter       the position once more
  save FILE   write the record of the game so far
  quit        leave the game
Tab completes what you type."""

#: So many actions are listed at once, and so few even without being asked for.
MOST, FEW = 60, 8

#: Erases the screen and what has scrolled off it.
ERASE = "\x1b[H\x1b[2J\x1b[3J"


def say(words: str | Text = "") -> None:
    """Print as it is: no markup, and lines that only the terminal breaks."""
    out.print(words, markup=False, soft_wrap=True)


class Left(Exception):
    """Somebody has left the game."""


def seated(game: Game, who: Sequence[str], options: Mapping[str, str]) -> list[str]:
    """Who sits where: people are ``me`` or ``me:Anna``, one at least; agents fill up the rest."""
    seats = list(who)
    if not any(person(seat) for seat in seats):
        seats.insert(0, "me")
    asked = options.get("players", max(len(seats), int(game.options[0].default)))
    players = int(game.options[0].check(asked))
    if len(seats) > players:
        raise KostkaError(f"{len(seats)} do not fit at a table for {players}: {', '.join(seats)}")
    return seats + [DEFAULT_AGENT] * (players - len(seats))


def person(seat: str) -> bool:
    return seat == "me" or seat.startswith("me:")


def play_here(
    game: Game,
    options: Mapping[str, Value],
    seats: Sequence[str],
    seed: int,
    *,
    limit: float | None = None,
    record: Path | None = None,
    tree: int = 0,
) -> None:
    """One game of people at this terminal and agents. ``limit`` is for agents; ``tree``: how many
    levels of their searches are shown; the record is written even if the game is left."""
    screen = Screen(game, seats, tree)
    sessions = {
        n: Session(game, seat, n, stream(seed, "agent", n))
        for n, seat in enumerate(seats)
        if not person(seat)
    }
    if limit is not None:
        for seat in sessions:
            warm(game, seats[seat], len(seats))
    names = [screen.names[i] or seat for i, seat in enumerate(seats)]
    state, agents = begin(game, options, seed), list(sessions.values())
    screen.table = table = GameInProgress(state, agents, seed, names)
    faults: dict[int, str] = {}
    kept: GameLog | None = None
    try:
        play_on(table, sessions, screen, limit, faults)
        result = forfeit(game, options, faults) if faults else table.state.returns
        teach(agents, result, faults)
        screen.finish(faults)
        kept = table.record(forfeit(game, options, faults) if faults else result, faults)
    except Left:
        say("The game was left; nobody has won.")
    finally:
        if record is not None:
            (kept or so_far(table)).write(record)
            say(f"record in {record}")
    say(f"seed {seed}")


def play_on(
    table: GameInProgress,
    sessions: Mapping[int, Session],
    screen: "Screen",
    limit: float | None,
    faults: dict[int, str],
) -> None:
    """Let people and agents decide in turn until the game is over or an agent is at fault."""
    try:
        for seat, session in sessions.items():
            with blame(seat):
                session.begin()
        step(table, play.NOTHING, screen)
        while table.mover != OVER:
            mover, state = table.mover, table.state
            if mover in sessions:
                action = screen.watch(sessions[mover], limit)
            else:
                action = screen.act(View(state.game, state.options, table.view, mover))
            step(table, action, screen)
    except Fault as fault:
        faults[fault.seat] = str(fault)


def step(table: GameInProgress, action: int, screen: "Screen") -> None:
    """Carry out an action, and tell what happened."""
    state, start = table.state.copy(), len(table.log)
    table.step(action)
    screen.tell(state, table.log[start:])


def so_far(table: GameInProgress) -> GameLog:
    """The record of a game that is not over; its seed stays with the referee."""
    return replace(table.record([], {}), result=None, hash=None, seed=None)


class Screen:
    """The people before this screen."""

    def __init__(self, game: Game, seats: Sequence[str], tree: int) -> None:
        self.names = [seat[3:].strip() or None if person(seat) else seat for seat in seats]
        self.people = [seat for seat, who in enumerate(seats) if person(who)]
        self.tree = tree
        self.table: GameInProgress
        #: Whether people must not look at each other's screen, and who looks at it now.
        self.curtain = len(self.people) > 1 and (game.dtype,) in rules.redact.methods
        self.at = None if self.curtain else self.people[0]
        #: What has happened, as each of them has seen it, and was not printed yet.
        self.news: dict[int, list[tuple[int, str]]] = {
            seat: [] for seat in (self.people if self.curtain else self.people[:1])
        }
        #: What Tab completes.
        self.choices: list[str] = []
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if sys.stdin.isatty():
            self.complete()

    # --- what people see ---

    def tell(self, state: State, happened: Sequence[int]) -> None:
        """Note what each person sees of what happened; who looks at the screen is told at once."""
        for code in happened:
            for seat, news in self.news.items():
                words = state.view(seat).describe(state.seen(code, seat))
                if news and news[-1][0] == state.mover == CHANCE:
                    words = f"{news.pop()[1]}; {words}"
                news.append((state.mover, words))
            state.apply(code)
        self.catch_up()

    def catch_up(self) -> None:
        """Print what the person before the screen has not read yet."""
        if self.at is None:
            return
        news = self.news[self.at]
        for by, words in news:
            line = Text("  luck") if by == CHANCE else self.called(by)
            say(line.append(f": {words}"))
        news.clear()

    def called(self, seat: int) -> Text:
        """A player's name in his colour."""
        return Text().append(present.called(seat, self.names), style(seat))

    def draw(self, view: View) -> None:
        """The position as its seat knows it, and what is expected."""
        picture = getattr(view.game.part("view"), "picture", None)
        say()
        if picture is not None:
            say(painted(picture(view.record), view.players))
        else:
            for seat, facts in enumerate(present.players(view)):
                words = ", ".join(f"{label} {value}" for label, value in facts)
                say(self.called(seat).append(f": {words}"))
        say(present.status(view, self.names))
        if picture is None and 0 < len(view.legal_actions) <= FEW:
            self.explain(view, "")

    def hand_over(self, seat: int) -> None:
        """Where something is hidden, nobody sees the screen of the person before him."""
        if self.curtain and self.at != seat:
            if self.at is not None:
                self.read("Press Enter when you have seen everything: the screen is cleared. ")
                self.erase()
            self.read(
                f"Hand the keyboard to {present.called(seat, self.names)}, then press Enter. "
            )
            self.erase()
            self.at = seat
        self.catch_up()

    def erase(self) -> None:
        """Clear the screen, what has scrolled off it, and what was typed."""
        if out.is_terminal:
            out.file.write(ERASE)
            out.file.flush()
        if "readline" in sys.modules:
            sys.modules["readline"].clear_history()

    def finish(self, faults: Mapping[int, str]) -> None:
        """The last position, which hides nothing any more, and who has won."""
        if self.curtain:
            self.at = self.people[0]
        self.catch_up()
        state, alone = self.table.state, len(self.people) == 1
        shown = View(state.game, state.options, state.buffer, self.people[0] if alone else PUBLIC)
        if not faults:
            self.draw(shown)
            points = [f"{present.called(p, self.names)} {n:g}" for p, n in enumerate(state.scores)]
            if points:
                say(f"Score: {', '.join(points)}.")
        for seat, why in faults.items():
            words = f" {why}; that loses the game."
            say(self.called(seat).append(words))

    # --- what people do ---

    def act(self, view: View) -> int:
        """Ask the person whose turn it is until he names a legal action."""
        self.hand_over(view.mover)
        self.draw(view)
        legal = {view.text(action): action for action in view.legal_actions}
        self.choices = [*legal, *COMMANDS]
        while True:
            line = self.read(f"{present.called(view.mover, self.names)} > ")
            if line in legal:
                return legal[line]
            command, _, rest = line.partition(" ")
            if not line:
                self.draw(view)
            elif line.startswith("?") or line.endswith("?"):
                self.explain(view, line.strip("? "))
            elif line == "help":
                example = next(iter(legal))
                say(HELP.format(example=example, start=example[:1]))
            elif line == "quit":
                if self.read("Leave the game? It ends for everybody. [y/N] ").casefold() in YES:
                    raise Left
            elif command == "save":
                self.save(rest.strip(), view.mover)
            elif (why := view.why_not(line)) is None:
                return view.parse(line)
            else:
                said = f"{why[0].upper()}{why[1:]}. Type ? to see what can be done."
                say(said)

    def explain(self, view: View, typed: str) -> None:
        """List the legal actions in words: those that begin with what was typed, or tell of it."""
        known = [(view.text(action), view.describe(action)) for action in view.legal_actions]
        found = [one for one in known if one[0].startswith(typed)]
        found = found or [one for one in known if typed.casefold() in one[1].casefold()]
        if not found:
            say(f"Nothing that can be done has to do with {typed!r}.")
        width = max((len(text) for text, _ in found), default=0)
        for text, words in found[:MOST]:
            same = "" if words == text else words
            say(f"  {text:{width}}  {same}".rstrip())
        if len(found) > MOST:
            rest = len(found) - MOST
            say(f"  … and {rest} more: type how it begins, and ?")

    def save(self, name: str, seat: int) -> None:
        """Write the record so far; where something is hidden, only what the seat has seen."""
        if not name:
            say("Say where to: save FILE.")
            return
        path, record = Path(name).expanduser(), so_far(self.table)
        if (self.table.state.game.dtype,) in rules.redact.methods:
            record = record.for_seat(seat)
        try:
            if path.exists():
                say(f"{path} exists already; choose another name.")
            else:
                record.write(path)
                say(f"The record so far is in {path}.")
        except (OSError, ValueError) as error:
            say(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.")

    def read(self, prompt: str) -> str:
        """A line that somebody has typed; who ends the input leaves the game."""
        try:
            return input(prompt).strip()
        except EOFError:
            say()
            raise Left from None

    def complete(self) -> None:
        """Let Tab complete actions and commands, where the terminal's library can."""
        try:
            import readline
        except ImportError:
            return

        def find(typed: str, n: int) -> str | None:
            found = [choice for choice in self.choices if choice.startswith(typed)]
            return found[n] if n < len(found) else None

        readline.set_completer(find)
        readline.set_completer_delims("\n")
        apple = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if apple else "tab: complete")

    # --- what agents do ---

    def watch(self, session: Session, limit: float | None) -> int:
        """The action of the agent whose turn it is; with ``tree``, also what it considered."""
        mover, agent = self.table.mover, session.agent
        name, before = present.called(mover, self.names), getattr(agent, "search", None)
        waiting = err.status(f"{name} is thinking …") if err.is_terminal else None
        with waiting or contextlib.nullcontext():
            action = ask(session, self.table, limit)
        search = getattr(agent, "search", None)
        if self.tree and search is not None and search is not before:
            root = search.unfold(self.tree)
            full = " (its tree is full)" if getattr(search, "full", False) else ""
            out.print(branches(root, Tree(self.called(mover).append(f" considers{full}:"))))
        return action


def style(seat: int) -> str:
    return f"bold {PLAYERS[seat % len(PLAYERS)].colour}"


def painted(picture: str, players: int) -> Text:
    """A drawing in letters, with the letters and names of players in their colours."""
    text = Text(picture)
    for seat, player in enumerate(PLAYERS[:players]):
        large, small = player.letter, player.letter.lower()
        text.highlight_regex(rf"(?<![A-Za-z])({large}+|{small}+)(?![A-Za-z])", player.colour)
        text.highlight_regex(rf"(?<![A-Za-z]){large}+(?![A-Za-z])", style(seat))
        text.highlight_regex(re.compile(rf"\b{player.name}\b", re.IGNORECASE), style(seat))
    return text


def branches(node: Branch, tree: Tree) -> Tree:
    """A search tree for the screen."""
    for one in node.below:
        chance = None if one.chance is None else f"{100 * one.chance:.0f} %"
        visits = None if one.visits is None else f"{one.visits} visit{'s' * (one.visits != 1)}"
        whose = PLAYERS[one.whose % len(PLAYERS)].name
        value = None if one.value is None else f"{one.value:.3f} for {whose}"
        label = Text().append(one.text, style(one.mover) if one.mover >= 0 else "italic")
        facts = ", ".join(filter(None, (chance, visits, value)))
        branches(one, tree.add(label.append(f"  {facts}")))
    if node.below and node.more:
        tree.add(f"… {node.more} more")
    return tree
