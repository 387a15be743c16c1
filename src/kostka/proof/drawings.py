"""The laws of what people see and click."""

import itertools
import re
from xml.etree import ElementTree

from kostka.core import present
from kostka.core.state import State, View
from kostka.proof.bundles import a_choice_of
from kostka.proof.law import Verdicts, law
from kostka.proof.laws import who
from kostka.proof.positions import Position

#: Positions of a phase that are drawn, and choices of cards that are tried at each.
DRAWINGS, BUNDLES = 4, 4


@law(Position, idle="the game does not draw itself")
def the_drawing_is_sound(p: Position) -> Verdicts:
    """The drawing is well-formed, and the same for the same view."""
    s = p.state
    if hasattr(s.game.part("view"), "svg") and p.rank < DRAWINGS:
        for v in p.viewers:
            svg = s.view(v).svg
            root = ElementTree.fromstring(svg).tag
            yield root.endswith("svg") or f"it is no <svg> but <{root}>"
            yield svg == s.view(v).svg or f"{who(v)} is shown two drawings of one view"


@law(Position)
def every_action_can_be_clicked(p: Position) -> Verdicts:
    """Every action is a path of clicks on things that are drawn, and none begins another."""
    s = p.state
    if s.mover < 0 or p.rank >= DRAWINGS:
        return
    view = s.view(s.mover)
    drawn = drawn_things(view)
    made = [present.clicks(view, a) for a in p.options]
    paths = {tuple(map(present.meant, path)): path for path in made}
    yield len(paths) == len(p.options) or "two actions are made by the same clicks"
    for one, following in itertools.pairwise(sorted(paths)):
        yield following[: len(one)] != one or f"the clicks {one} also begin {following}"
    for path in paths.values():
        things = [one for one in path if isinstance(one, str) and not one.startswith("!")]
        missing = [thing for thing in things if thing not in drawn]
        yield not missing or f"{missing[0]} is to be clicked, but is not drawn"
        yield present.why_not(view, path[:1]) is None or f"the click on {path[0]} is refused"
    yield bool(present.status(view)) or "nobody is told what is expected of him"
    yield len(present.players(view)) == s.players or "somebody is not described"


@law(Position, idle="no choices lie on top of each other")
def choices_can_be_told_apart(p: Position) -> Verdicts:
    """Choices that lie on top of each other have previews that differ, made of what is drawn."""
    s = p.state
    if s.mover < 0 or p.rank >= DRAWINGS:
        return
    view = s.view(s.mover)
    drawn = drawn_things(view)
    seen: dict[tuple[str, ...], dict[str, str]] = {}
    for a in p.options:
        path = present.clicks(view, a)
        for n, one in enumerate(path):
            if isinstance(one, dict) and "choice" in one:
                svg = present.preview(view, a)
                yield from a_preview_is_sound(svg, drawn, s.text(a))
                others = seen.setdefault(tuple(map(present.meant, path[:n])), {})
                twin = next((name for name, its in others.items() if its == svg), one["choice"])
                yield twin == one["choice"] or f"{s.text(a)} looks like the choice {twin}"
                others.setdefault(one["choice"], svg)


def a_preview_is_sound(svg: str, drawn: set[str], text: str) -> Verdicts:
    """A preview can be laid over the drawing: well-formed, without names of its own."""
    yield bool(svg) or f"{text} is a choice without a preview"
    root = ElementTree.fromstring(f'<g xmlns:xlink="-">{svg}</g>')
    named = [one.get("id") for one in root.iter() if one.get("id")]
    yield not named or f"the preview of {text} names {named[0]}, which only the drawing may do"
    used = {one.get("href", "#")[1:] for one in root.iter()} - {""}
    yield used <= drawn or f"the preview of {text} uses {min(used - drawn)}, which is not drawn"


@law(Position, idle="no cards are chosen together")
def cards_chosen_together_are_legal(p: Position) -> Verdicts:
    """Whatever a bundle lets people choose is legal, decision by decision, and can be clicked."""
    s = p.state
    bundle = present.bundle(s.view(s.mover)) if s.mover >= 0 and p.rank < DRAWINGS else None
    if bundle is None:
        return
    drawn = drawn_things(s.view(s.mover))
    cards = [card for row in bundle["rows"] for card in row["cards"]]
    shown = {card[name] for card in cards for name in ("thing", "symbol") if card.get(name)}
    yield shown <= drawn or f"{min(shown - drawn)} is a card to be chosen, but is not drawn"
    actions = [card["action"] for card in cards]
    yield len(set(actions)) == len(actions) or "two cards of a bundle are one action"
    rng = p.stream("bundle")
    for _ in range(BUNDLES):
        chosen = a_choice_of(bundle, rng)
        yield chosen is not None or f"{bundle['words']} cannot be completed"
        tried = s.copy()
        for n, action in enumerate(chosen or ()):
            allowed = tried.mover == s.mover and is_legal(tried, action)
            yield allowed or f"{', '.join(chosen or ())}: the {n + 1}. cannot be decided"
            if not allowed:
                return
            tried.apply(action)


def is_legal(s: State, text: str) -> bool:
    """Is this the notation of a legal action?"""
    return text in [s.text(a) for a in s.legal_actions]


def drawn_things(view: View) -> set[str]:
    """The names of everything in the drawing."""
    still, moving, _ = present.drawing(view)
    return set(re.findall(r'\bid="([^"]+)"', still + moving))
