/*
 * many_ranks FOLDER RANKS KIB [FIRST] [TORN] - the run of so many ranks from FIRST (0) on, each with a trace file of so many KiB or a little
 * more, and its run.json. Ranks have one of 16 contents, and what tells them apart: files are written as fast as the disk takes them. A
 * step has 30 kernels that are launched 1 to 30 times, whose times lie within 30 % of each other, a copy, an allocation, and waiting. The
 * file of rank TORN is cut off in its middle.
 */
#include <errno.h>
#include <sys/stat.h>

#include "agent/base/crc32c.h"
#include "analysis/run/run_json.h"
#include "tests/lib/small_traces.h"

#define CONTENTS 16
#define KERNELS	 30
#define STEP	 50000000ull /* ns */

enum { HOOK_SYNC = HOOK_FREE + 1 };

static struct made {
	uint8_t *bytes;
	size_t size;
	uint64_t events;
} contents[CONTENTS];

static struct maker maker;
static struct event slots[4096];
static size_t count;
static uint64_t state = 88172645463325252ull, slot, now;

/* From 70 to 130 % of it. */
static uint32_t about(uint64_t ns)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(ns * (700 + state % 600) / 1000);
}

static void put(struct event ev)
{
	must(count < sizeof(slots) / sizeof(*slots));
	slots[count++] = ev;
}

static void launch(uint64_t kernel)
{
	uint64_t at = slot + count;

	put((struct event){ .begin = now, .duration = about(4000), .hook = HOOK_LAUNCH, .stream = 1, .key = 1 + kernel });
	put((struct event){ .begin = 1000000000 + now + about(20000),
			    .duration = about(2000 * (1 + kernel)),
			    .hook = CTRL_DEVICE,
			    .stream = 1,
			    .key = 1 + kernel,
			    .arg = DEVICE_REF(1, HOOK_LAUNCH, at) });
	now += about(60000);
}

/* How many events it has. */
static uint64_t put_step(unsigned int step)
{
	uint64_t events = 4;

	count = 0;
	put((struct event){ .begin = now, .duration = about(1000), .hook = HOOK_ALLOC, .key = 0x1000, .arg = EVENT_ARG(4096 * step, DIR_NONE) });
	put((struct event){ .begin = now += 2000, .duration = about(30000), .hook = HOOK_COPY, .stream = 1, .key = 0x1000, .arg = EVENT_ARG(4096, DIR_H2D) });
	now += 50000;
	for (uint64_t kernel = 0; kernel < KERNELS; kernel++)
		for (uint64_t k = 0; k <= kernel; k++, events++)
			launch(kernel);
	put((struct event){ .begin = now, .duration = about(500000), .hook = HOOK_SYNC });
	put((struct event){ .begin = now += 1000000, .duration = about(1000), .hook = HOOK_FREE, .key = 0x1000 });
	return events;
}

static void define(void)
{
	struct def_stream stream = { .handle = 0xabc, .device = 1 };
	struct def_device_clock clock = { .device_ns = 1000000000, .ticks = 0, .width = 100 };
	char name[64];

	maker_hook(&maker, HOOK_LAUNCH, EV_LAUNCH, "clEnqueueNDRangeKernel");
	maker_hook(&maker, HOOK_COPY, EV_COPY, "clEnqueueWriteBuffer");
	maker_hook(&maker, HOOK_ALLOC, EV_ALLOC, "clCreateBuffer");
	maker_hook(&maker, HOOK_FREE, EV_FREE, "clReleaseMemObject");
	maker_hook(&maker, HOOK_SYNC, EV_SYNC, "clFinish");
	for (uint32_t i = 0; i < KERNELS; i++) {
		struct def_launch of = { .name = 1 + i, .dimensions = 1, .global = { 64 * (1 + i) } };

		snprintf(name, sizeof(name), "linear_of_layer_%u", i);
		maker_define(&maker, DEF_STRING, 1 + i, NULL, 0, name);
		maker_define(&maker, DEF_LAUNCH, 1 + i, &of, sizeof(of), "");
	}
	maker_define(&maker, DEF_STREAM, 1, &stream, sizeof(stream), "");
	maker_define(&maker, DEF_DEVICE, 1, NULL, 0, "a device");
	maker_define(&maker, DEF_DEVICE_CLOCK, 1, &clock, sizeof(clock), "");
	maker_define(&maker, DEF_TIME_SOURCE, 1, NULL, 0, "made");
	must(!maker_put_defs(&maker));
}

