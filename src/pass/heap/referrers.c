/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * referrers: which objects refer to each object: the lists of heap_out, turned
 * round by a counting sort.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_objects.h"
#include "heap.h"

#define TICK 65536u
#define TOGETHER 64u		/* references whose memory is fetched at the same time */

struct reference {
	uint32_t	from, to;
};

struct referrers {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	struct heap	 h;
	ARRAY(uint32_t)	next;		/* by object: where its next referrer goes */
	ARRAY(uint32_t)	source;
	uint64_t	 edges;
	uint8_t		*data, *len;	/* the columns */
	uint64_t	*block;
};

/*
 * Calls a function for all references, by ascending source, some at a time; always inlined, so that the call
 * is free. Their targets are anywhere in memory: the places of several are fetched at the same time.
 */
static inline __attribute__((always_inline)) bool
referrers_each(struct referrers *r, const char *label, void (*see)(struct referrers *,
    const struct reference *, unsigned n))
{
	const struct heap_lists *out = &r->h.out;
	const uint32_t *next = r->next.at;
	struct reference refs[TOGETHER];
	uint64_t i, at = 0;
	struct heap_walk w;
	unsigned n = 0;
	uint32_t to;

	heap_lists_all(out);
	work_start(r->work, label, r->h.objects);
	for (i = 0; i < r->h.objects; i++) {
		if (!work_each(r->work, i, TICK, r->err))
			return false;
		if (out->len[i] == 0)
			continue;
		heap_list(out, i, at, &w);
		at = (uint64_t)(w.end - out->data);
		while ((to = list_next(&w)) != 0) {
			if (to > r->h.objects)
				continue;
			__builtin_prefetch(&next[to - 1], 1);
			refs[n++] = (struct reference){ (uint32_t)i + 1, to };
			if (n == TOGETHER) {
				see(r, refs, n);
				n = 0;
			}
		}
	}
	see(r, refs, n);
	return true;
}

static inline void
referrers_count(struct referrers *r, const struct reference *refs, unsigned n)
{
	uint32_t *next = r->next.at;

	for (unsigned i = 0; i < n; i++)
		next[refs[i].to - 1]++;
	r->edges += n;
}

static inline void
scatter(struct referrers *r, const struct reference *refs, unsigned n)
{
	uint32_t *next = r->next.at, *source = r->source.at, place[TOGETHER];

	for (unsigned i = 0; i < n; i++) {
		place[i] = next[refs[i].to - 1]++;
		__builtin_prefetch(&source[place[i]], 1);
	}
	for (unsigned i = 0; i < n; i++)
		source[place[i]] = refs[i].from;
}

static void
referrers_begin_all(struct referrers *r)
{
	uint32_t *next = r->next.at, sum = 0, i, n;

	for (i = 0; i < r->h.objects; i++) {
		n = next[i];
		next[i] = sum;
		sum += n;
	}
	assert(sum == r->edges);
}

/* Bytes of the list of one object, behind room for its head. */
static uint8_t *
referrers_put_list(uint8_t *p, const uint32_t *source, uint64_t n, uint32_t self, uint8_t *len)
{
	uint8_t *from = p + STEP_MAX, *end = from;
	uint32_t last = self;
	uint64_t size, i;

	for (i = 0; i < n; i++) {
		end = put_step(end, last, source[i]);
		last = source[i];
	}
	size = (uint64_t)(end - from);
	assert(size <= n * 5);
	*len = size >= HEAP_LONG_LIST ? HEAP_LONG_LIST : (uint8_t)size;
	if (*len == HEAP_LONG_LIST)
		p = put_number(p, size << LIST_LENGTH);
	/* The head fits before the list, which moves to the front. */
	assert(p <= from);
	for (i = 0; i < size; i++)
		p[i] = from[i];
	return p + size;
}

static bool
referrers_write_all(struct referrers *r)
{
	const uint32_t *next = r->next.at;
	const uint32_t *source = r->source.at;
	uint64_t i, from = 0;
	uint8_t *p = r->data;

	work_start(r->work, "referrers written", r->h.objects);
	for (i = 0; i < r->h.objects; i++) {
		if (i % HEAP_BLOCK == 0)
			r->block[i / HEAP_BLOCK] = (uint64_t)(p - r->data);
		if (!work_each(r->work, i, TICK, r->err))
			return false;
		assert(from <= next[i] && next[i] <= r->edges);
		if (next[i] == from)
			continue;
		p = referrers_put_list(p, source + from, next[i] - from, (uint32_t)i + 1, &r->len[i]);
		from = next[i];
	}
	if (i % HEAP_BLOCK == 0)
		r->block[i / HEAP_BLOCK] = (uint64_t)(p - r->data);
	assert(from == r->edges && (uint64_t)(p - r->data) <= r->edges * 5 + 4 * STEP_MAX);
	store_trim(r->st, COL_IN_DATA, (uint64_t)(p - r->data));
	return true;
}

/* No difference needs more than 5 bytes; most need less than 2. */
static bool
referrers_make_columns(struct referrers *r)
{
	uint64_t n = r->h.objects;

	r->len = store_make(r->st, COL_IN_LEN, COL_U8, n, r->err);
	r->block = r->len == NULL ? NULL :
	    store_make(r->st, COL_IN_BLOCK, COL_U64, n / HEAP_BLOCK + 1, r->err);
	/* The last one, so that unused memory is returned. */
	r->data = r->block == NULL ? NULL :
	    store_make(r->st, COL_IN_DATA, COL_BYTES, r->edges * 5 + 4 * STEP_MAX, r->err);
	if (r->data != NULL && r->edges > AHEAD_MIN)
		os_ahead(r->data, r->edges * 2);
	return r->data != NULL;
}

static bool
referrers_run(struct store *st, struct work *w, struct err *err)
{
	struct referrers r = { .st = st, .work = w, .err = err };
	bool ok;

	if (!heap_open(&r.h, st, REFS_ALL, SIZES_VM, err))
		return false;
	scratch_budget_input(r.h.size, r.h.objects);
	ok = array_grow(&r.next, r.h.objects, err) &&
	    referrers_each(&r, "references counted", referrers_count);
	if (ok && r.edges > UINT32_MAX)
		ok = fail(err, E_SYSTEM, "too many references (limit: 4 294 967 295)");
	if (ok)
		referrers_begin_all(&r);
	ok = ok && referrers_make_columns(&r) &&
	    array_grow(&r.source, r.edges, err) &&
	    referrers_each(&r, "referrers", scatter) && referrers_write_all(&r);
	SCRATCH_FREE(&r.next, &r.source);
	return ok;
}

const struct pass pass_referrers = {
	.name = "referrers", .what = "referrers", .beside = 2, .run = referrers_run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_IN_LEN, COL_IN_DATA, COL_IN_BLOCK)
};
