/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dot: graphs for Graphviz: objects with the references between them, and call trees.
 *
 * Nodes have numbers, never names.  There are so many at most; what is cut is counted where it hangs.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "icecore/columns_heap.h"
#include "icecore/name.h"
#include "draw.h"

#define LABEL 80u		/* columns */
#define TOOLTIP 400u
#define SHADE 0.6		/* saturation of what weighs all */

/* Escape text for a quoted string: Graphviz reads backslashes and HTML entities. */
static void
dot_add(struct buf *b, struct str fitted)
{
	for (size_t i = 0; i < fitted.n; i++) {
		if (fitted.s[i] == '"' || fitted.s[i] == '\\')
			buf_chr(b, '\\');
		if (fitted.s[i] == '&')
			buf_str(b, STR("&amp;"));
		else if (fitted.s[i] == '\n')
			buf_str(b, STR("\\n"));
		else
			buf_chr(b, fitted.s[i]);
	}
}

/* Append raw text as dot_add does, cut to that many columns. */
static void
dot_raw(struct buf *b, struct str raw, size_t columns)
{
	struct buf fitted = BUF_INIT, cut = BUF_INIT;

	text_fit_buf(&fitted, raw);
	words_cut(&cut, buf_view(&fitted), columns);
	dot_add(b, buf_view(&cut));
	b->bad |= fitted.bad || cut.bad;
	buf_free(&fitted);
	buf_free(&cut);
}

/* p: whose total is shown below the title; NULL: none. */
static void
dot_begin(struct rows *rows, const struct drawing *p, const struct draw_options *o, struct buf *b)
{
	struct buf title = BUF_INIT;

	title_add(rows, o, &title);
	buf_str(b, STR("digraph icecore {\n\tgraph [charset=\"utf-8\", rankdir=\"LR\", tooltip=\""));
	dot_add(b, buf_view(&title));
	if (p != NULL) {
		buf_chr(&title, '\n');
		lead_add(rows, p, &title);
		buf_str(b, STR("\", fontname=\"monospace\", labelloc=\"t\", label=\""));
		dot_add(b, buf_view(&title));
	}
	buf_str(b, STR("\"];\n\tnode [shape=\"box\", fontname=\"monospace\"];\n\tedge [fontname=\"monospace\"];\n"));
	b->bad |= title.bad;
	buf_free(&title);
}

/* Draw a dashed node "n more" for what was omitted after a node, or before it (front). */
static void
dot_more(struct buf *b, uint32_t node, uint64_t n, bool front)
{
	char text[NUM_TEXT], mark = front ? 'i' : 'o';

	if (n == 0)
		return;
	num_show_count(text, sizeof text, n);
	buf_printf(b, "\t%c%u [label=\"%s more\", style=\"dashed\"];\n", mark, node, text);
	if (front)
		buf_printf(b, "\t%c%u -> n%u [style=\"dashed\"];\n", mark, node, node);
	else
		buf_printf(b, "\tn%u -> %c%u [style=\"dashed\"];\n", node, mark, node);
}

/* ---- call trees ----------------------------------------------------------------------- */

/* The part of all that a box weighs, 0 to 1; of two files, of the one where it weighs more. */
static double
dot_share(const struct drawing *p, const struct flame *box)
{
	bool after = box->weight >= box->before;
	uint64_t all = after ? p->total[0] : p->before[0], own = after ? box->weight : box->before;

	return own >= all ? own > 0 : (double)own / (double)all;
}

