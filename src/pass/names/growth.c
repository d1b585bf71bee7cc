/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * growth: field paths and classes of several dumps as one tree of nodes, with the numbers that each dump has
 * for them.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "icecore/facts.h"
#include "icecore/growth.h"
#include "fold.h"
#include "growth_table.h"

/* ---- nodes ------------------------------------------------------------------------------------------ */

bool
growth_new(struct growth **out, struct err *err)
{
	struct growth_node root = { .kind = NAME_ROOT };
	struct growth *g = *out = mem_array(1, sizeof *g);

	if (g == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	if (scratch_add(&g->nodes, &g->n, &root, sizeof root, err))
		return true;
	growth_free(g);
	*out = NULL;
	return false;
}

void
growth_free(struct growth *g)
{
	if (g == NULL)
		return;
	texts_free(&g->texts);
	scratch_free(&g->nodes);
	idmap_free(&g->by_key);
	for (size_t i = 0; i < g->ndumps; i++)
		SCRATCH_FREE(&g->dump[i].sights, &g->dump[i].cuts);
	free(g);
}

static bool
growth_is_same(const struct growth_node *a, const struct growth_node *b)
{
	return a->up == b->up && a->label == b->label && a->holder == b->holder && a->class == b->class &&
	    a->kind == b->kind;
}

/* The node that is like new, which is made where no dump had it. */
static bool
growth_find_node(struct growth *g, struct growth_node new, uint32_t *node, struct err *err)
{
	const uint32_t words[] = { new.up, new.label, new.holder, new.class, new.kind };
	uint64_t key = hash_bytes(words, sizeof words, 0);

	for (; (*node = idmap_get(&g->by_key, key)) != 0; key++)
		if (growth_is_same(&SCRATCH(g->nodes, struct growth_node)[*node], &new))
			return true;
	assert(new.up < g->n);
	*node = (uint32_t)g->n;
	return make_add(&g->nodes, &g->n, &new, sizeof new, MAKE_MOST, "field paths", err) &&
	    idmap_put(&g->by_key, key, *node, err);
}

/* ---- dumps ------------------------------------------------------------------------------------------ */

static bool
add_sight(struct growth_dump *d, uint32_t node, uint32_t count, uint64_t self, uint64_t total,
    struct err *err)
{
	struct growth_sight s = { node, count, self, total };

	return array_add(&d->sights, &d->n, &s, err);
}

/* A cut inside of another one is part of it. */
static bool
add_cuts(struct growth_dump *d, const struct heap *h, const uint32_t *node, struct err *err)
{
	uint32_t all = names_count(h);
	struct name_node n;
	struct cut_found cut;

	for (uint32_t id = 2; id <= all; id += n.size) {
		names_get(h, id, &n);
		if (n.size >= 4 && cut_find(h, id, &cut)) {
			struct growth_cut new = { node[id], node[cut.things] };

			if (!array_add(&d->cuts, &d->ncuts, &new, err))
				return false;
		} else if (n.size >= 4)
			n.size = 1;
	}
	return true;
}

/* Parents come before their children. */
static bool
growth_add_names(struct growth *g, struct growth_dump *d, const struct heap *h, struct work *w,
    struct err *err)
{
	uint32_t all = names_count(h), *to;
	OWN_ARRAY(uint32_t) map = ARRAY_INIT;
	struct growth_node new;
	struct name_node n;
	bool ok = array_grow(&map, all + 1ull, err);

	to = map.at;
	for (uint32_t id = 1; ok && id <= all; id++) {
		if (id % FOLD_TICK == 0 && !(ok = work_go(w, id, err)))
			break;
		names_get(h, id, &n);
		assert(n.parent < id);
		new = (struct growth_node){ .up = to[n.parent], .kind = (uint8_t)n.kind };
		ok = id == 1 || (texts_number(&g->texts, n.label, &new.label, err) &&
		    texts_number(&g->texts, n.holder, &new.holder, err) &&
		    texts_number(&g->texts, n.class, &new.class, err) &&
		    growth_find_node(g, new, &to[id], err));
		ok = ok && add_sight(d, to[id], n.count, n.self, n.total, err);
	}
	return ok && add_cuts(d, h, to, err);
}

static bool
growth_count_classes(const struct heap *h, struct growth_amount *of, struct work *w, struct err *err)
{
	for (uint32_t object = 1; object <= h->objects; object++) {
		uint32_t class = heap_class(h, object);

		if (!work_each(w, object, FOLD_TICK, err))
			return false;
		if (heap_dominator(h, object) == 0 || class > h->classes)
			continue;
		of[class].count++;
		of[class].bytes = num_add(of[class].bytes, heap_shallow(h, object));
	}
	return true;
}

/* Live objects by row of site.*, below the root as well. */
static bool
add_sites(struct growth *g, struct growth_dump *d, const struct heap *h, struct work *w, struct err *err)
{
	const struct column *sites = store_column(h->st, COL_OBJECT_SITE);
	uint64_t n = column_rows(store_column(h->st, COL_SITE_FILE));
	OWN_ARRAY(struct growth_amount) amounts = ARRAY_INIT;
	OWN_BUF name = BUF_INIT;
	uint64_t site;
	uint32_t node;
	bool ok = array_grow(&amounts, n + 1, err);

	for (uint32_t object = 1; ok && n > 0 && object <= h->objects; object++) {
		ok = work_each(w, object, FOLD_TICK, err);
		site = heap_dominator(h, object) == 0 ? 0 : column_get(sites, object - 1ull);
		if (!ok || site == 0 || site > n)
			continue;
		amounts.at[site].count++;
		amounts.at[site].bytes = num_add(amounts.at[site].bytes, heap_shallow(h, object));
	}
	for (site = 1; ok && site <= n; site++) {
		struct growth_node new = { .kind = GROWTH_SITE };

		if (amounts.at[site].count == 0)
			continue;
		buf_clear(&name);
		heap_site_name(h, (uint32_t)site, &name);
		ok = texts_number(&g->texts, buf_view(&name), &new.class, err) &&
		    growth_find_node(g, new, &node, err) &&
		    add_sight(d, node, amounts.at[site].count, amounts.at[site].bytes, amounts.at[site].bytes, err);
	}
	return ok;
}

/* Below the root, of a kind that no path has. */
static bool
add_classes(struct growth *g, struct growth_dump *d, const struct heap *h, struct work *w, struct err *err)
{
	OWN_ARRAY(struct growth_amount) amounts = ARRAY_INIT;
	OWN_BUF name = BUF_INIT;
	uint32_t node;
	bool ok = array_grow(&amounts, h->classes + 1ull, err);
	struct growth_amount *of = amounts.at;

	ok = ok && growth_count_classes(h, of, w, err);
	for (uint32_t class = 1; ok && class <= h->classes; class++) {
		struct growth_node new = { .kind = GROWTH_CLASS };

		if (of[class].count == 0)
			continue;
		buf_clear(&name);
		heap_stable_name(h, class, &name);
		ok = texts_number(&g->texts, buf_view(&name), &new.class, err) &&
		    growth_find_node(g, new, &node, err) &&
		    add_sight(d, node, of[class].count, of[class].bytes, of[class].bytes, err);
	}
	return ok;
}

bool
growth_add(struct growth *g, const struct store *st, enum heap_refs refs, enum heap_sizes sizes,
    struct work *w, struct err *err)
{
	struct growth_dump *d = &g->dump[g->ndumps];
	struct heap h;

	if (g->ndumps == GROWTH_DUMPS)
		return fail(err, E_USAGE, "too many heap dumps (limit: %d)", GROWTH_DUMPS);
	if (!heap_open(&h, st, refs, sizes, err))
		return false;
	g->ndumps++;
	d->time = growth_time(st);
	work_start(w, "field paths over time", h.objects);
	if (!growth_add_names(g, d, &h, w, err))
		return false;
	d->names = d->n;
	return add_classes(g, d, &h, w, err) && add_sites(g, d, &h, w, err);
}

size_t
growth_dumps(const struct growth *g)
{
	return g->ndumps;
}

/* ---- order ------------------------------------------------------------------------------------------ */

uint64_t
growth_time(const struct store *st)
{
	return fact_value(st, FACT_HEAP_DUMPED_MS);
}

/* There are few of them. */
static void
order_times(const uint64_t *time, size_t n, size_t *order)
{
	bool timed = true;

	for (size_t i = 0; i < n; i++)
		timed = timed && time[i] != 0;
	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		for (; timed && k > 0 && time[order[k - 1]] > time[i]; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

void
growth_order(const struct growth *g, size_t order[GROWTH_DUMPS])
{
	uint64_t time[GROWTH_DUMPS];

	for (size_t i = 0; i < g->ndumps; i++)
		time[i] = g->dump[i].time;
	order_times(time, g->ndumps, order);
}

void
growth_order_stores(struct store *const *st, size_t n, size_t order[GROWTH_DUMPS])
{
	uint64_t time[GROWTH_DUMPS];

	for (size_t i = 0; i < n; i++)
		time[i] = growth_time(st[i]);
	order_times(time, n, order);
}
