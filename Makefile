# The short ways in; `make help` lists them. Everything real is in CMakeLists.txt and CMakePresets.json.

JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
DATA   ?= ../shared/data
SCENE  ?= samples/scenes/station.scene
# Maps to measure, each with its scenario beside it; none: tools/bench makes one.
BENCH_MAPS ?= $(sort $(wildcard $(DATA)/warframe/*.3dmap))

MAKE_QUIETLY := $(MAKE) --no-print-directory
WITH_DATA    := $(if $(wildcard $(DATA)),VN_DATA=$(abspath $(DATA)))
WITH_LONG    := VN_TEST_LONG=1 $(WITH_DATA)

# Each fuzz target runs this long (docs/fuzzing.md).
FUZZ_SECONDS ?= 120
FUZZ_FORMATS ?= 3dmap bt vnav vnrec

# Prerequisites are made in their order; what can be done at once, ninja and ctest do at once.
.NOTPARALLEL:
.SECONDARY:
.PHONY: all help demo test test-long fuzz bench install format clean bootstrap FORCE

all: compile-release ## build the libraries, the tool (build/volnav), tests, samples and benchmarks

help: ## this list
	@sed -n 's/^\([a-z-]*\):.* ## /\1: /p' $(MAKEFILE_LIST) | awk -F ': ' '{ printf "make %-10s %s\n", $$1, $$2 }'
	@echo "Settings: JOBS=$(JOBS) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) DATA=$(DATA) SCENE=$(SCENE)"

demo: TARGETS := --target volnav_tool
demo: bootstrap compile-release ## find paths in a small scene, print a table, write a picture
	@mkdir -p out
	build/volnav demo $(SCENE) --picture out/demo.svg

test: bootstrap check-release check-asan ## all tests, in release and with sanitizers (minutes)

test-long: ## bigger sizes and real maps; TSan, debug, clang, no threads, Windows, ARM, fuzzing (much longer)
	@tools/bootstrap long
	@$(WITH_LONG) $(MAKE_QUIETLY) check-release check-asan
	@$(MAKE_QUIETLY) check-tsan
	@echo "== tsan: stress"
	@$(WITH_LONG) ctest --preset tsan -L threads -j $(JOBS)
	@$(MAKE_QUIETLY) check-debug check-clang check-nothreads compile-mingw
	@tools/fetch_arm64_cmocka build-aarch64/sysroot
	@$(MAKE_QUIETLY) check-aarch64
	@$(MAKE_QUIETLY) fuzz

fuzz: ## the fuzz targets with libFuzzer, FUZZ_SECONDS each; what they find is in out/fuzz
	@tools/bootstrap long
	@$(MAKE_QUIETLY) compile-fuzz
	@set -e; for format in $(FUZZ_FORMATS); do \
	    echo "== fuzz: $$format, $(FUZZ_SECONDS) s"; mkdir -p out/fuzz/$$format; \
	    build-fuzz/tests/fuzz/fuzz_$$format -max_total_time=$(FUZZ_SECONDS) -max_len=16384 -timeout=20 -print_final_stats=1 \
	        -artifact_prefix=out/fuzz/ out/fuzz/$$format tests/fuzz/corpus/$$format >out/fuzz/$$format.log 2>&1 || \
	        { tail -n 60 out/fuzz/$$format.log; exit 1; }; \
	    grep -E 'number_of_executed|per_sec' out/fuzz/$$format.log; \
	done

bench: bootstrap compile-release ## run the benchmarks; a table in out/bench.md, a plot in out/bench.svg (minutes)
	@set -e; for program in build/bench/bench_*; do echo "== $$program"; $$program; echo; done
	@echo "== tools/bench"
	@tools/bench $(BENCH_MAPS)
	@if [ -n "$(BENCH_MAPS)" ]; then echo "== tools/bench_classics"; tools/bench_classics --update docs/results.md $(BENCH_MAPS); fi

install: compile-release ## install to $(DESTDIR)$(PREFIX)
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
	@ctest --preset $* -j $(JOBS)

FORCE:
