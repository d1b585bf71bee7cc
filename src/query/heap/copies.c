/*
 * copies: from an object to the group of its copies.
 */
#include "config.h"

#include "hrows.h"

#define SLICE 16384u

void
copies_free(struct copies *c)
{
	SCRATCH_FREE(&c->has, &c->before, &c->row);
}

static uint32_t
place(const struct copies *c, uint32_t object)
{
	uint64_t bits = SCRATCH(c->has, uint64_t)[object / 64] & ((UINT64_C(1) << object % 64) - 1);

	return SCRATCH(c->before, uint32_t)[object / 64] + heap_ones(bits);
}

/* Each member has a bit; then its place is known, and its row goes there. */
static bool
fill(struct copies *c, uint32_t objects, struct work *work, struct err *err)
{
	uint64_t n = c->member == NULL ? 0 : c->member->rows, i;
	uint32_t object, sum = 0;

	for (i = 0; i < n; i++) {
		object = (uint32_t)column_get(c->member, i);
		if (object <= objects)
			set_bit(&c->has, object);
	}
	for (i = 0; i <= objects / 64; i++) {
		SCRATCH(c->before, uint32_t)[i] = sum;
		sum += heap_ones(SCRATCH(c->has, uint64_t)[i]);
	}
	for (i = 0; i < n; i++) {
		if (i % SLICE == 0 && !work_tick(work, i))
			return fail_cancel(err);
		object = (uint32_t)column_get(c->member, i);
		if (object <= objects)
			SCRATCH(c->row, uint32_t)[place(c, object)] = (uint32_t)i + 1;
	}
	return true;
}

bool
copies_make(struct copies *c, const struct heap_view *v, struct work *work, struct err *err)
{
	uint64_t words = v->heap.objects / 64 + 1ull;

	if (c->made)
		return true;
	c->first = view_column(v, COL_EACH_DUP_FIRST);
	c->member = view_column(v, COL_EACH_DUP_MEMBER);
	c->owns = view_column(v, COL_EACH_DUP_OWNS);
	c->copies = view_column(v, COL_EACH_DUP_COPIES);
	c->waste = view_column(v, COL_EACH_DUP_WASTE);
	c->shared = view_column(v, COL_EACH_DUP_SHARED);
	c->sharers = view_column(v, COL_EACH_DUP_SHARERS);
	/* What failed once is not tried again: nothing has copies then, and the rows say why. */
	c->made = true;
	return scratch_array(&c->has, words, sizeof(uint64_t), err) &&
	    scratch_array(&c->before, words, sizeof(uint32_t), err) &&
	    scratch_array(&c->row, (c->member == NULL ? 0 : c->member->rows) + 1,
	    sizeof(uint32_t), err) && fill(c, v->heap.objects, work, err);
}

uint64_t
copies_row(const struct copies *c, uint32_t object)
{
	return c->row.data != NULL && has_bit(&c->has, object) ? SCRATCH(c->row, uint32_t)[place(c, object)] : 0;
}

uint64_t
copies_group(const struct copies *c, uint64_t row)
{
	return row == 0 ? 0 : column_place(c->first, row);
}

uint64_t
copies_sharers(const struct copies *c, uint32_t array)
{
	uint64_t row = column_find(c->shared, array);

	return row == 0 ? 1 : column_get(c->sharers, row - 1);
}

uint64_t
copies_waste(const struct copies *c, const struct heap *h, uint32_t object)
{
	uint64_t row = copies_row(c, object), group = copies_group(c, row), waste;
	struct heap_text t;

	if (row == 0 || column_get(c->first, group - 1) == row - 1)
		return 0;
	waste = heap_shallow(h, object);
	if (heap_text(h, object, &t) && t.array != 0 && column_get(c->owns, row - 1) != 0)
		waste += heap_shallow(h, t.array);
	return waste;
}
