/*
 * findings_told: large collections that another finding tells of already: a suspect or a thread accumulates
 * in it, it is the value of a thread local, or it keeps class loaders that were given up.
 */
#include "config.h"

#include "findings.h"

#define SAME 7u		/* so many tenths of what another finding holds are the same thing */

struct told {
	struct finder	*f;
	struct members	 entries;	/* of the maps of thread locals */
	struct idmap	 tellers;	/* objects of suspects and threads to 1 + the finding */
	struct idmap	 locals;	/* classes of values of thread locals that are told */
	struct idmap	 large;		/* large collections to 1 + the finding */
	struct scratch	 gone;		/* u8 by finding */
};

static bool
is_most(uint64_t bytes, uint64_t of)
{
	return bytes >= of / 10 * SAME;
}

/* One large collection, not a class of collections that are mostly empty. */
static bool
is_large(const struct finder *f, const struct finding *x)
{
	return x->kind == FINDING_COLLECTION && x->count == 1 && x->object != 0 &&
	    x->retained == heap_retained(&f->h, x->object);
}

/* The first that tells by an object stays: it holds more. */
static bool
put(struct told *t, struct idmap *map, uint32_t key, uint64_t i)
{
	return key == 0 || idmap_get(map, key) != 0 || idmap_put(map, key, (uint32_t)i + 1, t->f->err);
}

static bool
collect(struct told *t)
{
	const struct finding *x;
	uint64_t i;
	bool ok = true;

	for (i = 0; ok && i < t->f->n; i++) {
		x = &SCRATCH(t->f->list, struct finding)[i];
		if (x->kind == FINDING_SUSPECT || x->kind == FINDING_THREAD)
			ok = put(t, &t->tellers, x->object, i) && put(t, &t->tellers, x->other, i);
		else if (x->kind == FINDING_THREAD_LOCAL)
			ok = put(t, &t->locals, x->class, i);
		else if (is_large(t->f, x))
			ok = put(t, &t->large, x->object, i);
	}
	return ok;
}

/* The value of a thread local whose finding tells of its class. */
static bool
is_local(const struct told *t, uint32_t object, uint32_t up)
{
	return up != HEAP_ROOT && members_has(&t->entries, heap_class(&t->f->h, up)) &&
	    idmap_get(&t->locals, heap_class(&t->f->h, object)) != 0;
}

/* What tells of it is the collection, or holds little else. */
static bool
is_told(const struct told *t, const struct finding *x)
{
	const struct finding *list = SCRATCH(t->f->list, struct finding);
	uint32_t at = x->object, up, n, teller;

	for (n = 0; at != 0 && at != HEAP_ROOT && n < DEEP; n++) {
		up = heap_dominator(&t->f->h, at);
		teller = idmap_get(&t->tellers, at);
		if (teller != 0 && is_most(x->retained, list[teller - 1].retained))
			return true;
		if (is_local(t, at, up) && is_most(x->retained, heap_retained(&t->f->h, at)))
			return true;
		at = up;
	}
	return false;
}

/* Collections that hold little else than loaders that were given up are on the path of those. */
static void
mark_above(struct told *t, const struct finding *loader)
{
	const struct finding *list = SCRATCH(t->f->list, struct finding);
	uint32_t at = loader->object, n, row;

	for (n = 0; at != 0 && at != HEAP_ROOT && n < DEEP; n++) {
		row = idmap_get(&t->large, at);
		if (row != 0 && is_most(loader->retained, list[row - 1].retained))
			t->gone.data[row - 1] = 1;
		at = heap_dominator(&t->f->h, at);
	}
}

static bool
drop(struct told *t)
{
	struct finding *list = SCRATCH(t->f->list, struct finding);
	uint64_t i, n = 0;

	for (i = 0; i < t->f->n; i++) {
		if (list[i].kind == FINDING_LOADER)
			mark_above(t, &list[i]);
		else if (is_large(t->f, &list[i]) && is_told(t, &list[i]))
			t->gone.data[i] = 1;
		if (!work_tick(t->f->work, i))
			return fail_cancel(t->f->err);
	}
	for (i = 0; i < t->f->n; i++)
		if (t->gone.data[i] == 0)
			list[n++] = list[i];
	t->f->n = n;
	return true;
}

bool
findings_drop_told(struct finder *f)
{
	struct told t = { .f = f, .tellers = IDMAP_INIT, .locals = IDMAP_INIT, .large = IDMAP_INIT,
	    .gone = SCRATCH_INIT };
	bool ok;

	ok = members_open(&t.entries, &f->h, STR("java.lang.ThreadLocal$ThreadLocalMap$Entry"), f->err) &&
	    scratch_array(&t.gone, f->n + 1, 1, f->err) && collect(&t) && drop(&t);
	members_close(&t.entries);
	idmap_free(&t.tellers);
	idmap_free(&t.locals);
	idmap_free(&t.large);
	scratch_free(&t.gone);
	return ok;
}
