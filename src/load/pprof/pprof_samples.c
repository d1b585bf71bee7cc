/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof_samples: the second pass over the file, when all tables are complete.
 */
#include "config.h"

#include <assert.h>

#include "icecore/chunk.h"
#include "pprof.h"

#define TICK 1024u
#define FRAMES_MOST (1u << 24)	/* maximum number of frames in a stack */
/* Maximum number of frames of a location: a sample of a few bytes may have all of them. */
#define LINES_MOST 256u
#define BATCH 16u		/* samples in a batch */
#define BATCH_FRAMES CHUNK_OF(1u << 16)	/* or until the batch has this many frames */

struct together {
	struct sample	sample[BATCH];
	uint64_t	from[BATCH + 1];	/* start of its frames in p->stacks */
	size_t		n;
};

/* ---- numbers of a sample --------------------------------------------------------------- */

/* Read one number, or several from a packed field, for which there is room; false: damaged. */
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

/*
 * Append ids of locations, leaf first, and values; each takes at least one byte. *bad: the message is
 * damaged.
 */
static bool
pprof_samples_read_numbers(struct pprof *p, struct str in, uint64_t before, uint64_t *nids,
    uint64_t *nvalues, bool *bad, struct err *err)
{
	struct proto_field f;

	*nids = *nvalues = 0;
	*bad = false;
	if (!scratch_array(&p->path, in.n, sizeof(uint64_t), err) ||
	    !scratch_array(&p->values, before + in.n, sizeof(uint64_t), err))
		return false;
	while (!*bad && proto_next_whole(&in, &f, bad)) {
		if (f.number == 1)
			*bad = !add_numbers(SCRATCH(p->path, uint64_t), nids, &f);
		else if (f.number == 2)
			*bad = !add_numbers(SCRATCH(p->values, uint64_t) + before, nvalues, &f);
		else if (f.number != 3)
			unread_add_field(&p->unread, STR("Sample"), f.number);
	}
	/* A number takes at least one byte. */
	assert(*nids <= p->path.size / sizeof(uint64_t) &&
	    before + *nvalues <= p->values.size / sizeof(uint64_t));
	return true;
}

/* ---- stacks ------------------------------------------------------------------------------- */

static inline bool
push_frames(struct pprof *p, const struct pprof_location *l, uint32_t n, struct err *err)
{
	assert(n <= l->nframes);
	if (!scratch_array(&p->stacks, p->nstacks + n, sizeof(uint32_t), err))
		return false;
	for (uint32_t i = 0; i < n; i++)
		SCRATCH(p->stacks, uint32_t)[p->nstacks++] = SCRATCH(p->frames, uint32_t)[l->first + i];
	return true;
}

/*
 * Replace ids by rows. Locations are scattered over their table, so each is prefetched while others are
 * processed.
 */
static void
find_rows(const struct pprof *p, uint64_t *path, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		path[i] = pprof_row(&p->by_location, path[i]);
		if (path[i] != 0)
			__builtin_prefetch(&SCRATCH(p->locations, struct pprof_location)[path[i] - 1]);
	}
}

/*
 * Add frames from the root on. A frame in drop_frames ends the stack, unless only such frames would remain;
 * so does a location with too many lines.
 */
