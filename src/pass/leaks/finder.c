/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finder: what detectors and the steps behind them share: the list of findings, its order, and their paths;
 * and the columns that they leave, read.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_findings.h"
#include "icecore/heap_names.h"
#include "findings.h"

#define MANY (4 * FINDINGS * FINDINGS_OF_KIND)	/* findings at which the small ones are taken out */
#define HOPS_WALKED (1u << 28)	/* hops of all paths, each time they are scanned; later ones have none */

/* ---- collections ------------------------------------------------------------------------ */

bool
finder_collection(struct finder *f, uint32_t object, struct collection *c)
{
	uint32_t owner;

	while (f->all_collections.object < object && collection_rows_next(&f->all_collections,
	    &f->one_collection, &owner) != 0)
		continue;
	*c = f->one_collection;
	return f->all_collections.object == object;
}

/* ---- order ------------------------------------------------------------------------------ */

enum severity
finding_severity(const struct finding *f)
{
	return f->grade > 0 && f->grade <= SEVERITIES ? (enum severity)(f->grade - 1) :
	    finding_rows[f->kind].severity;
}

static uint64_t
finder_weight_of(const struct finding *f)
{
	unsigned percent = finding_rows[f->kind].weight;

	return f->weight != 0 ? f->weight : f->retained / 100 * percent + f->retained % 100 * percent / 100;
}

/* Falling severity, then weight; then kind and object. */
static int
finder_by_weight(const void *x, const void *y)
{
	const struct finding *a = x, *b = y;

	return num_order(finding_severity(b), finding_severity(a),
	    num_order(finder_weight_of(b), finder_weight_of(a),
	    num_order(a->kind, b->kind, num_order(a->object, b->object, num_order(a->class, b->class,
	    num_order(a->other, b->other, 0))))));
}

void
findings_sort(struct finder *f)
{
	if (f->n > 1)
		qsort(f->list.data, f->n, sizeof(struct finding), finder_by_weight);
}

void
findings_sweep(struct finder *f)
{
	struct finding *list = SCRATCH(f->list, struct finding);
	uint64_t n = 0;

	for (uint64_t i = 0; i < f->n; i++)
		if (list[i].count > 0)
			list[n++] = list[i];
	f->n = n;
}

static void
finder_limit(struct finder *f)
{
	struct finding *list = SCRATCH(f->list, struct finding);
	uint64_t n = 0;
	uint32_t kept[FINDINGS] = { 0 };

	findings_sort(f);
	for (uint64_t i = 0; i < f->n; i++)
		if (kept[list[i].kind]++ < FINDINGS_OF_KIND)
			list[n++] = list[i];
		else
			f->rest[list[i].kind] += list[i].count;
	f->n = n;
}

bool
finding_add(struct finder *f, const struct finding *finding)
{
	struct finding to = *finding;

	assert(finding->kind < FINDINGS);
	assert(f->n < MANY);
	/* Detectors read columns of an index, which can be damaged; later steps count by object. */
	if (finding->object > f->h.objects)
		return fail(f->err, E_SYSTEM, "the index is damaged");
	to.hop = NULL;
	to.hops = 0;
	if (to.class == 0)
		to.class = heap_class(&f->h, to.object);
	if (to.retained == 0)
		to.retained = heap_retained(&f->h, to.object);
	if (to.count == 0)
		to.count = 1;
	if (!scratch_add(&f->list, &f->n, &to, sizeof to, f->err))
		return false;
	if (f->n >= MANY)
		finder_limit(f);
	return true;
}

uint32_t
finder_leaked(const struct finder *f, uint32_t object)
{
	for (uint32_t n = 0; n < DEEP && object != 0; n++, object = heap_above(&f->h, object))
		if (idmap_get(&f->leaks, object) != 0)
			return object;
	return 0;
}

/* ---- paths ---------------------------------------------------------------------------- */

/*
 * Return the object at the end of the path: where objects accumulate, rather than their owner.  0: no path.
 */