static void
add_box_node(const struct drawing *p, uint32_t number, struct buf *b)
{
	const struct flame *box = &p->box[number - 1];
	struct buf name = BUF_INIT, text = BUF_INIT;

	box_name(p, box, &name);
	name_short(&text, buf_view(&name), LABEL, STR("\xe2\x80\xa6"));
	buf_printf(b, "\tn%u [label=\"", number);
	dot_add(b, buf_view(&text));
	buf_str(b, STR("\\n"));
	share_add(p, box, b);
	buf_chr(b, ' ');
	weight_add(p, box, b);
	buf_str(b, STR("\", tooltip=\""));
	buf_chr(&name, '\n');
	tip_add(p, box, &name);
	dot_add(b, buf_view(&name));
	buf_printf(b, "\", style=\"filled%s\", fillcolor=\"0.08 %.3f 1.0\"];\n",
	    box->more > 0 ? ",dashed" : "", SHADE * dot_share(p, box));
	if (box->above > 0)
		buf_printf(b, "\tn%u -> n%u%s;\n", box->above, number,
		    p->stacks.objects ? " [style=\"bold\"]" : "");
	b->bad |= name.bad || text.bad;
	buf_free(&name);
	buf_free(&text);
}

/* Draw how many children of a box come after the last node that is drawn. */
static void
add_box_rest(const struct drawing *p, uint32_t number, uint32_t nodes, struct buf *b)
{
	const struct flame *box = &p->box[number - 1];
	uint64_t cut = 0;

	if (box->first == 0 || box->last <= nodes)
		return;
	for (uint32_t i = box->first > nodes ? box->first : nodes + 1; i <= box->last; i++)
		cut = num_add(cut, p->box[i - 1].more > 0 ? p->box[i - 1].more : 1);
	dot_more(b, number, cut, false);
}

static bool
draw_boxes(struct rows *rows, const struct draw_options *o, struct buf *b, uint64_t *n, struct err *err)
{
	struct drawing p = { .n = 0 };
	bool ok = picture_open(&p, rows, o, err);
	uint32_t nodes = p.n < o->nodes ? (uint32_t)p.n : o->nodes;

	if (ok && rows_error(rows) == NULL) {
		dot_begin(rows, &p, o, b);
		for (uint32_t i = 1; i <= nodes; i++)
			add_box_node(&p, i, b);
		for (uint32_t i = 1; i <= nodes; i++)
			add_box_rest(&p, i, nodes, b);
		buf_str(b, STR("}\n"));
		*n = nodes;
	}
	picture_close(&p);
	return ok;
}

/* ---- objects ---------------------------------------------------------------------------- */

struct graph_node {
	uint32_t	object;
	uint64_t	cut_out, cut_in;	/* references to, and from, objects outside the nodes */
	bool		root;
};

struct graph {
	const struct draw_options *o;
	struct rows		*rows;
	struct heap		 heap;
	struct graph_node	*node;
	size_t			 n, cap;
	struct idmap		 by_object;
	uint64_t		 apart;		/* references between others */
	struct buf		*to;
};

/* The columns that contain the references, by kind of rows. */
static const struct graph_cols {
	const char	*from, *to, *name, *strength, *depth;
} graph_cols[] = {
	[DRAWS_OBJECTS] = { .from = "dominator", .to = "id" },
	[DRAWS_REFS] = { "owner", "object", "name", "strength" },
	[DRAWS_REFERRERS] = { "object", "target", "name", "strength" },
	[DRAWS_PATHS] = { .to = "object", .name = "field", .depth = "depth" }
};

static uint64_t
dot_number_of(struct rows *rows, uint64_t row, const char *col)
{
	int i = col == NULL ? -1 : rows_column(rows, str_of(col));
	struct cell c = { .type = CELL_NONE };

	if (i >= 0)
		rows_cell(rows, row, (size_t)i, &c);
	return c.type == CELL_ID || c.type == CELL_COUNT ? c.u : 0;
}

/* Find or add the node of an object; *number 0: no object, or no room for it. */
static bool
find_node(struct graph *g, uint64_t object, uint32_t *number, struct err *err)
{
	*number = 0;
	if (object == 0 || object > g->heap.objects)
		return true;
	*number = idmap_get(&g->by_object, object);
	if (*number != 0 || g->n >= g->o->nodes)
		return true;
	if (!mem_grow(&g->node, &g->cap, g->n + 1, sizeof *g->node))
		return fail(err, E_SYSTEM, "out of memory (graph)");
	g->node[g->n] = (struct graph_node){ .object = (uint32_t)object };
	*number = (uint32_t)++g->n;
	return idmap_put(&g->by_object, object, *number, err);
}

