# Two commands are enough: `make run` on the night, `make test` before you share a change.

.PHONY: help run dev fmt test test-all coverage mutants lint bench walk walk-pseudo pictures docs soak soak-files soak-nights soak-events attack cluster sbom audit wheel packages fresh lock
.DEFAULT_GOAL := help

PYTHON_IN_VENV := .venv/bin/python
ARGS ?=

help:
	@echo "make run      start Flagship (PORT=8001 for another port, DEMO=0 without the demo)"
	@echo "make dev      start it for development: reloads when a file changes (PORT=8001 for another port)"
	@echo "make fmt      format code, templates and scripts"
	@echo "make test     run every check and test, with a tenth of the matrices and seeds (ARGS='-k pairing' for some of them)"
	@echo "make test-all run every check and test with every matrix and seed (each night)"
	@echo "make coverage list the lines and branches that no test runs; fails if one is in a rule (ARGS=tests/domain for some tests)"
	@echo "make mutants  break the code in 300 places and list what no test notices (ARGS='--count 20 --seed 7')"
	@echo "make lint     run the checks without the tests"
	@echo "make bench    run the benchmarks"
	@echo "make walk     save every page as a picture and as text under var/walk (IN=de FOR=player DEVICE=phone THEME=dark)"
	@echo "make walk-pseudo  open every page in a made-up language: finds text left in English, cut off or too wide"
	@echo "make pictures make the pictures of the guide again; those that look the same stay (IN=de for one language)"
	@echo "make docs     build the documentation as a site in var/docs, and check its links"
	@echo "make soak     pair a million random events, after soak-files (NIGHTS=1000 for fewer, SEED=7 for that one)"
	@echo "make soak-files  import 10,000 random fleet files, whole and broken (CASES=500 for fewer)"
	@echo "make soak-nights  play 100,000 whole nights in memory (NIGHTS=1000 for fewer, SEED=7 for that one)"
	@echo "make soak-events  play a thousand random nights at the desk (NIGHTS=100 for fewer, SEED=7 for the same ones)"
	@echo "make attack   send what hostile guests would send, for half an hour (ARGS='-k bodies' for one part, EACH=200 for fewer inputs)"
	@echo "make cluster  run Flagship as on three hosts, with two PostgreSQL, and kill some of it while phones report (needs Debian's programs)"
	@echo "make sbom     list the components of Flagship in sbom.json (CycloneDX)"
	@echo "make audit    check the lock files: what is installed, allowed and known to be unsafe"
	@echo "make wheel    build the wheel in dist, which installs flagship as a program (pipx, uvx)"
	@echo "make packages build the wheel and the container image, and start both from nothing"
	@echo "make fresh    delete all data, after asking"
	@echo "make lock     resolve the dependencies again (needs uv and npm)"

run:
	@.ci/venv requirements.lock
	@exec $(PYTHON_IN_VENV) -m tourney.serving.run

dev:
	@.ci/venv tests/requirements.lock
	@DEBUG=1 $(PYTHON_IN_VENV) manage.py prepare
	@DEBUG=1 exec $(PYTHON_IN_VENV) manage.py runserver 0.0.0.0:$(or $(PORT),8000)

fmt:
	@.ci/venv tests/requirements.lock
	@$(PYTHON_IN_VENV) -m ruff check --fix --quiet .
	@$(PYTHON_IN_VENV) -m ruff format --quiet .
	@$(PYTHON_IN_VENV) -m djlint templates --reformat --quiet
	@if [ -x .ci/js/node_modules/.bin/biome ]; then .ci/js/node_modules/.bin/biome check --write --config-path=.ci/js static/js tests/js; \
	else echo "Scripts were not formatted: npm ci --prefix .ci/js installs Biome, which formats them."; fi

test:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) .ci/cpu.py $(PYTHON_IN_VENV) -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

# The tests start many processes: keep what was compiled, even if the environment says otherwise.
test test-all coverage mutants: export PYTHONDONTWRITEBYTECODE :=
test test-all coverage mutants: export PYTHONPYCACHEPREFIX := $(CURDIR)/var/pycache

test-all:
	@.ci/venv tests/requirements.lock .ci/docs.requirements.lock
	@exec $(PYTHON_IN_VENV) .ci/cpu.py $(PYTHON_IN_VENV) -m pytest -n auto --maxprocesses 4 --dist worksteal --all $(ARGS)

