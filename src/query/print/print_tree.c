/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print_tree: rows with a depth, callers before what they call, as an indented tree; and what objects
 * dominate.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/graph.h"
#include "icecore/heap_facts.h"
#include "query/draw/draw.h"
#include "print.h"

#define INDENT_MAX 100u		/* levels that are drawn; deeper ones show a number */
#define LEAST 1			/* percent: what retains less of all is not drawn by itself */

struct print_tree {
	struct printer	*p;
	size_t		 depth;		/* column of the depth */
	int		 id, parent;	/* columns of the id of a row and of that of its parent; -1: none */
	struct scratch	 ids;		/* u64 by level: id of the last row there */
	struct stack_tree stacks;	/* stacks of objects, with the bytes that they retain in .before */
	uint64_t	 whole;
	struct scratch	 level;		/* u32 by node: at most one more than that of the node before */
	/* Bits by node: no other one of its level follows below the same node */
	struct scratch	 last;
	struct scratch	 open;		/* u8 by level: there is another row to come */
	uint64_t	 n;		/* nodes: rows, or objects of the stacks */
};

/* Add a node; its level is at most one more than that of the node before. */
static bool
add_level(struct print_tree *t, uint32_t level, struct err *err)
{
	if (t->n == UINT32_MAX || !scratch_array(&t->level, t->n + 1, sizeof level, err))
		return false;
	SCRATCH(t->level, uint32_t)[t->n++] = level;
	return true;
}

/* Return true if the last row of the level above is the parent, by columns id and parent if present. */
static bool
has_caller(struct print_tree *t, uint64_t level)
{
	struct cell parent;

	if (level > 0 && (t->n == 0 || level > SCRATCH(t->level, uint32_t)[t->n - 1] + 1ull))
		return false;
	if (level == 0 || t->id < 0 || t->parent < 0)
		return true;
	rows_cell(t->p->rows, t->n, (size_t)t->parent, &parent);
	return parent.u == SCRATCH(t->ids, uint64_t)[level - 1];
}

static bool
read_level(struct print_tree *t, struct err *err)
{
	struct cell depth, id;
	uint64_t level;

	rows_cell(t->p->rows, t->n, t->depth, &depth);
	level = depth.type == CELL_COUNT ? depth.u : 0;
	if (!has_caller(t, level))
		return fail(err, E_USAGE, "'tree' needs whole trees: remove where, sort, top or tail");
	if (t->id >= 0) {
		rows_cell(t->p->rows, t->n, (size_t)t->id, &id);
		if (!scratch_array(&t->ids, level + 1, sizeof id.u, err))
			return false;
		SCRATCH(t->ids, uint64_t)[level] = id.u;
	}
	return add_level(t, (uint32_t)level, err);
}

static bool
print_tree_read_levels(struct print_tree *t, struct err *err)
{
	while (rows_reach(t->p->rows, t->n + 1) > t->n)
		if (!rows_tick(t->p->rows, t->n) || !read_level(t, err))
			return false;
	return true;
}

/* Each object comes after its dominator. */
static bool
read_objects(struct print_tree *t, struct err *err)
{
	const struct session *session = rows_origin(t->p->rows)->session;
	struct tree_stack *s;
	uint32_t i;

	t->stacks.picture = true;
	if (!objects_read(&t->stacks, t->p->rows, LEAST, err))
		return false;
	t->whole = heap_whole(t->stacks.st, session->refs, session->sizes);
	for (i = 1; i <= t->stacks.n; i++) {
		s = stack_at(&t->stacks, i);
		if (!add_level(t, s->caller == 0 ? 0 : SCRATCH(t->level, uint32_t)[s->caller - 1] + 1, err))
			return false;
	}
	while (--i > 0) {
		s = stack_at(&t->stacks, i);
		s->before = num_add(s->before, s->weight);
		if (s->caller != 0)
			stack_at(&t->stacks, s->caller)->before = num_add(stack_at(&t->stacks,
			    s->caller)->before, s->before);
	}
	return true;
}

/* Walk backwards to mark the last node of each level. */
static void
find_last(struct print_tree *t)
{
	const uint32_t *level = SCRATCH(t->level, uint32_t);
	uint8_t *seen = t->open.data;
	uint32_t top = 0;

	for (uint64_t i = t->n; i-- > 0;) {
		for (; top > level[i]; top--)
			seen[top] = 0;
		if (!seen[level[i]])
			set_bit(&t->last, (uint32_t)i);
		seen[level[i]] = 1;
		top = level[i];
	}
}

