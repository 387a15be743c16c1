"""``python -m kostka`` is the command ``kostka``."""

from kostka.cli import main

main()