static uint32_t
end_of_path(const struct finder *f, const struct finding *finding)
{
	uint32_t object = finding->owner != 0 && finding->other != 0 ? finding->other : finding->object;

	return object == 0 || finding->kind == FINDING_UNREACHABLE || heap_dominator(&f->h, object) == 0 ?
	    0 : object;
}

bool
findings_routes(struct finder *f)
{
	const struct finding *list = SCRATCH(f->list, struct finding);
	OWN_ARRAY(uint32_t) objects = ARRAY_INIT;
	size_t n = 0;
	_Bool ok = array_grow(&objects, f->n + 1, f->err);

	for (uint64_t i = 0; ok && i < f->n; i++)
		if (end_of_path(f, &list[i]) != 0)
			objects.at[n++] = end_of_path(f, &list[i]);
	return ok && heap_routes_open(&f->routes, &f->h, ROUTE_BLAME, objects.at, n,
	    f->work, f->err);
}

/* Root first. */
bool
findings_path(struct finder *f, struct finding *finding)
{
	struct heap_path p;
	uint32_t object = end_of_path(f, finding), *hop;

	assert(f->routes != NULL);
	finding->hops = 0;
	if (object == 0 || f->walked > HOPS_WALKED || !heap_routes_to(f->routes, object, &p))
		return true;
	assert(p.n > 0);
	f->walked += p.n;
	if (!array_grow(&f->path, p.n, f->err))
		return false;
	hop = f->path.at;
	for (size_t i = 0; i < p.n; i++)
		hop[i] = p.object[p.n - 1 - i];
	finding->hop = hop;
	finding->hops = p.n;
	return true;
}

/* ---- as the pass left them ------------------------------------------------------------------ */

bool
findings_open(struct findings *f, const struct heap *h)
{
	const struct column *path = heap_column(h, COL_EACH_HOP_OBJECT);
	const struct column *kind = heap_column(h, COL_EACH_FINDING_KIND);

	*f = (struct findings){ .heap = h };
	if (kind == NULL || path == NULL || path->type != COL_U32)
		return false;
	f->hop_object = column_all(path);
	f->hop_rows = path->rows;
	f->n = kind->rows;
	return true;
}

static uint64_t
value(const struct findings *f, column_id family, uint64_t row)
{
	return column_get(heap_column(f->heap, family), row);
}

static uint32_t
finder_node_of(const struct findings *f, column_id family, uint64_t row)
{
	uint64_t id = value(f, family, row);

	return id <= names_count(f->heap) ? (uint32_t)id : 0;
}

/* An index can be damaged: data out of bounds reads as empty. */
void
finding_get(const struct findings *f, uint64_t row, struct finding *to)
{
	uint64_t kind = value(f, COL_EACH_FINDING_KIND, row), hop = value(f, COL_EACH_FINDING_HOP, row);
	uint64_t hops = value(f, COL_EACH_FINDING_HOPS, row);

	*to = (struct finding){
		.kind = kind < FINDINGS ? (enum finding_kind)kind : FINDING_OTHER,
		.object = (uint32_t)value(f, COL_EACH_FINDING_OBJECT, row),
		.class = (uint32_t)value(f, COL_EACH_FINDING_CLASS, row),
		.other = (uint32_t)value(f, COL_EACH_FINDING_OTHER, row),
		.count = (uint32_t)value(f, COL_EACH_FINDING_COUNT, row),
		.retained = value(f, COL_EACH_FINDING_RETAINED, row),
		.number = value(f, COL_EACH_FINDING_NUMBER, row),
		    .native = value(f, COL_EACH_FINDING_NATIVE, row),
		.grade = (uint8_t)value(f, COL_EACH_FINDING_GRADE, row),
		.owner = finder_node_of(f, COL_EACH_FINDING_OWNER, row),
		    .content = finder_node_of(f, COL_EACH_FINDING_CONTENT, row),
		.one = finder_node_of(f, COL_EACH_FINDING_ONE, row),
		.owners = (uint32_t)value(f, COL_EACH_FINDING_OWNERS, row)
	};
	if (hop > f->hop_rows || hops > f->hop_rows - hop)
		return;
	to->hop = f->hop_object + hop;
	to->hops = hops;
}
