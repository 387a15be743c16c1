"""A checkout that is not installed has its games and agents all the same."""

import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest

import kostka
from kostka.core import plugins

GROUPS = ("kostka.games", "kostka.agents")


@pytest.mark.parametrize("group", GROUPS)
def test_what_the_checkout_declares_is_what_is_installed(group):
    installed = {e.name: e.value for e in distribution("kostka").entry_points.select(group=group)}
    assert {e.name: e.value for e in plugins.declared(group)} == installed
    assert installed


def test_on_the_path_alone_every_game_has_its_own_agents(tmp_path):
    """Third-party packages by link, ours by PYTHONPATH, and nothing of ``site``."""
    for package in Path(np.__file__).parents[1].iterdir():
        if "kostka" not in package.name and package.suffix != ".pth":
            (tmp_path / package.name).symlink_to(package)
    code = """
from kostka.agents.spec import kinds, levels
from kostka.core.game import games
from kostka.core.plugins import own_version
assert own_version()
print({n: levels(g).keys() != kinds(g).keys() for n, g in games().items()})
"""
    path = os.pathsep.join([str(tmp_path), str(Path(kostka.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    ours = {e.name: True for e in distribution("kostka").entry_points.select(group=GROUPS[0])}
    assert done.stdout.strip() == str(dict(sorted(ours.items())))
