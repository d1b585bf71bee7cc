/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks: the rows of a call tree, or of field paths, are read as distinct stacks.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "draw.h"
#include "query/trace/trace.h"

enum stack_col { STACK_ID, STACK_PARENT, STACK_DEPTH, STACK_METHOD, STACK_SELF,
	STACK_NEEDED, STACK_THREAD = STACK_NEEDED, STACK_PROCESS, STACK_THREAD_ID, STACK_BEFORE,
	    STACK_METHOD_ID, STACK_CALLS, STACK_CLASS,
	STACK_ANY, STACK_TOTAL, STACK_TOTAL_BEFORE, STACK_COLS };

/* Names of the columns in a call tree, and in field paths. */
static const char *const col_names[STACK_COLS][2] = {
	[STACK_ID] = { "id" }, [STACK_PARENT] = { "parent" }, [STACK_DEPTH] = { "depth" },
	[STACK_METHOD] = { "method", "name" }, [STACK_SELF] = { "self", "shallow" },
	[STACK_THREAD] = { "thread" }, [STACK_PROCESS] = { "process" }, [STACK_THREAD_ID] = { "thread_id" },
	[STACK_BEFORE] = { "self_before" },
	[STACK_METHOD_ID] = { "method_id" }, [STACK_CALLS] = { "calls", "count" },
	[STACK_CLASS] = { NULL, "class" },
	[STACK_ANY] = { "any" }, [STACK_TOTAL] = { "total" }, [STACK_TOTAL_BEFORE] = { "total_before" }
};

/* An open call on the way from the root to the present row. */
struct open_call {
	uint64_t	id;
	uint32_t	stack;
};

struct reader {
	struct stack_tree	*s;
	struct rows	*rows;
	/* where the callers of rows are that were chosen by their whole stacks; else NULL */
	struct rows	*tree;
	bool		 nameless;	/* there is one thread, and nothing to call it */
	int		 col[STACK_COLS];
	struct open_call *open;
	size_t		 nopen, open_cap;
	uint32_t	*path;
	size_t		 path_cap;
	struct buf	 text;
	struct scratch	 names;		/* u32 by method: the number of its name; 0: not known yet */
	uint64_t	 methods;
	uint64_t	 most;		/* stacks that there may be; 0: not known */
	/*
	 * The sum of all weights, if small stacks may be skipped: calls of a profile without a view.
	 *  Otherwise 0.
	 */
	uint64_t	 whole;
	bool		 joined;	/* two rows are one stack */
};

/* ---- frames of a row --------------------------------------------------------------- */

/* Leave the calls that are not above the row; the last open call must be its caller. */
static bool
find_caller(struct reader *r, uint64_t row, uint64_t depth, uint32_t *caller, struct err *err)
{
	struct cell parent;

	rows_cell(r->rows, row, (size_t)r->col[STACK_PARENT], &parent);
	if (depth < r->nopen)
		r->nopen = (size_t)depth;
	*caller = 0;
	if (r->nopen == depth && depth == 0)
		return true;
	if (r->nopen != depth || r->open[depth - 1].id != parent.u)
		return fail(err, E_USAGE, "%s needs whole call trees; remove where, sort, top or tail",
		    r->s->picture ? "a picture" : "folded");
	*caller = r->open[depth - 1].stack;
	return true;
}

/*
 * Push the thread as the outermost frame, or the process if threads are merged; nothing if the rows have
 * neither.
 */
static bool
stacks_find_thread(struct reader *r, uint64_t row, uint32_t *stack, struct err *err)
{
	struct buf b = BUF_INIT;
	struct cell c, id;
	bool ok;

	if (r->col[STACK_THREAD] < 0 || r->nameless)
		return true;
	rows_cell(r->rows, row, (size_t)r->col[STACK_THREAD], &c);
	if (c.type != CELL_TEXT && r->col[STACK_PROCESS] >= 0)
		rows_cell(r->rows, row, (size_t)r->col[STACK_PROCESS], &c);
	else if (c.type == CELL_TEXT && r->s->profile && r->col[STACK_THREAD_ID] >= 0) {
		rows_cell(r->rows, row, (size_t)r->col[STACK_THREAD_ID], &id);
		thread_folded(r->s->st, (uint32_t)id.u, &b);
		c.text = buf_view(&b);
	}
	ok = (!b.bad || fail(err, E_SYSTEM, "out of memory (name)")) &&
	    (c.type != CELL_TEXT || stacks_push(r->s, c.text, KIND_THREAD, stack, err));
	buf_free(&b);
	return ok;
}

