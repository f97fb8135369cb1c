# People and CI use the same targets. Needs Python 3.11 or newer, git and make; everything else is fetched into .tools and .venv.
PORT ?= 8000
# Images of containers forbid Python to keep what it has compiled; each of our processes would then spend two thirds of its start on compiling.
unexport PYTHONDONTWRITEBYTECODE
RUN := .venv/bin/python
SYSTEM_PYTHON := $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
  "$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null && { echo "$$p"; break; }; done)

.DEFAULT_GOAL := help
.PHONY: help setup run test lint bench shots clean

help: ## say what there is
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1	\2/p' Makefile

setup: ## install what the lock names into .venv
	@[ -n "$(SYSTEM_PYTHON)" ] || { echo "Trellis needs Python 3.11, 3.12, 3.13 or 3.14 on the PATH as python3; none was found." >&2; exit 1; }
	@$(SYSTEM_PYTHON) .ci/setup.py

run: setup ## start everything with the demo; PORT=8000; Ctrl-C ends it
	@exec $(RUN) manage.py up --demo --port $(PORT)

test: setup ## all tests, file by file on three processes
	@$(RUN) -m pytest -n 3 --dist loadfile --no-loadscope-reorder

lint: setup ## style, types, the line of packages, migrations
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy .
	@.venv/bin/lint-imports
	@$(RUN) manage.py makemigrations --check --dry-run

bench: setup ## measure against the goals; ONLY=name for one of them
	@$(RUN) -m benchmarks.report $(if $(ONLY),--only $(ONLY))

shots: setup ## screenshots of every page
	@$(RUN) -m tests.browser.shots

clean: ## remove what was installed and cached; never data (var/)
	@rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	@find . -name __pycache__ -type d -not -path './var/*' -prune -exec rm -rf {} +
