"""What the README shows is true."""

import doctest
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_python_in_the_readme_runs():
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    text = README.read_text().replace("…", "...")
    found = doctest.DocTestParser().get_doctest(text, {}, "README", str(README), 0)
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(found)
    assert runner.tries > 4
    assert runner.failures == 0


def test_the_commands_in_the_readme_exist():
    from typer.main import get_command

    from kostka.cli import app, load

    load()
    known = set(get_command(app).commands)
    shown = set(re.findall(r"kostka ([a-z]+) ", README.read_text()))
    assert {"match", "check", "replay"} <= shown & known
    assert not {name for name in shown if name not in known} - {"is"}


def test_the_files_the_readme_links_to_exist():
    for target in re.findall(r"\]\(([^)#]+)", README.read_text()):
        assert (README.parent / target).exists(), target
