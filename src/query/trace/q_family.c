/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_family: the callers of the calls in a tree, and the calls they make.
 *
 * Rows of a call tree may have passed many stages; what they came from
 * still has the whole tree, callers in front of what they call.
 */
#include "config.h"

#include <stdlib.h>

#include "trace.h"

struct family {
	struct sifted	 of;		/* from the tree: all calls; in is made from them */
	size_t		 id;		/* column of in */
	bool		 up;
	ARRAY(uint8_t)	mark;		/* for each row of the tree: its caller or it itself is asked for */
	uint64_t	 marks;		/* rows that have one */
	uint32_t	*open;		/* by depth: number of marks from the top down to the open call */
	size_t		 open_cap;
	bool		 began;
};

/* ---- the calls asked for ------------------------------------------------------------ */

static uint64_t
tree_number(struct family *f, uint64_t row, enum call_col col)
{
	struct cell c;

	rows_cell(f->of.from, row, col, &c);
	return c.u;
}

static bool
q_family_mark_rows(struct family *f)
{
	struct rows *in = f->of.rows.in, *tree = f->of.from;
	struct cell c;
	uint64_t i, row;

	for (i = 0; rows_reach(in, i + 1) > i; i++) {
		rows_cell(in, i, f->id, &c);
		if (!rows_tick(&f->of.rows, i))
			return false;
		if (c.type != CELL_ID || !tree_row(tree, c.u, &row) ||
		    (f->up && !tree_row(tree, tree_number(f, row, CALL_PARENT), &row)))
			continue;
		if (!array_grow(&f->mark, row + 1, &f->of.rows.err))
			return false;
		f->mark.at[row] = 1;
		if (row >= f->marks)
			f->marks = row + 1;
	}
	return rows_error(in) == NULL;
}

/* ---- rows --------------------------------------------------------------------------- */

/* A caller is in the answer if it is marked, a callee if the call that made it is marked. */
static bool
family_wants(struct sifted *s, bool *yes)
{
	struct family *f = (struct family *)s;
	bool marked = s->next < f->marks && f->mark.at[s->next];
	uint64_t depth;
	uint32_t above, higher;

	*yes = marked;
	if (f->up) {
		s->ended = s->next + 1 >= f->marks;
		return true;
	}
	depth = tree_number(f, s->next, CALL_DEPTH);
	if (!mem_grow(&f->open, &f->open_cap, depth + 1, sizeof *f->open))
		return fail_memory(&s->rows.err, "stack");
	above = depth > 0 ? f->open[depth - 1] : 0;
	higher = depth > 1 ? f->open[depth - 2] : 0;
	f->open[depth] = above + marked;
	*yes = above > higher;
	return s->next < f->marks || above > 0;
}

static uint64_t
family_reach(struct rows *r, uint64_t n)
{
	struct family *f = (struct family *)r;

	if (n > 0 && !f->began) {
		f->began = true;
		f->of.ended = !q_family_mark_rows(f) || (f->up && f->marks == 0);
	}
	return sifted_reach(r, n);
}

static void
family_close(struct rows *r)
{
	struct family *f = (struct family *)r;

	array_free(&f->mark);
	sifted_close(&f->of);
	free(f->open);
}

/* Ids of the input are looked up in the tree, and the columns of the answer are read there. */
static uint64_t
family_touch(struct rows *r, uint64_t mine, UNUSED struct touching *touching)
{
	struct family *f = (struct family *)r;

	f->of.from->behind |= mine | COLUMN_BIT(CALL_ID) | COLUMN_BIT(f->up ? CALL_PARENT : CALL_DEPTH);
	return COLUMN_BIT(f->id);
}

static const struct rows_ops family_ops = { .reach = family_reach, .cell = sifted_cell, .close = family_close,
	.batch = sifted_batch, .touch = family_touch };

/* ---- commands ------------------------------------------------------------------------ */

static bool
find_tree(struct family *f, const struct stage *stage, struct err *err)
{
	struct rows *r = &f->of.rows, *tree = tree_rows(r->in);
	int col = tree != NULL ? rows_column(r->in, STR("id")) : -1;

	if (col < 0)
		return fail_at(err, E_USAGE, stage->at, "'%s' needs call-tree rows with column id, e.g. '%s'",
		    stage->command->word, command_example(stage->command, stage->shapes));
	f->of.from = tree;
	r->cols = tree->cols;
	r->ncols = tree->ncols;
	f->id = (size_t)col;
	return stage_at_most(stage, 0, err);
}

static bool
q_family_family_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct family *f = sifted_new(sizeof *f, &family_ops, family_wants, session, in, err);

	if (f == NULL)
		return false;
	f->up = *(const bool *)stage->command->source;
	return rows_opened(&f->of.rows, find_tree(f, stage, err), out);
}

#define FAMILY(word, up, says, query, samples, its_query) { STAGE(word, says, query, q_family_family_open), \
	OVER(SHAPE_TREES, call_cols), .what_samples = (samples), .example_samples = (its_query), \
	    .source = &(const bool){ up } }

const struct command stage_parents = FAMILY("parents", true,
    "parent calls", "calls | where method ~ rows_print | parents",
    "parent stacks", "calls | where method ~ logback | parents");
const struct command stage_children = FAMILY("children", false,
    "child calls", "calls main | where depth = 0 | children", "child stacks",
    "calls | where depth = 0 | children");
