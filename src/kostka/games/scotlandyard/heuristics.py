"""Scotland Yard: playout policies and evaluations."""

from typing import Any

POLICIES: dict[str, Any] = {}
EVALUATIONS: dict[str, Any] = {}
