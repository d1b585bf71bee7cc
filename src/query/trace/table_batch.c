/*
 * table_batch: columns of tables, many rows at once.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "table.h"

/* Find the ids of rows: within a range they are consecutive. */
static void
table_batch_find_ids(const struct table *t, uint64_t first, size_t n, uint64_t *id)
{
	const struct id_range *r = t->range, *end = t->range + t->nranges;

	while (r + 1 < end && r[1].row <= first)
		r++;
	for (size_t i = 0; i < n; i++) {
		while (r + 1 < end && r[1].row <= first + i)
			r++;
		id[i] = r->first + (first + i - r->row);
	}
}

uint64_t
values_named(const struct store *st, const struct coldef *def)
{
	uint64_t methods = column_rows(store_column(st, COL_METHOD_RAW));
	uint64_t listed = column_rows(store_column(st, COL_LISTED_NAME));

	switch ((enum field_kind)def->kind) {
	case FIELD_METHOD:
	case FIELD_KIND:
	case FIELD_MODULE:
	case FIELD_FILE:
	case FIELD_PACKAGE:
		return (methods > listed ? methods : listed) + 1;
	case FIELD_THREAD:
	case FIELD_LABEL:
		return column_rows(store_column(st, COL_THREAD_TID)) + 1;
	case FIELD_PROCESS:
	case FIELD_PID:
		return column_rows(store_column(st, COL_PROCESS_PID)) + 1;
	case FIELD_WORD:
		return column_rows(store_column(st, COL_WORD_REF)) + 1;
	case FIELD_LETTER:
		return UINT8_MAX + 1u;
	default:
		return 0;
	}
}

bool
table_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct table *t = (struct table *)r;
	const struct coldef *def = &t->set.col[col];
	enum field_kind kind = (enum field_kind)def->kind;

	if (kind == FIELD_TICKS || kind == FIELD_WEIGHT || kind == FIELD_WEIGHT_CPU || kind == FIELD_OFF || kind == FIELD_PROCESSOR)
		return batch_of_cells(r, first, n, col, b);
	b->values = values_named(t->store, def);
	if (b->values == 0 && (def->type == CELL_TEXT || (kind != FIELD_ID && kind != FIELD_NUMBER && kind != FIELD_MOMENT)))
		return false;
	table_batch_find_ids(t, first, n, b->u);
	if (def->column != COL_NONE && kind != FIELD_ID)
		column_look_up(t->column[col], b->u, n);
	for (size_t i = 0; b->values > 0 && i < n; i++)
		if (b->u[i] >= b->values)
			return false;
	batch_full(b, def->type);
	return true;
}
