/*
 * fold: call trees as folded stacks, "frame;frame;frame weight", for flame
 * graph tools.
 *
 * Stacks that read the same are one line: overloaded methods, threads of one
 * name.  So names become numbers, and a stack is its caller's number and its
 * name's.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/lang/lang.h"
#include "print.h"

enum fold_col { FOLD_ID, FOLD_PARENT, FOLD_DEPTH, FOLD_METHOD, FOLD_SELF,
	FOLD_NEEDED, FOLD_THREAD = FOLD_NEEDED, FOLD_THREAD_ID, FOLD_BEFORE, FOLD_METHOD_ID, FOLD_ANY, FOLD_COLS };

/* One distinct stack. */
struct stack {
	uint32_t	caller;		/* 0: none */
	uint32_t	name;
	uint64_t	weight, before;	/* in 1/unit of what is printed */
};

/* An open call on the way from the root to the present row. */
struct open_call {
	uint64_t	id;
	uint32_t	stack;
};

struct fold {
	struct printer	*p;
	const struct store *st;		/* or NULL */
	struct rows	*tree;		/* where the callers of rows are that were chosen by their whole stacks; else NULL */
	struct weights	 weights;
	bool		 profile;
	bool		 nameless;	/* there is one thread, and nothing to call it */
	uint64_t	 unit;
	int		 col[FOLD_COLS];
	struct keys	 names;
	struct scratch	 stacks;	/* struct stack of number n at n - 1 */
	uint32_t	 nstacks;
	struct idmap	 by_key;
	struct open_call *open;
	size_t		 nopen, open_cap;
	uint32_t	*path;		/* of the line that is printed */
	size_t		 path_cap;
};

/* ---- names ----------------------------------------------------------------------- */

/* The number of a name as it is printed. */
static bool
name_number(struct fold *f, struct str raw, uint32_t *name, struct err *err)
{
	struct buf *b = &f->p->cell;

	buf_clear(b);
	text_fit_buf(b, raw);
	for (size_t i = 0; i < b->n; i++)
		if (b->s[i] == ';')
			b->s[i] = ':';
	if (b->bad)
		return fail(err, E_SYSTEM, "no memory for a name");
	return keys_number(&f->names, buf_view(b), name, err);
}

/* ---- stacks ---------------------------------------------------------------------- */

static bool
stack_number(struct fold *f, uint32_t caller, uint32_t name, uint32_t *number,
    struct err *err)
{
	uint64_t key = (uint64_t)caller << 32 | name;

	*number = idmap_get(&f->by_key, key);
	if (*number != 0)
		return true;
	if (!scratch_array(&f->stacks, f->nstacks + 1ull, sizeof(struct stack), err))
		return false;
	SCRATCH(f->stacks, struct stack)[f->nstacks] =
	    (struct stack){ .caller = caller, .name = name };
	*number = ++f->nstacks;
	return idmap_put(&f->by_key, key, *number, err);
}

/* The stack of a frame of that name on top of *stack. */
static bool
push_frame(struct fold *f, struct str raw, uint32_t *stack, struct err *err)
{
	uint32_t name;

	return name_number(f, raw, &name, err) && stack_number(f, *stack, name, stack, err);
}

/* Leaves the calls that are not above the row; its caller must then be the last one. */
static bool
find_caller(struct fold *f, uint64_t row, uint64_t depth, uint32_t *caller,
    struct err *err)
{
	struct cell parent;

	rows_cell(f->p->rows, row, (size_t)f->col[FOLD_PARENT], &parent);
	if (depth < f->nopen)
		f->nopen = (size_t)depth;
	*caller = 0;
	if (f->nopen == depth && depth == 0)
		return true;
	if (f->nopen != depth || f->open[depth - 1].id != parent.u)
		return fail(err, E_USAGE, "folded needs every caller in front of "
		    "what it calls: no where, sort or tail before it");
	*caller = f->open[depth - 1].stack;
	return true;
}

