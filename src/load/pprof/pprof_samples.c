/*
 * pprof_samples: the second walk over the file, when all tables are known.
 */
#include "config.h"

#include <assert.h>

#include "pprof.h"

#define TICK 1024u
#define FRAMES_MOST (1u << 24)	/* of a stack */

/* ---- numbers of a sample --------------------------------------------------------------- */

/* One number, or many in a packed field, for which there is room; false: damaged. */
static bool
add_numbers(uint64_t *to, uint64_t *n, const struct proto_field *f)
{
	struct str in = f->in;

	if (f->wire == PROTO_VARINT)
		to[(*n)++] = f->value;
	while (f->wire == PROTO_BYTES && in.n > 0)
		if (!proto_varint(&in, &to[(*n)++]))
			return false;
	return true;
}

/* Ids of locations, the leaf first, and values; each takes a byte at least.  *bad: the message is damaged. */
static bool
read_numbers(struct pprof *p, struct str in, uint64_t *nids, uint64_t *nvalues, bool *bad, struct err *err)
{
	struct proto_field f;

	*nids = *nvalues = 0;
	*bad = false;
	if (!scratch_array(&p->path, in.n, sizeof(uint64_t), err) || !scratch_array(&p->values, in.n, sizeof(uint64_t), err))
		return false;
	while (!*bad && proto_next_whole(&in, &f, bad)) {
		if (f.number == 1)
			*bad = !add_numbers(SCRATCH(p->path, uint64_t), nids, &f);
		else if (f.number == 2)
			*bad = !add_numbers(SCRATCH(p->values, uint64_t), nvalues, &f);
	}
	return true;
}

/* ---- stacks ------------------------------------------------------------------------------- */

static inline bool
push_frames(struct pprof *p, const struct pprof_location *l, uint32_t n, uint32_t *stack, struct err *err)
{
	for (uint32_t i = 0; i < n; i++) {
		*stack = samples_stack(&p->s, *stack, SCRATCH(p->frames, uint32_t)[l->first + i], err);
		if (*stack == 0)
			return false;
	}
	return true;
}

/*
 * From the root on.  What drop_frames names ends the stack, but for what it names before all others: else nothing would be
 * left.
 */
static bool
find_stack(struct pprof *p, uint64_t n, uint32_t *stack, struct err *err)
{
	struct pprof_location *l;
	bool others = false, end = false;
	uint64_t depth = 0;
	uint32_t row, keep;

	*stack = 0;
	for (; n > 0 && !end && depth < FRAMES_MOST; n--) {
		row = pprof_row(&p->by_location, SCRATCH(p->path, uint64_t)[n - 1]);
		if (row == 0) {
			p->bad_locations++;
			continue;
		}
		l = &SCRATCH(p->locations, struct pprof_location)[row - 1];
		if (l->nframes == 0 && !pprof_read_location(p, l, err))
			return false;
		end = l->keep < l->nframes && others;
		others = others || l->keep == l->nframes;
		keep = l->keep == 0 && !end ? l->nframes : l->keep;
		if (!push_frames(p, l, keep, stack, err))
			return false;
		depth += keep;
	}
	p->dropped += end;
	p->too_deep += n > 0 && !end;
	return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Of samples before, which -diff_base marks, the sign is turned. */
static bool
add_value(struct pprof *p, const struct pprof_type *t, int64_t value, struct sample s, bool before, struct err *err)
{
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	if (value == 0)
		return true;
	if (before != (value < 0)) {
		p->negative++;
		return true;
	}
	size = size > WEIGHT_MOST / t->factor ? WEIGHT_MOST : size * t->factor;
	*(before ? &s.before : &s.weight) = size;
	s.event = t->event;
	return samples_add(&p->s, &s, err);
}

static bool
read_sample(struct pprof *p, struct str in, struct err *err)
{
	struct sample s = { .offset = (uint64_t)(in.s - p->source.s) };
	uint64_t nids, nvalues;
	bool bad, before;

	if (!read_numbers(p, in, &nids, &nvalues, &bad, err))
		return false;
	if (bad || nvalues != p->ntypes) {
		p->bad_messages += bad;
		p->bad_values += !bad;
		return true;
	}
	if (!pprof_labels(p, in, &s.thread, &before, err) || !find_stack(p, nids, &s.stack, err))
		return false;
	p->s.differs = p->s.differs || before;
	for (uint64_t i = 0; i < nvalues; i++)
		if (!add_value(p, &SCRATCH(p->types, struct pprof_type)[i], (int64_t)SCRATCH(p->values, uint64_t)[i], s, before, err))
			return false;
	return true;
}

bool
pprof_read_samples(struct pprof *p, struct err *err)
{
	struct str rest = p->whole;
	struct proto_field f;

	work_start_bytes(p->s.work, "pprof samples", p->whole.n);
	for (uint64_t n = 0; proto_next(&rest, &f); ) {
		if (f.number != 2 || f.wire != PROTO_BYTES)
			continue;
		if (n++ % TICK == 0 && !work_go(p->s.work, p->whole.n - rest.n, err))
			return false;
		if (!read_sample(p, f.in, err))
			return false;
	}
	assert(rest.n == 0);
	return true;
}
