/*
 * main.c - `mpirun ranktrace-mpi report`: the processes of a trace are dealt to the ranks of MPI, who read them; rank 0 puts together and
 * prints what `ranktrace report` would. It is made of the same objects, and of MPI, which the command itself knows nothing of.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/commands/commands.h"
#include "analysis/report/reading.h"
#include "analysis/util/alloc.h"
#include "analysis/util/progress.h"

enum tag { TAG_WORK,
	   TAG_RECORD,
	   TAG_END };

static int own, ranks, said = -1; /* said: what stands on stderr while a process is read */

/* ---- what is dealt: the choice, and the files of each process with its number ---- */

struct dealt {
	uint64_t number, file_id;
	size_t count;
	char **paths;
};

static void parcel_choice(struct parcel *p, struct choice *c)
{
	const uint8_t *at;

	parcel_expect_text(p, RANKTRACE_VERSION);
	parcel_expect(p, sizeof(*c));
	at = parcel_bytes(p, c, sizeof(*c));
	if (p->opened && at)
		memcpy(c, at, sizeof(*c));
	parcel_text_or_none(p, (char **)(uintptr_t)&c->roles);
}

static void parcel_dealt(struct parcel *p, struct dealt *d)
{
	PARCEL(p, d->number);
	PARCEL(p, d->file_id);
	for (size_t i = 0; parcel_has(p, i, &d->paths, &d->count, sizeof(*d->paths)); i++)
		parcel_text(p, &d->paths[i]);
}

static struct dealt dealt_of(const struct process *p, size_t number)
{
	struct dealt d = { .number = number, .file_id = p->file_id, .count = p->file_count };

	d.paths = alloc_zero(d.count, sizeof(*d.paths));
	for (size_t i = 0; i < d.count; i++)
		d.paths[i] = p->files[i].path;
	return d;
}

/* ---- who reads ---- */

/* What a process of ours says goes along with its record. */
static void make_record(struct process *p, size_t number, const struct choice *choice, struct parcel *record)
{
	int kept = dup(STDERR_FILENO);

	if (kept >= 0 && said >= 0)
		dup2(said, STDERR_FILENO);
	reading_make(p, number, choice, kept >= 0 ? said : -1, record);
	if (kept >= 0 && said >= 0)
		dup2(kept, STDERR_FILENO);
	close(kept);
}

static void fail(const char *path)
{
	char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
	int length;

	MPI_Get_processor_name(host, &length);
	fprintf(stderr, "ranktrace-mpi: rank %d on %s cannot read %s as rank 0 does: give a folder that all nodes see\n", own, host, path);
	MPI_Abort(MPI_COMM_WORLD, EXIT_LOST);
}

static void read_dealt(const struct dealt *d, const struct choice *choice)
{
	struct parcel record = { 0 };
	struct trace t;

	trace_open(&t, d->paths, (int)d->count);
	if (t.count != 1 || t.processes[0].file_id != d->file_id || t.processes[0].file_count != d->count)
		fail(d->paths[0]);
	make_record(&t.processes[0], d->number, choice, &record);
	MPI_Send(record.bytes, (int)record.used, MPI_BYTE, 0, TAG_RECORD, MPI_COMM_WORLD);
	free(record.bytes);
	trace_close(&t);
}

static void read_all(struct parcel p)
{
	struct choice choice = CHOICE_ALL;
	uint64_t count = 0;

	parcel_choice(&p, &choice);
	PARCEL(&p, count);
	if (p.broken)
		fail("what is dealt");
	for (; count && !p.broken; count--) {
		struct dealt d = { 0 };

		parcel_dealt(&p, &d);
		if (!p.broken)
			read_dealt(&d, &choice);
		for (size_t i = 0; i < d.count; i++)
			free(d.paths[i]);
		free(d.paths);
	}
	free((char *)(uintptr_t)choice.roles);
}