static struct str
stacks_text_of(struct reader *r, struct rows *rows, int col, uint64_t row)
{
	struct cell c;

	(void)r;
	rows_cell(rows, row, (size_t)col, &c);
	return c.type == CELL_TEXT ? c.text : STR("");
}

/* Build the name of a row's frame: folded stacks add the mark of its kind, field paths the class. */
static struct str
frame_name(struct reader *r, struct rows *rows, int method, int method_id, uint64_t row, char *kind)
{
	struct cell c;
	struct str class;

	*kind = KIND_NONE;
	buf_clear(&r->text);
	if (r->s->profile && method_id >= 0) {
		rows_cell(rows, row, (size_t)method_id, &c);
		if (!r->s->picture && !r->s->bare) {
			method_folded(r->s->st, (uint32_t)c.u, &r->text);
			return buf_view(&r->text);
		}
		*kind = method_kind(r->s->st, (uint32_t)c.u);
		*kind = *kind == '\0' ? KIND_NONE : *kind;
		if (!r->s->picture && !method_named(r->s->st, (uint32_t)c.u))
			return STR("");
	}
	buf_str(&r->text, stacks_text_of(r, rows, method, row));
	class = r->col[STACK_CLASS] >= 0 ? stacks_text_of(r, rows, r->col[STACK_CLASS], row) : STR("");
	if (class.n > 0)
		buf_chr(&r->text, ' ');
	buf_str(&r->text, class);
	return buf_view(&r->text);
}

/* Return where the name number of the row's method is cached, as methods repeat often; NULL: nowhere. */
static uint32_t *
stacks_kept_name(struct reader *r, uint64_t row)
{
	struct cell c;

	if (r->col[STACK_METHOD_ID] < 0 || r->col[STACK_CLASS] >= 0)
		return NULL;
	rows_cell(r->rows, row, (size_t)r->col[STACK_METHOD_ID], &c);
	return c.u < r->methods ? &SCRATCH(r->names, uint32_t)[c.u] : NULL;
}

/* Push the frame of a row on its caller.  A frame without a name is skipped: its weight is the caller's. */
static bool
find_frame(struct reader *r, uint64_t row, uint32_t *stack, struct err *err)
{
	uint32_t *kept = stacks_kept_name(r, row), none;
	struct str text;
	char kind;

	if (kept != NULL && *kept != 0)
		return stacks_push_named(r->s, *kept, stack, err);
	text = frame_name(r, r->rows, r->col[STACK_METHOD], r->col[STACK_METHOD_ID], row, &kind);
	if (r->text.bad)
		return fail(err, E_SYSTEM, "out of memory (name)");
	if (text.n == 0 && *stack != 0)
		return true;
	/* Only a frame without a caller gets here without a name. */
	kept = kept == NULL || text.n == 0 ? &none : kept;
	return stacks_name(r->s, text.n == 0 && !r->s->bare ? STR("[unnamed]") : text, kind, kept, err) &&
	    stacks_push_named(r->s, *kept, stack, err);
}

/* Collect the rows of the tree from a call up to the top into r->path. */
static bool
find_path(struct reader *r, struct rows *tree, uint64_t id, size_t *n, struct err *err)
{
	struct cell parent;
	uint64_t row;

	for (*n = 0; tree_row(tree, id, &row) && row < UINT32_MAX; id = parent.u) {
		if (!mem_grow(&r->path, &r->path_cap, *n + 1, sizeof *r->path))
			return fail(err, E_SYSTEM, "out of memory (stack)");
		r->path[(*n)++] = (uint32_t)row;
		rows_cell(tree, row, CALL_PARENT, &parent);
		/* Callers have smaller ids. */
		if (parent.u >= id)
			break;
	}
	return true;
}

