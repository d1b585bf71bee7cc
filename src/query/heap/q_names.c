/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_names: what fills the heap, by field path; rows above and below such rows.
 */
#include "config.h"

#include "icecore/columns_names.h"
#include "icecore/columns_objects.h"
#include "icecore/heap_names.h"
#include "hrows.h"

#define DEPTH 1000u		/* names of a path that are shown */

struct name_list {
	struct item_rows	rows;
	struct name_node	at;		/* the one that was asked for last */
	uint32_t		id;
	struct scratch		asked, found;	/* bits by node, for stages */
};

static const void *
q_names_name_at(struct item_rows *r, uint64_t row)
{
	struct name_list *s = (struct name_list *)r;
	uint32_t id = r->rows.in != NULL ? SCRATCH(r->list, uint32_t)[row] : (uint32_t)row + 1;

	if (s->id != id)
		names_get(&HEAP(r)->view.heap, s->id = id, &s->at);
	return &s->at;
}

static void
id_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	c->u = ((struct name_list *)r)->id;
}

static bool
name_text(struct item_rows *r, UNUSED uint64_t n, struct buf *b)
{
	name_add(r->item, b);
	return true;
}

static bool
q_names_class_text_of(struct item_rows *r, UNUSED uint64_t n, struct buf *b)
{
	const struct name_node *node = r->item;

	buf_str(b, node->kind == NAME_CLASS ? STR("") : node->class);
	return b->n > 0;
}

void
names_path(const struct heap *h, uint32_t id, struct buf *b)
{
	uint32_t way[DEPTH], steps = 0;
	struct name_node node;

	while (id > 1 && steps < DEPTH) {
		way[steps++] = id;
		names_get(h, id, &node);
		id = node.parent;
	}
	while (steps > 0) {
		names_get(h, way[--steps], &node);
		/* A static names its class. */
		if (node.kind == NAME_CLASS && steps > 0)
			continue;
		if (b->n > 0 && node.kind != NAME_ELEMENT)
			buf_text(b, " > ");
		name_add(&node, b);
	}
}

static void
q_names_percent_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	const struct name_node *node = r->item;

	cell_share(c, name_weight(node), HEAP(r)->view.whole);
}

static bool
q_names_path_text(struct item_rows *r, UNUSED uint64_t n, struct buf *b)
{
	names_path(&HEAP(r)->view.heap, ((struct name_list *)r)->id, b);
	return b->n > 0;
}

#define OF(member) ITEM(struct name_node, member)

static const struct coldef name_cols[] = {
	{ "id", CELL_ID, "node number", MORE, COMPUTED(id_cell) },
	{ "parent", CELL_ID, "parent node; empty: the whole heap", MORE, SOME_OF(OF(parent)) },
	{ "depth", CELL_COUNT, "depth in the tree", NUMBER_OF(OF(depth)) },
	{ "name", CELL_TEXT, "field with its class, static, local, or [] for elements", TEXT(name_text) },
	{ "class", CELL_TEXT, "class of the objects", TEXT(q_names_class_text_of), .cut = CUT_FRONT },
	{ "count", CELL_COUNT, "number of objects", NUMBER_OF(OF(count)) },
	{ "bytes", CELL_BYTES, "heap bytes of the objects and everything below", NUMBER_OF(OF(total)) },
	{ "percent", CELL_PERCENT, "share of the reachable heap and its native memory",
	    COMPUTED(q_names_percent_cell) },
	{ "native", CELL_BYTES, "native bytes of the objects and everything below",
	    MORE, NUMBER_OF(OF(native_total)) },
	{ "shallow", CELL_BYTES, "shallow size, including tables and entries of collections",
	    MORE, NUMBER_OF(OF(self)) },
	{ "nested", CELL_COUNT, "objects below another object of this node (linked lists)",
	    MORE, NUMBER_OF(OF(folded)) },
	{ "object", CELL_ID, "object with the largest retained size",
	    MORE, SOME_OF(OF(object)), OBJECT_ID },
	{ "path", CELL_TEXT, "field path from the owner", MORE, TEXT(q_names_path_text) }
};

static bool
q_names_names_begin(struct item_rows *r, UNUSED const struct stage *stage, UNUSED struct err *err)
{
	r->n = names_count(&HEAP(r)->view.heap);
	return true;
}

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_EACH_NAMES_KIND, COL_NONE };

