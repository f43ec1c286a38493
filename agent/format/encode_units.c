#include "agent/format/encode_units.h"
#include "agent/format/trace_file.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static struct encode_unit make_unit(uint64_t unit)
{
	struct encode_unit u = { .unit = unit && unit <= INT32_MAX ? (uint32_t)unit : 1 };
	uint64_t odd, inverse;

	u.zeros = (unsigned int)__builtin_ctz(u.unit);
	u.rest = (1ull << u.zeros) - 1;
	odd = inverse = u.unit >> u.zeros;
	/* Each round doubles the bits that are right; the first guess has three. */
	for (int i = 0; i < 5; i++)
		inverse *= 2 - odd * inverse;
	u.inverse = inverse;
	return u;
}

#define UNIT_SLOTS 256 /* so many are looked at, ... */
#define UNIT_GROUP 8   /* ... and so many together tell of a unit */

/* What most groups of slots have in common; a few may lie across a change of processor. */
struct unit_vote {
	uint64_t end, divisor, unit; /* of the slot before; of this group; of most groups */
	unsigned int slots;
	int votes;
};

static void vote(struct unit_vote *v, const struct event *ev)
{
	if (ev->duration == UINT32_MAX)
		return;
	if (v->slots++)
		v->divisor = common_divisor(v->divisor, ev->begin - v->end);
	v->divisor = common_divisor(v->divisor, ev->duration);
	v->end = ev->begin + ev->duration;
	if (v->slots % UNIT_GROUP)
		return;
	if (!v->votes)
		v->unit = v->divisor;
	v->votes += v->unit == v->divisor ? 1 : -1;
	v->divisor = 0;
}

void encode_choose_units(struct encoder *e, const struct event *slots, size_t n)
{
	struct unit_vote host = { 0 }, device = { 0 };

	for (size_t i = 0; i < n && i < UNIT_SLOTS; i++) {
		if (slots[i].hook < CTRL_FIRST)
			vote(&host, &slots[i]);
		else if (slots[i].hook == CTRL_DEVICE)
			vote(&device, &slots[i]);
	}
	e->host = make_unit(host.votes > 0 ? host.unit : 1);
	e->device = make_unit(device.votes > 0 ? device.unit : 1);
}
