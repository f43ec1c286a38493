/*
 * fuzz_recover.c - the session of a dead process in tmpfs, and its .part file, changed at will: the
 * input is a list of changes to a session that makes sense. Whatever it says, recovery stays in
 * save_path, and what it writes can be read.
 */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/trace/reader.h"
#include "analysis/session/recover.h"
#include "tests/lib/small_traces.h"
#include "tests/fuzz/fuzz.h"

#define SLOTS  64
#define MEMORY (96u << 20)

enum { STATUS,
       RING,
       SECOND_RING,
       DEFINITIONS,
       PART,
       FILES };

static const char *const names[FILES] = { "status.0", "ring.0", "ring.1", "definitions.0", NULL };
static struct {
	uint8_t bytes[20480];
	size_t size;
} good[FILES], files[FILES];

static char top[64], root[128], dir[256], save[128], part[320];

/* ---- a session that makes sense ---- */

static void make_status(void)
{
	struct session_status s = {
		.magic = SESSION_MAGIC,
		.major = TRACE_MAJOR,
		.hooks = 4,
		.clock = CLOCK_NANOSECONDS,
		.start_time = 1, /* init is older than no other: this process is gone */
		.pid = 1,
		.file_id = MAKER_ID,
		.state = SESSION_RECORDING,
		.rank = 3,
		.host = "h",
		.ranks = "all",
		.facts = "host=h\npid=1\n",
		.libraries = "/usr/lib/libOpenCL.so.1",
		.unrecorded = { 1, 2, 3 },
	};

	snprintf(s.save_path, sizeof(s.save_path), "%s", save);
	snprintf(s.final, sizeof(s.final), "%s/job/rank3/step-4.rtrace", save);
	snprintf(s.file, sizeof(s.file), "%s", part);
	memcpy(good[STATUS].bytes, &s, sizeof(s));
	good[STATUS].size = sizeof(s);
}

static void make_ring(int file, uint32_t id, uint64_t tail, uint64_t head)
{
	struct ring_header h = {
		.head = head,
		.tail = tail,
		.entered = 310,
		.tail_epoch = 4,
		.tail_tid = 11,
		.magic = RING_MAGIC,
		.id = id,
		.slots = SLOTS,
		.state = RING_OWNED,
		.tid = 12,
		.call_hook = HOOK_COPY + 1,
	};
	struct event *slots = (struct event *)(good[file].bytes + SESSION_PAGE);

	memcpy(good[file].bytes, &h, sizeof(h));
	for (uint64_t i = tail; i < head; i++)
		slots[i % SLOTS] = (struct event){ .begin = 1000 * i, .duration = 9, .hook = i % 4, .stream = 1, .key = 7 };
	slots[(tail + 5) % SLOTS] = (struct event){ .hook = CTRL_STEP, .key = 5 };
	slots[(tail + 9) % SLOTS] = (struct event){ .hook = CTRL_RESULT, .key = 1 };
	good[file].size = SESSION_PAGE + SLOTS * sizeof(struct event);
}

static void make_definitions(void)
{
	static struct maker m;
	struct definitions_header head = { .magic = DEFINITIONS_MAGIC };

	maker_open(&m, -1);
	maker_usual_defs(&m);
	maker_epoch(&m, 4, 4, 1, 0);
	head.used = m.defs_size;
	head.size = sizeof(head) + m.defs_size;
	memcpy(good[DEFINITIONS].bytes, &head, sizeof(head));
	memcpy(good[DEFINITIONS].bytes + sizeof(head), m.defs, m.defs_size);
	good[DEFINITIONS].size = head.size;
}

static void make_part(void)
{
	struct event slots[8] = { 0 };
	struct maker m;
	int fd = memfd_create("part", MFD_CLOEXEC);

	maker_open(&m, fd);
	maker_text(&m, CHUNK_FILE, "host=h\nclock=ns\n");
	maker_events(&m, 1, 11, 4, 90, slots, 8, 8, 0);
	maker_events(&m, 1, 11, 4, 98, slots, 8, 16, 0);
	good[PART].size = (size_t)pread(fd, good[PART].bytes, sizeof(good[PART].bytes), 0);
	chunk_writer_free(&m.w);
	close(fd);
}

