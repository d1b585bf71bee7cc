/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * growth_found: which nodes of several dumps grew from each dump to the next one.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "growth_table.h"

enum grew { GREW_COUNT = 1, GREW_SELF = 2, GREW_TOLD = 4, GREW_BELOW = 8 };

/* A node in one dump. */
struct size_of {
	uint64_t	self, total;
	uint32_t	count;
};

/* By node. */
struct judging {
	const struct growth	*g;
	struct growth_found	*to;
	struct work		*work;
	struct err		*err;
	size_t			 order[GROWTH_DUMPS];
	struct scratch		 now, before, first;	/* struct size_of, twice; u32: objects in the first dump */
	struct scratch		 grew;		/* u8: or of enum grew */
	struct scratch		 above;		/* u32: the nearest reported node above, or itself; 0: none */
	struct scratch		 id;		/* u32: in the names of the last dump */
	struct scratch		 row;		/* u32: from 1 */
};

void
growth_found_free(struct growth_found *f)
{
	SCRATCH_FREE(&f->rows, &f->amounts);
}

static uint32_t
growth_found_add_count(uint32_t a, uint32_t b)
{
	return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}

/* Read the sizes of one dump; nodes that it lacks are 0. */
static void
read_dump(const struct growth *g, size_t dump, struct size_of *to)
{
	const struct growth_sight *s = SCRATCH(g->dump[dump].sights, struct growth_sight);

	memset(to, 0, g->n * sizeof *to);
	for (uint64_t i = 0; i < g->dump[dump].n; i++, s++) {
		to[s->node].count = growth_found_add_count(to[s->node].count, s->count);
		to[s->node].self = num_add(to[s->node].self, s->self);
		to[s->node].total = num_add(to[s->node].total, s->total);
	}
}

/* From dump to dump; afterwards now is of the last one. */
static bool
compare_dumps(struct judging *j)
{
	const struct growth *g = j->g;
	uint8_t *grew = SCRATCH(j->grew, uint8_t);

	memset(grew, GREW_COUNT | GREW_SELF, g->n);
	work_start(j->work, "growth", g->ndumps);
	for (size_t k = 0; k < g->ndumps; k++) {
		struct scratch swap = j->before;
		const struct size_of *now, *before;

		if (!work_go(j->work, k, j->err))
			return false;
		j->before = j->now;
		j->now = swap;
		now = SCRATCH(j->now, struct size_of);
		before = SCRATCH(j->before, struct size_of);
		read_dump(g, j->order[k], SCRATCH(j->now, struct size_of));
		for (uint64_t i = 0; i < g->n; i++) {
			if (k == 0)
				SCRATCH(j->first, uint32_t)[i] = now[i].count;
			else
				grew[i] &= (uint8_t)((now[i].count > before[i].count ? GREW_COUNT : 0) |
				    (now[i].self > before[i].self ? GREW_SELF : 0));
		}
	}
	return true;
}

/* ---- paths ------------------------------------------------------------------------------------------ */

/* Return whether a node grew over 25 % faster than one above it.  If both were missing at first, they grew equally fast. */
static bool
is_faster(const struct judging *j, uint32_t node, uint32_t above)
{
	const struct size_of *now = SCRATCH(j->now, struct size_of);
	const uint32_t *first = SCRATCH(j->first, uint32_t);

	return (unsigned __int128)now[node].count * first[above] * 4 > (unsigned __int128)now[above].count * first[node] * 5;
}

static bool
is_path(const struct growth_node *n)
{
	return n->kind != NAME_ROOT && n->kind != NAME_REST && n->kind != GROWTH_CLASS;
}

static void
choose_paths(struct judging *j)
{
	const struct growth_node *node = SCRATCH(j->g->nodes, struct growth_node);
	uint32_t *above = SCRATCH(j->above, uint32_t), n = (uint32_t)j->g->n;
	uint8_t *grew = SCRATCH(j->grew, uint8_t);

	for (uint32_t i = 1; i < n; i++) {
		above[i] = above[node[i].up];
		assert(node[i].up < i && above[i] < i);
		if (!is_path(&node[i]) || !(grew[i] & GREW_COUNT) || (above[i] != 0 && !is_faster(j, i, above[i])))
			continue;
		grew[i] |= GREW_TOLD;
		above[i] = i;
	}
	for (uint32_t i = n; i-- > 1; ) {
		if ((grew[i] & (GREW_SELF | GREW_COUNT | GREW_BELOW)) == GREW_SELF && is_path(&node[i]) && above[i] == 0)
			grew[i] |= GREW_TOLD;
		if (grew[i] & (GREW_TOLD | GREW_BELOW))
			grew[node[i].up] |= GREW_BELOW;
	}
}

