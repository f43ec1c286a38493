/*
 * torch_npu_gate.c - which gates of torch_npu stand open: what LD_PRELOAD names, and, where it names nothing, whether this torch_npu
 * asks us (msptiActivityIsEnabled) instead. Written down, as nothing else tells why there are no markers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "agent/base/text.h"
#include "agent/format/event.h"
#include "agent/os/elf.h"
#include "agent/os/slow_path.h"
#include "agent/record/gate.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "config/option_words.h"
#include "hooks/ascend/mstx/torch_npu_gate.h"

bool torch_npu_gate_wants(msptiActivityKind way)
{
	return way == MSPTI_ACTIVITY_KIND_MARKER && settings.torch_npu_markers != TORCH_NPU_NONE && gate_load() & (GATE_KIND_MARKER | GATE_MARKS);
}

/* ---- what LD_PRELOAD names ---- */

static bool ends_with(const char *text, size_t length, const char *end)
{
	size_t n = strlen(end);

	return length > n && !memcmp(text + length - n, end, n);
}

/* Does an entry of LD_PRELOAD end like this? So torch_npu asks, too; what links lead to is left to it. */
static bool preloads(const char *name)
{
	const char *entry = getenv("LD_PRELOAD"), *end;

	for (; entry && *entry; entry = *end ? end + 1 : end) {
		end = strchrnul(entry, ':');
		if (ends_with(entry, (size_t)(end - entry), name))
			return true;
	}
	return false;
}

static int open_gate(void)
{
	bool marks = preloads("libmspti.so"), allocator = preloads("libascend_kernel_hook.so");

	if (allocator)
		return marks ? TORCH_NPU_BOTH : TORCH_NPU_ALLOCATOR;
	if (marks)
		return TORCH_NPU_MARKERS;
	return settings.torch_npu_markers == TORCH_NPU_NONE ? TORCH_NPU_NONE : TORCH_NPU_ASK;
}

/* ---- words for `ranktrace check`: session->note ---- */

static const char *mspti_first, *preload_lost, *unasked;

static void note(void)
{
	char text[sizeof(session->note)], line[sizeof(text) + 8];

	snprintf(text, sizeof(text), "%s%s%s", mspti_first, preload_lost, unasked);
	text_copy(session->note, sizeof(session->note), text);
	snprintf(line, sizeof(line), "note=%s\n", text);
	if (text[0])
		definitions_text(DEF_IDENTITY, 0, line);
}

/* A library of this name that stands before us takes the calls first, and passes them on around us. */
static bool is_mspti_before_us(const struct elf_object *o, void *unused)
{
	(void)unused;
	return o->soname && text_starts(o->soname, "libmspti") && elf_before_us(o);
}

static bool lost_preload(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return settings.torch_npu_markers != TORCH_NPU_ASK && (!preload || !strstr(preload, "libranktrace")) && !getenv("OPENCL_LAYERS");
}

/* ---- does torch_npu ask? ---- */

static _Atomic bool awaited;   /* it is not there yet */
static _Atomic bool gate_asks; /* the gate is `ask`: all depends on it */

static bool is_called_torch_npu(const struct elf_object *o, void *unused)
{
	(void)unused;
	return o->soname && text_equal(o->soname, "libtorch_npu.so");
}

bool torch_npu_has_queue(void)
{
	const char *queue = getenv("TASK_QUEUE_ENABLE");

	return !(queue && text_equal(queue, "0")) && elf_walk(is_called_torch_npu, NULL);
}

/* Visited once: megabytes are looked through. */
static bool is_torch_npu(const struct elf_object *o, void *asks)
{
	static _Atomic int known; /* 1: it does, 2: it does not */

	if (!is_called_torch_npu(o, NULL))
		return false;
	if (!known)
		known = elf_has_text(o, "msptiActivityIsEnabled") ? 1 : 2;
	*(bool *)asks = known == 1;
	return true;
}

/* Without that file it does not ask. */
static bool mspti_is_there(void)
{
	const char *home = getenv("ASCEND_HOME_PATH");
	char path[4096];

	snprintf(path, sizeof(path), "%s/lib64/libmspti.so", home ? home : "");
	return home && !access(path, F_OK);
}

/* Only of the gate that asks it matters whether it does. */
static void look_for_torch_npu(void)
{
	bool ask = atomic_load(&gate_asks), asks = false, is_there = elf_walk(ask ? is_torch_npu : is_called_torch_npu, &asks);

	atomic_store(&awaited, !is_there);
	if (is_there)
		definitions_text(DEF_IDENTITY, 0, "torch_npu=1\n");
	unasked = ask && is_there && !(asks && mspti_is_there()) ? "gate-unasked " : "";
}

void torch_npu_gate_look_again(void)
{
	struct slow_path guard;

	if (!gate_load() || !atomic_exchange(&awaited, false))
		return;
	guard = slow_path_begin();
	look_for_torch_npu();
	if (unasked[0])
		note();
	slow_path_end(guard);
}

/* ---- where there is an Ascend environment ---- */

static bool is_ascend(int opened)
{
	static const char *const environment[] = { "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH" };

	for (size_t i = 0; i < sizeof(environment) / sizeof(*environment); i++)
		if (getenv(environment[i]))
			return true;
	return settings.torch_npu_markers != TORCH_NPU_AUTO || (opened != TORCH_NPU_ASK && opened != TORCH_NPU_NONE);
}

void torch_npu_gate_note(void)
{
	int opened = open_gate();
	char text[64];

	atomic_store(&awaited, false);
	if (!is_ascend(opened))
		return;
	snprintf(text, sizeof(text), "ascend_gate=%s\n", option_word(opened));
	definitions_text(DEF_IDENTITY, 0, text);
	mspti_first = elf_walk(is_mspti_before_us, NULL) ? "mspti-first " : "";
	preload_lost = lost_preload() ? "preload-lost " : "";
	unasked = "";
	atomic_store(&gate_asks, opened == TORCH_NPU_ASK);
	look_for_torch_npu();
	note();
}
