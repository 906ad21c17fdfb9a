# Every target sets up all it needs by itself and is quick the second time. `make help` lists them.
# Name another cache with SDF_INERTIA_CACHE, an interpreter with PYTHON_3_11 or PYTHON_3_13, more for pytest with ARGS.

SDF_INERTIA_CACHE ?= $(or $(HOME),$(CURDIR)/build)/.cache/sdf-inertia
export SDF_INERTIA_CACHE
export PIP_CACHE_DIR := $(SDF_INERTIA_CACHE)/pip
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export PYTHONNOUSERSITE := 1
# What was compiled once is quick the second time: pytest rewrites each test file, and some tests start the command.
unexport PYTHONDONTWRITEBYTECODE
# Of all that drake and trimesh bring, the tests import a little: that is compiled when it is first imported.
export PIP_NO_COMPILE := 1
# Blender's settings and extensions: ours alone, never the user's, nor those of another Blender that runs meanwhile.
export BLENDER_USER_RESOURCES = $(CURDIR)/build/blender/$@

# Those of `make test-all`, the longest first.
BLENDERS ?= 4.2 5.2 4.5 5.0
CORES ?= test-core-3.13 test-core
OTHER_BLENDERS := 4.2 5.0 5.1 5.2
WINDOWS := 4.3 5.2
WHEELS := build/wheels/.ready
ROVER := build/pages/rover/model.sdf
LINT := .venvs/lint/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-versions test-all test-core test-core-3.13 test-engines record-engines test-cad record-cad test-usd test-4.5 $(OTHER_BLENDERS:%=test-%)
.PHONY: test-gui $(WINDOWS:%=test-gui-%) test-pages pages three fuzz package dist pins release bench scoreboard mjcf docs site translations tutorials lint types faults house real-blender environments clean python system

help:
	@echo 'make demo          export the examples, report, pictures -> build/demo/'
	@echo 'make test          lint, the add-on in Blender 4.5, core'
	@echo 'make test-versions  what depends on versions, in Blender 4.2 and 5.2 and in Python 3.13'
	@echo 'make test-all      core in Python 3.11 and 3.13, the add-on in Blender 4.2, 4.5, 5.0 and 5.2; 3.13, 4.2 and 5.2 thoroughly'
	@echo 'make test-core     core alone; in Python 3.13: make test-core-3.13'
	@echo 'make test-5.1      the add-on in this Blender alone'
	@echo 'make test-engines  the rules of core/engines against Drake, MuJoCo, Pinocchio, PyBullet and Newton'
	@echo 'make record-engines  what these get, recorded for make test-core'
	@echo 'make test-cad      STEP files by OpenCASCADE (380 MB); make record-cad: what it gets, recorded for make test-core'
	@echo 'make test-usd      USD files by OpenUSD, Newton and two validators (1.1 GB)'
	@echo 'make test-gui      a real window of Blender 4.3: clicks, pictures -> build/gui/; of 5.2: make test-gui-5.2'
	@echo 'make test-pages    the pages of `sdf-inertia view` in Chromium; pictures -> build/pages/'
	@echo 'make fuzz          odd and damaged files of every kind: make fuzz SECONDS=600 KINDS="sdf 3mf"'
	@echo 'make package       dist/sdf_inertia-<version>-<platform>-python<version>.zip, validated'
	@echo 'make dist          dist/sdf_inertia-<version>.tar.gz and .whl: the core as a Python package, checked'
	@echo 'make pins          requirements/action.txt: what action.yml installs, by hash'
	@echo 'make release       make it this version, see RELEASING.md: make release VERSION=1.2.3'
	@echo 'make bench         peers side by side -> benchmarks/results.md; some parts anew: make bench PARTS="exact voxel"'
	@echo 'make scoreboard    check the robots that packages of Python bring -> docs/scoreboard.md'
	@echo 'make mjcf          the MJCF files that packages of Python bring, against MuJoCo'
	@echo 'make docs          docs/findings.md, engines.md and reliability.md from their lists, then the site'
	@echo 'make site          all pages as a site in build/site, its links checked'
	@echo 'make translations  the catalogues of the interface brought up to the sources; another: NEW=fr_FR'
	@echo 'make pages         docs/pages/*.html, the pages of two examples'
	@echo 'make three         core/view/three.min.js, after a change of its version (needs npm)'
	@echo 'make tutorials     docs/tutorial-*.md with their pictures, from a real window (root only)'
	@echo 'make lint          ruff, mypy, and the schemas of the files that a forge reads'
	@echo 'make faults        which test holds which fault of the catalogue, and how it last ended'
	@echo 'make house         files, lines and imports of each folder'
	@echo 'make real-blender  a Debian chroot with a real Blender in the cache; prints its folder (root only)'
	@echo 'make clean         remove what was built; the environments and the cache stay'

demo: .venv/.ready $(WHEELS)
	.venv/bin/python examples/demo.py build/demo