/* Build the stack of a row whose callers may be filtered out, from the tree that it came from. */
static bool
stacks_find_stack(struct reader *r, uint64_t row, uint32_t *stack, struct err *err)
{
	int method_id = rows_column(r->tree, STR("method_id"));
	struct str text;
	struct cell id;
	size_t n;
	char kind;
	bool ok;

	rows_cell(r->rows, row, (size_t)r->col[STACK_ID], &id);
	ok = find_path(r, r->tree, id.u, &n, err) && stacks_find_thread(r, row, stack, err);
	while (ok && n-- > 0) {
		text = frame_name(r, r->tree, CALL_METHOD, method_id, r->path[n], &kind);
		if (text.n > 0)
			ok = stacks_push(r->s, text, kind, stack, err);
	}
	return ok && (!r->text.bad || fail(err, E_SYSTEM, "out of memory (name)"));
}

/* ---- rows -------------------------------------------------------------------------- */

/* Convert a weight to 1/unit; negative weights become 0. */
static uint64_t
read_weight(const struct reader *r, uint64_t row, enum stack_col col)
{
	struct cell c;

	if (r->col[col] < 0)
		return 0;
	rows_cell(r->rows, row, (size_t)r->col[col], &c);
	if (c.type == CELL_DECIMAL)
		return decimal_units(cell_exact(&c), r->s->unit);
	if (c.type != CELL_REAL)
		return c.type == CELL_NONE || (c.type == CELL_INT && c.i < 0) ? 0 : c.u;
	return c.f >= 0 && c.f * (double)r->s->unit < 0x1p63 ? (uint64_t)(c.f * (double)r->s->unit + 0.5) : 0;
}

static uint64_t
row_width(const struct reader *r, uint64_t row)
{
	return num_add(read_weight(r, row, STACK_TOTAL),
	    read_weight(r, row, STACK_TOTAL_BEFORE));
}

/* Return whether the rows below are too small for a box, so that this row represents them. */
static bool
is_too_small(const struct reader *r, uint64_t row)
{
	return r->whole > 0 && (double)row_width(r, row) * 100 < r->s->least * (double)r->whole;
}

static bool
add_weights(struct reader *r, uint64_t row, uint32_t number)
{
	bool all = is_too_small(r, row);
	struct tree_stack *s;
	struct stack_about *about;

	if (number == 0)
		return true;
	s = stack_at(r->s, number);
	s->weight = num_add(s->weight, read_weight(r, row, all ? STACK_TOTAL : STACK_SELF));
	s->before = num_add(s->before, read_weight(r, row, all ? STACK_TOTAL_BEFORE : STACK_BEFORE));
	if (r->s->picture) {
		about = stack_about(r->s, number);
		about->total[0] = num_add(about->total[0], read_weight(r, row, STACK_TOTAL));
		about->total[1] = num_add(about->total[1], read_weight(r, row, STACK_TOTAL_BEFORE));
		about->calls = num_add(about->calls, read_weight(r, row, STACK_CALLS));
	}
	return true;
}

static bool
stacks_read_row(struct reader *r, uint64_t row, struct err *err)
{
	uint32_t stack = 0, had = r->s->n;
	struct cell depth, id;

	if (r->tree != NULL)
		return stacks_find_stack(r, row, &stack, err) && add_weights(r, row, stack);
	rows_cell(r->rows, row, (size_t)r->col[STACK_DEPTH], &depth);
	if (!find_caller(r, row, depth.u, &stack, err) ||
	    (depth.u == 0 && !stacks_find_thread(r, row, &stack, err)) ||
	    !find_frame(r, row, &stack, err) || !add_weights(r, row, stack))
		return false;
	r->joined |= r->s->n == had || stack != r->s->n;
	rows_cell(r->rows, row, (size_t)r->col[STACK_ID], &id);
	if (!mem_grow(&r->open, &r->open_cap, r->nopen + 1, sizeof *r->open))
		return fail(err, E_SYSTEM, "out of memory (stack)");
	r->open[r->nopen++] = (struct open_call){ .id = id.u, .stack = stack };
	return true;
}

/* Folded stacks: traces in microseconds, profiles in the unit of the file.  Pictures: as rows show them. */
static void
stacks_find_unit(struct stack_tree *s, enum cell_type type)
{
	s->unit = 1;
	s->type = type;
	if (type == CELL_TIME && !s->picture)
		s->unit = s->profile ? s->weights.tick : 1000;
	else if ((type == CELL_REAL || type == CELL_DECIMAL) && s->profile)
		s->unit = s->weights.scale;
}

