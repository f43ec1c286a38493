#include "analysis/report/section_takers.h"

static void add_taker(struct taker_list *l, const struct section *section, void *kept)
{
	l->list[l->count++] = (struct section_taker){ section, kept, section->visitor.event, section->all_steps };
}

static void add_section(struct section_takers *t, const struct section *section, void *kept)
{
	for (unsigned int kind = 0; section->visitor.event && kind <= EV_KINDS; kind++)
		if (!section->kinds || section->kinds & KIND_BIT(kind)) {
			add_taker(&t->events[kind], section, kept);
			t->wanted |= KIND_BIT(kind);
		}
	if (section->visitor.device)
		add_taker(&t->devices, section, kept);
	if (section->visitor.piece)
		add_taker(&t->pieces, section, kept);
	if (section->visitor.lost)
		add_taker(&t->losses, section, kept);
	if (section->visitor.step)
		add_taker(&t->steps, section, kept);
}

void section_takers_begin(struct section_takers *t, const struct report *r, struct process *p, const struct selection *asked)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		const struct section *section = section_list[i];
		void *kept = r->sections[i];

		if (section->begin)
			section->begin(kept, p, asked);
		if (!section->idle || !section->idle(kept))
			add_section(t, section, kept);
	}
}

void section_takers_end(const struct report *r)
{
	for (size_t i = 0; i < SECTIONS; i++)
		if (section_list[i]->end)
			section_list[i]->end(r->sections[i]);
}

void section_takers_device(const struct section_takers *t, const struct trace_device *dev)
{
	for (size_t i = 0; i < t->devices.count; i++)
		t->devices.list[i].section->visitor.device(t->devices.list[i].kept, dev);
}

void section_takers_piece(const struct section_takers *t, const struct trace_piece *piece)
{
	for (size_t i = 0; i < t->pieces.count; i++)
		t->pieces.list[i].section->visitor.piece(t->pieces.list[i].kept, piece);
}

void section_takers_lost(const struct section_takers *t, const struct trace_lost *lost)
{
	for (size_t i = 0; i < t->losses.count; i++)
		t->losses.list[i].section->visitor.lost(t->losses.list[i].kept, lost);
}

void section_takers_step(const struct section_takers *t, uint32_t ring, uint64_t position, uint32_t epoch)
{
	for (size_t i = 0; i < t->steps.count; i++)
		t->steps.list[i].section->visitor.step(t->steps.list[i].kept, ring, position, epoch);
}