static void make_all(void)
{
	snprintf(top, sizeof(top), "/dev/shm/ranktrace-fuzz-%d", getpid());
	snprintf(root, sizeof(root), "%s/shm-%u", top, geteuid());
	snprintf(dir, sizeof(dir), "%s/1-1-00000001", root);
	snprintf(save, sizeof(save), "%s/save", top);
	snprintf(part, sizeof(part), "%s/job/rank3/step-4.rtrace.part", save);
	make_status();
	make_ring(RING, 1, 100, 150);
	make_ring(SECOND_RING, 2, 0, 20);
	make_definitions();
	make_part();
}

/* ---- changes ---- */

struct input {
	const uint8_t *next, *end;
};

static uint64_t take(struct input *in, int bytes)
{
	uint64_t n = 0;

	for (; bytes && in->next < in->end; bytes--)
		n = n << 8 | *in->next++;
	return n;
}

/* What it was told to do, and where; save_path itself belongs to the user. */
static void change(struct input *in)
{
	uint8_t what = (uint8_t)take(in, 1), *bytes;
	int file = what % FILES;
	size_t at = (size_t)take(in, 2) % sizeof(files[file].bytes), n = (size_t)take(in, 1) % 64;

	bytes = files[file].bytes;
	if (what & 0x40) {
		files[file].size = at;
	} else if (what & 0x80) { /* one field of a ring header, status or definition */
		uint64_t value = take(in, 8);

		memcpy(bytes + at % 512 / 8 * 8, &value, sizeof(value));
	} else {
		for (; n && at < sizeof(files[file].bytes); n--)
			bytes[at++] = (uint8_t)take(in, 1);
	}
	snprintf(((struct session_status *)files[STATUS].bytes)->save_path, sizeof(save), "%s", save);
}

static void put(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	fuzz_promise(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, "tmpfs takes a small file");
	close(fd);
}

static void put_all(void)
{
	static const char *const folders[] = { "", "/save", "/save/job", "/save/job/rank3" };
	char path[512];

	for (unsigned int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", top, folders[i]);
		mkdir(path, 0700);
	}
	mkdir(root, 0700);
	mkdir(dir, 0700);
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i] ? names[i] : "");
		put(names[i] ? path : part, files[i].bytes, files[i].size);
	}
}

/* ---- afterwards ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st, (void)type, (void)f;
	return remove(path);
}

static void check_file(const char *path)
{
	struct reader r;
	struct chunk chunk;
	bool ended = false;
	struct stat st;

	fuzz_promise(!strncmp(path, save, strlen(save)) && path[strlen(save)] == '/' &&
			     !strstr(path, "/../"),
		     "the file lies in save_path");
	fuzz_promise(!lstat(path, &st) && S_ISREG(st.st_mode) && !(st.st_mode & 077),
		     "the file is for its owner only");
	fuzz_promise(!reader_open(&r, path, UINT64_MAX), "the file can be read");
	while (reader_next(&r, &chunk))
		ended |= chunk.header.type == CHUNK_END;
	fuzz_promise(ended, "a recovered file has its end");
	reader_close(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	char own_root[80];
	struct recovered r;
	int err;

	if (!good[STATUS].size)
		make_all();
	memcpy(files, good, sizeof(files));
	while (in.next < in.end)
		change(&in);
	put_all();
	snprintf(own_root, sizeof(own_root), "%s/shm", top);
	setenv("RANKTRACE_SESSION_ROOT", own_root, 1);
	fuzz_memory_reset();
	err = recover_session(dir, &r);
	fuzz_promise(fuzz_memory_peak() <= MEMORY, "a small session is recovered in 96 MiB");
	recovered_free(&r);
	if (!err && r.file[0])
		check_file(r.file);
	nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}