/* The thread is the outermost frame where the rows have one. */
static bool
find_thread(struct fold *f, uint64_t row, uint32_t *stack, struct err *err)
{
	struct buf b = BUF_INIT;
	struct cell c, id;
	bool ok;

	if (f->col[FOLD_THREAD] < 0 || f->nameless)
		return true;
	rows_cell(f->p->rows, row, (size_t)f->col[FOLD_THREAD], &c);
	if (c.type != CELL_TEXT)
		return true;
	if (f->profile && f->col[FOLD_THREAD_ID] >= 0) {
		rows_cell(f->p->rows, row, (size_t)f->col[FOLD_THREAD_ID], &id);
		thread_folded(f->st, (uint32_t)id.u, &b);
		c.text = buf_view(&b);
	}
	ok = (!b.bad || fail(err, E_SYSTEM, "no memory for a name")) && push_frame(f, c.text, stack, err);
	buf_free(&b);
	return ok;
}

/* The name of a row's frame, with the mark of its kind where that is known. */
static struct str
frame_name(struct fold *f, struct rows *rows, int method, int method_id, uint64_t row,
    struct buf *b)
{
	struct cell c;

	buf_clear(b);
	if (!f->profile || method_id < 0) {
		rows_cell(rows, row, (size_t)method, &c);
		return c.type == CELL_TEXT ? c.text : STR("");
	}
	rows_cell(rows, row, (size_t)method_id, &c);
	method_folded(f->st, (uint32_t)c.u, b);
	return buf_view(b);
}

/* The stack of a row's frame on top of its caller; a frame without a name stands for none: the weight is the caller's own. */
static bool
find_frame(struct fold *f, uint64_t row, uint32_t *stack, struct err *err)
{
	struct buf b = BUF_INIT;
	struct str text = frame_name(f, f->p->rows, f->col[FOLD_METHOD], f->col[FOLD_METHOD_ID], row, &b);
	bool ok = !b.bad || fail(err, E_SYSTEM, "no memory for a name");

	if (text.n == 0 && *stack == 0)
		text = STR("[unnamed]");
	if (ok && text.n > 0)
		ok = push_frame(f, text, stack, err);
	buf_free(&b);
	return ok;
}

/* Rows of the tree from a call up to the top one, into f->path. */
static bool
find_path(struct fold *f, struct rows *tree, uint64_t id, size_t *n, struct err *err)
{
	struct cell parent;
	uint64_t row;

	for (*n = 0; tree_row(tree, id, &row) && row < UINT32_MAX; id = parent.u) {
		if (!mem_grow(&f->path, &f->path_cap, *n + 1, sizeof *f->path))
			return fail(err, E_SYSTEM, "no memory for a stack");
		f->path[(*n)++] = (uint32_t)row;
		rows_cell(tree, row, CALL_PARENT, &parent);
		/* Callers come first. */
		if (parent.u >= id)
			break;
	}
	return true;
}

/* The whole stack of a row whose callers may have been left out: they are in the tree it came from. */
static bool
find_stack(struct fold *f, uint64_t row, uint32_t *stack, struct err *err)
{
	struct rows *tree = f->tree;
	int method_id = rows_column(tree, STR("method_id"));
	struct buf b = BUF_INIT;
	struct str text;
	struct cell id;
	size_t n;
	bool ok;

	rows_cell(f->p->rows, row, (size_t)f->col[FOLD_ID], &id);
	ok = find_path(f, tree, id.u, &n, err) && find_thread(f, row, stack, err);
	while (ok && n-- > 0) {
		text = frame_name(f, tree, CALL_METHOD, method_id, f->path[n], &b);
		if (text.n > 0)
			ok = push_frame(f, text, stack, err);
	}
	ok = ok && (!b.bad || fail(err, E_SYSTEM, "no memory for a name"));
	buf_free(&b);
	return ok;
}