# Two suites at a time, each one's output whole.
TWO = @$(MAKE) --no-print-directory --jobs=2 --output-sync=target --keep-going

test:
	@echo 'Three suites, two at a time: each prints its output when it ends, the last one after about four minutes.'
	$(TWO) test-4.5 lint test-core

# What depends on versions (tests/versions.py), where `make test` does not run: the oldest and the newest Blender, the
# newest Python with the newest numpy. There, too, runs what takes too long for `make test`.
test-versions:
	@echo 'Three suites, two at a time: each prints its output when it ends.'
	$(TWO) test-5.2 test-4.2 test-core-3.13 SELECTED='-m "versions or thorough"'

# With more examples, and more mutated files: the oldest and the newest Blender, the newest Python.
test-all: export SDF_INERTIA_THOROUGH = $(if $(filter test-4.5 test-5.0 test-core,$@),,1)
test-all: $(BLENDERS:%=test-%) $(CORES)

# numpy 1.26, which Blender 4.5 brings, and the newest, without any Blender.
test-core: .venv/.ready
	@echo '--- core, Python 3.11'
	.venv/bin/python -m pytest tests/core $(SELECTED) $(ARGS)

test-core-3.13: .venvs/core-3.13/.ready
	@echo '--- core, Python 3.13'
	.venvs/core-3.13/bin/python -m pytest tests/core $(SELECTED) $(ARGS)

# The rules of core/engines against the engines themselves: a minute. What they get is recorded for `make test-core`.
test-engines: .venvs/engines/.ready
	.venvs/engines/bin/python -m pytest tests/engines $(ARGS)

record-engines: .venvs/engines/.ready
	.venvs/engines/bin/python -m tests.engines.recorded

# STEP by OpenCASCADE itself: two minutes. What it gets of some files is recorded for `make test-core`.
test-cad: .venvs/cad/.ready
	.venvs/cad/bin/python -m pytest tests/cad $(ARGS)

record-cad: .venvs/cad/.ready
	.venvs/cad/bin/python -m tests.cad.recorded

# USD files by those who read them: OpenUSD, Newton and NVIDIA's validator; the same robots in Drake and MuJoCo.
test-usd: .venvs/usd/.ready
	.venvs/usd/bin/python -m pytest tests/usd $(ARGS)

test-4.5: .venv/.ready
$(OTHER_BLENDERS:%=test-%): test-%: .venvs/bpy-%/.ready
test-4.5 $(OTHER_BLENDERS:%=test-%): test-%: $(WHEELS)
	@echo '--- Blender $*'
	$(if $(filter 4.5,$*),.venv,.venvs/bpy-$*)/bin/python -m pytest tests/blender $(SELECTED) $(ARGS)

test-gui: test-gui-4.3

# Without root or debootstrap there is no chroot; the tests skip then, and say why.
$(WINDOWS:%=test-gui-%): test-gui-%: .venv/.ready
	@echo '--- Blender $* in a window'
	-@tools/real_blender.sh $* > /dev/null
	SDF_INERTIA_GUI_BLENDER=$* timeout --kill-after=10 2400 .venv/bin/python -m pytest tests/gui $(ARGS)

test-pages: .venvs/pages/.ready $(ROVER)
	@echo '--- pages in Chromium'
	timeout --kill-after=10 1200 .venvs/pages/bin/python -m pytest tests/pages $(ARGS)

$(ROVER): examples/rover.blend $(WHEELS) | .venv/.ready
	.venv/bin/python sdf_inertia_addon/headless.py $< --output build/pages --inertia filled

# The arm has errors, which is what its page shows.
pages: .venv/.ready $(ROVER)
	.venv/bin/python -m core report $(ROVER) --format html --output docs/pages/rover.html
	.venv/bin/python -m core report examples/arm.urdf --format html --output docs/pages/arm.html --quiet || test $$? = 1

three:
	tools/bundle_three.sh

# What failed lies in build/fuzz, with the command that runs it again.
fuzz: .venv/.ready $(WHEELS)
	.venv/bin/python -m tools.fuzz $(KINDS) $(if $(SECONDS),--seconds $(SECONDS))

package: .venv/.ready
	.venv/bin/python tools/package.py dist

# The wheel is built from the sdist, so that this holds all it takes; the tools are those of requirements/dist.txt.
dist: .venvs/dist/.ready
	rm -rf build/dist && mkdir -p dist build/dist
	.venvs/dist/bin/python -m build --no-isolation --outdir build/dist
	.venvs/dist/bin/twine check --strict build/dist/*
	rm -f dist/*.tar.gz dist/*.whl && mv build/dist/* dist/

# For every Python and system, in the versions of requirements/test.txt. MuJoCo has no wheel for Macs with Intel.
pins: .venvs/dist/.ready
	printf '%s\n' setuptools 'mujoco; sys_platform != "darwin" or platform_machine == "arm64"' | .venvs/dist/bin/uv pip compile \
		--quiet --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make pins' \
		--extra mesh --extra xacro --constraint requirements/test.txt --output-file requirements/action.txt pyproject.toml -

bench: .venv/.ready .venvs/bench/.ready
	.venvs/bench/bin/python -m benchmarks.run $(PARTS)

scoreboard: .venv/.ready
	.venv/bin/python -m benchmarks.scoreboard

mjcf: .venv/.ready
	.venv/bin/python -m benchmarks.mjcf

docs: .venvs/docs/.ready
	.venvs/docs/bin/python -m tools.findings_page
	.venvs/docs/bin/python -m tools.engines_page
	.venvs/docs/bin/python -m tools.reliability_page
	$(MAKE) site

# Strict: a link that leads nowhere is an error. mkdocstrings reads core under the name that it is installed by.
site: .venvs/docs/.ready
	@mkdir -p build/installed && ln -sfn ../../core build/installed/sdf_inertia
	.venvs/docs/bin/python -m tools.site_pages build/site-pages
	.venvs/docs/bin/zensical build --clean --strict --config-file mkdocs.yml

translations: .venv/.ready
	.venv/bin/python -m tools.translations $(NEW)

# In a real window, as `make test-gui`.
tutorials: .venv/.ready .venvs/cad/.ready
	.venv/bin/python -m tools.tutorials "$$(tools/real_blender.sh 4.3)" $(TUTORIALS)

lint: .venvs/lint/.ready types
	$(LINT)/ruff check .
	$(LINT)/ruff format --check .
	$(LINT)/python -m tools.plain_english
	$(LINT)/codespell
	$(LINT)/reuse lint --quiet
	$(LINT)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml examples/*/.github/workflows/*.yml
	$(LINT)/check-jsonschema --builtin-schema custom.github-workflows-require-timeout .github/workflows/*.yml examples/*/.github/workflows/*.yml
	$(LINT)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(LINT)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(LINT)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	$(LINT)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml

# The add-on reaches core as its sibling in one package, so mypy sees the checkout under that package's name.
types: .venvs/lint/.ready
	@mkdir -p build/typing && ln -sfn ../.. build/typing/sdf_inertia
	cd build/typing && ../../$(LINT)/mypy --config-file ../../pyproject.toml sdf_inertia/core sdf_inertia/sdf_inertia_addon ../../tests

faults:
	@python3 -m tools.faults

house:
	@python3 tools/house.py

release:
	@python3 tools/release.py $(VERSION)

real-blender: system
	@tools/real_blender.sh

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
	find . -name .venv -prune -o -name .venvs -prune -o -name __pycache__ -prune -exec rm -rf {} +

# --- what the targets stand on ---------------------------------------------------------------------------------------

python:
	@command -v python3 >/dev/null || { echo 'python3 is missing. Install it: apt-get install python3 python3-venv'; exit 1; }

# What Blender and Drake need of the system.
system: python
	@python3 tools/check_system.py

# An environment is made once and follows its requirements; one whose interpreter has gone is made anew.
define environment
	@echo '$(@D): Python $1, $<'
	@python=$$(python3 tools/find_python.py $1) && \
	{ $(@D)/bin/python -m pip --version >/dev/null 2>&1 || "$$python" -m venv --clear $(@D); } && \
	$(@D)/bin/python -m pip install -qq --requirement $<
	@touch $@
endef

.venv/.ready: requirements/bpy-4.5.txt requirements/test.txt | system
	$(call environment,3.11)

.venvs/bpy-4.2/.ready .venvs/bpy-5.0/.ready: .venvs/bpy-%/.ready: requirements/bpy-%.txt requirements/test.txt | system
	$(call environment,3.11)

.venvs/bpy-5.1/.ready .venvs/bpy-5.2/.ready: .venvs/bpy-%/.ready: requirements/bpy-%.txt requirements/test.txt | system
	$(call environment,3.13)

.venvs/core-3.13/.ready: requirements/core-3.13.txt requirements/test.txt | system
	$(call environment,3.13)

.venvs/lint/.ready .venvs/bench/.ready .venvs/dist/.ready .venvs/pages/.ready .venvs/robots/.ready .venvs/engines/.ready .venvs/cad/.ready .venvs/usd/.ready: .venvs/%/.ready: requirements/%.txt | system
	$(call environment,3.11)

# Neither Blender nor Drake.
.venvs/docs/.ready: requirements/docs.txt | python
	$(call environment,3.11)

# What `make test-versions`, `make test-all` or `make test-gui` (robots) uses beside what `make test` has made.
environments: $(patsubst %,.venvs/bpy-%/.ready,$(filter-out 4.5,$(BLENDERS))) .venvs/core-3.13/.ready .venvs/robots/.ready

# What the extension bundles, for a Blender without it: where headless.py looks.
$(WHEELS): requirements/wheels.txt tools/package.py | .venv/.ready
	.venv/bin/python tools/package.py --wheels-only
	@touch $@
