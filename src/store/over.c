/*
 * over: stores in memory over others.
 */
#include "config.h"

#include <assert.h>

#include "inside.h"

struct store *
store_below(const struct store *st)
{
	return st->below;
}

uint64_t
store_serial(const struct store *st)
{
	return st == NULL ? 0 : st->serial;
}

bool
store_over(struct store **out, struct store *below, const enum col *masked, struct err *err)
{
	struct store *st = store_new(err);
	unsigned i;

	assert(below != NULL);
	if (st == NULL)
		return false;
	st->dump = below->dump;
	st->below = below;
	for (; masked != NULL && *masked != COL_NONE; masked++)
		for (i = 0; i < (col_is_family(*masked) ? COL_CHOICES : 1); i++)
			st->masked[col_choice(*masked, i)] = true;
	*out = st;
	return true;
}

void
store_close_pile(struct store *st, const struct store *bottom)
{
	struct store *below;

	for (; st != NULL && st != bottom; st = below) {
		below = st->below;
		store_close(st);
	}
}
