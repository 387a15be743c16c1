"""Files from which learning goes on: arrays, and all that the run depends on."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kostka.core.errors import KostkaError
from kostka.core.files import put
from kostka.learn import network


def save(path: Path, found: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> None:
    """Write a run whole or not at all."""
    content = io.BytesIO()
    arrays: dict[str, Any] = {**found, "about": np.array(json.dumps(about))}
    np.savez_compressed(content, **arrays)
    put(path, content.getvalue())


def load(path: Path, about: Mapping[str, Any], what: str) -> dict[str, np.ndarray] | None:
    """The arrays of a run that is about the same, in words ``what``; None if there is no file."""
    if not path.exists():
        return None
    found = network.arrays(path)
    try:
        known = json.loads(str(found["about"]))
        differs = [name for name in {**known, **about} if known.get(name) != about.get(name)]
    except (KeyError, ValueError, AttributeError, TypeError):
        raise other(path, what) from None
    if differs:
        raise KostkaError(
            f"{path} is of another {what}: {', '.join(sorted(differs))} differs; "
            "choose another file or give the same settings"
        )
    return found


def other(path: Path, what: str) -> KostkaError:
    """The error that a file is of something else."""
    return KostkaError(f"{path} holds no {what}; choose another file")
