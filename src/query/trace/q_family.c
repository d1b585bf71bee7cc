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
	struct rows	 rows;
	struct rows	*tree;		/* all calls; in is made from them */
	size_t		 id;		/* column of in */
	bool		 up;
	struct scratch	 mark;		/* u8 for each row of the tree: its caller or it itself is asked for */
	uint64_t	 marks;		/* rows that have one */
	struct scratch	 found;		/* u64: row of the tree for each row */
	uint64_t	 n, next;	/* rows known, next row of the tree to look at */
	uint32_t	*open;		/* of each call above the next one: marks from the top down to it */
	size_t		 open_cap;
	bool		 began, ended;
};

/* ---- the calls asked for ------------------------------------------------------------ */

static uint64_t
tree_number(struct family *f, uint64_t row, enum call_col col)
{
	struct cell c;

	rows_cell(f->tree, row, col, &c);
	return c.u;
}

static bool
mark_rows(struct family *f)
{
	struct rows *in = f->rows.in;
	struct cell c;
	uint64_t i, row;

	for (i = 0; rows_reach(in, i + 1) > i; i++) {
		rows_cell(in, i, f->id, &c);
		if (!rows_tick(&f->rows, i))
			return false;
		if (c.type != CELL_ID || !tree_row(f->tree, c.u, &row) ||
		    (f->up && !tree_row(f->tree, tree_number(f, row, CALL_PARENT), &row)))
			continue;
		if (!scratch_array(&f->mark, row + 1, 1, &f->rows.err))
			return false;
		SCRATCH(f->mark, uint8_t)[row] = 1;
		if (row >= f->marks)
			f->marks = row + 1;
	}
	return rows_error(in) == NULL;
}

/* ---- rows --------------------------------------------------------------------------- */

/* Whether the next call is in the answer; *end: nor is any behind it. */
static bool
is_wanted(struct family *f, bool *wanted, bool *end)
{
	bool marked = f->next < f->marks && SCRATCH(f->mark, uint8_t)[f->next];
	uint64_t depth;
	uint32_t above, higher;

	*wanted = marked;
	*end = false;
	if (f->up)
		return true;
	depth = tree_number(f, f->next, CALL_DEPTH);
	if (!mem_grow(&f->open, &f->open_cap, depth + 1, sizeof *f->open))
		return fail(&f->rows.err, E_SYSTEM, "no memory for a stack");
	above = depth > 0 ? f->open[depth - 1] : 0;
	higher = depth > 1 ? f->open[depth - 2] : 0;
	f->open[depth] = above + marked;
	*wanted = above > higher;
	*end = f->next >= f->marks && above == 0;
	return true;
}

static bool
family_step(struct family *f)
{
	struct err *err = &f->rows.err;
	bool wanted, end = f->up && f->next == f->marks;

	if (end || rows_reach(f->tree, f->next + 1) <= f->next ||
	    !rows_tick(&f->rows, f->next) || !is_wanted(f, &wanted, &end) || end)
		return false;
	if (wanted) {
		if (!scratch_array(&f->found, f->n + 1, sizeof(uint64_t), err))
			return false;
		SCRATCH(f->found, uint64_t)[f->n++] = f->next;
	}
	f->next++;
	return true;
}

static uint64_t
family_reach(struct rows *r, uint64_t n)
{
	struct family *f = (struct family *)r;

	if (n > 0 && !f->began) {
		f->began = true;
		f->ended = !mark_rows(f);
	}
	while (f->n < n && !f->ended)
		f->ended = !family_step(f);
	return f->n;
}

static void
family_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct family *f = (struct family *)r;

	rows_cell(f->tree, SCRATCH(f->found, uint64_t)[row], col, c);
}

static void
family_close(struct rows *r)
{
	struct family *f = (struct family *)r;

	scratch_free(&f->mark);
	scratch_free(&f->found);
	free(f->open);
}

static const struct rows_ops family_ops = { family_reach, family_cell, family_close };

/* ---- commands ------------------------------------------------------------------------ */

extern const struct command stage_parents, stage_profile_parents;

static bool
find_tree(struct family *f, const struct stage *stage, struct err *err)
{
	int col;

	f->tree = tree_rows(f->rows.in);
	col = f->tree != NULL ? rows_column(f->rows.in, STR("id")) : -1;
	if (col < 0)
		return fail_at(err, E_USAGE, stage->at, "'%s' takes rows of a call tree "
		    "with their column id, as in '%s'", stage->command->word,
		    stage->command->example);
	f->rows.cols = f->tree->cols;
	f->rows.ncols = f->tree->ncols;
	f->id = (size_t)col;
	return stage_at_most(stage, 0, err);
}

static bool
family_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct family *f = rows_new(sizeof *f, &family_ops, session, in, err);

	if (f == NULL)
		return false;
	f->mark = f->found = SCRATCH_INIT;
	f->up = stage->command == &stage_parents || stage->command == &stage_profile_parents;
	return rows_opened(&f->rows, find_tree(f, stage, err), out);
}

const struct command stage_parents = {
	.word = "parents",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_CALLS,
	.what = "the calls that the calls of the rows were made from",
	.example = "calls | where method ~ rows_print | parents",
	COLUMNS(call_cols),
	.open = family_open
};

const struct command stage_children = {
	.word = "children",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_CALLS,
	.what = "the calls that the calls of the rows made",
	.example = "calls main | where depth = 0 | children",
	COLUMNS(call_cols),
	.open = family_open
};

/* Of profiles. */
const struct command stage_profile_parents = {
	.word = "parents",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_SAMPLES,
	.what = "the stacks that those of the rows stand on",
	.example = "calls | where method ~ logback | parents",
	COLUMNS(profile_call_cols),
	.open = family_open
};

const struct command stage_profile_children = {
	.word = "children",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_SAMPLES,
	.what = "the stacks that stand on those of the rows",
	.example = "calls | where depth = 0 | children",
	COLUMNS(profile_call_cols),
	.open = family_open
};
