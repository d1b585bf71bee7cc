/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * findings_out: paths, grouping, order and columns of the findings.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_findings.h"
#include "icecore/columns_heap.h"
#include "icecore/make.h"
#include "icecore/heap_names.h"
#include "loader_holds.h"

/* ---- equal parts ----------------------------------------------------------------------------- */

static bool
findings_out_has_signature(const struct finding *finding)
{
	enum finding_kind k = finding->kind;

	return finding->owner != 0 || (finding->object != 0 && (finding_rows[k].severity == SEVERITY_LEAK ||
	    k == FINDING_STATIC_VIEW || k == FINDING_UNREACHABLE || k == FINDING_CURSOR ||
	    k == FINDING_RESOURCE || k == FINDING_BITMAP_COPIES));
}

/*
 * Merge finding one into to.  Parts of the same owner each carry the bytes of the whole owner, so these count
 * once.
 */
static void
findings_out_put_together(struct finding *to, const struct finding *one)
{
	bool whole = to->owner != 0 && to->owner == one->owner && to->content != 0 && one->content != 0;

	to->count += one->count;
	to->native = num_add(to->native, one->native);
	to->number += one->kind == FINDING_BITMAP_COPIES ? one->number : 0;
	if (whole && to->native > to->retained)
		to->native = to->retained;
	if (whole)
		return;
	to->retained = num_add(to->retained, one->retained);
	to->weight = num_add(to->weight, one->weight);
}

static bool
findings_out_group(struct finder *f, struct idmap *first, struct buf *text)
{
	const struct findings all = { .heap = &f->h };
	struct finding *list = SCRATCH(f->list, struct finding), one;
	uint64_t key;
	uint32_t to;

	work_start(f->work, "merging findings", f->n);
	f->walked = 0;
	for (uint64_t i = 0; i < f->n; i++) {
		if (!work_go(f->work, i, f->err))
			return false;
		one = list[i];
		to = 0;
		if (findings_out_has_signature(&one)) {
			if (!findings_path(f, &one))
				return false;
			buf_clear(text);
			finding_signature(&all, &one, text);
			key = hash_bytes(text->s, text->n, one.kind + FINDINGS *
			    (one.kind == FINDING_CURSOR || one.kind == FINDING_RESOURCE ? one.number : 0));
			to = idmap_get(first, key);
			if (to == 0 && !idmap_put(first, key, (uint32_t)i + 1, f->err))
				return false;
		}
		assert(to <= i);
		if (to == 0)
			continue;
		findings_out_put_together(&list[to - 1], &one);
		list[i].count = 0;
	}
	findings_sweep(f);
	return true;
}

/* ---- findings not worth showing ----------------------------------------------------------- */

/* Return whether the object is a class loader of the class, or belongs to what such a loader loaded. */
static bool
findings_out_is_of_loader(const struct finder *f, uint32_t object, uint32_t class)
{
	uint32_t loader = (uint32_t)store_cell(f->st, COL_LOADER_OBJECT, world_row(f, object));

	return heap_class(&f->h, object) == class || (loader != 0 && loader <= f->h.objects &&
	    heap_class(&f->h, loader) == class);
}

/* Sum what the class loaders of one class retain, in all findings; loaders possibly in use do not count. */
static uint64_t
loaders_retain(const struct finder *f, uint32_t class)
{
	const struct finding *list = SCRATCH(f->list, struct finding);
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < f->n; i++)
		if (list[i].kind == FINDING_LOADER && finding_severity(&list[i]) != SEVERITY_NOTE &&
		    heap_class(&f->h, list[i].object) == class)
			bytes = num_add(bytes, list[i].retained);
	return bytes;
}

/* Return whether all objects of a finding are below reported class loaders. */
static bool
is_loaded(const struct finder *f, const struct finding *finding)
{
	const struct finding *list = SCRATCH(f->list, struct finding);

	for (uint64_t i = 0; i < f->n; i++) {
		uint32_t up = finding->other != 0 ? finding->other : finding->object;

		uint32_t class = heap_class(&f->h, list[i].object);

		if (list[i].kind != FINDING_LOADER || finding_severity(&list[i]) == SEVERITY_NOTE ||
		    loaders_retain(f, class) / 10 * 11 < finding->retained)
			continue;
		for (uint32_t n = 0; n < DEEP && up != 0; n++, up = heap_above(&f->h, up))
			if (findings_out_is_of_loader(f, up, class))
				return true;
	}
	return false;
}

static bool
findings_out_is_told(struct finder *f, const struct finding *finding)
{
	/* An open cursor is normal while it is used, but not if many are held in one way. */
	if (finding->kind == FINDING_CURSOR)
		return finding->number != CURSOR_UNSURE || finding->count > FINDINGS_CURSORS;
	if (finding->kind == FINDING_RESOURCE)
		return finding->number == CURSOR_UNSURE ? finding->count > FINDINGS_RESOURCES :
		    finding->number != CURSOR_UNREACHABLE || finding->count >= FINDINGS_LOST;
	/* Objects below a leaking object or a reported class loader are reported with it. */
	return finding->owner == 0 || (finder_leaked(f, finding->object) == 0 &&
	    finder_leaked(f, finding->other) == 0 &&
	    !is_loaded(f, finding));
}

static bool
filter(struct finder *f)
{
	struct finding *list = SCRATCH(f->list, struct finding);

	for (uint64_t i = 0; i < f->n; i++) {
		if (!work_go(f->work, i, f->err))
			return false;
		if (!findings_out_is_told(f, &list[i]))
			list[i].count = 0;
	}
	findings_sweep(f);
	return true;
}

/* Puts those of one kind and signature together. */
static bool
findings_group(struct finder *f)
{
	OWN_IDMAP first = IDMAP_INIT;
	OWN_BUF text = BUF_INIT;

	return findings_out_group(f, &first, &text) && filter(f);
}

/* ---- paths and columns ---------------------------------------------------------------------- */

#define HOPS 100000u		/* hops of one path that are kept, half of them from each end */
#define HOPS_ALL (1u << 22)	/* hops of all paths; from there on each keeps only HOPS_FEW */
#define HOPS_FEW 64u

/* The path of a row: its first hop among the hops of all rows, and their number. */
struct hops_row {
	uint32_t	hop, hops;
};

/* Appends the path of a row; of one that is too long only its ends. */
static bool
keep_path(struct finder *f, struct finding *finding, struct scratch *all, uint64_t *n)
{
	size_t most = *n < HOPS_ALL ? HOPS : HOPS_FEW;
	uint32_t *to;

	if (!findings_path(f, finding))
		return false;
	if (finding->hops > most) {
		memmove(f->path.at + most / 2, finding->hop + finding->hops - most / 2,
		    most / 2 * sizeof *to);
		finding->hops = most;
	}
	assert(finding->hops <= most);
	if (!scratch_array(all, *n + finding->hops + 1, sizeof *to, f->err))
		return false;
	to = SCRATCH(*all, uint32_t) + *n;
	if (finding->hops > 0)
		memcpy(to, finding->hop, finding->hops * sizeof *to);
	*n += finding->hops;
	return true;
}

/* Add findings beyond FINDINGS_OF_KIND to the first row of their kind. */
static void
findings_out_count_rest(struct finder *f)
{
	struct finding *list = SCRATCH(f->list, struct finding);
	uint64_t sum;

	for (uint64_t i = 0; i < f->n; i++) {
		sum = f->rest[list[i].kind] + list[i].count;
		list[i].count = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
		list[i].retained = num_add(list[i].retained, f->rest_bytes[list[i].kind]);
		f->rest[list[i].kind] = f->rest_bytes[list[i].kind] = 0;
	}
}

static bool
findings_out_write_all(struct finder *f, struct scratch *path, struct scratch *rows)
{
	static const struct make_column columns[] = {
		MAKE_COLUMN(COL_EACH_FINDING_KIND, finding, kind, MAKE_NARROW),
		MAKE(COL_EACH_FINDING_OBJECT, finding, object), MAKE(COL_EACH_FINDING_CLASS, finding, class),
		MAKE(COL_EACH_FINDING_OTHER, finding, other),
		MAKE(COL_EACH_FINDING_RETAINED, finding, retained),
		MAKE(COL_EACH_FINDING_COUNT, finding, count), MAKE(COL_EACH_FINDING_NUMBER, finding, number),
		MAKE(COL_EACH_FINDING_GRADE, finding, grade), MAKE(COL_EACH_FINDING_NATIVE, finding, native),
		MAKE(COL_EACH_FINDING_OWNER, finding, owner),
		MAKE(COL_EACH_FINDING_CONTENT, finding, content),
		MAKE(COL_EACH_FINDING_ONE, finding, one), MAKE(COL_EACH_FINDING_OWNERS, finding, owners)
	};
	static const struct make_column hop_columns[] = {
		MAKE(COL_EACH_FINDING_HOP, hops_row, hop), MAKE(COL_EACH_FINDING_HOPS, hops_row, hops)
	};
	struct finding *list = SCRATCH(f->list, struct finding);
	struct hops_row row;
	uint64_t hops = 0, n = 0;

	f->walked = 0;
	for (uint64_t i = 0; i < f->n; i++) {
		row.hop = (uint32_t)hops;
		if (!work_go(f->work, i, f->err) || !keep_path(f, &list[i], path, &hops))
			return false;
		row.hops = (uint32_t)list[i].hops;
		if (!scratch_add(rows, &n, &row, sizeof row, f->err))
			return false;
	}
	assert(n == f->n);
	return heap_make_columns(f->st, &f->h, columns, NELEM(columns), MAKE_ROWS(list, f->n), f->err) &&
	    heap_make_columns(f->st, &f->h, hop_columns, NELEM(hop_columns),
	    MAKE_ROWS(SCRATCH(*rows, struct hops_row), n), f->err) &&
	    make_copy(f->st, heap_col(COL_EACH_HOP_OBJECT, f->h.refs, f->h.sizes), COL_U32, path->data, hops,
	    f->err);
}

bool
findings_out(struct finder *f)
{
	struct scratch path = SCRATCH_INIT, rows = SCRATCH_INIT;
	bool ok;

	findings_sort(f);
	ok = findings_drop_dominated(f) && findings_judge_cursors(f) && findings_routes(f) &&
	    findings_drop_behind(f) &&
	    findings_group(f);
	if (ok) {
		findings_sort(f);
		findings_out_count_rest(f);
		findings_sort(f);
		ok = findings_out_write_all(f, &path, &rows);
	}
	SCRATCH_FREE(&path, &rows, &f->path);
	idmap_free(&f->leaks);
	heap_routes_close(f->routes);
	f->routes = NULL;
	return ok;
}