static void
add_branches(struct print_tree *t, uint32_t level, bool last)
{
	struct buf *line = &t->p->line;
	bool ascii = t->p->ascii;

	for (uint32_t i = 1; i < level && i < INDENT_MAX; i++)
		buf_str(line, !t->open.data[i] ? STR("  ") : ascii ? STR("| ") : STR("\xe2\x94\x82 "));
	if (level >= INDENT_MAX)
		buf_printf(line, "(%u) ", level);
	else if (level > 0)
		buf_str(line, ascii ? (last ? STR("` ") : STR("+ ")) : last ? STR("\xe2\x94\x94 ") :
		    STR("\xe2\x94\x9c "));
	t->open.data[level] = !last;
}

/* "com.example.Sessions @12  5.39 MiB  94.3%". */
static void
print_tree_add_object(struct print_tree *t, uint32_t number)
{
	const struct tree_stack *s = stack_at(&t->stacks, number);
	uint32_t more = stack_about(&t->stacks, number)->more;
	struct buf *line = &t->p->line;
	char n[NUM_TEXT];

	if (more > 0) {
		num_show_count(n, sizeof n, more);
		buf_printf(line, "%s more", n);
	} else
		print_fitted(t->p, stack_name(&t->stacks, s->name), SIZE_MAX);
	buf_str(line, STR("  "));
	stacks_show(&t->stacks, s->before, line);
	buf_str(line, STR("  "));
	percent_add(line, s->before, t->whole);
}

/* Append the cells that a table shows, except ids and the depth. */
static void
print_tree_add_row(struct print_tree *t, uint64_t row)
{
	struct printer *p = t->p;
	bool first = true;
	struct cell c;

	for (size_t col = 0; col < p->rows->ncols; col++) {
		if (p->rows->cols[col].more || p->rows->cols[col].type == CELL_ID || col == t->depth)
			continue;
		rows_cell(p->rows, row, col, &c);
		buf_clear(&p->cell);
		cell_show(&c, &p->cell);
		if (p->cell.n == 0)
			continue;
		if (!first)
			buf_str(&p->line, STR("  "));
		first = false;
		print_ascii(p, &p->cell);
		buf_str(&p->line, buf_view(&p->cell));
	}
}

static void
print_node(struct print_tree *t, uint64_t i, bool objects)
{
	add_branches(t, SCRATCH(t->level, uint32_t)[i], has_bit(&t->last, (uint32_t)i));
	if (objects)
		print_tree_add_object(t, (uint32_t)i + 1);
	else
		print_tree_add_row(t, i);
	print_end(t->p);
}

void
tree_print(struct printer *p, uint64_t *n)
{
	int col = rows_column(p->rows, STR("depth"));
	struct print_tree t = { .p = p, .depth = (size_t)col, .id = rows_column(p->rows, STR("id")),
	    .parent = rows_column(p->rows, STR("parent")), .level = SCRATCH_INIT, .ids = SCRATCH_INIT,
	    .last = SCRATCH_INIT, .open = SCRATCH_INIT };
	const struct origin *from = col < 0 ? NULL : p->rows->cols[col].origin;
	bool objects = objects_fit(p->rows), ok;

	/* The depth of a thread is that of its deepest stack, not a level in a tree. */
	if (!objects && (col < 0 || p->rows->cols[col].type != CELL_COUNT ||
	    (from != NULL && from->by == COL_THREAD_DEPTH))) {
		print_unless(p, fail(p->err, E_USAGE,
		    "format tree needs rows of a tree, e.g. 'merged | format tree'"));
		return;
	}
	ok = (objects ? read_objects(&t, p->err) : print_tree_read_levels(&t, p->err)) &&
	    scratch_array(&t.open, t.n + 2, 1, p->err) &&
	    scratch_array(&t.last, t.n / 64 + 1, sizeof(uint64_t), p->err);
	print_unless(p, ok);
	if (ok)
		find_last(&t);
	for (uint64_t i = 0; ok && i <= t.n; i++)
		t.open.data[i] = 0;
	for (*n = 0; !p->ended && *n < t.n; *n += !p->ended) {
		print_unless(p, rows_tick(p->rows, *n));
		print_node(&t, *n, objects);
	}
	SCRATCH_FREE(&t.level, &t.ids, &t.last, &t.open);
	stacks_free(&t.stacks);
}
