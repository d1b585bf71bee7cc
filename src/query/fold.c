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
#include <stdlib.h>

#include "keys.h"
#include "print.h"

enum fold_col { FOLD_ID, FOLD_PARENT, FOLD_DEPTH, FOLD_METHOD, FOLD_SELF,
	FOLD_NEEDED, FOLD_THREAD = FOLD_NEEDED, FOLD_COLS };

/* One distinct stack. */
struct stack {
	uint32_t	caller;		/* 0: none */
	uint32_t	name;
	uint64_t	weight;
};

/* An open call on the way from the root to the present row. */
struct open_call {
	uint64_t	id;
	uint32_t	stack;
};

struct fold {
	struct printer	*p;
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
	size_t i;

	buf_clear(b);
	text_fit_buf(b, raw);
	for (i = 0; i < b->n; i++)
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
	struct cell c;
	uint32_t name;

	if (f->col[FOLD_THREAD] < 0)
		return true;
	rows_cell(f->p->rows, row, (size_t)f->col[FOLD_THREAD], &c);
	if (c.type != CELL_TEXT)
		return true;
	return name_number(f, c.text, &name, err) &&
	    stack_number(f, 0, name, stack, err);
}

static bool
fold_row(struct fold *f, uint64_t row, struct err *err)
{
	struct rows *r = f->p->rows;
	struct cell depth, method, self, id;
	struct stack *s;
	uint32_t stack, name;

	rows_cell(r, row, (size_t)f->col[FOLD_DEPTH], &depth);
	if (!find_caller(f, row, depth.u, &stack, err) ||
	    (depth.u == 0 && !find_thread(f, row, &stack, err)))
		return false;
	rows_cell(r, row, (size_t)f->col[FOLD_METHOD], &method);
	if (!name_number(f, method.text, &name, err) ||
	    !stack_number(f, stack, name, &stack, err))
		return false;
	rows_cell(r, row, (size_t)f->col[FOLD_SELF], &self);
	rows_cell(r, row, (size_t)f->col[FOLD_ID], &id);
	s = &SCRATCH(f->stacks, struct stack)[stack - 1];
	s->weight = self.u > UINT64_MAX - s->weight ? UINT64_MAX : s->weight + self.u;
	if (!mem_grow(&f->open, &f->open_cap, f->nopen + 1, sizeof *f->open))
		return fail(err, E_SYSTEM, "no memory for a stack");
	f->open[f->nopen++] = (struct open_call){ .id = id.u, .stack = stack };
	return true;
}

/* ---- lines ----------------------------------------------------------------------- */

static bool
fold_line(struct fold *f, uint32_t number, uint64_t weight, struct err *err)
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
		buf_chr(line, n > 0 ? ';' : ' ');
	}
	buf_printf(line, "%" PRIu64 "\n", weight);
	return print_line(f->p, err);
}

/* Times in microseconds, as the tools expect; the rest as it is. */
static bool
fold_lines(struct fold *f, uint64_t *n, struct err *err)
{
	enum cell_type type = f->p->rows->cols[f->col[FOLD_SELF]].type;
	uint64_t weight;
	uint32_t i;

	for (i = 0; i < f->nstacks; i++) {
		weight = SCRATCH(f->stacks, struct stack)[i].weight;
		if (type == CELL_TIME)
			weight /= 1000;
		if (weight == 0)
			continue;
		if (!fold_line(f, i + 1, weight, err))
			return false;
		++*n;
	}
	return true;
}

static bool
find_columns(struct fold *f, struct err *err)
{
	static const char *const names[FOLD_COLS] = {
		[FOLD_ID] = "id", [FOLD_PARENT] = "parent", [FOLD_DEPTH] = "depth",
		[FOLD_METHOD] = "method", [FOLD_SELF] = "self",
		[FOLD_THREAD] = "thread"
	};
	size_t i;

	for (i = 0; i < FOLD_COLS; i++) {
		f->col[i] = rows_column(f->p->rows, str_of(names[i]));
		if (f->col[i] < 0 && i < FOLD_NEEDED)
			return fail(err, E_USAGE, "folded needs the rows of a call "
			    "tree, and these have no column '%s'; try calls, "
			    "merged or inverted", names[i]);
	}
	return true;
}

static bool
fold(struct fold *f, uint64_t *n, struct err *err)
{
	uint64_t row;

	if (!find_columns(f, err))
		return false;
	for (row = 0; rows_reach(f->p->rows, row + 1) > row; row++)
		if (!fold_row(f, row, err))
			return false;
	return rows_error(f->p->rows) != NULL || fold_lines(f, n, err);
}

bool
folded_print(struct printer *p, uint64_t *n, struct err *err)
{
	struct fold f = {
		.p = p, .names = KEYS_INIT, .stacks = SCRATCH_INIT,
		.by_key = IDMAP_INIT
	};
	bool ok = fold(&f, n, err);

	keys_free(&f.names);
	scratch_free(&f.stacks);
	idmap_free(&f.by_key);
	free(f.open);
	free(f.path);
	return ok;
}