/* A weight in 1/unit. */
static uint64_t
fold_weight(const struct fold *f, uint64_t row, enum fold_col col)
{
	struct cell c;

	if (f->col[col] < 0)
		return 0;
	rows_cell(f->p->rows, row, (size_t)f->col[col], &c);
	if (c.type == CELL_DECIMAL && (uint64_t)decimal_power(c.decimals) == f->unit)
		return c.i < 0 ? 0 : (uint64_t)c.i;
	if (c.type == CELL_DECIMAL)
		c = (struct cell){ .type = CELL_REAL, .f = cell_real(&c) };
	if (c.type != CELL_REAL)
		return c.u;
	return c.f >= 0 && c.f * (double)f->unit < 0x1p63 ? (uint64_t)(c.f * (double)f->unit + 0.5) : 0;
}

static bool
add_weights(struct fold *f, uint64_t row, uint32_t stack)
{
	struct stack *s;

	if (stack == 0)
		return true;
	s = &SCRATCH(f->stacks, struct stack)[stack - 1];
	s->weight = num_add(s->weight, fold_weight(f, row, FOLD_SELF));
	s->before = num_add(s->before, fold_weight(f, row, FOLD_BEFORE));
	return true;
}

static bool
fold_row(struct fold *f, uint64_t row, struct err *err)
{
	struct rows *r = f->p->rows;
	struct cell depth, id;
	uint32_t stack = 0;

	if (f->tree != NULL)
		return find_stack(f, row, &stack, err) && add_weights(f, row, stack);
	rows_cell(r, row, (size_t)f->col[FOLD_DEPTH], &depth);
	if (!find_caller(f, row, depth.u, &stack, err) ||
	    (depth.u == 0 && !find_thread(f, row, &stack, err)) ||
	    !find_frame(f, row, &stack, err) || !add_weights(f, row, stack))
		return false;
	rows_cell(r, row, (size_t)f->col[FOLD_ID], &id);
	if (!mem_grow(&f->open, &f->open_cap, f->nopen + 1, sizeof *f->open))
		return fail(err, E_SYSTEM, "no memory for a stack");
	f->open[f->nopen++] = (struct open_call){ .id = id.u, .stack = stack };
	return true;
}

/* ---- lines ----------------------------------------------------------------------- */

/* With the decimals that a profile has; traces are counted in whole microseconds. */
static void
add_amount(const struct fold *f, uint64_t weight, struct buf *line)
{
	uint64_t part = weight % f->unit;
	char digits[24];
	size_t n;

	buf_printf(line, " %" PRIu64, weight / f->unit);
	if (!f->profile || part == 0)
		return;
	/* With a digit in front that keeps the zeros. */
	snprintf(digits, sizeof digits, "%" PRIu64, f->unit + part);
	for (n = strlen(digits); digits[n - 1] == '0'; n--)
		;
	buf_chr(line, '.');
	buf_add(line, digits + 1, n - 1);
}

static bool
fold_line(struct fold *f, uint32_t number, const struct stack *s, struct err *err)
{
	const struct stack *stacks = SCRATCH(f->stacks, struct stack);
	struct buf *line = &f->p->line;
	size_t n = 0;

	for (; number != 0; number = stacks[number - 1].caller) {
		if (!mem_grow(&f->path, &f->path_cap, n + 1, sizeof *f->path))
			return fail(err, E_SYSTEM, "no memory for a stack");
		f->path[n++] = stacks[number - 1].name;
	}
	while (n-- > 0) {
		buf_str(line, keys_text(&f->names, f->path[n]));
		if (n > 0)
			buf_chr(line, ';');
	}
	if (f->col[FOLD_BEFORE] >= 0)
		add_amount(f, s->before, line);
	add_amount(f, s->weight, line);
	return print_end(f->p, err);
}

