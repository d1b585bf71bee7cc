/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * duplicates_find: groups items of one hash and compares them, byte for byte.
 *
 * Items of one hash are compared with the first.  Those left over several times, as in a file made for that,
 * are sorted by content instead, which takes no more than content times a logarithm.
 */
#include "config.h"

#include <string.h>

#include "icecore/make.h"
#include "duplicates.h"

#define DIGIT 10u		/* bits of a hash that are sorted by at once */
#define ROUNDS 4u
/* runs by which the prefetch of records is ahead; offsets and items are fetched earlier still */
#define RUNS 12u
#define FETCHED 4u		/* items of a run */
#define FAR 64u			/* items between two looks at the clock */

struct one {
	struct dup_bytes bytes;
	struct dup_item	 item;
};

struct find {
	struct duplicates	*d;
	enum duplicate_kind	 kind;
	struct dup_item		*item;
	/* at: where the present run begins, which is written over once it is read */
	uint64_t		 n, at;
	ARRAY(struct one)	run, rest;	/* items of one hash; those that differ from the first */
};

/* ---- sorting by hash, which keeps the order of objects ---------------------------------- */

static void
duplicates_find_sort_digit(const struct dup_item *from, struct dup_item *to, uint64_t n, unsigned shift)
{
	uint64_t place[1u << DIGIT] = { 0 }, sum = 0, k;
	uint32_t mask = (1u << DIGIT) - 1;

	for (uint64_t i = 0; i < n; i++)
		place[from[i].key >> shift & mask]++;
	for (uint64_t i = 0; i <= mask; i++) {
		k = place[i];
		place[i] = sum;
		sum += k;
	}
	assert(sum == n);
	for (uint64_t i = 0; i < n; i++)
		to[place[from[i].key >> shift & mask]++] = from[i];
}

/* Radix sort: each round moves the items to the other array, which then becomes the list. */
static bool
duplicates_find_sort_items(struct duplicates *d, struct dup_list *l)
{
	ARRAY(struct dup_item) other = ARRAY_INIT;
	struct scratch swap;

	if (!array_grow(&other, l->n + 1, d->err))
		return false;
	for (unsigned shift = DUP_HASH; shift < 32; shift += DIGIT) {
		if (!work_tick(d->work, shift)) {
			array_free(&other);
			return fail_cancel(d->err);
		}
		duplicates_find_sort_digit(l->items.at, other.at,
		    l->n, shift);
		swap = l->items.raw;
		l->items.raw = other.raw;
		other.raw = swap;
	}
	array_free(&other);
	return true;
}

static inline bool
same_hash(const struct dup_item *a, const struct dup_item *b)
{
	return a->key >> DUP_HASH == b->key >> DUP_HASH;
}

/* Drops items whose hash no other item has. */
static uint64_t
drop_single(struct dup_item *item, uint64_t n)
{
	uint64_t kept = 0;
	bool before = false, behind;

	for (uint64_t i = 0; i < n; i++) {
		behind = i + 1 < n && same_hash(&item[i], &item[i + 1]);
		if (before || behind)
			item[kept++] = item[i];
		before = behind;
	}
	return kept;
}

/* ---- comparing -------------------------------------------------------------------------- */

static int
by_content(const void *a, const void *b)
{
	const struct one *x = a, *y = b;
	int order = dup_order(&x->bytes, &y->bytes);

	return order != 0 ? order : (x->item.object > y->item.object) -
	    (x->item.object < y->item.object);
}

/* Makes a group of n equal items; a single one does not make a group. */
static bool
add_equal(struct find *f, const struct one *one, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		f->item[f->at + i] = one[i].item;
	return n < 2 || dup_add(f->d, f->kind, f->item + f->at, n);
}

static bool
sort_rest(struct find *f, struct one *one, uint64_t n)
{
	uint64_t from = 0;

	if (!dup_sort(f->d, one, n, sizeof *one, by_content))
		return false;
	for (uint64_t i = 1; i <= n; i++)
		if (i == n || !dup_equal(&one[from].bytes, &one[i].bytes)) {
			if (!add_equal(f, one + from, i - from))
				return false;
			from = i;
		}
	return true;
}

/* Each item may map 64 KiB that have left memory within microseconds: look at memory once in a few items. */
static inline bool
go_far(const struct find *f, uint64_t at)
{
	if (at % FAR != 0)
		return true;
	work_waited();
	return work_go(f->d->work, at, f->d->err);
}

static bool
duplicates_find_same(const struct find *f, const struct one *a, const struct one *b)
{
	if (f->kind == DUP_ZEROS)
		return a->bytes.type == b->bytes.type && a->bytes.n == b->bytes.n;
	return dup_equal(&a->bytes, &b->bytes);
}

