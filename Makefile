# Two commands do everything on a machine with Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play test lint bench clean

play: $(VENV)/ready
	$(BIN)/kostka serve $(if $(PORT),--port $(PORT))

test: $(VENV)/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest

bench: $(VENV)/ready
	$(BIN)/kostka bench

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check

# What players need, and what tests need besides.
$(VENV)/ready: pyproject.toml examples/pig/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Kostka needs Python 3.11 or newer: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e . -e examples/pig
	@touch $@

$(VENV)/tools: $(VENV)/ready
	$(INSTALL) -e '.[dev]'
	@touch $@