static const struct source names = {
	.domain = &heap_domain, .size = sizeof(struct name_list), .begin = q_names_names_begin,
	    .item_at = q_names_name_at
};

const struct command source_names = {
	HEAP_SOURCE("names", "heap by field path: dominator tree merged by field names",
	    "names | where depth = 2 | top 10 bytes", name_cols, names, needs),
	.names = { "path", "class" }
};

/* ---- above and below ----------------------------------------------------------------- */

static void
find_parent(struct name_list *s, uint32_t id)
{
	struct name_node n;

	names_get(&HEAP(&s->rows)->view.heap, id, &n);
	if (n.parent != 0)
		set_bit(&s->found, n.parent);
}

static void
q_names_find_children(struct name_list *s, uint32_t id)
{
	struct name_node n;
	uint64_t end;

	names_get(&HEAP(&s->rows)->view.heap, id, &n);
	end = (uint64_t)id + n.size;
	for (uint64_t below = id + 1ull; below < end &&
	    below <= names_count(&HEAP(&s->rows)->view.heap); below += n.size > 0 ? n.size : 1) {
		set_bit(&s->found, (uint32_t)below);
		names_get(&HEAP(&s->rows)->view.heap, (uint32_t)below, &n);
	}
}

/* All in one go: each is listed once, and those of the last row may come first. */
static bool
step_to(struct item_rows *r, void (*find)(struct name_list *, uint32_t))
{
	struct name_list *s = (struct name_list *)r;
	uint32_t n = names_count(&HEAP(r)->view.heap);
	struct cell c;

	if (!scratch_array(&s->asked, n / 64 + 1ull, sizeof(uint64_t), &r->rows.err) ||
	    !scratch_array(&s->found, n / 64 + 1ull, sizeof(uint64_t), &r->rows.err))
		return false;
	for (uint64_t row = 0; rows_reach(r->rows.in, row + 1) > row; row++) {
		rows_cell(r->rows.in, row, r->col, &c);
		if (!rows_tick(&r->rows, row))
			return false;
		if (c.type != CELL_ID || c.u == 0 || c.u > n || has_bit(&s->asked, (uint32_t)c.u))
			continue;
		set_bit(&s->asked, (uint32_t)c.u);
		find(s, (uint32_t)c.u);
	}
	for (uint32_t id = 1; id <= n; id++)
		if (has_bit(&s->found, id) && !item_rows_add_number(r, id))
			break;
	return false;
}

static bool
step_up(struct item_rows *r)
{
	return step_to(r, find_parent);
}

static bool
step_down(struct item_rows *r)
{
	return step_to(r, q_names_find_children);
}

static void
family_end(struct item_rows *r)
{
	struct name_list *s = (struct name_list *)r;

	SCRATCH_FREE(&s->asked, &s->found);
}

static bool
are_names(const struct rows *r)
{
	while (r != NULL && r->cols != name_cols)
		r = r->in;
	return r != NULL;
}

static bool
q_names_family_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	int col = rows_column(in, STR("id"));

	if (col < 0 || !are_names(in)) {
		rows_close(in);
		return fail_at(err, E_USAGE, stage->at,
		    "'%s' needs rows of names with column id, e.g. '%s'; for "
		    "objects use 'dominated'", stage->command->word, stage->command->example);
	}
	if (!stage_at_most(stage, 0, err)) {
		rows_close(in);
		return false;
	}
	in = heap_rows_over(session, stage->command, stage, in, (size_t)col, err);
	return in != NULL && fields_over(session, stage, in, NULL, out, err);
}

static const struct source above = {
	.domain = &heap_domain, .size = sizeof(struct name_list), .step = step_up, .item_at = q_names_name_at,
	    .end = family_end
};
static const struct source below = {
	.domain = &heap_domain, .size = sizeof(struct name_list), .step = step_down,
	    .item_at = q_names_name_at, .end = family_end
};

const struct command stage_names_parents = {
	STAGE("parents", "parents of the rows",
	    "names | where class = com.example.tickets.Session | parents", q_names_family_open),
	HEAP_ROWS(name_cols, above, needs)
};

const struct command stage_names_children = {
	STAGE("children", "children of the rows: what they hold",
	    "names | where depth = 1 | top 1 bytes | children", q_names_family_open),
	HEAP_ROWS(name_cols, below, needs)
};
