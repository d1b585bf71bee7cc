/*
 * print_json: an object for each row, one a line.
 */
#include "config.h"

#include <math.h>

#include "print.h"

/* The gate leaves no control character and no byte that is not UTF-8: only these two need a backslash. */
void
json_text(struct printer *p, struct str s)
{
	buf_clear(&p->cell);
	text_fit_buf(&p->cell, s);
	buf_chr(&p->line, '"');
	for (size_t i = 0; i < p->cell.n; i++) {
		if (p->cell.s[i] == '"' || p->cell.s[i] == '\\')
			buf_chr(&p->line, '\\');
		buf_chr(&p->line, p->cell.s[i]);
	}
	buf_chr(&p->line, '"');
}

/* What is no number in JSON stands as a text. */
static void
json_cell(struct printer *p, const struct cell *c)
{
	bool quotes = c->type == CELL_ADDR || (c->type == CELL_REAL && isinf(c->f));

	if (c->type == CELL_TEXT)
		json_text(p, c->text);
	if (c->type == CELL_NONE)
		buf_str(&p->line, STR("null"));
	if (quotes)
		buf_chr(&p->line, '"');
	print_number(c, &p->line);
	if (quotes)
		buf_chr(&p->line, '"');
}

bool
json_row(struct printer *p, uint64_t row, struct err *err)
{
	struct cell c;

	for (size_t i = 0; i < p->rows->ncols; i++) {
		buf_str(&p->line, i == 0 ? STR("{\"") : STR(",\""));
		buf_str(&p->line, str_of(p->rows->cols[i].name));
		buf_str(&p->line, STR("\":"));
		rows_cell(p->rows, row, i, &c);
		json_cell(p, &c);
	}
	buf_str(&p->line, STR("}\n"));
	return print_line(p, err);
}
