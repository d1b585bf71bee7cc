/*
 * findings_read: findings as the pass left them.
 */
#include "config.h"

#include "icecore/leak.h"

static const struct column *
column(const struct heap *h, const char *pattern)
{
	char name[HEAP_COLUMN];

	return store_column(h->st, heap_column(name, pattern, h->refs, h->sizes));
}

bool
findings_open(struct findings *f, const struct heap *h)
{
	const struct column *path = column(h, "REFS.SIZES.hop.object");

	*f = (struct findings){ .heap = h };
	f->kind = column(h, "REFS.SIZES.finding.kind");
	f->object = column(h, "REFS.SIZES.finding.object");
	f->class = column(h, "REFS.SIZES.finding.class");
	f->other = column(h, "REFS.SIZES.finding.other");
	f->retained = column(h, "REFS.SIZES.finding.retained");
	f->count = column(h, "REFS.SIZES.finding.count");
	f->number = column(h, "REFS.SIZES.finding.number");
	f->hop = column(h, "REFS.SIZES.finding.hop");
	f->hops = column(h, "REFS.SIZES.finding.hops");
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