static void
add_edge(struct graph *g, uint64_t row, uint32_t from, uint32_t to, const struct graph_cols *cols)
{
	int name = cols->name == NULL ? -1 : rows_column(g->rows, str_of(cols->name));
	int strength = cols->strength == NULL ? -1 : rows_column(g->rows, str_of(cols->strength));
	struct cell c;

	buf_printf(g->to, "\tn%u -> n%u", from, to);
	if (name < 0) {
		buf_str(g->to, STR(" [style=\"bold\"];\n"));
		return;
	}
	rows_cell(g->rows, row, (size_t)name, &c);
	buf_str(g->to, STR(" [label=\""));
	dot_raw(g->to, c.type == CELL_TEXT ? c.text : STR(""), LABEL);
	buf_chr(g->to, '"');
	if (strength >= 0)
		rows_cell(g->rows, row, (size_t)strength, &c);
	if (strength >= 0 && c.type == CELL_TEXT && !str_eq(c.text, str_of(heap_strength_name(HEAP_STRONG))))
		buf_str(g->to, STR(", style=\"dashed\""));
	buf_str(g->to, STR("];\n"));
}

/* Find the nodes of an edge; *to 0: the edge is not drawn. */
static bool
find_edge(struct graph *g, uint64_t holder, uint64_t object, uint32_t *from, uint32_t *to,
    struct err *err)
{
	if (!find_node(g, holder, from, err) || !find_node(g, object, to, err))
		return false;
	if (*from != 0 && *to != 0)
		return true;
	if (*from != 0 && object != 0)
		g->node[*from - 1].cut_out++;
	else if (*to != 0 && holder != 0)
		g->node[*to - 1].cut_in++;
	else if (holder != 0 && object != 0)
		g->apart++;
	*to = 0;
	return true;
}

static bool
read_edge(struct graph *g, uint64_t row, uint64_t holder, const struct graph_cols *cols, struct err *err)
{
	uint32_t from, to;

	if (!find_edge(g, holder, dot_number_of(g->rows, row, cols->to), &from, &to, err))
		return false;
	if (to != 0)
		add_edge(g, row, from, to, cols);
	return true;
}

/* The object of each row holds the object of the next row. */
static bool
read_chains(struct graph *g, struct err *err)
{
	uint32_t holder = 0, object, from, to;
	struct buf name = BUF_INIT, next = BUF_INIT, swap;
	bool ok = g->rows == rows_origin(g->rows) ||
	    fail(err, E_USAGE, "a graph of chains needs all rows; remove the stages before it");

	for (uint64_t row = 0; ok && rows_reach(g->rows, row + 1) > row && rows_tick(g->rows, row); row++) {
		buf_clear(&next);
		object = chains_step(g->rows, row, &next);
		ok = find_edge(g, holder, object, &from, &to, err);
		if (ok && to != 0) {
			buf_printf(g->to, "\tn%u -> n%u [label=\"", from, to);
			dot_raw(g->to, buf_view(&name), LABEL);
			buf_str(g->to, STR("\"];\n"));
		}
		holder = object;
		swap = name;
		name = next;
		next = swap;
	}
	g->to->bad |= name.bad || next.bad;
	buf_free(&name);
	buf_free(&next);
	return ok;
}

/* Write edges as they are read; nodes follow. */
static bool
read_graph(struct graph *g, const struct graph_cols *cols, struct err *err)
{
	uint64_t holder = 0;
	uint32_t root;

	for (uint64_t row = 0; rows_reach(g->rows, row + 1) > row; row++) {
		bool first = cols->depth != NULL && dot_number_of(g->rows, row, cols->depth) == 0;

		if (!rows_tick(g->rows, row))
			return true;
		if (cols->depth == NULL)
			holder = dot_number_of(g->rows, row, cols->from);
		else if (first)
			holder = 0;
		if (!read_edge(g, row, holder, cols, err))
			return false;
		if (cols->depth == NULL)
			continue;
		holder = dot_number_of(g->rows, row, cols->to);
		root = first ? idmap_get(&g->by_object, holder) : 0;
		if (root != 0)
			g->node[root - 1].root = true;
	}
	return true;
}

