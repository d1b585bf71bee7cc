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
	ARRAY(struct size_of)	now, before;
	ARRAY(uint32_t)	first;	/* objects in the first dump */
	ARRAY(uint8_t)	grew;		/* or of enum grew */
	ARRAY(uint32_t)	above;		/* the nearest reported node above, or itself; 0: none */
	ARRAY(uint32_t)	id;		/* in the names of the last dump */
	ARRAY(uint32_t)	row;		/* from 1 */
	ARRAY(uint32_t)	cut;		/* 1 + index of a cut that it is below; 0: none */
	ARRAY(uint32_t)	bytes;		/* the row that gets its bytes, from 1 */
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
	const struct growth_sight *s = g->dump[dump].sights.at;

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
	uint8_t *grew = j->grew.at;

	memset(grew, GREW_COUNT | GREW_SELF, g->n);
	work_start(j->work, "growth", g->ndumps);
	for (size_t k = 0; k < g->ndumps; k++) {
		struct scratch swap = j->before.raw;
		const struct size_of *now, *before;

		if (!work_go(j->work, k, j->err))
			return false;
		j->before.raw = j->now.raw;
		j->now.raw = swap;
		now = j->now.at;
		before = j->before.at;
		read_dump(g, j->order[k], j->now.at);
		for (uint64_t i = 0; i < g->n; i++) {
			if (k == 0)
				j->first.at[i] = now[i].count;
			else
				grew[i] &= (uint8_t)((now[i].count > before[i].count ? GREW_COUNT : 0) |
				    (now[i].self > before[i].self ? GREW_SELF : 0));
		}
	}
	return true;
}

/* ---- paths ------------------------------------------------------------------------------------------ */

/*
 * Return whether a node grew over 25 % faster than one above it.  If both were missing at first, they grew
 * equally fast.
 */
static bool
is_faster(const struct judging *j, uint32_t node, uint32_t above)
{
	const struct size_of *now = j->now.at;
	const uint32_t *first = j->first.at;

	return (unsigned __int128)now[node].count * first[above] * 4 > (unsigned __int128)now[above].count *
	    first[node] * 5;
}

static bool
is_path(const struct growth_node *n)
{
	return n->kind != NAME_ROOT && n->kind != NAME_REST && n->kind < GROWTH_CLASS;
}

static void
choose_paths(struct judging *j)
{
	const struct growth_node *node = SCRATCH(j->g->nodes, struct growth_node);
	uint32_t *above = j->above.at, n = (uint32_t)j->g->n;
	uint8_t *grew = j->grew.at;

	for (uint32_t i = 1; i < n; i++) {
		above[i] = above[node[i].up];
		assert(node[i].up < i && above[i] < i);
		if (!is_path(&node[i]) || !(grew[i] & GREW_COUNT) ||
		    (above[i] != 0 && !is_faster(j, i, above[i])))
			continue;
		grew[i] |= GREW_TOLD;
		above[i] = i;
	}
	for (uint32_t i = n; i-- > 1; ) {
		if ((grew[i] & (GREW_SELF | GREW_COUNT | GREW_BELOW)) == GREW_SELF && is_path(&node[i]) &&
		    above[i] == 0)
			grew[i] |= GREW_TOLD;
		if (grew[i] & (GREW_TOLD | GREW_BELOW))
			grew[node[i].up] |= GREW_BELOW;
	}
}

/* The things of a cut are reported instead of all below its owner that grew no faster. */
static void
join_cuts(struct judging *j, const struct growth_dump *last)
{
	const struct growth_node *node = SCRATCH(j->g->nodes, struct growth_node);
	uint32_t *cut = j->cut.at, n = (uint32_t)j->g->n;

	for (uint64_t i = 0; i < last->ncuts; i++)
		if (j->grew.at[last->cuts.at[i].things] & GREW_COUNT)
			cut[last->cuts.at[i].owner] = (uint32_t)i + 1;
	for (uint32_t i = 1; i < n; i++) {
		uint32_t things;

		cut[i] = cut[i] != 0 ? cut[i] : cut[node[i].up];
		if (cut[i] == 0)
			continue;
		things = last->cuts.at[cut[i] - 1].things;
		if (i == things)
			j->grew.at[i] |= GREW_TOLD;
		else if (j->grew.at[i] & GREW_TOLD && !is_faster(j, i, things))
			j->grew.at[i] &= (uint8_t)~GREW_TOLD;
	}
}

