/*
 * want: runs the passes that make a column, and what these need.
 */
#include "config.h"

#include <assert.h>

#include "icecore/pass.h"

#define WANT_DEPTH 16		/* passes that need passes */
#define PASSES_MOST 128

/* In families, as lists of passes name it. */
static bool
has_col(const enum col *list, enum col col)
{
	for (; *list != COL_NONE; list++)
		if (*list == col)
			return true;
	return false;
}

static const struct pass *
maker_of(const struct store *st, enum col col)
{
	for (size_t i = 0; passes[i] != NULL; i++)
		if (has_col(passes[i]->makes, col_family(col)) &&
		    (passes[i]->when == COL_NONE || store_column(st, passes[i]->when) != NULL))
			return passes[i];
	return NULL;
}

/* The first that is not there of what a pass needs to make col. */
static enum col
missing_need(const struct store *st, const struct pass *p, enum col col)
{
	enum col need;

	for (size_t i = 0; p->needs[i] != COL_NONE; i++) {
		/* A pass that makes a column without a choice cannot mean one of a family. */
		assert(col_is_chosen(col) || !col_is_family(p->needs[i]));
		need = heap_col(p->needs[i], col_refs(col), col_sizes(col));
		if (store_column(st, need) == NULL)
			return need;
	}
	return COL_NONE;
}

static bool
run_pass(struct store *st, const struct pass *p, enum col col, struct work *w,
    struct err *err)
{
	assert((p->run != NULL) != (p->run_choice != NULL) && col_is_chosen(col) == (p->run == NULL));
	/* What the loader made. */
	store_save_worth(st, w);
	if (!(p->run != NULL ? p->run(st, w, err) : p->run_choice(st, col_refs(col), col_sizes(col), w, err))) {
		store_discard(st);
		return false;
	}
	if (store_lost(st)) {
		store_discard(st);
		return fail(err, E_SYSTEM, "file changed while reading; run icecore again");
	}
	store_publish(st);
	store_save_worth(st, w);
	return store_column(st, col) != NULL ||
	    fail(err, E_SYSTEM, "pass %s did not make %s", p->name, column_names[col]);
}

/* How many passes the column takes, each once; as far as they can be told beforehand. */
static unsigned
count_passes(struct store *top, enum col col)
{
	enum col todo[PASSES_MOST] = { col }, need;
	const struct pass *seen[PASSES_MOST], *p;
	size_t n = 1;
	unsigned found = 0, i;

	while (n > 0) {
		col = todo[--n];
		p = maker_of(store_of(top, col), col);
		for (i = 0; i < found && seen[i] != p; i++)
			;
		if (p == NULL || i < found || found == PASSES_MOST || store_column(store_of(top, col), col) != NULL)
			continue;
		seen[found++] = p;
		for (i = 0; p->needs[i] != COL_NONE; i++) {
			need = heap_col(p->needs[i], col_refs(col), col_sizes(col));
			if (n < PASSES_MOST && store_column(store_of(top, need), need) == NULL)
				todo[n++] = need;
		}
	}
	return found;
}

static bool
run_all(struct store *st, enum col col, struct work *w, struct err *err)
{
	enum col want[WANT_DEPTH] = { col }, need;
	struct store *top = st;
	const struct pass *p;
	size_t n = 1;
	unsigned step = 0, steps = count_passes(st, col);

	assert(!col_is_family(col));
	while (n > 0) {
		st = store_of(top, want[n - 1]);
		if (store_column(st, want[n - 1]) != NULL) {
			n--;
			continue;
		}
		if ((p = maker_of(st, want[n - 1])) == NULL)
			return fail(err, E_USAGE, "no %s in this file (%s)",
			    column_names[want[n - 1]], load_loader(st) ? load_loader(st)->what :
			    "unknown format");
		if ((need = missing_need(st, p, want[n - 1])) == COL_NONE) {
			work_step(w, ++step, steps);
			if (!run_pass(st, p, want[n - 1], w, err))
				return false;
		/* Made of what is above it, a column would stay below: it has to be masked there. */
		} else if (n == WANT_DEPTH || store_column(top, need) != NULL) {
			return fail(err, E_SYSTEM, "passes need each other");
		} else {
			want[n++] = need;
		}
	}
	return true;
}

bool
pass_want(struct store *st, enum col col, struct work *w, struct err *err)
{
	bool ok = run_all(st, col, w, err);

	work_step(w, 0, 0);

	/* From pass to pass large arrays are used again, but no longer. */
	scratch_settle();
	return ok;
}

bool
pass_rebuild(struct store *st, enum col col, struct work *w, struct err *err)
{
	return col == COL_NONE ? load_again(st, w, err) : pass_want(st, col, w, err);
}

size_t
passes_run(const struct store *st)
{
	size_t n = 0;
	enum col col;

	for (size_t i = 0; passes[i] != NULL; i++) {
		col = passes[i]->makes[0];
		if (col_is_derived(col))
			continue;
		for (unsigned k = 0; k < (col_is_family(col) ? COL_CHOICES : 1); k++)
			n += store_column(st, col_choice(col, k)) != NULL;
	}
	return n;
}
