# make play: play on the simulated box, in the browser and here.  make test: every check that is quick; make test-long:
# the tests that are long by nature.  All of them set themselves up.

VENV := .venv
BIN := $(VENV)/bin
# The first Python on this machine that is new enough.
BUILT_BY := $(firstword $(foreach p,python3 python3.13 python3.12 python3.11,$(shell $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(p))))
PREFIX ?= /opt/shutbox

# Tests start the program over and over, and each of these processes would compile all of it anew.
unexport PYTHONDONTWRITEBYTECODE
# Small sums gain nothing by threads, and where two processes read pictures at once these cost each a factor of eight.
export OPENBLAS_NUM_THREADS := 1

.PHONY: setup setup-cad setup-docs lanes play test test-long test-again test-touched nightly test-api test-browser test-box test-physics test-cad test-races test-kernel test-camera test-pi test-service test-card test-wheels test-bridge test-pythons fuzz lint types contracts unit bench campaign words update-file release audit card install heard pictures drawings docs requirements clean

setup: $(VENV)/.ready

# pip compares every file with its hash; the program itself is installed so that changes here take effect at once.
$(VENV)/.ready: requirements.txt pyproject.toml
	@test -n "$(BUILT_BY)" || { echo "shutbox needs Python 3.11 or later"; exit 2; }
	@$(BUILT_BY) -c 'import sys; sys.exit(sys.maxsize < 2**32)' || { echo "shutbox needs a 64-bit system: this Python has 32 bits, and NumPy and OpenCV no packages for it"; exit 2; }
	@echo "Setting up $(VENV) (once; a minute or two) ..."
	@$(BUILT_BY) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

# What single lanes need besides, by a list of their own: fetched when one is asked for, or all with `make lanes`.
$(VENV)/.%: tests/%/requirements.txt $(VENV)/.ready
	@echo "Fetching what tests/$* needs (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Judges of accessibility and of types, for the scripts of the pages. Without npm their tests say that they are skipped.
$(VENV)/.npm: tests/browser/package-lock.json $(VENV)/.browser
	@if command -v npm >/dev/null; then npm ci --silent --prefix tests/browser && touch $@; \
	else echo "no npm here: types and accessibility of the pages are not checked"; fi

lanes: $(VENV)/.api $(VENV)/.browser $(VENV)/.npm $(VENV)/.physics $(VENV)/.cad $(VENV)/.release $(VENV)/.docs $(VENV)/.gym $(VENV)/.bridge $(VENV)/.evening

# What `shutbox parts --files` needs: half a gigabyte, for the maker's computer and never for the box.
setup-cad: $(VENV)/.cad

$(VENV)/.cad: hardware/cad/requirements.txt $(VENV)/.ready
	@echo "Fetching what the box in wood needs (once; a minute or two) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# What `make docs` needs: Sphinx and MyST.
setup-docs: $(VENV)/.docs

$(VENV)/.docs: docs/requirements.txt $(VENV)/.ready
	@echo "Fetching what builds the documentation (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.release: tools/release/requirements.txt $(VENV)/.ready
	@echo "Fetching what a release needs (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

play: setup
	@$(BIN)/shutbox play --mock --page

test: lint types contracts unit

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports

unit: setup
	$(BIN)/pytest -m "not long"

# Whole games, campaigns, statistics, every page in a browser: what is marked long, and nothing else. One at a time: many
# are boxes in real time, of several processes, which want the second core for themselves.
test-long: setup
	$(BIN)/pytest -m long --numprocesses=1

# What failed last, by itself; what passes then is printed as flaky.
test-again: setup
	@$(BIN)/python -m tests.support.flaky

# The long tests of the rooms that were changed since BASE, in random order, for a few minutes.
BASE ?= $(shell git rev-parse -q --verify HEAD~1)
test-touched: setup
	@$(BIN)/python -m tests.support.touched $(BASE)

# Everything, in a new random order: the seed is printed, and SEED=... repeats it.
SEED ?= $(shell date +%s)
nightly: lanes
	@echo "nightly: seed $(SEED)"
	$(MAKE) lint types contracts
	SHUTBOX_TEST_SEED=$(SEED) WHOLE_GAMES=1 $(BIN)/pytest --numprocesses=1
	tests/kernel/run
	tests/pi/run
	$(MAKE) test-bridge test-api

# 20,000 requests by chance, made of the API's own description, by every role at every socket. The suite makes a few.
test-api: $(VENV)/.api
	$(BIN)/python -W error -m tests.api

# The pages of the table, and those of strangers, in a real Chromium, which the system brings. `make test` runs a few
# of them and `make test-long` the others, where all is there; whole games by chance are played here alone.
test-browser: $(VENV)/.browser $(VENV)/.npm
	WHOLE_GAMES=1 $(BIN)/pytest tests/browser

# On a real box, with a person beside it, who is asked; it writes the report from hardware. ARGS="--wire=FOLDER" for a
# mock-box.
test-box: setup
	@$(BIN)/pytest -m box $(ARGS)

# The mechanism in MuJoCo: a column beside the simulated world, and 50 boxes whose parts differ, driven by the firmware.
test-physics: $(VENV)/.physics
	$(BIN)/pytest tests/physics --numprocesses=2

# The box in wood: collisions, contacts, tolerances, files, and what its camera sees, for every box that can be built.
test-cad: $(VENV)/.cad $(VENV)/.physics
	$(BIN)/pytest tests/cad --numprocesses=2

# Whole races by the house, of every variant; `make test-long` plays three.
test-races: setup
	WHOLE_GAMES=1 $(BIN)/pytest -m long tests/campaigns/races

# What a screen reader tells of a game, in every language, as the tests compare it.
heard: $(VENV)/.browser
	$(BIN)/python -m tests.browser.pages.heard

# The pictures of the README and the film of a turn, made anew of the running program.
pictures: $(VENV)/.browser
	$(BIN)/python -m tests.browser.pictures

# The drawings of the building guide, of the box as it is now.
drawings: $(VENV)/.cad
	@$(BIN)/python -m tools.guide

# The site of the documentation, into docs/_build and to where the box serves it: a warning or a dead link is an error.
docs: $(VENV)/.docs
	@$(BIN)/python -m tools.site

# The real camera's code on real picamera2 and libcamera, in a Debian 13 tree that is fetched once.
test-camera: setup
	@tests/camera/run

# A Raspberry Pi without one: the program on arm64, on a header and a bus of a Linux kernel's own, under systemd, and on
# an emulated Pi 4. QEMU and all it runs are fetched once. PARTS="user_land header units pi4 instructions".
test-pi: setup
	@tests/pi/run $(PARTS)

# The bus once more, on a Linux kernel's own device file: a User-Mode Linux that is fetched once.
test-kernel: setup
	@tests/kernel/run

# The units of systemd/ under systemd itself, on two minimal Debians that boot in systemd-nspawn: as root, fetched once.
test-service: setup
	@tests/service/run

# A card boots, offline, from Debian 13 with cloud-init to the first-start page, in systemd-nspawn: as root, fetched once.
test-card: setup
	@tests/card/run

# Wheel and source archive, played on here and on Debian 13's Python, in a tree that is fetched once.
test-wheels: setup
	@tests/wheels/run

# The bridge beside a real Home Assistant and a real Mosquitto: as root, in a tree of Debian 13 that is fetched once.
test-bridge: setup $(VENV)/.bridge
	@tests/bridge/run

# The program loaded, and the simulated box tested, by the other Pythons it is made for, each with the packages of its own.
PYTHONS ?= python3.12 python3.13
test-pythons: setup
	@set -e; for python in $(PYTHONS); do \
		echo "With $$python ..."; $$python -m venv --clear .cache/$${python##*/}; \
		.cache/$${python##*/}/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt; \
		.cache/$${python##*/}/bin/python -c "from controller.cli.main import main; main()" selftest --mock; done

# Bytes at every reader of what comes from outside, guided by coverage: x86-64. RUNS is for each of them.
RUNS ?= 50000
fuzz: $(VENV)/.fuzz
	@$(BIN)/python -m tests.fuzz --runs $(RUNS)

# Campaigns that try to break the box: make campaign NAME=crashes ARGS="--kills 1000"; without NAME the list.
campaign: setup
	@$(BIN)/python -m tests.campaigns $(NAME) $(ARGS)

bench: setup
	$(BIN)/python -m tools.benchmarks

# One file with this version and every package it needs, each by its hash, for computers like this one, or for a Pi:
# make update-file ARCH=aarch64 PYTHON=3.13 (Raspberry Pi OS Trixie; Bookworm has 3.11, and a picamera2 that needs the
# older NumPy of systemd/bookworm.txt). Only wheels are taken: nothing is compiled, here or there. The box's copy of the
# documentation comes with it. KEY= signs it.
ARCH ?= $(shell uname -m)
update-file: PYTHON ?= $(shell $(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
update-file: docs
	@echo "Fetching the packages of the box into dist/wheels, for Python $(PYTHON) on $(ARCH) ..."
	@rm -rf dist/wheels
	@$(BIN)/python -m tools.wheels systemd/requirements$(if $(filter 3.11,$(PYTHON)),-bookworm).txt dist/wheels \
		--python $(PYTHON) --machine $(ARCH)
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist/wheels .
	@$(BIN)/shutbox update dist/shutbox.tar --make dist/wheels --python $(PYTHON) --machine $(ARCH) \
		$(if $(KEY),--key "$(KEY)")

# A release of the commit that is checked out, into dist/release: packages, update files for Raspberry Pi OS and for a PC,
# bills of materials (CycloneDX), licences, sums. KEY= names the private key that signs them; twice makes the same bytes.
release: $(VENV)/.release $(VENV)/.docs
	@rm -rf dist/release
	@$(BIN)/python -m tools.release dist/release $(if $(KEY),--key "$(KEY)")

# Known vulnerabilities of the packages of a box, asked of the network.
audit: $(VENV)/.release
	@$(BIN)/pip-audit --require-hashes --disable-pip --requirement systemd/requirements.txt
	@$(BIN)/pip-audit --require-hashes --disable-pip --requirement systemd/requirements-bookworm.txt

# The update file, and what installs it at the first boot, onto the mounted boot partition of a card with Raspberry Pi OS:
# make card BOOT=/media/ann/bootfs FILE=dist/shutbox.tar ARGS="--name parlour --wifi Home --country DE". docs/howto/card.md
FILE ?= dist/shutbox.tar
card: setup
	@$(BIN)/python -m tools.card $(BOOT) $(FILE) $(ARGS)

# On the box itself, as root: the program, its units and their user. With DESTDIR into a tree that runs elsewhere.
install: update-file
	@$(BIN)/shutbox install dist/shutbox.tar --unsigned --prefix $(PREFIX) --root $(or $(DESTDIR),/)

# The catalogues of translations, as code and templates are now; lists what has no translation. docs/howto/translate.md
words: setup
	@$(BIN)/python -m tests.support.catalogues

# Needs uv. Python 3.11 to 3.13 on x86-64 and aarch64, no index address inside.
requirements:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate --extra test pyproject.toml -o requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate --extra pi --extra bridge --extra evening -c requirements.txt pyproject.toml -o systemd/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate --extra pi --extra bridge --extra evening --overrides systemd/bookworm.txt pyproject.toml -o systemd/requirements-bookworm.txt
	uv pip compile --universal --python-version 3.13 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate --no-deps -c requirements.txt tests/camera/requirements.in -o tests/camera/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate tests/kernel/requirements.in -o tests/kernel/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt tests/api/requirements.in -o tests/api/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate tests/fuzz/requirements.in -o tests/fuzz/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt tests/browser/requirements.in -o tests/browser/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt tests/gym/requirements.in -o tests/gym/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt tests/bridge/requirements.in -o tests/bridge/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt tests/evening/requirements.in -o tests/evening/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt tests/physics/requirements.in -o tests/physics/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt hardware/cad/requirements.in -o hardware/cad/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt -c hardware/cad/requirements.txt tools/release/requirements.in -o tools/release/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate -c requirements.txt docs/requirements.in -o docs/requirements.txt

clean:
	rm -rf .cache $(VENV) tests/browser/node_modules docs/_build docs/reference/generated controller/web/site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
