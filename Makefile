# ranktrace. `make help` lists the targets.

VERSION := $(shell cat VERSION)
SAN     ?=
O       ?= build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))
PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g
CC      ?= gcc
comma   := ,
Q       := $(if $(V),,@)

WARN       := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS  = -std=gnu11 -D_GNU_SOURCE -I. -DRANKTRACE_VERSION='"$(VERSION)"' -MMD -MP $(WARN) \
	      $(if $(WERROR),-Werror) $(CFLAGS) $(SAN:%=-fsanitize=%) $(if $(SAN),-fno-omit-frame-pointer)
AGENT_FLAGS = -fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-semantic-interposition

# libyaml and zstd go into the agent statically, with hidden symbols: it needs libc and nothing else.
STATIC_LIBS = $(foreach l,libyaml.a libzstd.a,$(shell $(CC) -print-file-name=$(l)))
AGENT_LINK  = -shared -Wl,-z,now,-z,nodelete,-z,defs,--as-needed,--exclude-libs,ALL $(if $(SAN),-Wl$(comma)-z$(comma)undefs)

CONFIG   := $(wildcard config/*.c)
AGENT    := $(wildcard agent/*.c hooks/*.c hooks/*.S)
TOOL     := $(wildcard analysis/*.c) agent/crc32c.c agent/encode.c hooks/table.c

obj       = $(patsubst %,$(O)/$(2)/%.o,$(1))
AGENT_OBJ = $(call obj,$(AGENT) $(CONFIG),so)
TOOL_OBJ  = $(call obj,$(TOOL) $(CONFIG),bin)

all: $(O)/libranktrace.so $(O)/ranktrace	## build the agent and the command

$(O)/libranktrace.so: $(AGENT_OBJ)
	@echo '  LD    $@'
	$(Q)$(CC) $(CFLAGS) $(SAN:%=-fsanitize=%) $(AGENT_LINK) -o $@ $^ $(STATIC_LIBS) $(LDFLAGS)

$(O)/ranktrace: $(TOOL_OBJ)
	@echo '  LD    $@'
	$(Q)$(CC) $(CFLAGS) $(SAN:%=-fsanitize=%) -o $@ $^ $(STATIC_LIBS) -pthread $(LDFLAGS)

$(O)/so/%.c.o: %.c
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(ALL_CFLAGS) $(AGENT_FLAGS) -c -o $@ $<

$(O)/so/%.S.o: %.S
	@mkdir -p $(@D)
	@echo '  AS    $<'
	$(Q)$(CC) -MMD -MP -I. -c -o $@ $<

$(O)/bin/%.c.o: %.c
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

-include $(AGENT_OBJ:.o=.d) $(TOOL_OBJ:.o=.d)

clean:						## remove what was built
	rm -rf build

help:						## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  options: O=dir V=1 CC=clang SAN=address,undefined WERROR=1 PREFIX= DESTDIR='

.PHONY: all clean help
