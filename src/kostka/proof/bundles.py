"""Cards that people choose together, chosen at random."""

from typing import Any

from kostka.core.present import Bundle
from kostka.core.rng import below


def a_choice_of(bundle: Bundle, rng: Any) -> list[str] | None:
    """The decisions of any choice that a bundle allows; None where it cannot be completed."""
    taken: list[str] = []
    names: set[str] = set()
    for row in bundle["rows"]:
        low, high = row["total"]
        found = [card["action"] for card in row["cards"] for _ in range(card["limits"][0])]
        wanted = low + below(rng, high - low + 1)
        while len(found) < wanted:
            open_ = [
                card
                for card in row["cards"]
                if found.count(card["action"]) < card["limits"][1]
                and not (bundle["apart"] and card["name"] in names)
            ]
            if not open_:
                break
            found.append(open_[below(rng, len(open_))]["action"])
        if len(found) < low:
            return None
        names |= {card["name"] for card in row["cards"] if card["action"] in found}
        order = [card["action"] for card in row["cards"]]
        taken += sorted(found, key=order.index)
    return [*taken, bundle["then"]] if bundle["then"] and taken else taken