static void
find_store(struct reader *r)
{
	const struct rows *first = r->rows;
	struct stack_tree *s = r->s;

	while (first->in != NULL)
		first = first->in;
	s->st = session_store(first->session);
	if (s->st == NULL)
		return;
	weights_of(s->st, &s->weights);
	s->profile = (load_shapes(s->st) & SHAPE_SAMPLES) != 0;
	s->bare = fact_value(s->st, FACT_TRACE_BARE) != 0;
	s->table = (load_shapes(s->st) & SHAPE_TABLE) != 0;
	/* In bare stacks only the rows of source calls have threads. */
	r->nameless = threads_nameless(s->st) || (s->bare && first->ops != &calls_ops);
	r->most = first->ops == &calls_ops ? column_rows(store_column(s->st, COL_CALL_METHOD)) : 0;
}

/* Find the columns of a call tree or of field paths, -1: none.  Return the first missing, or STACK_NEEDED. */
static enum stack_col
find_columns(struct rows *rows, size_t kind, int col[STACK_COLS])
{
	enum stack_col missing = STACK_NEEDED;

	for (size_t i = 0; i < STACK_COLS; i++) {
		const char *name = col_names[i][kind] != NULL ||
		    i == STACK_CLASS ? col_names[i][kind] : col_names[i][0];

		col[i] = name == NULL ? -1 : rows_column(rows, str_of(name));
		if (col[i] < 0 && i < STACK_NEEDED && missing == STACK_NEEDED)
			missing = (enum stack_col)i;
	}
	return missing;
}

static bool
need_columns(struct reader *r, struct err *err)
{
	enum stack_col missing = find_columns(r->rows, 0, r->col);

	if (missing == STACK_NEEDED || find_columns(r->rows, 1, r->col) == STACK_NEEDED)
		return true;
	if (r->s->picture)
		return fail(err, E_USAGE,
		    "no picture of these rows; use a call tree, names or dominators (html: any rows)");
	return fail(err, E_USAGE, "'folded' needs call-tree rows (no column '%s'); use calls, merged or inverted",
	    col_names[missing][0]);
}

bool
stacks_fit(struct rows *rows)
{
	int col[STACK_COLS];

	return find_columns(rows, 0, col) == STACK_NEEDED ||
	    find_columns(rows, 1, col) == STACK_NEEDED;
}

/* Return the first row after the subtree of a row of calls. */
static uint64_t
row_behind(const struct reader *r, uint64_t row)
{
	struct cell id;
	uint64_t size;

	rows_cell(r->rows, row, (size_t)r->col[STACK_ID], &id);
	size = store_cell(r->s->st, COL_CALL_SIZE, id.u);
	return num_add(row, size > 0 ? size : 1);
}

/* In calls of a profile the total of a row includes all rows below it. */
static void
stacks_find_whole(struct reader *r)
{
	bool plain = r->s->least > 0 && r->rows->ops == &calls_ops && r->s->profile &&
	    store_below(r->s->st) == NULL;

	for (uint64_t row = 0; plain && rows_reach(r->rows, row + 1) > row; row = row_behind(r, row))
		r->whole = num_add(r->whole, row_width(r, row));
	/* Larger sums are not exact as doubles. */
	r->whole = r->whole < UINT64_C(1) << 53 ? r->whole : 0;
}

static bool
stacks_begin(struct reader *r, struct err *err)
{
	if (!need_columns(r, err))
		return false;
	find_store(r);
	stacks_find_unit(r->s, r->rows->cols[r->col[STACK_SELF]].type);
	r->s->differs = r->col[STACK_BEFORE] >= 0;
	r->s->calls = r->col[STACK_CALLS] >= 0;
	if (r->col[STACK_ANY] >= 0)
		r->tree = tree_rows(r->rows);
	stacks_find_whole(r);
	r->methods = r->s->st == NULL ? 0 : column_rows(store_column(r->s->st, COL_METHOD_RAW)) + 1;
	return scratch_array(&r->names, r->methods, sizeof(uint32_t), err);
}

