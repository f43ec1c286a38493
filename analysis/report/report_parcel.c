#include "analysis/report/report_parcel.h"

#include "analysis/report/kernel_rows.h"
#include "analysis/report/section.h"
#include "analysis/report/stage_rows.h"

static void parcel_process(struct parcel *p, struct report *r)
{
	bool *const truths[] = { &r->has_rank, &r->chosen, &r->clean_end, &r->recovered, &r->unreadable, &r->lost, &r->left };
	uint64_t *const numbers[] = { &r->pid, &r->files, &r->bytes, &r->called, &r->kept, &r->dropped, &r->unselected,
				      &r->lost_slots, &r->unplaced, &r->nameless, &r->stepless, &r->crowded };

	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++)
		parcel_truth(p, truths[i]);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		parcel_u64(p, numbers[i]);
	PARCEL(p, r->rank);
	PARCEL(p, r->in_flight);
	PARCEL_U64S(p, r->loss);
	key_values_parcel(p, &r->facts);
}

/* Those that were not asked for are behind the others. */
static void parcel_steps(struct parcel *p, struct report *r)
{
	size_t all = r->steps_read > r->step_count ? r->steps_read : r->step_count;

	for (size_t i = 0; parcel_has(p, i, &r->steps, &all, sizeof(*r->steps)); i++)
		step_row_parcel(p, &r->steps[i]);
	PARCEL(p, r->step_count);
	PARCEL(p, r->steps_read);
	p->broken |= r->step_count > all || r->steps_read > all;
	for (size_t i = 0; parcel_has(p, i, &r->stages, &r->stage_count, sizeof(*r->stages)); i++) {
		step_row_parcel(p, &r->stages[i].row);
		parcel_text(p, &r->stages[i].role);
		PARCEL(p, r->stages[i].occurrence);
	}
}

static void parcel_kernels(struct parcel *p, struct report *r)
{
	struct kernel_list list = { r->kernel_count, r->kernels };

	kernel_list_parcel(p, &list);
	r->kernel_count = list.count;
	r->kernels = list.rows;
}

static void parcel_report(struct parcel *p, struct report *r)
{
	parcel_expect(p, REPORT_PARCEL);
	parcel_expect_text(p, RANKTRACE_VERSION);
	parcel_process(p, r);
	parcel_steps(p, r);
	parcel_kernels(p, r);
	sections_parcel(p, r);
}

void report_pack(struct parcel *p, struct report *r)
{
	*p = (struct parcel){ 0 };
	parcel_report(p, r);
}

bool report_unpack(struct report *r, const uint8_t *bytes, size_t size)
{
	struct parcel p = PARCEL_OF(bytes, size);

	sections_make(r);
	parcel_report(&p, r);
	if (!p.broken && p.used == p.size)
		return true;
	report_free(r);
	*r = (struct report){ 0 };
	return false;
}