static bool
growth_found_add_rows(struct judging *j, bool classes)
{
	const struct growth_node *node = SCRATCH(j->g->nodes, struct growth_node);
	const struct growth_dump *last = &j->g->dump[j->order[j->g->ndumps - 1]];
	const uint8_t *grew = SCRATCH(j->grew, uint8_t);
	uint32_t *id = SCRATCH(j->id, uint32_t);

	assert(last->names <= last->n);
	for (uint64_t i = last->names; i-- > 0; )
		id[SCRATCH(last->sights, struct growth_sight)[i].node] = (uint32_t)i + 1;
	for (uint32_t i = 1; i < j->g->n; i++) {
		struct growth_row row = { .class = texts_get(&j->g->texts, node[i].class), .id = id[i],
		    .counts = grew[i] & GREW_COUNT, .retained = SCRATCH(j->now, struct size_of)[i].total };

		if (classes ? node[i].kind != GROWTH_CLASS : !(grew[i] & GREW_TOLD))
			continue;
		SCRATCH(j->row, uint32_t)[i] = (uint32_t)j->to->n + 1;
		if (!scratch_add(&j->to->rows, &j->to->n, &row, sizeof row, j->err))
			return false;
	}
	return true;
}

/* ---- amounts ---------------------------------------------------------------------------------------- */

/* Return the slope, in bytes per dump, of the least-squares line through all dumps. */
static double
slope_of(const struct growth_amount *a, size_t n)
{
	double sum = 0, middle = ((double)n - 1) / 2;

	for (size_t k = 0; k < n; k++)
		sum += ((double)k - middle) * (double)a[k].bytes;
	return sum * 12 / ((double)n * ((double)n * (double)n - 1));
}

static bool
add_amounts(struct judging *j)
{
	struct growth_found *to = j->to;
	struct growth_row *row = SCRATCH(to->rows, struct growth_row);
	struct growth_amount *all;

	to->dumps = j->g->ndumps;
	if (!scratch_array(&to->amounts, to->n * to->dumps + 1, sizeof *all, j->err))
		return false;
	all = SCRATCH(to->amounts, struct growth_amount);
	for (size_t k = 0; k < to->dumps; k++) {
		const struct growth_dump *d = &j->g->dump[j->order[k]];
		const struct growth_sight *s = SCRATCH(d->sights, struct growth_sight);

		for (uint64_t i = 0; i < d->n; i++, s++) {
			uint32_t at = SCRATCH(j->row, uint32_t)[s->node];
			struct growth_amount *a = &all[(at == 0 ? 0 : at - 1ull) * to->dumps + k];

			if (at == 0)
				continue;
			a->count = growth_found_add_count(a->count, s->count);
			a->bytes = num_add(a->bytes, s->total);
		}
	}
	for (uint64_t i = 0; i < to->n; i++) {
		row[i].amount = &all[i * to->dumps];
		row[i].slope = slope_of(row[i].amount, to->dumps);
	}
	return true;
}

/* ---- order ------------------------------------------------------------------------------------------ */

static int
growth_found_by_retained(const void *x, const void *y)
{
	const struct growth_row *a = x, *b = y;

	return num_order(b->retained, a->retained, num_order(a->id, b->id, 0));
}

static int
by_slope(const void *x, const void *y)
{
	const struct growth_row *a = x, *b = y;

	return a->slope != b->slope ? (a->slope < b->slope ? 1 : -1) : str_cmp(a->class, b->class);
}

static bool
growth_found_find(const struct growth *g, bool classes, struct growth_found *to, struct work *w, struct err *err)
{
	struct judging j = { .g = g, .to = to, .work = w, .err = err };
	bool ok;

	growth_order(g, j.order);
	ok = scratch_array(&j.now, g->n, sizeof(struct size_of), err) && scratch_array(&j.before, g->n, sizeof(struct size_of), err) &&
	    scratch_array(&j.first, g->n, sizeof(uint32_t), err) && scratch_array(&j.grew, g->n, 1, err) &&
	    scratch_array(&j.above, g->n, sizeof(uint32_t), err) && scratch_array(&j.id, g->n, sizeof(uint32_t), err) &&
	    scratch_array(&j.row, g->n, sizeof(uint32_t), err) && compare_dumps(&j);
	if (ok && !classes)
		choose_paths(&j);
	ok = ok && growth_found_add_rows(&j, classes) && add_amounts(&j);
	if (ok && to->n > 1)
		qsort(to->rows.data, to->n, sizeof(struct growth_row), classes ? by_slope : growth_found_by_retained);
	SCRATCH_FREE(&j.now, &j.before, &j.first, &j.grew, &j.above, &j.id, &j.row);
	return ok;
}

bool
growth_paths(const struct growth *g, struct growth_found *to, struct work *w, struct err *err)
{
	return growth_found_find(g, false, to, w, err);
}

bool
growth_classes(const struct growth *g, struct growth_found *to, struct work *w, struct err *err)
{
	return growth_found_find(g, true, to, w, err);
}
