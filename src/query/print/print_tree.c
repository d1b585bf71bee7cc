/*
 * print_tree: rows with a depth, callers before what they call, as an indented tree.
 */
#include "config.h"

#include "print.h"

#define INDENT_MAX 100u		/* levels that are drawn; deeper ones are told as a number */

struct print_tree {
	struct printer	*p;
	size_t		 depth;		/* column */
	struct scratch	 level;		/* u32 by row: at most one more than that of the row before */
	struct scratch	 last;		/* bits by row: no other one of its level follows below the same row */
	struct scratch	 open;		/* u8 by level: there is another row to come */
	uint64_t	 n;
};

static bool
read_levels(struct print_tree *t, struct err *err)
{
	uint32_t level = 0;
	struct cell c;

	for (; rows_reach(t->p->rows, t->n + 1) > t->n; t->n++) {
		if (!rows_tick(t->p->rows, t->n))
			return false;
		rows_cell(t->p->rows, t->n, t->depth, &c);
		level = t->n == 0 || c.type != CELL_COUNT ? 0 : c.u > level ? level + 1 : (uint32_t)c.u;
		if (t->n == UINT32_MAX || !scratch_array(&t->level, t->n + 1, sizeof level, err))
			return false;
		SCRATCH(t->level, uint32_t)[t->n] = level;
	}
	return scratch_array(&t->open, t->n + 2, 1, err) && scratch_array(&t->last, t->n / 64 + 1, sizeof(uint64_t), err);
}

/* From the end on. */
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
		buf_str(line, ascii ? (last ? STR("` ") : STR("+ ")) : last ? STR("\xe2\x94\x94 ") : STR("\xe2\x94\x9c "));
	t->open.data[level] = !last;
}

/* What the table shows, but for numbers of things. */
static bool
print_node(struct print_tree *t, uint64_t row, struct err *err)
{
	struct printer *p = t->p;
	bool first = true;
	struct cell c;

	add_branches(t, SCRATCH(t->level, uint32_t)[row], has_bit(&t->last, (uint32_t)row));
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
		if (p->ascii)
			p->cell.n = text_fit_ascii(p->cell.s, p->cell.n + 1, buf_view(&p->cell));
		buf_str(&p->line, buf_view(&p->cell));
	}
	return print_end(p, err);
}

bool
tree_print(struct printer *p, uint64_t *n, struct err *err)
{
	int col = rows_column(p->rows, STR("depth"));
	struct print_tree t = { .p = p, .depth = (size_t)col, .level = SCRATCH_INIT, .last = SCRATCH_INIT, .open = SCRATCH_INIT };
	bool ok;

	if (col < 0 || p->rows->cols[col].type != CELL_COUNT)
		return fail(err, E_USAGE, "format tree needs rows with a depth, e.g. 'merged | format tree'");
	ok = read_levels(&t, err);
	if (ok)
		find_last(&t);
	for (uint64_t i = 0; ok && i <= t.n; i++)
		t.open.data[i] = 0;
	for (*n = 0; ok && *n < t.n; *n += ok)
		ok = rows_tick(p->rows, *n) && print_node(&t, *n, err);
	SCRATCH_FREE(&t.level, &t.last, &t.open);
	return ok;
}
