/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * duplicates_out: groups of equal contents, their wasted bytes, and their columns.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_content.h"
#include "icecore/make.h"
#include "duplicates.h"

/* ---- sorting ------------------------------------------------------------------------- */

/* For qsort, which has no argument for it. */
static _Thread_local struct {
	struct work	*work;
	int		(*order)(const void *, const void *);
	uint64_t	 compared;
	bool		 cancelled;
} sorting;

static int
in_order(const void *a, const void *b)
{
	if (++sorting.compared % 1024 == 0 && !sorting.cancelled)
		sorting.cancelled = !work_tick(sorting.work, sorting.compared);
	return sorting.cancelled ? 0 : sorting.order(a, b);
}

bool
dup_sort(struct duplicates *d, void *base, uint64_t n, size_t size,
    int (*order)(const void *, const void *))
{
	sorting.work = d->work;
	sorting.order = order;
	sorting.compared = 0;
	sorting.cancelled = false;
	if (n > 1)
		qsort(base, n, size, in_order);
	return !sorting.cancelled || fail_cancel(d->err);
}

/* ---- arrays of Strings -------------------------------------------------------------- */

static int
by_long(const void *a, const void *b)
{
	return num_order(*(const uint64_t *)a, *(const uint64_t *)b, 0);
}

/* The index of an array among all arrays that several Strings share. */
static uint32_t
place(const struct duplicates *d, uint32_t array)
{
	uint64_t bits = d->shared.at[array / 64] & ((UINT64_C(1) << array % 64) - 1);

	assert(has_bit(&d->shared.raw, array));
	return d->before.at[array / 64] + heap_ones(bits);
}

bool
dup_count_sharers(struct duplicates *d)
{
	uint64_t words = d->h.objects / 64 + 1ull;
	uint32_t sum = 0;

	if (!array_grow(&d->before, words, d->err))
		return false;
	for (uint64_t i = 0; i < words; i++) {
		d->before.at[i] = sum;
		sum += heap_ones(d->shared.at[i]);
	}
	d->nsharers = sum;
	if (!array_grow(&d->sharers, sum + 1ull, d->err))
		return false;
	for (uint64_t i = 0; i < sum; i++)
		d->sharers.at[i] = 1;
	for (uint64_t i = 0; i < d->nmore; i++) {
		if (!work_each(d->work, i, DUP_TICK, d->err))
			return false;
		d->sharers.at[place(d, d->more.at[i])]++;
	}
	array_free(&d->more);
	return true;
}

static uint64_t
sharers(const struct duplicates *d, uint32_t array)
{
	return d->sharers.at[place(d, array)];
}

/*
 * Arrays shared by several Strings: each counts once, and is owned by the first of the group that uses it, if
 * no String of another text uses it and the first of all does not keep it.
 */
static bool
own_shared(struct duplicates *d, const struct dup_item *item, uint64_t n, uint8_t *owns,
    uint32_t *arrays)
{
	OWN_ARRAY(uint64_t) list = ARRAY_INIT;
	uint64_t k = 0, from = 0, *pair, one;
	bool ok = true;

	for (uint64_t i = 0; ok && i < n; i++) {
		one = (uint64_t)item[i].array << 32 | i;
		if (has_bit(&d->shared.raw, item[i].array))
			ok = array_add(&list, &k, &one, d->err);
	}
	pair = list.at;
	ok = ok && dup_sort(d, pair, k, sizeof *pair, by_long);
	for (uint64_t i = 1; ok && i <= k; i++) {
		if (i < k && pair[i] >> 32 == pair[from] >> 32)
			continue;
		*arrays += 1;
		owns[(uint32_t)pair[from]] = sharers(d, (uint32_t)(pair[from] >> 32)) == i - from;
		from = i;
	}
	return ok;
}

/* Find the Strings of a group whose array would be freed with them. */
static bool
own_arrays(struct duplicates *d, const struct dup_item *item, uint64_t n, uint8_t *owns,
    uint32_t *arrays)
{
	bool some = false;

	*arrays = 0;
	for (uint64_t i = 0; i < n; i++) {
		owns[i] = !has_bit(&d->shared.raw, item[i].array);
		*arrays += owns[i];
		some = some || !owns[i];
	}
	return !some || own_shared(d, item, n, owns, arrays);
}

/* ---- groups ------------------------------------------------------------------------------ */

/*
 * The bytes of all copies except the first.  Arrays of the same form that Strings use as a whole have the
 * same size; without records the bytes are in the Strings, whose sizes differ.
 */
