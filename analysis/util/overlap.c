#include "analysis/util/overlap.h"

static void set_bar(struct overlap *o, enum overlap_bar bar, bool on)
{
	if (on == o->open[bar])
		return;
	if (!on && o->at > o->since[bar])
		o->bar(o->context, bar, o->since[bar], o->at);
	o->open[bar] = on;
	o->since[bar] = o->at;
}

static void set_bars(struct overlap *o)
{
	bool computing = o->until[BAR_COMPUTING] > o->at, communication = o->until[BAR_COMMUNICATION] > o->at;

	set_bar(o, BAR_COMPUTING, computing);
	set_bar(o, BAR_COMMUNICATION, communication);
	set_bar(o, BAR_NOT_OVERLAPPED, communication && !computing);
	set_bar(o, BAR_FREE, o->free && !communication && !computing);
}

/* From one end of work to the next. */
static void go_on(struct overlap *o, uint64_t to)
{
	while (o->at < to) {
		uint64_t next = to;

		set_bars(o);
		for (enum overlap_bar bar = 0; bar < BAR_NOT_OVERLAPPED; bar++)
			if (o->until[bar] > o->at && o->until[bar] < next)
				next = o->until[bar];
		o->at = next;
	}
}

void overlap_add(struct overlap *o, enum overlap_bar what, uint64_t begin, uint64_t end)
{
	go_on(o, begin);
	if (end > o->until[what])
		o->until[what] = end;
}

void overlap_cut(struct overlap *o, uint64_t ns, bool free)
{
	go_on(o, ns);
	for (enum overlap_bar bar = 0; bar < BARS; bar++)
		set_bar(o, bar, false);
	o->free = free;
}
