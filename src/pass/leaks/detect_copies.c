/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_copies: Bitmaps with equal pixels, and such that were recycled and are still held; Strings of one
 * text and arrays of one content, all together, from pass "duplicates".
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_content.h"
#include "owners.h"

#define COPIES_WASTE 65536u	/* bytes; or a hundredth of the live heap */
#define RECYCLED_MANY 10u

/* Equal bitmaps that can be reached. */
struct twins {
	uint32_t	first, copies;
	uint64_t	waste;		/* bytes of all except the first, if they have arrays of their own */
};

struct seen {
	struct bitmaps	*all;
	ARRAY(struct twins)	twins;
	uint64_t	 n;
	struct idmap	 of;		/* the lowest of the equal ones to 1 + index in twins */
	struct finding	 recycled;
};

/* Prefers an example that still has its pixels. */
static void
count_recycled(struct finder *f, struct seen *s, const struct bitmap *b)
{
	struct finding *r = &s->recycled;

	if (r->object == 0 || (b->buffer != 0 && r->number == 0))
		r->object = b->object;
	r->count++;
	r->number += b->buffer != 0;
	r->retained = num_add(r->retained, heap_retained(&f->h, b->object));
}

static bool
count_twins(struct finder *f, struct seen *s, const struct bitmap *b)
{
	struct bitmap_twins t;
	struct twins *to, new = { .first = b->object };
	uint32_t i;

	if (!bitmap_twins(s->all, b->object, &t, f->work, f->err))
		return false;
	if (t.copies < 2 || t.hash == 0)
		return true;
	i = idmap_get(&s->of, t.first);
	if (i == 0) {
		i = (uint32_t)s->n + 1;
		if (!array_add(&s->twins, &s->n, &new, f->err) ||
		    !idmap_put(&s->of, t.first, i, f->err))
			return false;
	}
	assert(i <= s->n);
	to = &s->twins.at[i - 1];
	if (to->copies++ > 0 && !t.shares)
		to->waste = num_add(to->waste, b->bytes);
	return true;
}

static bool
detect_copies_look(struct finder *f, struct seen *s)
{
	uint32_t n = bitmaps_count(s->all), object;
	struct bitmap b;

	for (uint32_t i = 0; i < n; i++) {
		if (!work_go(f->work, i, f->err))
			return false;
		object = bitmaps_object(s->all, i);
		if (heap_dominator(&f->h, object) == 0 || !bitmap_get(s->all, object, &b))
			continue;
		if (b.recycled)
			count_recycled(f, s, &b);
		else if (!count_twins(f, s, &b))
			return false;
	}
	return true;
}

static bool
detect_copies_add_twins(struct finder *f, const struct seen *s)
{
	uint64_t least = f->live / 100 < COPIES_WASTE ? f->live / 100 : COPIES_WASTE;
	const struct twins *t = s->twins.at;

	for (uint32_t i = 0; i < s->n; i++) {
		if (t[i].waste == 0 || t[i].waste < least)
			continue;
		if (!finding_add(f, &(struct finding){ .kind = FINDING_BITMAP_COPIES,
		    .object = t[i].first, .count = t[i].copies, .retained = t[i].waste,
		    .number = 1 }))
			return false;
	}
	return true;
}

static bool
detect_copies_end(struct finder *f, void *state)
{
	struct seen *s = state;

	s->recycled.kind = FINDING_BITMAP_RECYCLED;
	if (!bitmaps_open(&s->all, &f->h, f->work, f->err) || !detect_copies_look(f, s) ||
	    !detect_copies_add_twins(f, s))
		return false;
	return (s->recycled.count < RECYCLED_MANY && s->recycled.number == 0) ||
	    finding_add(f, &s->recycled);
}

static void
detect_copies_release(void *state)
{
	struct seen *s = state;

	bitmaps_close(s->all);
	array_free(&s->twins);
	idmap_free(&s->of);
}

const struct detector detector_bitmaps = {
	.state_size = sizeof(struct seen), .end = detect_copies_end, .release = detect_copies_release
};

/* ---- Strings and arrays ------------------------------------------------------------------ */

#define TICK 65536u
#define SHARE 20u		/* share of the live bytes that is worth a finding: one part in this many */
#define FLOOR (1u << 20)	/* bytes: less is not */

struct dups {
	const struct column	*string, *object, *copies, *waste, *first, *member;
	ARRAY(uint64_t)	told;		/* findings about an accumulation, one of each */
	uint64_t	 ntold;
};

static bool
has_members(const struct dups *d, uint64_t row)
{
	uint64_t first = column_get(d->first, row);

	return first <= column_rows(d->member) && column_get(d->copies,
	    row) <= column_rows(d->member) - first;
}

/*
 * The first of the copies held as most of them are: the first of all by address may be a buffer that every
 * program has.
 */