static void
find_roots(struct graph *g)
{
	const struct column *roots = store_column(g->heap.st, COL_ROOT_OBJECT);
	uint32_t node;

	for (uint64_t i = 0; i < column_rows(roots); i++) {
		node = idmap_get(&g->by_object, column_get(roots, i));
		if (node != 0)
			g->node[node - 1].root = true;
	}
}

static void
dot_add_object(struct graph *g, uint32_t number, struct buf *b)
{
	const struct graph_node *n = &g->node[number - 1];
	struct buf label = BUF_INIT, fitted = BUF_INIT;
	char size[NUM_TEXT];
	struct str folder, name;

	heap_label(&g->heap, n->object, &label);
	text_fit_buf(&fitted, buf_view(&label));
	name = buf_view(&fitted);
	str_divide_last(name, '.', &folder, &name);
	buf_printf(b, "\tn%u [label=\"", number);
	dot_raw(b, name, LABEL);
	num_show_size(size, sizeof size, heap_shallow(&g->heap, n->object));
	buf_printf(b, "\\n@%u 0x%" PRIx64 "\\n%s", n->object, heap_addr(&g->heap, n->object), size);
	if (g->heap.retained != NULL) {
		num_show_size(size, sizeof size, heap_retained(&g->heap, n->object));
		buf_printf(b, " / %s", size);
	}
	buf_str(b, STR("\", tooltip=\""));
	dot_raw(b, buf_view(&fitted), TOOLTIP);
	buf_printf(b, "\"%s];\n", n->root ? ", peripheries=2" : "");
	dot_more(b, number, n->cut_out, false);
	dot_more(b, number, n->cut_in, true);
	b->bad |= label.bad || fitted.bad;
	buf_free(&label);
	buf_free(&fitted);
}

static void
add_objects(struct graph *g, struct buf *b)
{
	find_roots(g);
	for (uint32_t i = 1; i <= g->n; i++)
		dot_add_object(g, i, b);
	if (g->apart > 0)
		buf_printf(b, "\tmore [label=\"%" PRIu64 " more references\", style=\"dashed\"];\n",
		    g->apart);
}

static bool
draw_objects(struct rows *rows, const struct draw_options *o, struct buf *b, uint64_t *n, struct err *err)
{
	const struct rows *origin = rows_origin(rows);
	const struct session *session = origin->session;
	struct buf edges = BUF_INIT;
	struct graph g = { .o = o, .rows = rows, .to = &edges };
	bool ok = heap_open(&g.heap, session_store(session), session->refs, session->sizes, err) &&
	    (origin->command->draws == DRAWS_CHAINS ? read_chains(&g, err) :
	    read_graph(&g, &graph_cols[origin->command->draws], err));

	if (ok && rows_error(rows) == NULL) {
		dot_begin(rows, NULL, o, b);
		add_objects(&g, b);
		buf_str(b, buf_view(&edges));
		buf_str(b, STR("}\n"));
		*n = g.n;
	}
	b->bad |= edges.bad;
	buf_free(&edges);
	idmap_free(&g.by_object);
	free(g.node);
	return ok;
}

bool
draw_dot(struct rows *rows, const struct draw_options *o, struct buf *b, uint64_t *n, struct err *err)
{
	const struct command *c = rows_origin(rows)->command;
	bool ok;

	if (c != NULL && c->draws > DRAWS_DOMINATORS)
		ok = draw_objects(rows, o, b, n, err);
	else if (objects_fit(rows) || stacks_fit(rows))
		ok = draw_boxes(rows, o, b, n, err);
	else
		return fail(err, E_USAGE,
		    "no graph of these rows; use calls, names, dominators, refs, referrers, path, chains, dominated");
	return ok && (!b->bad || fail(err, E_SYSTEM, "out of memory (graph)"));
}
