# Shortcuts; `make help` lists them. The builds are in CMakeLists.txt and CMakePresets.json.

JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
DATA   ?= ../shared/data
SCENE  ?= samples/scenes/station.scene
# Maps to measure, each with its scenario beside it; none: tools/bench makes one.
BENCH_MAPS ?= $(sort $(wildcard $(DATA)/warframe/*.3dmap))

MAKE_QUIETLY := $(MAKE) --no-print-directory
WITH_DATA    := $(if $(wildcard $(DATA)),VN_DATA=$(abspath $(DATA)))

# Parts of the long runs; `make test-long PARTS="debug fuzz"` runs some, `make test-long-debug` one (CONTRIBUTING.md has their times).
LONG_PARTS     := release asan stress debug mingw aarch64 fuzz
PLATFORM_PARTS := slow clang nothreads tsan mingw aarch64 tidy

# Each fuzz target runs this long, in make test-long half as long (docs/fuzzing.md).
FUZZ_SECONDS ?= 120
FUZZ_FORMATS ?= $(sort $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c)))

# How long `make soak` runs (0: until it is stopped), and which jobs (none: all).
SOAK_SECONDS ?= 14400
SOAK_JOBS    ?=

# Which module `make mutate` changes, and how often.
MODULE ?= query
COUNT  ?= 200
SEED   ?= 1

# Prerequisites are made in their order; what can be done at once, ninja and ctest do at once.
.NOTPARALLEL:
.SECONDARY:
.PHONY: all help demo js test-js cockpit cockpit-build test-web test test-release test-sanitized test-platforms test-long fuzz soak soak-status mutate style tidy bench install format clean bootstrap arm64-cmocka mingw-cmocka FORCE

all: compile-release ## build the libraries, the tool (build/volnav), tests, samples and benchmarks

help: ## this list
	@sed -n 's/^\([a-z-]*\):.* ## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-14s %s\n", $$1, $$2 }'
	@echo "make compile-P, check-P: build, or build and test, one preset P of CMakePresets.json"
	@echo "Settings: JOBS=$(JOBS) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) DATA=$(DATA) SCENE=$(SCENE)"
	@echo "  test-platforms, test-long: PARTS=; fuzz: FUZZ_SECONDS=$(FUZZ_SECONDS); soak: SOAK_SECONDS=$(SOAK_SECONDS); mutate: MODULE=$(MODULE) COUNT=$(COUNT) SEED=$(SEED)"

demo: TARGETS := --target volnav_tool
demo: bootstrap compile-release ## find paths in a small scene, fly through asteroids; tables and two pictures
	@mkdir -p out
	build/volnav demo $(SCENE) --picture out/demo.svg
	@echo
	build/volnav demo --flight out/flight.svg
	@echo
	@echo "To see it, fly it and break it in a browser: make cockpit"

test: bootstrap test-release test-sanitized ## all tests in release, all but the slowest with sanitizers too (minutes)

test-release: check-release

test-sanitized: TESTS := -LE '^slow$$'
test-sanitized: check-asan

js: ## the JavaScript package in bindings/js: WebAssembly, loader and types in its dist/
	@tools/bootstrap js
	@$(MAKE_QUIETLY) compile-wasm
	@cd bindings/js && npm ci --silent --no-audit --no-fund && npm run --silent build
	@cp build-wasm/volnav.wasm bindings/js/dist/
	@zstd -q -f --ultra -22 bindings/js/dist/volnav.wasm
	@ls -l bindings/js/dist/volnav.wasm*

test-js: js ## the package under node: its own tests, and the same bytes as the native build
	@$(MAKE_QUIETLY) compile-release TARGETS='--target js_native'
	@cd bindings/js && VOLNAV_NATIVE=$(CURDIR)/build/tests/js_native npm test --silent

cockpit: cockpit-build ## the library in one web page, out/cockpit.html; opened where there is a desktop
	@xdg-open out/cockpit.html >/dev/null 2>&1 || echo "Open it in a browser: file://$(CURDIR)/out/cockpit.html"

cockpit-build: js ## the same page, not opened
	@cd web && npm ci --silent --no-audit --no-fund && npm run --silent check && npm run --silent build

test-web: cockpit-build ## the cockpit in Chromium without a screen: every view, files, the game, sizes (minutes)
	@tools/bootstrap web
	@$(MAKE_QUIETLY) compile-release TARGETS='--target volnav_tool'
	@cd web && npm test --silent

test-platforms: ## the slowest with sanitizers, clang, no threads, TSan where threads are used, Windows, golden and nav tests on ARM, clang-tidy (minutes)
	@tools/bootstrap long
	@tools/run_parts $@ $(or $(PARTS),$(PLATFORM_PARTS))

test-platforms-slow: TESTS := -L '^slow$$'
test-platforms-slow: check-asan
test-platforms-clang: check-clang
test-platforms-nothreads: check-nothreads
test-platforms-tidy: tidy

test-platforms-mingw: TARGETS := --target volnav_tool tests_golden
test-platforms-mingw: TESTS := -L '^golden$$'
test-platforms-mingw: mingw-cmocka check-mingw

test-platforms-tsan: TARGETS := --target tests_threads
test-platforms-tsan: TESTS := -L '^threads$$'
test-platforms-tsan: check-tsan

test-platforms-aarch64: TARGETS := --target tests_golden tests_nav
test-platforms-aarch64: TESTS := -L '^(golden|nav)$$'
test-platforms-aarch64: arm64-cmocka check-aarch64

test-long: ## bigger sizes and real maps; Windows and ARM with all their tests; debug; fuzzing (an hour and more)
	@tools/bootstrap long
	@tools/run_parts $@ $(or $(PARTS),$(LONG_PARTS))

# With sanitizers a test takes 3 to 10 times as long, so it gets a quarter of the long size.
test-long-release: WITH := VN_TEST_LONG=1 $(WITH_DATA)
test-long-release: check-release

test-long-asan: WITH := VN_TEST_LONG=4 $(WITH_DATA)
test-long-asan: check-asan

test-long-stress: WITH := VN_TEST_LONG=4 $(WITH_DATA)
test-long-stress: TARGETS := --target tests_threads
test-long-stress: TESTS := -L '^threads$$'
test-long-stress: check-tsan

test-long-debug: check-debug
test-long-mingw: mingw-cmocka check-mingw
test-long-aarch64: arm64-cmocka check-aarch64

test-long-fuzz: FUZZ_SECONDS := 60
test-long-fuzz: fuzz

fuzz: ## the fuzz targets with libFuzzer, FUZZ_SECONDS each; what they find is in out/fuzz
	@tools/bootstrap long
	@$(MAKE_QUIETLY) compile-fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/run_parts --at-once $(JOBS) $@ $(FUZZ_FORMATS)

fuzz-%: FORCE
	@tools/fuzz $* $(FUZZ_SECONDS)

soak: ## flights, the nav model, fuzzers and mutants in turn; Ctrl-C stops it, the next run goes on (hours)
	@tools/bootstrap long
	@$(MAKE_QUIETLY) compile-release TARGETS='--target soak_flights'
	@$(MAKE_QUIETLY) compile-asan compile-tsan TARGETS='--target tests_soak'
	@$(MAKE_QUIETLY) compile-fuzz
	@tools/mutate --prepare
	@exec tools/soak --seconds $(SOAK_SECONDS) --at-once $(JOBS) $(SOAK_JOBS)

soak-status: ## what make soak has done and found so far
	@tools/soak --status

mutate: bootstrap ## how many of COUNT small mistakes in src/MODULE its tests notice; can be stopped and resumed (an hour)
	@tools/mutate --module $(MODULE) --count $(COUNT) --seed $(SEED)

style: ## the rules of CONTRIBUTING.md that need no compiler
	@tools/check_style

tidy: ## clang-tidy with the checks of .clang-tidy, and pointers compared with NULL
	@tools/bootstrap tidy
	@cmake --preset release --log-level=WARNING >/dev/null
	@tools/check_tidy

bench: bootstrap compile-release ## run the benchmarks; a table in out/bench.md, a plot in out/bench.svg (minutes)
	@set -e; for program in build/bench/bench_*; do echo "== $$program"; $$program; echo; done
	@echo "== tools/bench"
	@tools/bench $(BENCH_MAPS)
	@if [ -n "$(BENCH_MAPS)" ]; then echo "== tools/bench_classics"; tools/bench_classics --update docs/results.md $(BENCH_MAPS); fi

install: TARGETS := --target installed
install: bootstrap compile-release ## build the libraries and the tool, install them to $(DESTDIR)$(PREFIX)
	cmake --install build --prefix $(PREFIX)

format: ## clang-format over all tracked C
	@tools/bootstrap format
	git ls-files -z '*.c' '*.h' '*.cpp' | xargs -0 -r clang-format -i

clean: ## remove every build
	rm -rf build build-* out

bootstrap:
	@tools/bootstrap

# compile-PRESET and check-PRESET work for each preset of CMakePresets.json.
compile-%: FORCE
	@echo "== $*: configure and build"
	@cmake --preset $* --log-level=WARNING >/dev/null
	@cmake --build --preset $* -j $(JOBS) $(TARGETS)

check-%: compile-%
	@echo "== $*: tests"
	@$(WITH) ctest --preset $* -j $(JOBS) $(TESTS)

arm64-cmocka:
	@tools/fetch_arm64_cmocka build-aarch64/sysroot

mingw-cmocka:
	@tools/build_mingw_cmocka build-mingw/sysroot

FORCE:
