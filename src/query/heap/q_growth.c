/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_growth: what grows over several heap dumps of one process.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/columns_names.h"
#include "icecore/columns_objects.h"
#include "icecore/growth.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "icecore/leak.h"
#include "hrows.h"

#define LEAK_SHARE 100u		/* a leak has at least one in this many bytes of the heap */

struct growth_list {
	struct item_rows	 rows;
	struct growth		*own;		/* growth of the open files; NULL: the session has one */
	struct growth_found	 found;
	struct heap		 last;		/* the last dump, which ids are of */
	bool			(*find)(const struct growth *, struct growth_found *, struct work *, struct err *);
};

static const struct growth_row *
q_growth_row_of(const struct item_rows *r)
{
	return r->item;
}

static size_t
dumps_of(const struct item_rows *r)
{
	return ((const struct growth_list *)r)->found.dumps;
}

/* ---- cells ----------------------------------------------------------------------- */

static void
q_growth_severity_cell(struct item_rows *r, uint64_t id, struct cell *c)
{
	const struct heap *last = &((struct growth_list *)r)->last;
	uint64_t live = heap_fact(last->st, FACT_LIVE_BYTES, r->rows.session->refs, r->rows.session->sizes);
	bool leak = q_growth_row_of(r)->counts && q_growth_row_of(r)->retained >= live / LEAK_SHARE &&
	    !names_bounded(last, (uint32_t)id);

	cell_word(c, severity_names[leak ? SEVERITY_LEAK : SEVERITY_NOTE]);
}

static bool
q_growth_path_text(struct item_rows *r, uint64_t id, struct buf *b)
{
	names_path(&((struct growth_list *)r)->last, (uint32_t)id, b);
	return b->n > 0;
}

static bool
q_growth_class_text_of(struct item_rows *r, UNUSED uint64_t n, struct buf *b)
{
	buf_str(b, q_growth_row_of(r)->class);
	return b->n > 0;
}

static bool
counts_text(struct item_rows *r, UNUSED uint64_t n, struct buf *b)
{
	for (size_t i = 0; i < dumps_of(r); i++)
		buf_printf(b, "%s%" PRIu32, i > 0 ? "," : "", q_growth_row_of(r)->amount[i].count);
	return true;
}

static bool
q_growth_bytes_text(struct item_rows *r, UNUSED uint64_t n, struct buf *b)
{
	for (size_t i = 0; i < dumps_of(r); i++)
		buf_printf(b, "%s%" PRIu64, i > 0 ? "," : "", q_growth_row_of(r)->amount[i].bytes);
	return true;
}

static void
added_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	c->i = (int64_t)q_growth_row_of(r)->amount[dumps_of(r) - 1].count -
	    (int64_t)q_growth_row_of(r)->amount[0].count;
}

static void
per_step_cell(struct item_rows *r, uint64_t n, struct cell *c)
{
	added_cell(r, n, c);
	c->f = (double)c->i / (double)(dumps_of(r) - 1);
}

static void
slope_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	c->f = q_growth_row_of(r)->slope;
}

static void
q_growth_share_cell(struct item_rows *r, uint64_t bytes, struct cell *c)
{
	cell_share(c, bytes, heap_whole(((struct growth_list *)r)->last.st, r->rows.session->refs,
	    r->rows.session->sizes));
}

/* Empty if another dump is open: the number would be that of another object. */
static void
q_growth_object_cell(struct item_rows *r, uint64_t id, struct cell *c)
{
	const struct heap *last = &((struct growth_list *)r)->last;
	struct name_node node;

	names_get(last, (uint32_t)id, &node);
	cell_number(c, CELL_ID, last->st == r->st ? node.object : 0);
}

static bool
q_growth_signature_text(struct item_rows *r, uint64_t id, struct buf *b)
{
	names_signature(&((struct growth_list *)r)->last, (uint32_t)id, b);
	return true;
}

static bool
q_growth_hash_text(struct item_rows *r, uint64_t id, struct buf *b)
{
	uint64_t hash;

	q_growth_signature_text(r, id, b);
	hash = sha256_head(buf_view(b));
	buf_clear(b);
	buf_printf(b, "%016" PRIx64, hash);
	return true;
}

static void
always_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	c->u = q_growth_row_of(r)->counts;
}

#define OF(member) ITEM(struct growth_row, member)

static const struct coldef path_cols[] = {
	{ "severity", CELL_TEXT, "leak; note: small, or a bounded cache", COMPUTED(q_growth_severity_cell, OF(id)) },
	{ "retained", CELL_BYTES, "heap bytes in the last dump, with everything below",
	    NUMBER_OF(OF(retained)) },
	{ "percent", CELL_PERCENT, "share of the last dump: reachable heap and native memory",
	    COMPUTED(q_growth_share_cell, OF(retained)) },
	{ "added", CELL_INT, "increase in objects from the first dump to the last",
	    COMPUTED(added_cell, OF(id)) },
	{ "counts", CELL_TEXT, "objects in each dump", TEXT(counts_text, OF(id)), .cut = CUT_MIDDLE },
	{ "path", CELL_TEXT, "field path from the owner", TEXT(q_growth_path_text, OF(id)) },
	{ "class", CELL_TEXT, "class of the objects", TEXT(q_growth_class_text_of, OF(id)),
	    .cut = CUT_FRONT },
	{ "bytes", CELL_TEXT, "heap bytes in each dump, "
	    "with everything below", MORE, TEXT(q_growth_bytes_text, OF(id)), .cut = CUT_MIDDLE },
	{ "per_step", CELL_REAL, "objects added per dump, on average", MORE,
	    COMPUTED(per_step_cell, OF(id)) },
	{ "object", CELL_ID, "object that retains the most; empty: not in this dump", MORE,
	    COMPUTED(q_growth_object_cell, OF(id)),
	    OBJECT_ID },
	{ "signature", CELL_TEXT, "root path without ids, as in findings", MORE,
	    TEXT(q_growth_signature_text, OF(id)) },
	{ "hash", CELL_TEXT, "first 64 bits of the SHA-256 of the signature", MORE,
	    TEXT(q_growth_hash_text, OF(id)) }
};

