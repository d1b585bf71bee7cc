/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * findings_drop: objects that leak only because other objects leak.
 */
#include "config.h"

#include <assert.h>

#include "findings.h"
#include "inspect.h"
#include "routes.h"

/* Activities, fragments and services are the main leaks: findings about other objects name one below. */
static bool
is_main(const struct finding *finding)
{
	return finding->kind == FINDING_ACTIVITY || finding->kind == FINDING_FRAGMENT ||
	    finding->kind == FINDING_SERVICE;
}

static bool
is_leak(const struct finding *finding)
{
	return finding->object != 0 && finding_rows[finding->kind].severity == SEVERITY_LEAK;
}

/* ---- objects dominated by a leaking object ------------------------------------------------ */

struct holders {
	struct finder	*f;
	struct scratch	 clear;		/* bits by object: no leaking object is above it */
	uint64_t	 steps;
	uint32_t	 rows[FINDINGS], last[FINDINGS];	/* by kind: that stay; 1 + the last of them */
};

static bool
is_clear(const struct holders *s, uint32_t object)
{
	return object == HEAP_ROOT || object == 0 || object > s->f->h.objects ||
	    has_bit(&s->clear, object);
}

/*
 * 1 + the finding of a leaking object that dominates this one, 0: none does.  Findings that hold more come
 * first, so all possible dominators are known.
 */
static bool
find_holder(struct holders *s, uint32_t object, uint32_t *leak)
{
	const struct heap *h = &s->f->h;

	*leak = idmap_get(&s->f->leaks, object);
	for (uint32_t up = heap_dominator(h, object); *leak == 0 && !is_clear(s, up);
	    up = heap_dominator(h, up)) {
		if (++s->steps % FINDINGS_TICK == 0 && !work_go(s->f->work, 0, s->f->err))
			return false;
		*leak = idmap_get(&s->f->leaks, up);
	}
	if (*leak != 0)
		return true;
	for (uint32_t up = heap_dominator(h, object); !is_clear(s, up); up = heap_dominator(h, up))
		set_bit(&s->clear, up);
	return true;
}

/*
 * Count a held leak with the outer one, which keeps its name: the reference to it is to blame.  It remembers
 * the first held Activity, Fragment or Service, because people know those.
 */
static void
findings_drop_take_in(struct finding *outer, const struct finding *held)
{
	outer->count += held->count;
	if (outer->other == 0)
		outer->other = is_main(held) ? held->object : held->other;
}

/*
 * Findings beyond the limit of their kind are only counted; on paths the last listed finding replaces them.
 */
static uint32_t
too_many(struct holders *s, const struct finding *finding)
{
	if (s->rows[finding->kind] < FINDINGS_OF_KIND)
		return 0;
	s->f->rest[finding->kind] += finding->count;
	s->f->rest_bytes[finding->kind] = num_add(s->f->rest_bytes[finding->kind],
	    finding->retained);
	assert(s->last[finding->kind] > 0);
	return s->last[finding->kind];
}

static bool
drop_dominated(struct holders *s)
{
	struct finding *list = SCRATCH(s->f->list, struct finding);
	uint64_t n = 0;
	uint32_t holder, row;

	for (uint64_t i = 0; i < s->f->n; i++) {
		holder = 0;
		if (is_leak(&list[i]) && !find_holder(s, list[i].object, &holder))
			return false;
		row = holder != 0 ? holder : too_many(s, &list[i]);
		if (is_leak(&list[i]) && !idmap_put(&s->f->leaks, list[i].object,
		    row != 0 ? row : (uint32_t)n + 1, s->f->err))
			return false;
		/* Findings that hold more come first. */
		assert(row <= n);
		if (holder != 0)
			findings_drop_take_in(&list[holder - 1], &list[i]);
		if (row != 0)
			continue;
		s->rows[list[i].kind]++;
		s->last[list[i].kind] = (uint32_t)n + 1;
		list[n++] = list[i];
	}
	assert(n <= s->f->n);
	s->f->n = n;
	return true;
}

bool
findings_drop_dominated(struct finder *f)
{
	struct holders s = { .f = f };
	bool ok;

	ok = scratch_array(&s.clear, f->h.objects / 64 + 1ull, sizeof(uint64_t), f->err) &&
	    drop_dominated(&s);
	scratch_free(&s.clear);
	return ok;
}

/* ---- what hangs on a leaking object by its path --------------------------------------------- */

/* Find the first other leaking object on the path of finding i: 1 + the index of its finding; 0: none. */
static bool
first_on_path(struct finder *f, uint64_t i, uint32_t *first)
{
	struct finding one = SCRATCH(f->list, struct finding)[i];

	*first = 0;
	if (!findings_path(f, &one))
		return false;
	for (size_t k = 0; k < one.hops && *first == 0; k++) {
		*first = idmap_get(&f->leaks, one.hop[k]);
		/* Leaks are in front of all that were dropped since they were numbered. */
		assert(*first == 0 || (*first <= f->n &&
		    is_leak(&SCRATCH(f->list, struct finding)[*first - 1])));
		if (*first == i + 1)
			*first = 0;
	}
	return true;
}

/* Follow into[] to the finding that remains, at most 8 steps. */
static uint32_t
findings_drop_end_of(const uint32_t *into, uint32_t i)
{
	for (unsigned hops = 0; hops < 8 && into[i] != i; hops++)
		i = into[i];
	return i;
}

/*
 * Choose into[i], the finding that takes in finding i (i itself if it stays).  first[i]: 1 + index of a
 * finding, or 0.
 */
static void
findings_drop_choose(uint32_t n, const uint32_t *first, uint32_t *into)
{
	for (uint32_t i = 0; i < n; i++)
		into[i] = i;
	for (uint32_t i = 0; i < n; i++) {
		assert(first[i] <= n && first[i] != i + 1);
		if (first[i] != 0 && findings_drop_end_of(into, first[i] - 1) != i)
			into[i] = first[i] - 1;
	}
}

static bool
findings_drop_drop_behind(struct finder *f, uint32_t *first, uint32_t *into)
{
	struct finding *list = SCRATCH(f->list, struct finding);

	f->walked = 0;
	for (uint64_t i = 0; i < f->n; i++) {
		if (!work_go(f->work, i, f->err))
			return false;
		if (!is_leak(&list[i]))
			continue;
		/* A later collection frees an object that is held weakly; people ask for watched ones. */
		if (route_is_weak(f->routes, list[i].object))
			list[i].count = inspect_watch(f->inspector, list[i].object) != NULL;
		else if (!first_on_path(f, i, &first[i]))
			return false;
	}
	assert(f->n <= UINT32_MAX);
	findings_drop_choose((uint32_t)f->n, first, into);
	for (uint64_t i = 0; i < f->n; i++)
		if (into[i] != i)
			findings_drop_take_in(&list[findings_drop_end_of(into, (uint32_t)i)], &list[i]);
	for (uint64_t i = 0; i < f->n; i++)
		if (into[i] != i)
			list[i].count = 0;
		else if (is_leak(&list[i]) && route_is_weak(f->routes, list[i].object))
			list[i].kind = FINDING_UNREACHABLE;
	findings_sweep(f);
	return true;
}

bool
findings_drop_behind(struct finder *f)
{
	OWN_ARRAY(uint32_t) both = ARRAY_INIT;

	return array_grow(&both, 2 * f->n + 1, f->err) &&
	    findings_drop_drop_behind(f, both.at, both.at + f->n);
}
