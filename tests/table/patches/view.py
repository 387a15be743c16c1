"""Patches of wool and silk: the cells beside them, the patch in hand, and where it could go."""

from . import rules as r

SIZE = 100
DYES = ("#c9b48a", "#2f6db3")
#: A side of a patch is a triangle from its middle.
TRIANGLE = "M0 0L-48 -48H48Z"

STYLE = """
.patches .cell rect { fill: #f6f1e7; stroke: #8a8378; stroke-dasharray: 6 6 }
.patches .can rect { fill: #e7d9b8; stroke: #25221d; stroke-dasharray: none; cursor: pointer }
.patches .picked rect { stroke: #c2512f; stroke-width: 6; stroke-dasharray: none }
.patches .thing:focus-visible rect, .patches .thing:focus-visible circle {
  stroke: #25221d; stroke-width: 8 }
.patches .last { stroke: #25221d; stroke-width: 4 }
"""


def middle(cell):
    x, y = r.place(cell)
    return SIZE * x, SIZE * y


def patch(s, kind, cell, rotation):
    x, y = middle(cell)
    return f'<use href="#p{kind}" transform="translate({x} {y}) rotate({90 * rotation})"/>'


def laid(s):
    return [cell for cell in range(r.WIDE**2) if s.kind[cell] != r.EMPTY]


def border(s):
    beside = {int(cell + step) for cell in laid(s) for step in r.BESIDE}
    return sorted(beside - set(laid(s)))


def backdrop(s):
    symbols = ""
    for kind, sides in enumerate(r.SIDES):
        drawn = "".join(
            f'<path fill="{DYES[cloth]}" d="{TRIANGLE}" transform="rotate({90 * d})"/>'
            for d, cloth in enumerate(sides)
        )
        symbols += f'<g id="p{kind}">{drawn}</g>'
    return f"<style>{STYLE}</style><defs>{symbols}</defs>"


def cell_drawn(cell):
    (x, y), (column, row) = middle(cell), r.place(cell)
    rect = f'<rect x="{x - 46}" y="{y - 46}" width="92" height="92" rx="8"/>'
    name = f"Cell {column},{row}"
    return f'<g class="thing cell" id="c{column},{row}"><title>{name}</title>{rect}</g>'


def layer(s):
    art = "".join(cell_drawn(cell) for cell in border(s))
    for cell in laid(s):
        drawn = patch(s, s.kind[cell], cell, s.rotation[cell])
        art += f'<g class="last">{drawn}</g>' if cell == s.last else drawn
    if s.phase == r.PIN:
        x, y = middle(s.last)
        title = "<title>The patch just laid</title>"
        art += f'<g class="thing" id="spot">{title}<circle cx="{x}" cy="{y}" r="22"/></g>'
    return art


def viewbox(s):
    places = [middle(cell) for cell in border(s)]
    left, top = (min(p[k] for p in places) - SIZE // 2 for k in range(2))
    right, bottom = (max(p[k] for p in places) + SIZE // 2 for k in range(2))
    return f"{left} {top} {right - left} {bottom - top}"


def svg(s):
    parts = f'<g class="patches">{backdrop(s)}{layer(s)}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{viewbox(s)}">{parts}</svg>'


def clicks(s, a):
    if a == r.PINNED:
        return ["spot"]
    if a == r.PASS:
        return ["!pass"]
    x, y = r.place(a // 4)
    return [f"c{x},{y}", {"choice": f"r{a % 4}", "verbs": ["Turn", "Lay"]}]


def preview(s, a):
    return patch(s, s.hand, a // 4, a % 4) if a < r.PINNED else ""


def why_not(s, path):
    if not isinstance(path[-1], str):
        return "the patch does not fit there that way round"
    cell = {f"c{x},{y}": cell for cell in border(s) for x, y in [r.place(cell)]}.get(path[-1])
    if cell is None:
        return "the patch in hand is laid on a free cell beside others"
    for d, way in enumerate(r.WAYS):
        other = cell + r.BESIDE[d]
        if s.kind[other] != r.EMPTY:
            cloth = r.CLOTH[r.side(s.kind[other], s.rotation[other], (d + 2) % 4)]
            if cloth not in [r.CLOTH[one] for one in r.SIDES[s.hand]]:
                return f"the {way} side must be {cloth}"
    return "the sides that must be wool and silk are not like that on any one patch"


def status(s, viewer, names):
    if s.phase == r.DONE:
        return f"The game is over, {s.pins[0]} to {s.pins[1]}."
    if s.player != viewer:
        return "The other player is to move."
    if s.phase == r.PIN:
        return "Your turn. Pin the patch, or pin nothing."
    return f"Your turn. Lay the {r.NAMES[s.hand]}."
