"""Records that somebody has tampered with, for every game there is."""

import base64
import gzip
import json
import subprocess
import sys
import zlib

import pytest

from kostka.core.errors import KostkaError
from kostka.core.game import game, games
from kostka.core.log import GameLog
from kostka.proof import fuzz

RECORDS = 300


@pytest.mark.parametrize("name", games())
def test_a_tampered_record_gets_a_sentence_or_a_valid_game(name):
    found = fuzz.fuzz(game(name), RECORDS, seed=1)
    assert found.faults == []
    assert found.kinds["refused"] > found.kinds["played"] > RECORDS // 20
    assert found.kinds.total() == RECORDS


def test_what_is_left_as_it_is_can_be_played():
    for seed in range(3):
        log = fuzz.played(game("pig"), seed)
        assert fuzz.read(log.dumps().encode(), 1) == "played"
        assert fuzz.read(log.for_seat(0).dumps().encode(), 1) == "played"


def packed(content):
    return "pig/1/" + base64.urlsafe_b64encode(content).decode()


#: Lines of a record and what somebody wrote there by hand: fields, or something in place of a text.
BY_HAND = {
    "a bomb of a quarter of a gigabyte": (0, {"start": packed(zlib.compress(bytes(1 << 28)))}),
    "a position by another packer": (0, {"start": packed(gzip.compress(bytes(80)))}),
    "more after the position": (0, {"start": packed(zlib.compress(bytes(80)) + b"more")}),
    "brackets within brackets": (0, ("1", "[" * 200_000 + "]" * 200_000)),
    "a number of a hundred thousand digits": (0, ('"rules": 1', '"rules": ' + "9" * 100_000)),
    "a player beyond all numbers": (1, '{"by": 1e999, "do": "roll"}'),
    "a player who is no number": (1, '{"by": NaN, "do": "roll"}'),
    "options out of range": (0, {"options": {"players": 10**30}}),
    "an option as long as a book": (0, {"options": {"goal": "9" * 100_000}}),
    "a version in words": (0, {"rules": "1"}),
    "a seat between two": (0, {"seat": 0.5}),
    "an event as long as a book": (1, {"do": "x" * 1_000_000, "luck": "x" * 1_000_000}),
    "a seed in other digits": (-1, {"seed": "\u0661\u0662"}),
    "a result below nothing": (-1, {"result": [-0.0, float("nan")]}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_what_somebody_wrote_by_hand_is_refused_in_a_short_sentence(name):
    at, change = BY_HAND[name]
    log = next(log for seed in range(64) if (log := fuzz.played(game("pig"), seed)).result)
    lines = log.dumps().splitlines()
    if isinstance(change, dict):
        lines[at] = json.dumps({**json.loads(lines[at]), **change})
    elif isinstance(change, tuple):
        lines[at] = lines[at].replace(*change, 1)
    else:
        lines[at] = change
    text = "\n".join(lines)
    with pytest.raises(KostkaError) as error:
        log = GameLog.loads(text)
        log.verify()
        log.replay()
    assert len(str(error.value)) < 400


def test_a_fault_is_found_and_a_process_that_dies_is_replaced(tmp_path):
    """A reader with a planted fault: one record crashes it, one ends it."""
    (tmp_path / "planted.py").write_text(
        "import os\n"
        "from kostka.proof import fuzz\n"
        "real, count = fuzz.read, iter(range(-3, 100))\n"
        "def read(raw, seed):\n"
        "    n = next(count)\n"
        "    if n == 1: raise IndexError('outside')\n"
        "    if n == 2: os._exit(7)\n"
        "    return real(raw, seed)\n"
        "fuzz.read = read\n"
        "if __name__ == '__main__':\n"
        "    import json\n"
        "    from kostka.core.game import game\n"
        "    print(json.dumps(fuzz.fuzz(game('pig'), 4, 1).faults))\n"
    )
    done = subprocess.run(
        [sys.executable, tmp_path / "planted.py"], capture_output=True, text=True, check=True
    )
    faults = json.loads(done.stdout.splitlines()[-1])
    assert faults == [[1, "IndexError: outside"], [2, "it died with 7"]]
