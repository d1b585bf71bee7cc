/*
 * findings_read: findings as the pass left them.
 */
#include "config.h"

#include "icecore/leak.h"

static const struct column *
column(const struct heap *h, enum col col)
{
	return store_column(h->st, heap_col(col, h->refs, h->sizes));
}

bool
findings_open(struct findings *f, const struct heap *h)
{
	const struct column *path = column(h, COL_EACH_HOP_OBJECT);

	*f = (struct findings){ .heap = h };
	f->kind = column(h, COL_EACH_FINDING_KIND);
	f->object = column(h, COL_EACH_FINDING_OBJECT);
	f->class = column(h, COL_EACH_FINDING_CLASS);
	f->other = column(h, COL_EACH_FINDING_OTHER);
	f->retained = column(h, COL_EACH_FINDING_RETAINED);
	f->count = column(h, COL_EACH_FINDING_COUNT);
	f->number = column(h, COL_EACH_FINDING_NUMBER);
	f->hop = column(h, COL_EACH_FINDING_HOP);
	f->hops = column(h, COL_EACH_FINDING_HOPS);
	if (f->kind == NULL || path == NULL || path->type != COL_U32)
		return false;
	f->hop_object = path->data;
	f->hop_rows = path->rows;
	f->n = f->kind->rows;
	return true;
}

/* An index can be damaged: what is out of bounds reads as nothing. */
void
finding_get(const struct findings *f, uint64_t row, struct finding *to)
{
	uint64_t kind = column_get(f->kind, row), hop = column_get(f->hop, row);
	uint64_t hops = column_get(f->hops, row);

	*to = (struct finding){
		.kind = kind < FINDINGS ? (enum finding_kind)kind : FINDING_OTHER,
		.object = (uint32_t)column_get(f->object, row),
		.class = (uint32_t)column_get(f->class, row),
		.other = (uint32_t)column_get(f->other, row),
		.count = (uint32_t)column_get(f->count, row),
		.retained = column_get(f->retained, row),
		.number = column_get(f->number, row)
	};
	if (hop > f->hop_rows || hops > f->hop_rows - hop)
		return;
	to->hop = f->hop_object + hop;
	to->hops = hops;
}
