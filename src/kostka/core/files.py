"""Files that are written whole or not at all, so that nobody ever reads half of one."""

import contextlib
import os
import tempfile
from pathlib import Path

from kostka.core.errors import KostkaError


def put(path: str | Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    target = Path(path)
    try:
        handle, made = tempfile.mkstemp(dir=target.parent, prefix=target.name)
    except OSError as error:
        raise KostkaError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(made, target)
    except OSError as error:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(made)
        raise KostkaError(f"{path} cannot be written: {error.strerror}") from None