/* The next message, for free(). */
static uint8_t *receive(int from, MPI_Status *status, int *size)
{
	uint8_t *bytes;

	MPI_Probe(from, MPI_ANY_TAG, MPI_COMM_WORLD, status);
	MPI_Get_count(status, MPI_BYTE, size);
	bytes = alloc_zero((size_t)*size, 1);
	MPI_Recv(bytes, *size, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, status);
	return bytes;
}

static void serve(void)
{
	MPI_Status status;
	int size;

	do {
		uint8_t *bytes = receive(0, &status, &size);

		if (status.MPI_TAG == TAG_WORK)
			read_all(PARCEL_OF(bytes, (size_t)size));
		free(bytes);
	} while (status.MPI_TAG != TAG_END);
}

/* ---- rank 0 ---- */

static bool is_of(size_t i, int rank)
{
	return i % (size_t)ranks == (size_t)rank;
}

static void deal_to(const struct reading *r, int rank)
{
	struct choice choice = *r->choice;
	struct parcel p = { 0 };
	uint64_t count = 0;

	for (size_t i = 0; i < r->count; i++)
		count += is_of(i, rank);
	parcel_choice(&p, &choice);
	PARCEL(&p, count);
	for (size_t i = 0; i < r->count; i++) {
		struct dealt d;

		if (!is_of(i, rank))
			continue;
		d = dealt_of(&r->trace->processes[r->wanted[i]], r->wanted[i]);
		parcel_dealt(&p, &d);
		free(d.paths);
	}
	MPI_Send(p.bytes, (int)p.used, MPI_BYTE, rank, TAG_WORK, MPI_COMM_WORLD);
	free(p.bytes);
}

static void take_next(struct reading *r)
{
	MPI_Status status;
	int size;
	uint8_t *record = receive(MPI_ANY_SOURCE, &status, &size);

	reading_take(r, record, (size_t)size);
	free(record);
	progress("report", r->taken, r->count);
}

static void take_those_there(struct reading *r)
{
	int there;

	for (;;) {
		MPI_Iprobe(MPI_ANY_SOURCE, TAG_RECORD, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
		if (!there)
			return;
		take_next(r);
	}
}

static void deal(struct reading *r)
{
	for (int rank = 1; rank < ranks; rank++)
		deal_to(r, rank);
	for (size_t i = 0; i < r->count; i++) {
		struct parcel record = { 0 };

		if (!is_of(i, 0))
			continue;
		make_record(&r->trace->processes[r->wanted[i]], r->wanted[i], r->choice, &record);
		reading_take(r, record.bytes, record.used);
		free(record.bytes);
		take_those_there(r);
	}
	while (r->taken < r->count)
		take_next(r);
}

static int show(int argc, char **argv)
{
	int rc;

	reading_by = deal;
	rc = cmd_report(argc - 1, argv + 1);
	for (int rank = 1; rank < ranks; rank++)
		MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_END, MPI_COMM_WORLD);
	return rc;
}

static int usage(FILE *to)
{
	fputs("Usage: mpirun [OPTION]... ranktrace-mpi report [OPTION]... PATH...\n"
	      "Prints what `ranktrace report` does. The processes of the trace are dealt to the ranks of MPI: each reads\n"
	      "its share, in a folder that all of them see. Options are those of `ranktrace report`; --jobs has no meaning.\n",
	      to);
	return to == stdout ? 0 : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	int rc = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &own);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	said = memfd_create("said", MFD_CLOEXEC);
	if (!strcmp(word, "report") && own)
		serve();
	else if (!strcmp(word, "report"))
		rc = show(argc, argv);
	else if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		rc = own ? 0 : usage(stdout);
	else if (!strcmp(word, "--version"))
		rc = own ? 0 : printf("ranktrace-mpi %s\n", RANKTRACE_VERSION) < 0;
	else
		rc = own ? 0 : usage(stderr);
	MPI_Finalize();
	return rc;
}