static bool
fold_lines(struct fold *f, uint64_t *n, struct err *err)
{
	struct stack s;

	for (uint32_t i = 0; i < f->nstacks; i++) {
		s = SCRATCH(f->stacks, struct stack)[i];
		if (s.before == 0 && (s.weight == 0 || (!f->profile && s.weight < f->unit)))
			continue;
		if (!fold_line(f, i + 1, &s, err))
			return false;
		++*n;
	}
	return true;
}

/* Times of a trace in microseconds, as the tools expect; weights of a profile as they were. */
static void
find_unit(struct fold *f)
{
	enum cell_type type = f->p->rows->cols[f->col[FOLD_SELF]].type;

	f->unit = 1;
	if (type == CELL_TIME)
		f->unit = f->profile ? f->weights.tick : 1000;
	else if (type == CELL_REAL && f->profile)
		f->unit = f->weights.scale;
}

static void
find_store(struct fold *f)
{
	const struct rows *first = f->p->rows;

	while (first->in != NULL)
		first = first->in;
	f->st = session_store(first->session);
	if (f->st == NULL)
		return;
	weights_of(f->st, &f->weights);
	f->profile = (load_shapes(f->st) & SHAPE_SAMPLES) != 0;
	f->nameless = threads_nameless(f->st);
}

static bool
find_columns(struct fold *f, struct err *err)
{
	static const char *const names[FOLD_COLS] = {
		[FOLD_ID] = "id", [FOLD_PARENT] = "parent", [FOLD_DEPTH] = "depth",
		[FOLD_METHOD] = "method", [FOLD_SELF] = "self",
		[FOLD_THREAD] = "thread", [FOLD_THREAD_ID] = "thread_id", [FOLD_BEFORE] = "self_before",
		[FOLD_METHOD_ID] = "method_id", [FOLD_ANY] = "any"
	};

	for (size_t i = 0; i < FOLD_COLS; i++) {
		f->col[i] = rows_column(f->p->rows, str_of(names[i]));
		if (f->col[i] < 0 && i < FOLD_NEEDED)
			return fail(err, E_USAGE, "folded needs the rows of a call "
			    "tree, and these have no column '%s'; try calls, "
			    "merged or inverted", names[i]);
	}
	return true;
}

/* Rows that are folded stacks already, from the columns of that name and weight. */
static bool
whole_stacks(struct fold *f, size_t stack, size_t weight, uint64_t *n, struct err *err)
{
	struct rows *r = f->p->rows;
	struct buf *line = &f->p->line;
	struct cell c;

	for (; rows_reach(r, *n + 1) > *n; ++*n) {
		rows_cell(r, *n, stack, &c);
		text_fit_buf(line, c.type == CELL_TEXT ? c.text : STR(""));
		rows_cell(r, *n, weight, &c);
		buf_printf(line, " %" PRIu64 "\n", c.u);
		if (!print_line(f->p, err))
			return false;
	}
	return true;
}

static bool
fold(struct fold *f, uint64_t *n, struct err *err)
{
	int stack = rows_column(f->p->rows, STR("stack")), weight = rows_column(f->p->rows, STR("weight"));

	if (stack >= 0 && weight >= 0)
		return whole_stacks(f, (size_t)stack, (size_t)weight, n, err);
	if (!find_columns(f, err))
		return false;
	find_store(f);
	find_unit(f);
	if (f->col[FOLD_ANY] >= 0)
		f->tree = tree_rows(f->p->rows);
	for (uint64_t row = 0; rows_reach(f->p->rows, row + 1) > row; row++)
		if (!fold_row(f, row, err))
			return false;
	return rows_error(f->p->rows) != NULL || fold_lines(f, n, err);
}

bool
folded_print(struct printer *p, uint64_t *n, struct err *err)
{
	struct fold f = { .p = p };
	bool ok = fold(&f, n, err);

	keys_free(&f.names);
	scratch_free(&f.stacks);
	idmap_free(&f.by_key);
	free(f.open);
	free(f.path);
	return ok;
}