/* What is different in each rank has its place. */
static const char head[] = "host=made%05u\npid=%07u\nrank=%05u\nrank_source=RANK\nclock=ns\nlevel=level1\ncontents=cpu,npu,memory\njob=made\nlaunch=made\n";

static void make_content(struct made *c, size_t size)
{
	unsigned int steps = 0;
	char text[256];

	maker_open(&maker, memfd_create("content", MFD_CLOEXEC));
	maker_clock(&maker, 0);
	snprintf(text, sizeof(text), head, 0, 0, 0);
	must(!maker_text(&maker, CHUNK_FILE, text));
	define();
	slot = 0;
	now = 1000;
	do {
		uint64_t begin = now, events = put_step(++steps);

		maker_clock(&maker, begin);
		c->events += events;
		must(!maker_events(&maker, 1, 20, steps + 1, slot, slots, count, c->events, 0));
		slot += count;
		now = begin + STEP > now ? begin + STEP : now;
		maker_epoch(&maker, steps + 1, steps, begin, now);
		must(!maker_put_defs(&maker));
	} while (maker.w.offset < size);
	maker_clock(&maker, now);
	must(!maker_text(&maker, CHUNK_END, "reason=exit\ncause=none\nstep_source=api\n"));
	c->size = maker.w.offset;
	c->bytes = malloc(c->size);
	must(pread(maker.w.fd, c->bytes, c->size, 0) == (ssize_t)c->size);
	chunk_writer_free(&maker.w);
	close(maker.w.fd);
}

/* The content becomes that of this rank. */
static void be_rank(struct made *c, unsigned int rank, uint64_t file_id)
{
	struct chunk_header h;
	char text[256];

	for (size_t at = 0; at + sizeof(h) <= c->size; at = (at + sizeof(h) + h.length + CHUNK_ALIGN - 1) & ~(size_t)(CHUNK_ALIGN - 1)) {
		memcpy(&h, c->bytes + at, sizeof(h));
		h.file_id = file_id;
		if (h.type == CHUNK_FILE) {
			must(snprintf(text, sizeof(text), head, rank / 8, 1000 + rank, rank) == (int)h.length);
			memcpy(c->bytes + at + sizeof(h), text, h.length);
			h.payload_crc = crc32c(0, text, h.length);
		}
		h.header_crc = crc32c(0, &h, offsetof(struct chunk_header, header_crc));
		memcpy(c->bytes + at, &h, sizeof(h));
	}
}

static void write_rank(struct run *run, struct made *c, const char *folder, unsigned int rank, bool torn)
{
	struct run_process *of = run_add(run);
	uint64_t file_id = MAKER_ID + rank;
	size_t size = torn ? c->size / 2 : c->size;
	char path[4096];
	int fd;

	be_rank(c, rank, file_id);
	*of = (struct run_process){ .pid = 1000 + rank, .rank = rank, .files = 1, .bytes = (int64_t)c->size, .signal = -1, .last_step = 1 };
	of->kept = of->entered = (int64_t)c->events;
	snprintf(of->host, sizeof(of->host), "made%05u", rank / 8);
	snprintf(of->state, sizeof(of->state), "ended");
	snprintf(of->file, sizeof(of->file), "rank%05u-%u-%08x.rtrace", rank, 1000 + rank, (uint32_t)file_id);
	snprintf(path, sizeof(path), "%s/%s", folder, of->file);
	fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
	must(fd >= 0 && write(fd, c->bytes, size) == (ssize_t)size);
	close(fd);
}

static unsigned int number(int argc, char **argv, int i, unsigned int otherwise)
{
	return argc > i ? (unsigned int)strtoul(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	char *command[] = { "made", NULL };
	struct run run = { .launch = "made", .started = "2023-11-14T22:13:20.000000000Z", .exit_status = 0, .signal = -1, .loads = -1, .command = command };
	unsigned int ranks = number(argc, argv, 2, 0), first = number(argc, argv, 4, 0), torn = number(argc, argv, 5, UINT32_MAX);
	int folder;

	if (!ranks || argc < 4)
		return 2;
	must(!mkdir(argv[1], 0700) || errno == EEXIST);
	for (unsigned int i = 0; i < CONTENTS && i < ranks; i++)
		make_content(&contents[i], (size_t)number(argc, argv, 3, 0) << 10);
	for (unsigned int i = 0; i < ranks; i++)
		write_rank(&run, &contents[i % CONTENTS], argv[1], first + i, first + i == torn);
	folder = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	must(folder >= 0 && !run_write(&run, folder));
	return 0;
}