static bool
stacks_read_rows(struct reader *r, struct err *err)
{
	/* Allocate the full size now: arrays that grow are copied. */
	if (r->whole == 0 && (!scratch_array(&r->s->list, r->most, sizeof(struct tree_stack), err) ||
	    (r->s->picture && !scratch_array(&r->s->about, r->most, sizeof(struct stack_about), err))))
		return false;
	for (uint64_t row = 0; rows_reach(r->rows, row + 1) > row; row = is_too_small(r, row) ?
	    row_behind(r, row) : row + 1)
		if (!rows_tick(r->rows, row) || !stacks_read_row(r, row, err))
			return false;
	return true;
}

/* Rows of one stack may be large enough together: read everything then. */
static bool
read_again(struct reader *r, struct err *err)
{
	scratch_free(&r->s->list);
	scratch_free(&r->s->about);
	idmap_free(&r->s->by_key);
	r->s->n = 0;
	r->nopen = 0;
	r->whole = 0;
	return stacks_read_rows(r, err);
}

/* ---- what the query left out --------------------------------------------------------- */

/* Put what is missing to the total of a stack, 0: of all, on top of it as a frame of its own. */
static bool
add_left_out(struct stack_tree *s, uint32_t stack, const uint64_t total[2], uint64_t have[2], struct err *err)
{
	uint64_t missing[2];
	struct tree_stack *one;
	uint32_t number = stack;

	for (size_t i = 0; i < 2; i++) {
		missing[i] = total[i] > have[i] ? total[i] - have[i] : 0;
		have[i] += missing[i];
		s->left_out[i] = num_add(s->left_out[i], missing[i]);
	}
	if (missing[0] == 0 && missing[1] == 0)
		return true;
	if (!stacks_push(s, STR("filtered out"), KIND_LEFT_OUT, &number, err))
		return false;
	one = stack_at(s, number);
	one->weight = missing[0];
	one->before = missing[1];
	return true;
}

/*
 * Sum up the rows that the stages of the query began with; false: they are not a call tree, or a stage made
 * other weights.
 */
static bool
total_of_source(const struct reader *r, uint64_t total[2])
{
	struct reader all = { .s = r->s, .rows = r->rows };

	while (all.rows->in != NULL)
		all.rows = all.rows->in;
	if (r->col[STACK_TOTAL] < 0 || r->col[STACK_CLASS] >= 0 ||
	    find_columns(all.rows, 0, all.col) != STACK_NEEDED ||
	    all.rows->cols[all.col[STACK_SELF]].type != r->rows->cols[r->col[STACK_SELF]].type)
		return false;
	for (uint64_t row = 0; rows_reach(all.rows, row + 1) > row && rows_tick(r->rows, row); row++) {
		total[0] = num_add(total[0], read_weight(&all, row, STACK_SELF));
		total[1] = num_add(total[1], read_weight(&all, row, STACK_BEFORE));
	}
	return true;
}

/*
 * Shares of a picture are those of all rows: what stages left out keeps its width.  Callers have smaller
 * numbers.
 */
static bool
stacks_complete(struct reader *r, struct err *err)
{
	struct stack_tree *s = r->s;
	uint32_t n = s->n, caller;
	uint64_t all[2] = { 0, 0 }, (*have)[2];
	bool ok = true;

	if (!s->picture || r->rows->in == NULL || !total_of_source(r, all))
		return true;
	if ((have = mem_array(n + 1ull, sizeof *have)) == NULL)
		return fail(err, E_SYSTEM, "out of memory (picture)");
	for (uint32_t i = n; i > 0 && ok; i--) {
		const struct stack_about about = *stack_about(s, i);

		caller = stack_at(s, i)->caller;
		have[i][0] = num_add(have[i][0], stack_at(s, i)->weight);
		have[i][1] = num_add(have[i][1], stack_at(s, i)->before);
		ok = add_left_out(s, i, about.total, have[i], err);
		have[caller][0] = num_add(have[caller][0], have[i][0]);
		have[caller][1] = num_add(have[caller][1], have[i][1]);
	}
	ok = ok && add_left_out(s, 0, all, have[0], err);
	free(have);
	return ok;
}

bool
stacks_read(struct stack_tree *s, struct rows *rows, struct err *err)
{
	struct reader r = { .s = s, .rows = rows };
	bool ok = stacks_begin(&r, err) && stacks_read_rows(&r, err) &&
	    (!r.joined || r.whole == 0 || read_again(&r, err)) && stacks_complete(&r, err);

	free(r.open);
	free(r.path);
	scratch_free(&r.names);
	buf_free(&r.text);
	return ok;
}
