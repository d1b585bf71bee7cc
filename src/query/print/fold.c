/*
 * fold: call trees as folded stacks, "frame;frame;frame weight", for flame graph tools.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "query/draw/draw.h"

struct fold {
	struct printer	*p;
	struct stack_tree	 stacks;
	uint32_t	*path;		/* of the line that is printed */
	size_t		 path_cap;
};

/* With the decimals that a profile has; traces are counted in whole microseconds. */
static void
add_amount(const struct stack_tree *s, uint64_t weight, struct buf *line)
{
	uint64_t part = weight % s->unit;
	char digits[24];
	size_t n;

	buf_printf(line, " %" PRIu64, weight / s->unit);
	if (!s->profile || part == 0)
		return;
	/* With a digit in front that keeps the zeros. */
	snprintf(digits, sizeof digits, "%" PRIu64, s->unit + part);
	for (n = strlen(digits); digits[n - 1] == '0'; n--)
		;
	buf_chr(line, '.');
	buf_add(line, digits + 1, n - 1);
}

static bool
fold_line(struct fold *f, uint32_t number, const struct tree_stack *s, struct err *err)
{
	struct buf *line = &f->p->line;
	size_t n = 0;

	for (; number != 0; number = stack_at(&f->stacks, number)->caller) {
		if (!mem_grow(&f->path, &f->path_cap, n + 1, sizeof *f->path))
			return fail(err, E_SYSTEM, "out of memory (stack)");
		f->path[n++] = stack_at(&f->stacks, number)->name;
	}
	while (n-- > 0) {
		buf_str(line, keys_text(&f->stacks.names, f->path[n]));
		if (n > 0)
			buf_chr(line, ';');
	}
	if (f->stacks.differs)
		add_amount(&f->stacks, s->before, line);
	add_amount(&f->stacks, s->weight, line);
	return print_end(f->p, err);
}

static bool
fold_lines(struct fold *f, uint64_t *n, struct err *err)
{
	struct tree_stack s;

	for (uint32_t i = 1; i <= f->stacks.n; i++) {
		s = *stack_at(&f->stacks, i);
		if (s.before == 0 && (s.weight == 0 || (!f->stacks.profile && s.weight < f->stacks.unit)))
			continue;
		if (!fold_line(f, i, &s, err))
			return false;
		++*n;
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
	return stacks_read(&f->stacks, f->p->rows, err) &&
	    (rows_error(f->p->rows) != NULL || fold_lines(f, n, err));
}

bool
folded_print(struct printer *p, uint64_t *n, struct err *err)
{
	struct fold f = { .p = p };
	bool ok = fold(&f, n, err);

	stacks_free(&f.stacks);
	free(f.path);
	return ok;
}
