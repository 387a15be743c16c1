"""The scripts of the pages: what needs no page is tested by Node, and imports only go one way."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import kostka.table

SCRIPTS = Path(kostka.table.__file__).parent / "static"
TESTS = sorted((Path(__file__).parent / "static").glob("*.test.mjs"))

#: A module named by ``import … from``, ``export … from``, ``import "…"`` or ``import("…")``.
IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']""")


def imports(source: str) -> set[str]:
    """The modules that a script names."""
    return set(IMPORT.findall(source))


def cycle(modules: Mapping[str, set[str]]) -> list[str]:
    """Modules that import each other in a ring, the first again at the end; none: empty."""
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_what_needs_no_page_is_right() -> None:
    node = shutil.which("node")
    if node is None:
        why = "Node is not installed"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    assert TESTS
    done = subprocess.run([node, "--test", *TESTS], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_script_imports_itself_in_a_ring() -> None:
    scripts = {path.name: imports(path.read_text()) for path in SCRIPTS.glob("*.js")}
    modules = {name: {one.removeprefix("./") for one in named} for name, named in scripts.items()}
    assert set().union(*modules.values()) <= set(modules), "only scripts of ours are imported"
    assert cycle(modules) == []


def test_a_ring_of_imports_is_found() -> None:
    sources = {
        "a.js": 'import { x,\n  y } from "./b.js";',
        "b.js": "import './c.js';",
        "c.js": 'export { z } from "./d.js"; const later = () => import("./a.js");',
        "d.js": 'const words = "imported";',
    }
    modules = {name: {one[2:] for one in imports(text)} for name, text in sources.items()}
    assert modules["c.js"] == {"d.js", "a.js"} and modules["d.js"] == set()
    assert set(cycle(modules)) == {"a.js", "b.js", "c.js"}
    assert cycle({**modules, "c.js": {"d.js"}}) == []
