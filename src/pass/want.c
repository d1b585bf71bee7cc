/*
 * want: runs the passes that make a column, and what these need.
 */
#include "config.h"

#include <string.h>

#include "icecore/pass.h"

#define WANT_DEPTH 16		/* passes that need passes */

static const struct pass *
maker_of(const struct store *st, const char *column)
{
	size_t i, k;

	for (i = 0; passes[i] != NULL; i++) {
		if (passes[i]->when != NULL && store_column(st, passes[i]->when) == NULL)
			continue;
		for (k = 0; passes[i]->makes[k] != NULL; k++)
			if (strcmp(passes[i]->makes[k], column) == 0)
				return passes[i];
	}
	return NULL;
}

static const char *
missing_need(const struct store *st, const struct pass *p)
{
	size_t i;

	for (i = 0; p->needs[i] != NULL; i++)
		if (store_column(st, p->needs[i]) == NULL)
			return p->needs[i];
	return NULL;
}

static bool
run_pass(struct store *st, const struct pass *p, const char *column, struct work *w,
    struct err *err)
{
	/* What the loader made. */
	store_save_worth(st, w);
	if (!p->run(st, w, err)) {
		store_discard(st);
		return false;
	}
	if (store_lost(st)) {
		store_discard(st);
		return fail(err, E_INPUT, "the file shrank while it was read");
	}
	store_publish(st);
	store_save_worth(st, w);
	return store_column(st, column) != NULL ||
	    fail(err, E_SYSTEM, "pass %s did not make %s", p->name, column);
}

static bool
run_all(struct store *st, const char *column, struct work *w, struct err *err)
{
	const char *want[WANT_DEPTH] = { column }, *need;
	struct store *top = st;
	const struct pass *p;
	size_t n = 1;

	while (n > 0) {
		st = store_of(top, want[n - 1]);
		if (store_column(st, want[n - 1]) != NULL) {
			n--;
			continue;
		}
		if ((p = maker_of(st, want[n - 1])) == NULL)
			return fail(err, E_USAGE, "this file has no %s (%s)",
			    want[n - 1], load_loader(st) ? load_loader(st)->what :
			    "unknown format");
		if ((need = missing_need(st, p)) == NULL) {
			if (!run_pass(st, p, want[n - 1], w, err))
				return false;
		} else if (n == WANT_DEPTH) {
			return fail(err, E_SYSTEM, "passes need each other");
		} else {
			want[n++] = need;
		}
	}
	return true;
}

bool
pass_want(struct store *st, const char *column, struct work *w, struct err *err)
{
	bool ok = run_all(st, column, w, err);

	/* From pass to pass large arrays are used again, but no longer. */
	scratch_settle();
	return ok;
}
