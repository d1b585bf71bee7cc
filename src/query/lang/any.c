/*
 * any: the column any of call trees, for stacks that pass through some frame.
 */
#include "config.h"

#include "stage.h"

static const struct coldef column_any = {
	COLUMN_ANY, CELL_TEXT, "all frames of the stack, a line each; a condition is about any of them", true
};

int
any_find(struct rows *r, struct column_set *set, struct str name)
{
	int col = rows_column(r, name);

	if (col >= 0 || !str_eq(name, STR(COLUMN_ANY)) || set->n == COLUMN_SET_MAX)
		return col;
	set->col[set->n] = column_any;
	set->from[set->n] = UINT8_MAX;
	r->ncols = ++set->n;
	return (int)set->n - 1;
}

bool
any_add(struct any *f, uint32_t method)
{
	if (!mem_grow(&f->method, &f->cap, f->n + 1, sizeof *f->method))
		return false;
	f->method[f->n++] = method;
	return true;
}

void
any_text(struct any *f, const struct store *st, struct buf *b)
{
	while (f->n > 0) {
		method_name(st, f->method[--f->n], b);
		if (f->n > 0)
			buf_chr(b, '\n');
	}
}