static bool
find_typical(struct finder *f, const struct dups *d, uint64_t row, uint32_t *object)
{
	uint64_t first = column_get(d->first, row), copies = has_members(d, row) ? column_get(d->copies,
	    row) : 0;
	struct idmap times = IDMAP_INIT;	/* by node of names */
	uint32_t most = 0, n;
	bool ok = true;

	*object = (uint32_t)column_get(d->object, row);
	for (uint64_t i = 0; ok && i < 2 * copies; i++) {
		uint32_t one = (uint32_t)column_get(d->member, first + i % copies),
		    node = names_of(&f->h, one);

		n = idmap_get(&times, node);
		if (i < copies) {
			ok = idmap_put(&times, node, n + 1, f->err);
		} else if (n > most) {
			most = n;
			*object = one;
		}
		ok = ok && (i % TICK != 0 || work_tick(f->work, row) || fail_cancel(f->err));
	}
	idmap_free(&times);
	return ok;
}

/* The rows come by falling waste, so the first is the worst. */
static bool
detect_copies_add_row(struct finder *f, const struct dups *d, uint64_t row, struct finding *to)
{
	uint64_t copies = to->count + column_get(d->copies, row);

	if (to->object == 0 && !find_typical(f, d, row, &to->object))
		return false;
	to->number++;
	to->count = copies > UINT32_MAX ? UINT32_MAX : (uint32_t)copies;
	to->retained = num_add(to->retained, column_get(d->waste, row));
	return true;
}

static bool
detect_copies_is_below(const struct owners *o, uint64_t above, uint32_t node)
{
	return above != 0 && node >= above && node - above < owners_at(o, (uint32_t)above)->size;
}

/*
 * Return whether an object is below the owner of a finding, or below its things, which may be elsewhere if
 * shared.
 */
static bool
detect_copies_is_of(const struct finder *f, const struct finding *told, uint32_t object)
{
	uint32_t node = names_of(&f->h, object);

	return detect_copies_is_below(f->owners, told->owner, node) ||
	    detect_copies_is_below(f->owners, told->number, node);
}

/* Arrays of zeros in one accumulation are its content, such as buffers, and not copies of each other. */
static bool
detect_copies_is_told(const struct finder *f, const struct dups *d, uint64_t row)
{
	const struct finding *list = SCRATCH(f->list, struct finding);
	uint64_t first = column_get(d->first, row), copies = column_get(d->copies, row);
	bool all = false;

	if (column_get(d->string, row) != COPIES_ZEROS || !has_members(d, row))
		return false;
	for (uint64_t i = 0; i < d->ntold && !all; i++) {
		all = copies > 0;
		for (uint64_t k = 0; k < copies && all; k++)
			all = detect_copies_is_of(f, &list[d->told.at[i]],
			    (uint32_t)column_get(d->member, first + k));
	}
	return all;
}

/* Findings about one object each may be as many as rows: these are not asked for each row. */
static bool
find_told(struct finder *f, struct dups *d)
{
	const struct finding *list = SCRATCH(f->list, struct finding);
	struct idmap seen = IDMAP_INIT;
	bool ok = true;

	for (uint64_t i = 0; ok && i < f->n; i++) {
		uint64_t key = (uint64_t)list[i].owner << 32 | (uint32_t)list[i].number;

		if (list[i].owner != 0 && list[i].content != 0 && idmap_get(&seen, key) == 0)
			ok = idmap_put(&seen, key, 1, f->err) && array_add(&d->told, &d->ntold, &i, f->err);
	}
	idmap_free(&seen);
	return ok;
}

static bool
add_if_worth(struct finder *f, const struct finding *finding)
{
	return finding->retained < FLOOR || finding->retained < f->live / SHARE || finding_add(f, finding);
}

static bool
detect_copies_copies_end(struct finder *f, UNUSED void *state)
{
	struct dups d = { heap_column(&f->h, COL_EACH_DUP_STRING), heap_column(&f->h, COL_EACH_DUP_OBJECT),
	    heap_column(&f->h, COL_EACH_DUP_COPIES), heap_column(&f->h, COL_EACH_DUP_WASTE),
	    heap_column(&f->h, COL_EACH_DUP_FIRST), heap_column(&f->h, COL_EACH_DUP_MEMBER) };
	struct finding strings = { .kind = FINDING_STRING_COPIES };
	struct finding arrays = { .kind = FINDING_ARRAY_COPIES };
	uint64_t rows = d.object == NULL ? 0 : d.object->rows;
	bool ok = find_told(f, &d);

	for (uint64_t row = 0; ok && row < rows; row++)
		ok = work_each(f->work, row, TICK, f->err) && (detect_copies_is_told(f, &d, row) ||
		    detect_copies_add_row(f, &d, row, column_get(d.string,
		    row) == COPIES_STRINGS ? &strings : &arrays));
	array_free(&d.told);
	return ok && add_if_worth(f, &strings) && add_if_worth(f, &arrays);
}

const struct detector detector_copies = { .end = detect_copies_copies_end };