/* The n items of one hash in run. */
static bool
compare_run(struct find *f, uint64_t n)
{
	struct one *run = f->run.at, *rest;
	uint64_t i, equal, left;

	if (!array_grow(&f->rest, n, f->d->err))
		return false;
	rest = f->rest.at;
	for (unsigned round = 0; n > 1; round++, n = left) {
		if (round == ROUNDS)
			return sort_rest(f, run, n);
		for (i = equal = 1, left = 0; i < n; i++)
			if (!go_far(f, i))
				return false;
			else if (duplicates_find_same(f, &run[0], &run[i]))
				run[equal++] = run[i];
			else
				rest[left++] = run[i];
		assert(equal + left == n);
		if (!add_equal(f, run, equal))
			return false;
		memcpy(run, rest, left * sizeof *rest);
	}
	return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

static inline void
fetch_offset(const struct heap *h, uint32_t object)
{
	__builtin_prefetch((const uint8_t *)h->offset->values +
	    (object - 1ull) * column_width(h->offset->type));
}

static inline void
fetch_record(const struct heap *h, uint32_t object)
{
	uint64_t at = heap_offset(h, object);

	if (at < h->size)
		__builtin_prefetch(h->data + at);
}

/* Prefetches what comparing the run of item i reads first. */
static inline void
fetch_run(const struct find *f, uint64_t i, void (*fetch)(const struct heap *, uint32_t))
{
	for (uint64_t k = i; k < f->n && k < i + FETCHED && same_hash(&f->item[k], &f->item[i]); k++)
		if ((f->item[k].key & DUP_SEEN) == 0)
			fetch(&f->d->h, f->item[k].array);
}

/*
 * Read the *n items from i on that share its hash; without seen, skip those with DUP_SEEN.  *new: items read.
 */
static bool
read_run(struct find *f, uint64_t i, bool seen, uint64_t *n, uint64_t *new)
{
	uint64_t end = i + 1, k;
	struct one *one;

	while (end < f->n && same_hash(&f->item[end], &f->item[i]))
		end++;
	if (!array_grow(&f->run, end - i, f->d->err))
		return false;
	one = f->run.at;
	for (*new = 0, k = i; k < end; k++) {
		if (!go_far(f, k))
			return false;
		if (!seen && (f->item[k].key & DUP_SEEN) != 0)
			continue;
		one[*new].item = f->item[k];
		*new += dup_bytes(f->d, f->kind, &f->item[k], &one[*new].bytes);
	}
	assert(*new <= end - i);
	*n = end - i;
	return true;
}

/*
 * An item with DUP_SEEN equals one of the other items: if those are all equal, all items are.  Otherwise
 * all items are read.
 */
static bool
find_in_run(struct find *f, uint64_t i, uint64_t *n)
{
	uint64_t new, k;
	const struct one *one;

	f->at = i;
	if (!read_run(f, i, false, n, &new))
		return false;
	one = f->run.at;
	for (k = 1; k < new && duplicates_find_same(f, &one[0], &one[k]); k++)
		if (!go_far(f, k))
			return false;
	if (new > 0 && k >= new && new < *n)
		return dup_add(f->d, f->kind, f->item + i, *n);
	return (new == *n || read_run(f, i, true, n, &new)) && compare_run(f, new);
}

/* Starts of runs, by their first objects: then compared data is mostly near the data compared before. */
static bool
order_runs(struct find *f, struct scratch *runs, uint64_t *n)
{
	uint64_t run;

	for (uint64_t i = 0; i < f->n; i++) {
		run = (uint64_t)f->item[i].object << 32 | i;
		if ((i == 0 || !same_hash(&f->item[i - 1], &f->item[i])) &&
		    !scratch_add(runs, n, &run, sizeof run, f->d->err))
			return false;
	}
	return make_sort(runs, *n, sizeof run, f->d->work, f->d->err);
}

static bool
find_in_runs(struct find *f)
{
	OWN_ARRAY(uint64_t) runs = ARRAY_INIT;
	uint64_t nruns = 0, n;
	bool ok = order_runs(f, &runs.raw, &nruns);
	const uint64_t *run = runs.at;

	for (uint64_t r = 0; ok && r < nruns; r++) {
		if (r + 3 * RUNS < nruns)
			__builtin_prefetch(&f->item[(uint32_t)run[r + 3 * RUNS]]);
		if (r + 2 * RUNS < nruns)
			fetch_run(f, (uint32_t)run[r + 2 * RUNS], fetch_offset);
		if (r + RUNS < nruns)
			fetch_run(f, (uint32_t)run[r + RUNS], fetch_record);
		ok = go_far(f, r) && find_in_run(f, (uint32_t)run[r], &n);
	}
	return ok;
}

bool
dup_find(struct duplicates *d, enum duplicate_kind kind)
{
	static const char *const label[DUP_KINDS] = { "duplicates: arrays compared",
		"duplicates: strings compared", "duplicates: empty arrays" };
	struct find f = { .d = d, .kind = kind };
	bool ok;

	work_start(d->work, label[kind], d->list[kind].n);
	ok = duplicates_find_sort_items(d, &d->list[kind]);
	f.item = d->list[kind].items.at;
	f.n = ok ? drop_single(f.item, d->list[kind].n) : 0;
	ok = ok && find_in_runs(&f);
	SCRATCH_FREE(&f.run, &f.rest);
	array_free(&d->list[kind].items);
	return ok;
}
