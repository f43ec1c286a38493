# ranktrace. `make help` lists the targets.

VERSION := $(shell cat VERSION)
SAN     ?=
O       ?= build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))
PREFIX  ?= /usr/local
override PREFIX := $(if $(PREFIX),$(shell realpath -ms '$(PREFIX)'))
CFLAGS  ?= -O2 -g
CC      ?= gcc
comma   := ,
Q       := $(if $(V),,@)
# What a target of several steps builds first: two at a time, unless make was told otherwise.
FIRST    = +$(Q)$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(or $(JOBS),2))

WARN       := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror=implicit-function-declaration
ALL_CFLAGS  = -std=gnu11 -D_GNU_SOURCE -I. -DRANKTRACE_VERSION='"$(VERSION)"' -MMD -MP $(WARN) \
	      $(if $(WERROR),-Werror) $(CFLAGS) $(SAN:%=-fsanitize=%) $(if $(SAN),$(SAN_FLAGS))
# Under its sanitizers gcc takes pointers that it has checked itself for null ones.
SAN_FLAGS  := -fno-omit-frame-pointer -Wno-format-overflow -Wno-format-truncation
AGENT_FLAGS = -fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-semantic-interposition

# libyaml and zstd go into the agent statically, with hidden symbols: it needs libc and nothing else.
STATIC_LIBS = $(foreach l,libyaml.a libzstd.a,$(shell $(CC) -print-file-name=$(l)))
# Their -dev packages, of which the header is not found or the library is not, if the compiler works at all.
no_header   = $(shell $(CC) $(CFLAGS) -E -x c /dev/null >/dev/null 2>&1 && ! $(CC) $(CFLAGS) -E -x c -include $(1).h /dev/null >/dev/null 2>&1 && echo none)
MISSING     = $(foreach l,yaml zstd,$(if $(call no_header,$(l))$(filter lib$(l).a,$(STATIC_LIBS)),lib$(l)-dev))
# zlib, SQLite and a demangler go into the command alone, if they are there: without them .gz and --to ascend-db say what to install,
SQLITE     := $(if $(shell $(CC) $(CFLAGS) -E -x c -include sqlite3.h /dev/null >/dev/null 2>&1 && echo there),$(filter /%,$(shell $(CC) -print-file-name=libsqlite3.a)))
ZLIB       := $(if $(shell $(CC) $(CFLAGS) -E -x c -include zlib.h /dev/null >/dev/null 2>&1 && echo there),$(filter /%,$(shell $(CC) -print-file-name=libz.a)))
# and names of C++ are shown as compilers mangle them.
DEMANGLER  := $(filter /%,$(shell $(CC) -print-file-name=libsupc++.a))
# STATIC=1: the command needs no library, and runs where glibc is older than here. SQLite's extensions are never opened.
TOOL_LINK   = $(if $(STATIC),-static-pie) $(foreach f,dlopen dlsym dlclose dlerror,-Wl,--wrap=$(f))
TOOL_LIBS   = $(STATIC_LIBS) $(SQLITE) $(ZLIB) $(DEMANGLER) -lm -pthread
AGENT_LINK  = -shared -Wl,-z,now,-z,nodelete,-z,defs,--as-needed,--exclude-libs,ALL $(if $(SAN),-Wl$(comma)-z$(comma)undefs)

# Found below each folder: reading trace files is the command's alone, and libraries of their own are made of
# hooks/ascend/preload.
sources   = $(sort $(shell find $(1) -name '*.[cS]'))
CONFIG   := $(call sources,config)
AGENT    := $(filter-out agent/format/decode.c hooks/ascend/preload/%,$(call sources,agent hooks))
TOOL     := $(filter-out analysis/mpi/%,$(call sources,analysis)) agent/base/crc32c.c agent/base/process.c agent/base/save_path.c agent/format/decode.c agent/format/encode.c agent/format/encode_units.c $(call sources,hooks/rows)

