# make play: play on the simulated box.  make test: every check.  Both set themselves up.

VENV := .venv
BIN := $(VENV)/bin
# The first Python on this machine that is new enough.
PYTHON ?= $(firstword $(foreach p,python3 python3.13 python3.12 python3.11,$(shell $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(p))))
PREFIX ?= /opt/shutbox
CONSTRAINT := $(shell . /etc/os-release 2>/dev/null && test "$$VERSION_CODENAME" = bookworm && echo --constraint systemd/bookworm.txt)

.PHONY: setup play test test-kernel test-camera test-service lint types contracts unit bench install requirements clean

setup: $(VENV)/.ready

# pip compares every file with its hash; the program itself is installed so that changes here take effect at once.
$(VENV)/.ready: requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "shutbox needs Python 3.11 or later"; exit 2; }
	@echo "Setting up $(VENV) (once; a minute or two) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

play: setup
	@$(BIN)/shutbox play --mock

test: lint types contracts unit

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports

unit: setup
	$(BIN)/pytest

# The real camera's code on real picamera2 and libcamera, in a Debian 13 tree that is fetched once.
test-camera: setup
	@tests/camera/run

# The bus once more, on a Linux kernel's own device file: a User-Mode Linux that is fetched once.
test-kernel: setup
	@tests/kernel/run

# The units of systemd/ under systemd itself, on two minimal Debians that boot in systemd-nspawn: as root, fetched once.
test-service: setup
	@tests/service/run

bench: setup
	$(BIN)/python -m benchmarks

# On the box itself, as root: the program into $(PREFIX), the daemon and its guard into systemd, their user, his folder.
install:
	python3 -m venv --system-site-packages $(DESTDIR)$(PREFIX)
	$(DESTDIR)$(PREFIX)/bin/python -m pip install --disable-pip-version-check $(CONSTRAINT) ".[pi]"
	install -d $(DESTDIR)/usr/local/bin
	ln -sfn $(PREFIX)/bin/shutbox $(DESTDIR)/usr/local/bin/shutbox
	install -D -m 644 systemd/shutbox.service $(DESTDIR)/etc/systemd/system/shutbox.service
	install -D -m 644 systemd/shutbox-guard.service $(DESTDIR)/etc/systemd/system/shutbox-guard.service
	sed -i 's|/opt/shutbox|$(PREFIX)|g' $(DESTDIR)/etc/systemd/system/shutbox.service \
		$(DESTDIR)/etc/systemd/system/shutbox-guard.service
	install -D -m 644 systemd/shutbox.conf $(DESTDIR)/usr/lib/sysusers.d/shutbox.conf
	install -D -m 644 systemd/tmpfiles.conf $(DESTDIR)/usr/lib/tmpfiles.d/shutbox.conf
	@test -n "$(DESTDIR)" || { systemd-sysusers shutbox.conf && systemd-tmpfiles --create shutbox.conf; }

# Needs uv. Python 3.11 to 3.13 on x86-64 and aarch64, no index address inside.
requirements:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate --extra test pyproject.toml -o requirements.txt
	uv pip compile --universal --python-version 3.13 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate --no-deps -c requirements.txt tests/camera/requirements.in -o tests/camera/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate tests/kernel/requirements.in -o tests/kernel/requirements.txt

clean:
	rm -rf .cache $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
