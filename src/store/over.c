/*
 * over: stores in memory over others.
 */
#include "config.h"

#include <stdatomic.h>
#include <string.h>

#include "inside.h"

struct store *
store_below(const struct store *st)
{
	return st->below;
}

bool
store_masks(const struct store *st, const char *name)
{
	const char *const *m;

	for (m = st->masked; m != NULL && *m != NULL; m++)
		if (strncmp(name, *m, strlen(*m)) == 0)
			return true;
	return false;
}

/* Stores are opened by several threads. */
uint64_t
store_next_serial(void)
{
	static atomic_uint_fast64_t last;

	return atomic_fetch_add(&last, 1) + 1;
}

uint64_t
store_serial(const struct store *st)
{
	return st == NULL ? 0 : st->serial;
}

bool
store_over(struct store **out, struct store *below, const char *const *masked, struct err *err)
{
	struct store *st = mem_array(1, sizeof *st);

	if (st == NULL)
		return fail(err, E_SYSTEM, "no memory");
	st->file.slot = st->raw.slot = st->index.slot = -1;
	st->building = FILE_INIT;
	st->replaced = -1;
	st->note = "";
	st->dump = below->dump;
	st->below = below;
	st->masked = masked;
	st->serial = store_next_serial();
	pthread_mutex_init(&st->lock, NULL);
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