obj       = $(patsubst %,$(O)/$(2)/%.o,$(1))
AGENT_OBJ = $(call obj,$(AGENT) $(CONFIG),so)
TOOL_OBJ  = $(call obj,$(TOOL) $(CONFIG),bin)

# What stands in LD_PRELOAD for its name alone (hooks/ascend/preload/named_library.c).
GATES    := $(O)/libranktrace-libmspti.so $(O)/libranktrace-libascend_kernel_hook.so

# The report for MPI, where there is one, of which the command itself knows nothing.
MPICC    := $(if $(SAN),,$(shell mpicc -E -x c -include mpi.h /dev/null >/dev/null 2>&1 && echo mpicc))
MPI      := $(if $(MPICC),$(O)/ranktrace-mpi)

all: $(O)/libranktrace.so $(O)/ranktrace $(GATES) $(MPI)	## build the agent and the command

$(O)/libranktrace.so: $(AGENT_OBJ)
	@echo '  LD    $@'
	$(Q)$(CC) $(CFLAGS) $(SAN:%=-fsanitize=%) $(AGENT_LINK) -o $@ $^ $(STATIC_LIBS) $(LDFLAGS)

$(O)/ranktrace: $(TOOL_OBJ)
	@echo '  LD    $@'
	$(Q)$(CC) $(CFLAGS) $(SAN:%=-fsanitize=%) $(TOOL_LINK) -o $@ $^ $(TOOL_LIBS) $(LDFLAGS)

$(O)/ranktrace-mpi: $(O)/bin/analysis/mpi/main.c.o $(filter-out $(O)/bin/analysis/main.c.o,$(TOOL_OBJ))
	@echo '  LD    $@'
	$(Q)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC) $(CFLAGS) -o $@ $^ $(TOOL_LIBS) $(LDFLAGS)

$(O)/bin/analysis/mpi/main.c.o: analysis/mpi/main.c
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC) $(ALL_CFLAGS) -c -o $@ $<

$(GATES): hooks/ascend/preload/named_library.c
	@mkdir -p $(@D)
	@echo '  LD    $@'
	$(Q)$(CC) $(WARN) $(if $(WERROR),-Werror) -shared -fPIC -nostdlib -Wl,-soname,$(@F) -o $@ $<

# Looked for once in a build folder.
$(AGENT_OBJ) $(TOOL_OBJ): | $(O)/libraries-found
$(O)/libraries-found:
	$(if $(strip $(MISSING)),$(error missing: $(patsubst %-dev,%,$(strip $(MISSING))) (Debian: $(strip $(MISSING)); `scripts/dev/install-deps build` installs what a build needs)))
	@mkdir -p $(@D)
	@touch $@

$(O)/so/%.c.o: %.c
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(ALL_CFLAGS) $(AGENT_FLAGS) -c -o $@ $<

# Hundreds of functions each, half of a build's time: debuggers are not told where each variable lies, and operators, of which a call is
# longer than one of a copy, are optimized less.
$(addprefix $(O)/so/hooks/,ascend/wrap.c.o cuda/wrap_calls.c.o cuda/wrap_libraries.c.o hip/wrap_calls.c.o opencl/wrap.c.o): override CFLAGS += -fno-var-tracking
$(O)/so/hooks/cuda/wrap_libraries.c.o: override CFLAGS := $(CFLAGS:-O2=-O1)

# An error in a row is met once a reading of the rows, and as often as macros are nested: the first says it.
$(O)/so/hooks/% $(O)/bin/hooks/%: WARN += -Wfatal-errors

$(O)/so/agent/steps/python_shim.c.o: $(addprefix agent/steps/python_,shim.py functions.py queue.py stacks.py finder.py)

