"""Who is ahead in The Discovery, and by how much, if players have so many points."""

from kostka.core.kernels import kernel

#: A place is more than any margin, and a margin less than this.
PLACE_WORTH, FAR = 100_000, 1 << 40

#: No margin of two players is wider. With more, a margin of so much is half a place.
WIDEST, HALF = 1000.0, 20.0


@kernel
def compare(s, player, totals):
    """How many are ahead, and the margin to the player above or, for whoever leads, below."""
    mine = totals[player]
    ahead, above, below_mine = 0, FAR + 0 * mine, -FAR + 0 * mine
    for p in range(s.players):
        if p != player:
            if totals[p] > mine:
                ahead += 1
                above = min(above, totals[p])
            else:
                below_mine = max(below_mine, totals[p])
    return ahead, mine - (above if ahead > 0 else below_mine)


@kernel
def by_place(s, player, totals):
    """A number to compare by: first the own place, then the margin."""
    ahead, margin = compare(s, player, totals)
    return margin - PLACE_WORTH * ahead


@kernel
def in_one(s, player, totals):
    """Place and margin as one number from 0 to 1, of which a mean can be taken.

    Of two players it is the margin alone; of more, a margin never outweighs a place.
    """
    ahead, margin = compare(s, player, totals)
    if s.players == 2:
        return 0.5 + margin / (2.0 * WIDEST)
    return (s.players - 1 - ahead + squashed(margin / HALF)) / s.players


@kernel
def squashed(x):
    """Any number between 0 and 1, in the same order; 0 becomes a half."""
    return 0.5 + 0.5 * x / (1.0 + abs(x))
