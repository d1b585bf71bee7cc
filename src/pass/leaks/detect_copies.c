/*
 * detect_copies: Strings of one text and arrays of one content, all together, from pass "duplicates".
 */
#include "config.h"

#include "findings.h"

#define TICK 65536u
#define SHARE 20u		/* one part in so many of the live bytes is worth a finding */
#define FLOOR (1u << 20)	/* bytes: less is not */

/* dup.string of Strings. */
#define STRINGS 1u

struct dups {
	const struct column	*string, *object, *copies, *waste;
};

static const struct column *
column(const struct finder *f, enum col col)
{
	return store_column(f->st, heap_col(col, f->h.refs, f->h.sizes));
}

/* The rows come by falling waste, so the first is the worst. */
static void
add_row(const struct dups *d, uint64_t row, struct finding *to)
{
	uint64_t copies = to->count + column_get(d->copies, row);

	if (to->object == 0)
		to->object = (uint32_t)column_get(d->object, row);
	to->number++;
	to->count = copies > UINT32_MAX ? UINT32_MAX : (uint32_t)copies;
	to->retained = num_add(to->retained, column_get(d->waste, row));
}

static bool
add_if_worth(struct finder *f, const struct finding *finding)
{
	if (finding->retained < FLOOR || finding->retained < f->live / SHARE)
		return true;
	return finding_add(f, finding);
}

static bool
copies_end(struct finder *f, void *state)
{
	struct dups d = { column(f, COL_EACH_DUP_STRING), column(f, COL_EACH_DUP_OBJECT),
	    column(f, COL_EACH_DUP_COPIES), column(f, COL_EACH_DUP_WASTE) };
	struct finding strings = { .kind = FINDING_STRING_COPIES };
	struct finding arrays = { .kind = FINDING_ARRAY_COPIES };
	uint64_t row, rows = d.object == NULL ? 0 : d.object->rows;

	(void)state;
	for (row = 0; row < rows; row++) {
		if (row % TICK == 0 && !work_tick(f->work, row))
			return fail_cancel(f->err);
		add_row(&d, row, column_get(d.string, row) == STRINGS ? &strings : &arrays);
	}
	return add_if_worth(f, &strings) && add_if_worth(f, &arrays);
}

const struct detector detector_copies = { .end = copies_end };