#define AMOUNTS \
	{ "counts", CELL_TEXT, "reachable instances in each dump", TEXT(counts_text, OF(id)), \
	    .cut = CUT_MIDDLE }, \
	{ "bytes", CELL_TEXT, "their shallow size in each dump", TEXT(q_growth_bytes_text, OF(id)), \
	    .cut = CUT_MIDDLE }, \
	{ "added", CELL_INT, "increase in instances from the first dump to the last", \
	    COMPUTED(added_cell, OF(id)) }, \
	{ "slope", CELL_REAL, "growth in bytes per dump, by least squares", COMPUTED(slope_cell, OF(id)) }, \
	{ "always", CELL_BOOL, "1: every dump has more instances than the one before", \
	    COMPUTED(always_cell, OF(id)) }

static const struct coldef class_growth_cols[] = {
	{ "class", CELL_TEXT, "class", TEXT(q_growth_class_text_of, OF(id)), .cut = CUT_FRONT }, AMOUNTS
}, site_growth_cols[] = {
	{ "site", CELL_TEXT, "allocation site", TEXT(q_growth_class_text_of, OF(id)), .cut = CUT_FRONT }, AMOUNTS
};

/* ---- rows ------------------------------------------------------------------------ */

/* The list stays empty: rows are those that were found. */
static const void *
found_at(struct item_rows *r, uint64_t row)
{
	return &SCRATCH(((struct growth_list *)r)->found.rows, struct growth_row)[row];
}

static bool
add_open(struct growth_list *s)
{
	const struct session *session = s->rows.rows.session;
	struct err *err = &s->rows.rows.err;

	if (!growth_new(&s->own, err))
		return false;
	for (size_t i = 0; i < session->nstores; i++)
		if (!growth_add(s->own, session->store[i], session->refs, session->sizes, s->rows.rows.work,
		    err))
			return false;
	return true;
}

/* Note the order of the files if it is not that of the command line. */
static void
note_order(struct growth_list *s, const size_t *order, size_t n)
{
	OWN_BUF b = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_printf(&b, " %zu", order[i] + 1);
	for (size_t i = 0; i < n; i++)
		if (order[i] != i) {
			rows_note_add(&s->rows.rows, "files ordered by dump time:%.*s", (int)b.n, b.s);
			break;
		}
}

static bool
growth_step(struct item_rows *r)
{
	struct growth_list *s = (struct growth_list *)r;
	const struct session *session = r->rows.session;
	const struct growth *g = session->growth;
	size_t order[GROWTH_DUMPS];

	if (s->found.dumps != 0)
		return false;
	if (g == NULL) {
		if (!add_open(s))
			return false;
		g = s->own;
	}
	growth_order(g, order);
	if (!heap_open(&s->last, session->store[session->growth != NULL ? 0 : order[growth_dumps(g) - 1]],
	    session->refs,
	    session->sizes, &r->rows.err) ||
	    !s->find(g, &s->found, r->rows.work, &r->rows.err))
		return false;
	note_order(s, order, growth_dumps(g));
	r->n = s->found.n;
	return false;
}

static bool
check_dumps(const struct session *session, const struct stage *stage, struct err *err)
{
	if (session->nstores == 0 || session->growth != NULL)
		return true;
	for (size_t i = 0; i < session->nstores; i++)
		if (!(load_shapes(session->store[i]) & SHAPE_GRAPH))
			return fail_at(err, E_USAGE, stage->at,
			    "'growth' needs heap dumps; file %zu is not one", i + 1);
	return session->nstores > 1 || fail_at(err, E_USAGE, stage->at,
	    "'growth' needs two or more heap dumps: icecore -e growth FIRST ... LAST");
}

static bool
growth_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	bool classes = stage->n > 0 && token_is(&stage->token[0], "classes");

	if (stage->n > 0 && !classes && !token_is(&stage->token[0], "sites"))
		return fail_at(err, E_USAGE, stage->token[0].at, "unknown argument of 'growth'; use classes or sites");
	((struct growth_list *)r)->find = classes ? growth_classes : stage->n > 0 ? growth_sites : growth_paths;
	if (stage->n > 0) {
		r->rows.cols = classes ? class_growth_cols : site_growth_cols;
		r->rows.ncols = NELEM(class_growth_cols);
	}
	return stage_at_most(stage, 1, err) && check_dumps(r->rows.session, stage, err);
}

static void
growth_end(struct item_rows *r)
{
	struct growth_list *s = (struct growth_list *)r;

	growth_found_free(&s->found);
	growth_free(s->own);
}

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_EACH_NAMES_KIND, COL_IN_LEN, COL_NONE };

static const struct source growth = {
	.domain = &heap_domain, .size = sizeof(struct growth_list), .args = ARGS_OWN, .begin = growth_begin,
	    .step = growth_step, .item_at = found_at,
	.end = growth_end
};

const struct command source_growth = {
	HEAP_SOURCE("growth", "fields, classes or sites that grow in every heap dump",
	    "growth classes | where slope >= 0 | head 10", path_cols, growth, needs),
	.args = ARGS({ NULL, ARG_OPTIONAL, "classes" }, { NULL, ARG_OR, "sites" }),
	.all_files = true, .one_by_one = true
};
