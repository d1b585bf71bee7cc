/*
 * fields: fields of some columns of a table in many records at once.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "icecore/columns_table.h"

#define RING (FIELDS_WINDOW * FIELDS_WINDOWS)	/* records whose fields are there */
#define TEXTS_MOST (16u << 20)			/* bytes of the values of a column */

_Static_assert(FIELDS_WINDOW % SHEET_BLOCK == 0, "a window begins where a block does");
_Static_assert(FIELDS_WINDOW * (FIELDS_WINDOWS - 1) > BATCH, "the windows of a batch are there at once");

bool
fields_open(struct fields *f, const struct sheet *sheet, const struct store *store, struct err *err)
{
	f->block = store_column(store, COL_TABLE_BLOCK);
	f->line = store_column(store, COL_TABLE_LINE);
	return sheet_reader_open(&f->reader, sheet, sheet->first, sheet->line, err);
}

void
fields_close(struct fields *f)
{
	for (unsigned i = 0; i < f->n; i++) {
		free(f->column[i].field);
		texts_free(&f->column[i].texts);
	}
	sheet_reader_close(&f->reader);
}

/* The column, which is added if there is room; NULL: there is none. */
static struct fields_column *
fields_need(struct fields *f, uint32_t column)
{
	struct fields_column *c;

	for (unsigned i = 0; i < f->n; i++)
		if (f->column[i].column == column)
			return &f->column[i];
	if (f->n == FIELDS_COLUMNS)
		return NULL;
	c = &f->column[f->n];
	*c = (struct fields_column){ .column = column, .field = mem_array(RING, sizeof *c->field) };
	if (c->field == NULL)
		return NULL;
	f->reader.keep = f->n > 0 && f->reader.keep > column ? f->reader.keep : column + 1;
	f->n++;
	memset(f->window, 0, sizeof f->window);
	return c;
}

static bool
fields_load(struct fields *f, uint64_t window)
{
	struct sheet_reader *r = &f->reader;
	uint64_t row = window * FIELDS_WINDOW, block = row / SHEET_BLOCK, left = r->sheet->records - row, at;
	const struct sheet_field *from;
	struct sheet_field *to;

	if (block >= column_rows(f->block) || (at = column_get(f->block, block)) > (uint64_t)(r->sheet->end - r->sheet->data))
		return false;
	f->window[window % FIELDS_WINDOWS] = 0;
	r->at = r->sheet->data + at;
	for (uint64_t n = left < FIELDS_WINDOW ? left : FIELDS_WINDOW; n > 0; n--, row++) {
		if (!sheet_next(r, NULL))
			return false;
		for (unsigned i = 0; i < f->n; i++) {
			from = sheet_field(r, f->column[i].column);
			to = &f->column[i].field[row % RING];
			if (from != NULL)
				*to = *from;
			else
				to->end = to->from = r->record;
		}
	}
	f->window[window % FIELDS_WINDOWS] = window + 1;
	return true;
}

struct fields_column *
fields_read(struct fields *f, uint32_t column, uint64_t first, size_t n)
{
	struct fields_column *c = fields_need(f, column);

	assert(n <= BATCH && n <= f->reader.sheet->records && first <= f->reader.sheet->records - n);
	for (uint64_t w = first / FIELDS_WINDOW; c != NULL && w * FIELDS_WINDOW < first + n; w++)
		if (f->window[w % FIELDS_WINDOWS] != w + 1 && !fields_load(f, w))
			return NULL;
	return c;
}

static const struct fields_column *
fields_find(const struct fields *f, uint32_t column)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->column[i].column == column)
			return &f->column[i];
	return NULL;
}

const struct fields_column *
fields_have(const struct fields *f, uint32_t column, uint64_t record)
{
	uint64_t window = record / FIELDS_WINDOW;

	return f->window[window % FIELDS_WINDOWS] == window + 1 ? fields_find(f, column) : NULL;
}

struct str
fields_value(const struct fields *f, uint32_t column, uint64_t value)
{
	return texts_get(&fields_find(f, column)->texts, (uint32_t)value + 1);
}

struct str
fields_text(struct fields *f, const struct fields_column *c, uint64_t record)
{
	return sheet_field_text(&f->reader, &c->field[record % RING]);
}

bool
fields_values(struct fields *f, struct fields_column *c, uint64_t first, size_t n, struct batch *b)
{
	uint32_t number;
	struct str text;

	b->values = FIELDS_VALUES;
	b->type = CELL_NONE;
	b->empty = false;
	for (size_t i = 0; i < n && !c->many; i++) {
		text = fields_text(f, c, first + i);
		b->none[i] = text.n == 0;
		b->u[i] = 0;
		if (text.n == 0) {
			b->empty = true;
			continue;
		}
		c->many = !texts_number(&c->texts, text, &number, NULL) || number > FIELDS_VALUES || c->texts.size > TEXTS_MOST;
		b->u[i] = number - 1;
	}
	return !c->many;
}