static uint64_t
duplicates_out_waste_of(const struct duplicates *d, const struct dup_item *item, uint64_t n,
    const uint8_t *owns)
{
	uint64_t sum = (n - 1) * heap_shallow(&d->h, item[0].object), size[FORM_PART] = { 0 };
	enum dup_form form;

	if (d->h.form != NULL) {
		for (uint64_t i = sum = 0; i < n; i++)
			sum = num_add(sum, heap_shallow(&d->h, item[i].object));
		return sum - sum / n;
	}
	for (uint64_t i = 1; owns != NULL && i < n; i++) {
		form = dup_form(&item[i]);
		if (owns[i] == 0)
			continue;
		if (form == FORM_PART) {
			sum += heap_shallow(&d->h, item[i].array);
			continue;
		}
		if (size[form] == 0)
			size[form] = heap_shallow(&d->h, item[i].array);
		sum += size[form];
	}
	return sum;
}

bool
dup_add(struct duplicates *d, enum duplicate_kind kind, const struct dup_item *item,
    uint64_t n)
{
	struct dup_group g = { .first = d->nmembers, .object = item[0].object,
	    .copies = (uint32_t)n, .arrays = (uint32_t)n, .kind = (uint8_t)kind };
	bool strings = kind == DUP_STRINGS;
	uint8_t *owns;

	assert(n >= 2);	/* a single one does not make a group */
	if (!array_grow(&d->members, d->nmembers + n, d->err) ||
	    !array_grow(&d->owns, d->nmembers + n, d->err))
		return false;
	owns = d->owns.at + d->nmembers;
	if (strings && !own_arrays(d, item, n, owns, &g.arrays))
		return false;
	for (uint64_t i = 0; i < n; i++)
		d->members.at[d->nmembers++] = item[i].object;
	g.waste = duplicates_out_waste_of(d, item, n, strings ? owns : NULL);
	return array_add(&d->groups, &d->ngroups, &g, d->err);
}

/* ---- columns -------------------------------------------------------------------------------- */

static int
duplicates_out_by_waste(const void *a, const void *b)
{
	const struct dup_group *x = a, *y = b;

	return num_order(y->waste, x->waste, num_order(x->object, y->object, 0));
}

static bool
duplicates_out_put_groups(struct duplicates *d, struct dup_group *g)
{
	static const struct make_column columns[] = {
		MAKE(COL_EACH_DUP_STRING, dup_group, kind), MAKE(COL_EACH_DUP_OBJECT, dup_group, object),
		MAKE(COL_EACH_DUP_COPIES, dup_group, copies), MAKE(COL_EACH_DUP_ARRAYS, dup_group, arrays),
		MAKE(COL_EACH_DUP_WASTE, dup_group, waste), MAKE(COL_EACH_DUP_FIRST, dup_group, place)
	};
	uint32_t at = 0;

	for (uint64_t i = 0; i < d->ngroups; i++) {
		g[i].place = at;
		at += g[i].copies;
	}
	assert(at == d->nmembers);
	return heap_make_columns(d->st, &d->h, columns, NELEM(columns), MAKE_ROWS(g, d->ngroups), d->err);
}

/* The members of the groups, in the order of these. */
static bool
put_members(struct duplicates *d, const struct dup_group *g)
{
	uint32_t *member = heap_make(d->st, &d->h, COL_EACH_DUP_MEMBER, COL_U32, d->nmembers, d->err);
	uint8_t *owns = heap_make(d->st, &d->h, COL_EACH_DUP_OWNS, COL_U8, d->nmembers, d->err);
	uint64_t at = 0;

	if (member == NULL || owns == NULL)
		return false;
	for (uint64_t i = 0; i < d->ngroups; i++, g++)
		for (uint64_t k = g->first; k < g->first + g->copies; k++, at++) {
			member[at] = d->members.at[k];
			owns[at] = d->owns.at[k];
		}
	assert(at == d->nmembers);
	return true;
}

/* Each shared array, with the number of its Strings. */
static bool
put_shared(struct duplicates *d)
{
	uint32_t *array = heap_make(d->st, &d->h, COL_EACH_DUP_SHARED, COL_U32, d->nsharers, d->err);
	uint32_t *strings = heap_make(d->st, &d->h, COL_EACH_DUP_SHARERS, COL_U32, d->nsharers, d->err);
	uint64_t n = 0;

	if (array == NULL || strings == NULL)
		return false;
	for (uint64_t word = 0; n < d->nsharers; word++)
		for (uint64_t bits = d->shared.at[word]; bits != 0; bits &= bits - 1) {
			array[n] = (uint32_t)(64 * word + (unsigned)__builtin_ctzll(bits));
			strings[n] = d->sharers.at[n];
			n++;
		}
	assert(n == d->nsharers);
	return true;
}

bool
dup_put(struct duplicates *d)
{
	struct dup_group *g = d->groups.at;

	if (!work_go(d->work, 0, d->err))
		return false;
	return dup_sort(d, g, d->ngroups, sizeof *g, duplicates_out_by_waste) &&
	    duplicates_out_put_groups(d, g) &&
	    put_members(d, g) && put_shared(d);
}