coverage:
	@.ci/venv tests/requirements.lock .ci/coverage.requirements.lock
	@mkdir -p var/coverage && rm -f var/coverage/data*
	@$(PYTHON_IN_VENV) -m coverage run -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)
	@$(PYTHON_IN_VENV) -m coverage combine --quiet
	@$(PYTHON_IN_VENV) -m coverage report
	@echo "The rules:"
	@exec $(PYTHON_IN_VENV) -m coverage report --include='*/domain/*,*/domain.py' $(if $(filter-out --all,$(ARGS)),,--fail-under=100)

mutants:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m tests.mutants $(ARGS)

lint:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m pytest tests/test_checks.py tests/test_style_sheets.py $(ARGS)

bench:
	@.ci/venv tests/requirements.lock tests/benchmarks/requirements.lock
	@exec $(PYTHON_IN_VENV) -m pytest tests/benchmarks -s -q -o python_files='bench_*.py' -o python_functions='bench_*' $(ARGS)

walk:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m pytest tests/browser/walk_pages.py -q -o python_files='walk_*.py' -o python_functions='walk_*' $(ARGS)

walk-pseudo:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m pytest tests/browser/walk_pseudo_language.py -q -o python_files='walk_*.py' -o python_functions='walk_*' $(ARGS)

pictures:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m pytest tests/browser/make_pictures.py -q -s -o python_files='make_*.py' -o python_functions='make_*' $(ARGS)

docs:
	@.ci/venv requirements.lock .ci/docs.requirements.lock
	@exec $(PYTHON_IN_VENV) .ci/docs_site.py var/docs

soak: soak-files
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m tests.soak $(if $(NIGHTS),--nights $(NIGHTS)) $(if $(FROM),--from $(FROM)) $(if $(SEED),--seed $(SEED))

soak-files:
	@.ci/venv tests/requirements.lock
	@CASES=$(or $(CASES),10000) PARTS=2 exec $(PYTHON_IN_VENV) -m pytest tests/pages/test_files_by_dice.py -n 2 -q

soak-nights:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m tests.soak --whole --nights $(or $(NIGHTS),100000) $(if $(FROM),--from $(FROM)) $(if $(SEED),--seed $(SEED))

soak-events:
	@.ci/venv tests/requirements.lock
	@NIGHTS=$(or $(NIGHTS),1000) PARTS=4 SEED=$(SEED) exec $(PYTHON_IN_VENV) -m pytest tests/actions/test_history_by_dice.py -n 4 -rP -q

attack:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m pytest tests/attack -s -q -o python_files='attack_*.py' -o python_functions='attack_*' $(ARGS)

cluster:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m pytest tests/cluster -s -q -o python_files='cluster_*.py' -o python_functions='cluster_*' $(ARGS)

sbom:
	@.ci/venv requirements.lock .ci/sbom.requirements.lock
	@exec $(PYTHON_IN_VENV) .ci/sbom.py sbom.json

audit:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) .ci/audit.py

wheel:
	@.ci/venv requirements.lock .ci/wheel.requirements.lock
	@$(PYTHON_IN_VENV) -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .
	@echo "Built $$(ls -t dist/flagship-*.whl | head -n 1)"

packages:
	@.ci/venv tests/requirements.lock
	@exec $(PYTHON_IN_VENV) -m pytest tests/test_wheel.py tests/test_image.py --all -rs $(ARGS)

fresh:
	@.ci/venv requirements.lock
	@exec $(PYTHON_IN_VENV) -m tourney.serving.fresh

lock:
	uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.12 --generate-hashes \
		--no-header --output-file requirements.lock
	uv pip compile pyproject.toml --group test --quiet --upgrade --universal --python-version 3.12 --generate-hashes \
		--no-header --constraint requirements.lock --output-file tests/requirements.lock
	uv pip compile --group bench --quiet --upgrade --universal --python-version 3.12 --generate-hashes \
		--no-header --constraint tests/requirements.lock --output-file tests/benchmarks/requirements.lock
	uv pip compile --group wheel --quiet --upgrade --universal --python-version 3.12 --generate-hashes \
		--no-header --constraint tests/requirements.lock --output-file .ci/wheel.requirements.lock
	uv pip compile --group sbom --quiet --upgrade --universal --python-version 3.12 --generate-hashes \
		--no-header --constraint tests/requirements.lock --output-file .ci/sbom.requirements.lock
	uv pip compile --group coverage --quiet --upgrade --universal --python-version 3.12 --generate-hashes \
		--no-header --constraint tests/requirements.lock --output-file .ci/coverage.requirements.lock
	uv pip compile --group docs --quiet --upgrade --universal --python-version 3.12 --generate-hashes \
		--no-header --constraint tests/requirements.lock --output-file .ci/docs.requirements.lock
	.ci/js/lock
