"""The machine that games are played on, in words: times mean little without it."""

import contextlib
import os
import platform
import re
from pathlib import Path


def machine() -> str:
    """The processor and how many of its cores this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{processor()}, {count or 1} core{'' if count == 1 else 's'}"


def processor() -> str:
    """What the processor calls itself, or at least its kind."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
        if named:
            return " ".join(named[1].split())
    return platform.processor() or platform.machine() or "unknown processor"