/* The bytes of a row are those of its node, or of the owner of its cut. */
static void
growth_found_take_bytes(struct judging *j, const struct growth_dump *last)
{
	for (uint32_t i = 0; i < j->g->n; i++)
		j->bytes.at[i] = j->row.at[i];
	for (uint64_t i = 0; i < last->ncuts; i++) {
		const struct growth_cut *c = &last->cuts.at[i];
		uint32_t row = j->cut.at[c->things] == i + 1 ? j->row.at[c->things] : 0;

		if (row == 0)
			continue;
		j->bytes.at[c->things] = 0;
		j->bytes.at[c->owner] = row;
		SCRATCH(j->to->rows, struct growth_row)[row - 1].retained = j->now.at[c->owner].total;
	}
}

static bool
growth_found_add_rows(struct judging *j, unsigned kind)
{
	const struct growth_node *node = SCRATCH(j->g->nodes, struct growth_node);
	const struct growth_dump *last = &j->g->dump[j->order[j->g->ndumps - 1]];
	const uint8_t *grew = j->grew.at;
	uint32_t *id = j->id.at;

	assert(last->names <= last->n);
	for (uint64_t i = last->names; i-- > 0; )
		id[last->sights.at[i].node] = (uint32_t)i + 1;
	for (uint32_t i = 1; i < j->g->n; i++) {
		struct growth_row row = { .class = texts_get(&j->g->texts, node[i].class), .id = id[i],
		    .counts = grew[i] & GREW_COUNT, .retained = j->now.at[i].total };

		if (kind != 0 ? node[i].kind != kind : !(grew[i] & GREW_TOLD))
			continue;
		j->row.at[i] = (uint32_t)j->to->n + 1;
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
		const struct growth_sight *s = d->sights.at;

		for (uint64_t i = 0; i < d->n; i++, s++) {
			uint32_t count = j->row.at[s->node], bytes = j->bytes.at[s->node];
			struct growth_amount *a;

			if (count != 0) {
				a = &all[(count - 1ull) * to->dumps + k];
				a->count = growth_found_add_count(a->count, s->count);
			}
			if (bytes != 0) {
				a = &all[(bytes - 1ull) * to->dumps + k];
				a->bytes = num_add(a->bytes, s->total);
			}
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

/* kind: of the nodes that get a row; 0: paths that grew. */
static bool
growth_found_find(const struct growth *g, unsigned kind, struct growth_found *to, struct work *w,
    struct err *err)
{
	struct judging j = { .g = g, .to = to, .work = w, .err = err };
	const struct growth_dump *last;
	bool ok;

	growth_order(g, j.order);
	last = &g->dump[j.order[g->ndumps - 1]];
	ok = array_grow(&j.now, g->n, err) && array_grow(&j.before, g->n, err) &&
	    array_grow(&j.first, g->n, err) && array_grow(&j.grew, g->n, err) &&
	    array_grow(&j.above, g->n, err) && array_grow(&j.id, g->n, err) &&
	    array_grow(&j.row, g->n, err) && array_grow(&j.cut, g->n, err) && array_grow(&j.bytes, g->n, err) &&
	    compare_dumps(&j);
	if (ok && kind == 0) {
		choose_paths(&j);
		join_cuts(&j, last);
	}
	ok = ok && growth_found_add_rows(&j, kind);
	if (ok)
		growth_found_take_bytes(&j, last);
	ok = ok && add_amounts(&j);
	if (ok && to->n > 1)
		qsort(to->rows.data, to->n, sizeof(struct growth_row),
		    kind != 0 ? by_slope : growth_found_by_retained);
	SCRATCH_FREE(&j.now, &j.before, &j.first, &j.grew, &j.above, &j.id, &j.row, &j.cut, &j.bytes);
	return ok;
}

bool
growth_paths(const struct growth *g, struct growth_found *to, struct work *w, struct err *err)
{
	return growth_found_find(g, 0, to, w, err);
}

bool
growth_classes(const struct growth *g, struct growth_found *to, struct work *w, struct err *err)
{
	return growth_found_find(g, GROWTH_CLASS, to, w, err);
}

bool
growth_sites(const struct growth *g, struct growth_found *to, struct work *w, struct err *err)
{
	return growth_found_find(g, GROWTH_SITE, to, w, err);
}
