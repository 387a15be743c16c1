"""Which actions a search looks at first, and how many."""

from kostka.core import rules
from kostka.core.kernels import kernel


@kernel
def best_first(h, s, out, keys, k, beam):
    """Sort ``k`` actions by their prior, the largest first; returns how many to search.

    ``keys`` is a buffer for the priors; ``beam`` limits the number, 0 does not.
    """
    for i in range(k):
        a, key = out[i], rules.prior(h, s, out[i])
        j = i
        while j > 0 and keys[j - 1] < key:
            out[j], keys[j] = out[j - 1], keys[j - 1]
            j -= 1
        out[j], keys[j] = a, key
    return min(k, beam) if beam > 0 else k
