"""Records that somebody has tampered with, for every game there is."""

import json
import subprocess
import sys

import pytest

from kostka.core.game import game, games
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
