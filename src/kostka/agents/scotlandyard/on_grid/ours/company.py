"""Mr X gets to know the detectives: which of the habits that he knows fits their replies best."""

import math
from collections.abc import Sequence

from kostka.agents.scotlandyard.on_grid.ours.grid import Detectives, Yard

#: The chance of replies that nobody would have foretold.
ODD = 0.02

#: What detectives are taken for at first, and how much likelier than others (as a logarithm): whose
#: replies are hardly foretold it takes longest to recognise.
FIRST, HEAD_START = "sova", 2.0


class Company:
    """What Mr X makes of the detectives in one game."""

    def __init__(self, yard: Yard) -> None:
        from kostka.agents.scotlandyard.on_grid.ours import solved  # SciPy takes its time

        self.yard = yard
        self.known = {name: solved.elusive(yard, name) for name in solved.met_on(yard)}
        self.score = {name: HEAD_START * (name == FIRST) for name in self.known}
        self._asked: tuple[int, Detectives, tuple[int, ...]] | None = None

    def expect(self, turn: int, detectives: Detectives, places: Sequence[int]) -> None:
        """They are about to reply, and Mr X may be there for all that they know."""
        self._asked = turn, detectives, tuple(places)

    def watch(self, reply: Detectives) -> None:
        """They have replied."""
        if self._asked is None:
            return
        replies = self.yard.replies(self._asked[1])
        if reply in replies:
            which = replies.index(reply)
            for name, one in self.known.items():
                chance = one.tendency(*self._asked)[which]
                self.score[name] += math.log((1 - ODD) * chance + ODD / len(replies))
        self._asked = None

    @property
    def likeliest(self) -> str:
        return max(self.score, key=self.score.__getitem__)
