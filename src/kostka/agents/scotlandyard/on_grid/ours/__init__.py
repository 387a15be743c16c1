"""The grid worked out: rules over plain numbers, solutions, and agents that play by them."""