static bool
find_frames(struct pprof *p, uint64_t n, struct err *err)
{
	const uint64_t *path = SCRATCH(p->path, uint64_t);
	struct pprof_location *l;
	bool others = false, end = false, cut = false;
	uint64_t depth = 0;
	uint32_t keep;

	find_rows(p, SCRATCH(p->path, uint64_t), n);
	for (; n > 0 && !end && !cut && depth < FRAMES_MOST; n--) {
		if (path[n - 1] == 0) {
			p->bad_locations++;
			continue;
		}
		l = &SCRATCH(p->locations, struct pprof_location)[path[n - 1] - 1];
		if (l->nframes == 0 && !pprof_read_location(p, l, err))
			return false;
		end = l->keep < l->nframes && others;
		others = others || l->keep == l->nframes;
		keep = l->keep == 0 && !end ? l->nframes : l->keep;
		cut = keep > LINES_MOST;
		keep = cut ? LINES_MOST : keep;
		if (!push_frames(p, l, keep, err))
			return false;
		depth += keep;
	}
	p->dropped += end;
	p->too_deep += cut || (n > 0 && !end);
	return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t
size_of_value(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Negative values are the base profile of -diff_base, or decreases with -base; the difference is the same. */
static bool
add_value(struct pprof *p, const struct pprof_type *t, int64_t value, struct sample s,
    struct err *err)
{
	uint64_t size = size_of_value(value);

	assert(t->factor > 0);
	if (value == 0)
		return true;
	p->s.differs |= value < 0;
	size = size > WEIGHT_MOST / t->factor ? WEIGHT_MOST : size * t->factor;
	*(value < 0 ? &s.before : &s.weight) = size;
	s.event = t->event;
	return samples_add(&p->s, &s, err);
}

/* Read a sample; a damaged one is dropped. */
static bool
read_sample(struct pprof *p, struct together *b, struct str in, struct err *err)
{
	struct sample *s = &b->sample[b->n];
	uint64_t nids, nvalues;
	bool bad;

	assert(b->n < BATCH);
	*s = (struct sample){ .count = 1, .offset = (uint64_t)(in.s - p->source.s) };
	if (!pprof_samples_read_numbers(p, in, b->n * p->ntypes, &nids, &nvalues, &bad, err))
		return false;
	if (bad || nvalues != p->ntypes) {
		p->bad_messages += bad;
		p->bad_values += !bad;
		return true;
	}
	b->from[b->n] = p->nstacks;
	if (!pprof_labels(p, in, s, err) || !find_frames(p, nids, err))
		return false;
	b->from[++b->n] = p->nstacks;
	return true;
}

/* Make the stacks of the samples in the batch, and add the samples. */
static bool
add_batch(struct pprof *p, struct together *b, struct err *err)
{
	const int64_t *value = SCRATCH(p->values, int64_t);
	const uint32_t *frames = SCRATCH(p->stacks, uint32_t);
	struct sample_path path[BATCH];

	/* Before the first frame there is no array. */
	for (size_t i = 0; i < b->n; i++)
		path[i] = (struct sample_path){ frames == NULL ? NULL : frames + b->from[i],
		    b->from[i + 1] - b->from[i], 0 };
	if (!samples_stacks(&p->s, path, b->n, err))
		return false;
	for (size_t i = 0; i < b->n; i++) {
		b->sample[i].stack = path[i].stack;
		if (p->counted > 0 && value[p->counted - 1] != 0)
			b->sample[i].count = size_of_value(value[p->counted - 1]);
		for (uint64_t k = 0; k < p->ntypes; k++)
			if (!add_value(p, &SCRATCH(p->types, struct pprof_type)[k], *value++,
			    b->sample[i], err))
				return false;
	}
	b->n = 0;
	p->nstacks = 0;
	return true;
}

/* A sample without frames ends a batch: its placeholder frame must be made before frames of later samples. */
static bool
is_full(const struct pprof *p, const struct together *b)
{
	return b->n == BATCH || p->nstacks >= BATCH_FRAMES ||
	    (b->n > 0 && b->from[b->n] == b->from[b->n - 1]);
}

bool
pprof_read_samples(struct pprof *p, struct err *err)
{
	struct str rest = p->whole;
	struct together b = { .n = 0 };
	struct proto_field f;

	work_start_bytes(p->s.work, "pprof samples", p->whole.n);
	for (uint64_t n = 0; proto_next(&rest, &f); ) {
		if (f.number != 2 || f.wire != PROTO_BYTES)
			continue;
		if (n++ % TICK == 0 && !work_go(p->s.work, p->whole.n - rest.n, err))
			return false;
		if (!read_sample(p, &b, f.in, err) || (is_full(p, &b) &&
		    !add_batch(p, &b, err)))
			return false;
	}
	assert(rest.n == 0);
	return add_batch(p, &b, err);
}