$(O)/bin/analysis/html/sources.c.o: $(wildcard analysis/html/page/*)

$(O)/so/%.S.o: %.S
	@mkdir -p $(@D)
	@echo '  AS    $<'
	$(Q)$(CC) -MMD -MP -I. -c -o $@ $<

$(O)/bin/analysis/export/ascend/db%.o $(O)/tests/check_destination: ALL_CFLAGS += $(if $(SQLITE),-DHAVE_SQLITE)
$(O)/bin/analysis/util/packer.c.o: ALL_CFLAGS += $(if $(ZLIB),-DHAVE_ZLIB)
$(O)/bin/analysis/util/demangle.c.o $(O)/tests/check_demangle: ALL_CFLAGS += $(if $(DEMANGLER),-DHAVE_DEMANGLER)

$(O)/bin/%.c.o: %.c
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

-include $(AGENT_OBJ:.o=.d) $(TOOL_OBJ:.o=.d) $(O)/bin/analysis/mpi/main.c.d

# ---- tests ----

TESTS_OUT := $(O)/tests
CHECKS    := $(patsubst tests/unit/%.c,$(TESTS_OUT)/%,$(wildcard tests/unit/check_*.c))
READERS    = $(TESTS_OUT)/bench/read $(TESTS_OUT)/bench/periods $(addprefix $(TESTS_OUT)/programs/,code_lines device_clock kernel_times made_run many_ranks schedule_states thread_order two_ranks verl_settings)
PROGRAMS   = $(TESTS_OUT)/trainers/lm_train $(TESTS_OUT)/libcount_layer.so $(TESTS_OUT)/bench/stream $(READERS)

$(TESTS_OUT)/trainers/lm_train: $(wildcard tests/trainers/lm_*.[ch]) \
				tests/trainers/lm_kernels.cl tests/trainers/lm_text.txt
	@mkdir -p $(@D)
	@echo '  CC    $@'
	$(Q)$(CC) $(ALL_CFLAGS) -MF $@.d -o $@ $(filter %.c,$^) -lOpenCL -lm

$(TESTS_OUT)/libcount_layer.so: tests/helpers/layers/count_layer.c tests/helpers/layers/dispatch.def
	@mkdir -p $(@D)
	@echo '  CC    $@'
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -shared -MF $@.d -o $@ $< -pthread

# A made-up training run through the flush path: the agent without its hooks.
$(TESTS_OUT)/bench/stream: tests/bench/stream.c $(call obj,$(filter agent/%,$(AGENT)) $(CONFIG),so)
	@mkdir -p $(@D)
	@echo '  CC    $@'
	$(Q)$(CC) $(ALL_CFLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(STATIC_LIBS) -lm -pthread $(LDFLAGS)

$(TESTS_OUT)/programs/made_run: tests/programs/made_rank.c
$(READERS): $(TESTS_OUT)/%: tests/%.c $(filter-out $(O)/bin/analysis/main.c.o,$(TOOL_OBJ))
	@mkdir -p $(@D)
	@echo '  CC    $@'
	$(Q)$(CC) $(ALL_CFLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(TOOL_LIBS) $(LDFLAGS)

# A unit test may reach into everything but main() and the constructor.
$(TESTS_OUT)/check_%: tests/unit/check_%.c $(filter-out $(O)/bin/analysis/main.c.o,$(TOOL_OBJ))
	@mkdir -p $(@D)
	@echo '  CC    $@'
	$(Q)$(CC) $(ALL_CFLAGS) -MF $@.d -o $@ $< $(filter %.o,$^) $(TOOL_LIBS) $(shell pkg-config --cflags --libs check) $(LDFLAGS)

# Each target of tests/fuzz over its kept inputs; under FUZZER=1 libFuzzer drives it and finds new ones.
FUZZ        := $(patsubst tests/fuzz/%.c,$(TESTS_OUT)/%,$(wildcard tests/fuzz/fuzz_*.c))
MUTATED_TRACE     := $(TESTS_OUT)/mutated_trace
FUZZ_DRIVER  = $(if $(FUZZER),-fsanitize=fuzzer,tests/fuzz/replay.c)
FUZZ_COUNT   = $(foreach f,malloc calloc realloc free,-Wl$(comma)--wrap=$(f))

$(TESTS_OUT)/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/support.c tests/fuzz/replay.c \
		     $(filter-out $(O)/bin/analysis/main.c.o,$(TOOL_OBJ))
	@mkdir -p $(@D)
	@echo '  CC    $@'
	$(Q)$(CC) $(ALL_CFLAGS) -MF $@.d -o $@ $< tests/fuzz/support.c $(FUZZ_DRIVER) $(filter %.o,$^) \
		$(FUZZ_COUNT) $(TOOL_LIBS) $(LDFLAGS)

# Traces changed by who knows what they are made of, through the target that reads traces.
$(MUTATED_TRACE): tests/fuzz/mutated.c tests/fuzz/fuzz_trace.c tests/fuzz/support.c $(filter-out $(O)/bin/analysis/main.c.o,$(TOOL_OBJ))
	@mkdir -p $(@D)
	@echo '  CC    $@'
	$(Q)$(CC) $(ALL_CFLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(FUZZ_COUNT) $(TOOL_LIBS) $(LDFLAGS)

# The agent itself is tried, in front of a library of empty functions.
$(TESTS_OUT)/fuzz_rows: $(O)/libranktrace.so $(TESTS_OUT)/libfuzz_vendor.so
$(TESTS_OUT)/fuzz_rows: private LDFLAGS += -L$(O) -L$(TESTS_OUT) -Wl,--no-as-needed,-rpath,'$$ORIGIN/..:$$ORIGIN' -l:libranktrace.so -lfuzz_vendor

$(TESTS_OUT)/libfuzz_vendor.so: tests/fuzz/rows/vendor.c
	@mkdir -p $(@D)
	@echo '  CC    $@'
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -shared -MF $@.d -o $@ $<

-include $(wildcard $(TESTS_OUT)/*.d $(TESTS_OUT)/trainers/*.d $(TESTS_OUT)/bench/*.d)

programs: $(PROGRAMS)

test-programs: all programs $(CHECKS) $(FUZZ) $(MUTATED_TRACE)

fuzz-programs: $(FUZZ)

test: deps-test					## all that needs no accelerator: TESTS='FILE FOLDER..' (tests/e2e/ascend), JOBS=2
	$(FIRST) test-programs
	$(Q)BUILD=$(O) CC='$(CC)' SAN='$(SAN)' STRICT='$(WERROR)' env -u WERROR scripts/dev/run-tests $(TESTS)

deps-%:
	$(Q)scripts/dev/install-deps $*

torture: deps-test deps-torture				## the tests that take long: 1,000 kills, other projects' own test suites
	$(FIRST) test-programs
	$(Q)BUILD=$(O) CC='$(CC)' SAN='$(SAN)' JOBS=1 LIMIT=7200 scripts/dev/run-tests $(or $(TESTS),tests/torture)
	$(if $(TESTS)$(SAN),,$(Q)scripts/dev/check-promises $(O)/tests/ran torture)

TORCH_NPU ?= 2.1.0.post17 2.7.1.post2 2.7.1.post4 2.7.1.post11 2.14.0

test-torch-npu: deps-test deps-aarch64		## five releases of torch_npu on the simulated CANN, three on aarch64: downloads 3 GB, writes docs/measurements
	$(FIRST) all
	$(Q)BUILD=$(O) CC='$(CC)' python3 tests/torch_npu/table.py docs/measurements/torch-npu.md $(TORCH_NPU)

# What needs the wheels of PyTorch, of its CUDA libraries and of Triton, which the first run keeps in ~/.cache/ranktrace.
test-torch: TESTS = $(addprefix tests/e2e/cuda/e2e_,torch_cuda.sh cuda_allocator.sh triton.sh verl_cuda.sh cuda_refused.sh) tests/contract/check_abi_cuda.sh tests/torture/torture_cuda_libraries.sh
test-torch: test					## real PyTorch, Triton, verl and CUDA runtimes on the simulated CUDA

FUZZ_SECONDS ?= 60
FUZZ_FLAGS    = -O1 -g -fno-sanitize-recover=undefined -DSORTER_WINDOW=64

fuzz: deps-fuzz						## looks for input that does harm: FUZZ_SECONDS=60 for each reader
	+$(Q)$(MAKE) --no-print-directory O=build/fuzz CC=clang FUZZER=1 CFLAGS='$(FUZZ_FLAGS)' \
		SAN=fuzzer-no-link,address,undefined fuzz-programs
	$(Q)FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run build/fuzz/tests $(TARGETS)

demo: deps-demo					## trace a real training job, print a report
	$(FIRST) all $(TESTS_OUT)/trainers/lm_train
	$(Q)BUILD=$(O) scripts/demo

bench: deps-bench deps-demo			## every figure beside its peers: QUICK=1, SECTION=calls,cold.., WRITE=file.md
	$(FIRST) all $(TESTS_OUT)/trainers/lm_train $(TESTS_OUT)/bench/stream $(TESTS_OUT)/bench/read $(TESTS_OUT)/bench/periods $(TESTS_OUT)/programs/made_run $(TESTS_OUT)/programs/many_ranks
	$(Q)BUILD=$(O) python3 tests/bench/run.py $(if $(WRITE),--write $(WRITE))

pictures: demo					## docs/pictures: the demo in the Perfetto UI, its report in a terminal
	$(Q)BUILD=$(O) scripts/dev/pictures

# ---- packages ----

wheels: deps-wheels				## dist/: pip's packages for x86-64 and aarch64, and their debug files
	$(Q)packaging/wheels.py dist

deb: deps-wheels deps-linux			## dist/: packages for apt, amd64 and arm64
	$(Q)packaging/linux.py dist deb

rpm: deps-wheels deps-linux			## dist/: packages for rpm, x86_64 and aarch64
	$(Q)packaging/linux.py dist rpm

dist:						## dist/: the source of the last commit
	$(Q)mkdir -p dist && git archive --prefix=ranktrace-$(VERSION)/ HEAD | gzip -n9 >dist/ranktrace-$(VERSION).tar.gz
	@echo dist/ranktrace-$(VERSION).tar.gz

test-packages: deps-test deps-wheels deps-packages	## installs what dist/ has as people do it, and traces from there; make wheels deb rpm before
	$(FIRST) all $(TESTS_OUT)/trainers/lm_train
	$(Q)BUILD=$(O) CC='$(CC)' SAN='$(SAN)' JOBS=1 LIMIT=1800 scripts/dev/run-tests $(or $(TESTS),tests/packages)

test-aarch64: deps-test deps-aarch64		## end-to-end tests of agent and programs for aarch64, under qemu-user
	$(FIRST) $(O)/ranktrace programs
	$(Q)BUILD=$(O) LIMIT=1800 scripts/dev/run-tests $(or $(TESTS),tests/aarch64)

# ---- the look of the source ----

FORMATTED = $(shell git ls-files 'agent/*.[ch]' 'hooks/*.[ch]' 'config/*.[ch]' 'analysis/*.[ch]' 'tests/*.[ch]' | \
	      grep -v -e hooks/capture/wrap.h -e hooks/capture/entrance -e words.h)

check-format:					## is the source laid out as .clang-format says?
	$(Q)clang-format --dry-run -Werror $(FORMATTED)

format:						## lay the source out
	$(Q)clang-format -i $(FORMATTED)

# Nothing is made: what the compiler has to say of each source.
read:
	$(Q)printf '%s\n' $(filter %.c,$(sort $(AGENT) $(CONFIG) $(TOOL))) | xargs -P 2 -n 8 $(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) -fsyntax-only

tidy: all					## clang-tidy over agent, hooks, config and analysis
	$(Q)clang-tidy --quiet $(filter %.c,$(AGENT) $(CONFIG) $(TOOL)) -- \
		-std=gnu11 -D_GNU_SOURCE -I. -DRANKTRACE_VERSION='"$(VERSION)"'

# ---- installation ----

LIBDIR = '$(DESTDIR)$(PREFIX)/lib/ranktrace'
BINDIR = '$(DESTDIR)$(PREFIX)/bin'
INCDIR = '$(DESTDIR)$(PREFIX)/include'
MANDIR = '$(DESTDIR)$(PREFIX)/share/man/man1'
BASHDIR = '$(DESTDIR)$(PREFIX)/share/bash-completion/completions'
ZSHDIR = '$(DESTDIR)$(PREFIX)/share/zsh/site-functions'

# Renamed into place: a library overwritten while a job runs would end the job. The folders that are made
# are noted, so that uninstall takes them away, and no others.
install: all					## honours PREFIX and DESTDIR
	$(Q)made=$$(LC_ALL=C install -dv $(LIBDIR) $(BINDIR) $(MANDIR) $(INCDIR) $(BASHDIR) $(ZSHDIR) | \
		sed -n "s|^install: creating directory '$(DESTDIR)\(/.*\)'|\1|p"); echo "$$made" >>$(LIBDIR)/folders
	$(Q)for library in libranktrace.so $(notdir $(GATES)); do \
		install -m 755 $(O)/$$library $(LIBDIR)/.$$library.new && \
		mv -f $(LIBDIR)/.$$library.new $(LIBDIR)/$$library || exit 1; \
	done
	$(Q)install -m 755 $(O)/ranktrace $(MPI) scripts/ranktrace-run $(BINDIR)
	$(Q)install -m 644 agent/ranktrace.h $(INCDIR)
	$(Q)install -m 644 docs/man/ranktrace.1 docs/man/ranktrace-run.1 $(MANDIR)
	$(Q)install -m 644 scripts/completion $(BASHDIR)/ranktrace
	$(Q)install -m 644 scripts/completion $(BASHDIR)/ranktrace-run
	$(Q)install -m 644 scripts/completion $(ZSHDIR)/_ranktrace
	@echo installed: ranktrace-run and ranktrace in $(BINDIR), libranktrace.so in $(LIBDIR), \
		"libranktrace-*.so beside it," \
		ranktrace.h in $(INCDIR), man pages in $(MANDIR), completion for bash and zsh

uninstall:					## removes what install put there
	$(Q)made=$$(tac $(LIBDIR)/folders 2>/dev/null); \
	(set -x; rm -f $(LIBDIR)/libranktrace.so $(addprefix $(LIBDIR)/,$(notdir $(GATES))) $(LIBDIR)/folders \
		$(BINDIR)/ranktrace $(BINDIR)/ranktrace-mpi $(BINDIR)/ranktrace-run \
		$(INCDIR)/ranktrace.h $(MANDIR)/ranktrace.1 $(MANDIR)/ranktrace-run.1 \
		$(BASHDIR)/ranktrace $(BASHDIR)/ranktrace-run $(ZSHDIR)/_ranktrace) && \
	echo "$$made" | while read -r folder; do rmdir '$(DESTDIR)'"$$folder" 2>/dev/null; done; true

clean:						## remove what was built
	rm -rf build

help:						## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  options: O=dir V=1 CC=clang SAN=address,undefined WERROR=1 STATIC=1 PREFIX= DESTDIR='

.PHONY: all clean help wheels deb rpm dist test test-aarch64 test-packages test-torch test-torch-npu programs test-programs fuzz fuzz-programs torture demo bench pictures check-format format read tidy install uninstall
