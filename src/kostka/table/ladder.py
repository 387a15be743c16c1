"""The ladder: how people, and the agents they meet, have done on this server.

People come and go, one game at a time, so they are rated as results come in (openskill), unlike
agents in the arena. A name is whoever says so: the ladder is for fun. Friends at a table that is
not public stay among themselves.
"""

from collections import defaultdict
from typing import Any

import sqlalchemy as sa
from openskill.models import PlackettLuce

from kostka.arena.store import Store, tables

#: Tables that are looked at, and what a point of openskill counts here, where all begin at 1000.
MOST, POINT = 5000, 40

model = PlackettLuce()


def ladder(store: Store) -> list[dict[str, Any]]:
    """Everybody's rating by game, the best first; an agent only if it met a person with a name."""
    chosen = (
        sa.select(tables.c.game, tables.c.seats, tables.c.result, tables.c.public)
        .where(tables.c.status == "over", tables.c.result.is_not(None))
        .order_by(tables.c.finished.desc(), tables.c.id)
        .limit(MOST)
    )
    with store.read() as connection:
        played = [tuple(row) for row in connection.execute(chosen)]
    known: dict[tuple[str, str, str], Any] = defaultdict(model.rating)
    games: dict[tuple[str, str, str], int] = defaultdict(int)
    for game, seats, result, public in reversed(played):
        who = [(game, seat["kind"], seat["label"] or seat["name"]) for seat in seats]
        people = [key for key in who if key[1] == "person" and key[2]]
        private = not public and len([key for key in who if key[1] == "person"]) > 1
        if private or not people or len(set(who)) < 2 or any(not key[2] for key in who):
            continue
        rated = model.rate([[known[key]] for key in who], scores=list(result))
        for key in set(who):
            same = [new for (new,), other in zip(rated, who, strict=True) if other == key]
            mu, sigma = (sum(getattr(r, of) for r in same) / len(same) for of in ("mu", "sigma"))
            known[key] = model.rating(mu=mu, sigma=sigma)
            games[key] += 1
    rows = [
        {
            "game": game,
            "kind": kind,
            "name": name,
            "games": games[game, kind, name],
            "rating": round(POINT * rating.mu),
            "error": round(POINT * rating.sigma),
        }
        for (game, kind, name), rating in known.items()
    ]
    return sorted(rows, key=lambda row: (row["game"], -row["rating"], row["name"]))
