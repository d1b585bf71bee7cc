/*
 * findings_group: which of the findings are told, and which of them together.
 */
#include "config.h"

#include "findings.h"


/* ---- what is the same ------------------------------------------------------------------------ */

static bool
has_signature(const struct finding *finding)
{
	enum finding_kind k = finding->kind;

	return finding->object != 0 && (finding_rows[k].severity == SEVERITY_LEAK ||
	    k == FINDING_STATIC_VIEW || k == FINDING_CURSOR || k == FINDING_BITMAP_COPIES);
}

static bool
group(struct finder *f, struct idmap *first, struct buf *text)
{
	const struct findings all = { .heap = &f->h };
	struct finding *list = SCRATCH(f->list, struct finding), one;
	uint64_t i, n = 0, key;
	uint32_t to;

	work_start(f->work, "findings that are the same", f->n);
	f->walked = 0;
	for (i = 0; i < f->n; i++) {
		if (!work_tick(f->work, i))
			return fail_cancel(f->err);
		one = list[i];
		to = 0;
		if (has_signature(&one)) {
			if (!findings_path(f, &one))
				return false;
			buf_clear(text);
			finding_signature(&all, &one, text);
			key = hash_bytes(text->s, text->n, one.kind + FINDINGS * (one.kind == FINDING_CURSOR ? one.number : 0));
			to = idmap_get(first, key);
			if (to == 0 && !idmap_put(first, key, (uint32_t)n + 1, f->err))
				return false;
		}
		if (to == 0)
			list[n++] = list[i];
		else {
			list[to - 1].count += one.count;
			list[to - 1].retained = num_add(list[to - 1].retained, one.retained);
			list[to - 1].number += one.kind == FINDING_BITMAP_COPIES ? one.number : 0;
		}
	}
	f->n = n;
	return true;
}

/* ---- what is not worth telling ------------------------------------------------------------ */

/* An open cursor is what it should be while it is used: not when a static keeps it, or many are held in one way. */
static bool
is_cursor_told(struct finder *f, const struct finding *finding)
{
	struct heap_path p;
	size_t i;

	if (finding->number != 0 || finding->count > FINDINGS_CURSORS)
		return true;
	if (!heap_routes_to(f->routes, finding->object, &p))
		return false;
	i = heap_owner(&f->h, &p);
	return i > 0 && heap_class_of_object(&f->h, p.object[i]) != 0;
}

/* A leaking object dominates it: the finding of that one covers it. */
static bool
is_leaked(const struct finder *f, uint32_t up)
{
	uint32_t n;

	for (n = 0; n < DEEP && up != 0 && up != HEAP_ROOT && up <= f->h.objects; n++) {
		if (idmap_get(&f->leaks, up) != 0)
			return true;
		up = heap_dominator(&f->h, up);
	}
	return false;
}

/* finalizers: the class whose objects wait for their finalizer, if that is told. */
static bool
is_told(struct finder *f, const struct finding *finding, uint32_t finalizers)
{
	switch (finding->kind) {
	case FINDING_CURSOR:
		return is_cursor_told(f, finding);
	case FINDING_SUSPECT:
		return !is_leaked(f, finding->object) && !is_leaked(f, finding->other) &&
		    (finalizers == 0 || finding->object == 0 ||
		    heap_class_of_object(&f->h, finding->object) != finalizers);
	case FINDING_THREAD:
	case FINDING_COLLECTION:
		return !is_leaked(f, finding->object);
	default:
		return true;
	}
}

static bool
filter(struct finder *f)
{
	struct finding *list = SCRATCH(f->list, struct finding);
	uint32_t finalizers = 0;
	uint64_t i, n = 0;

	for (i = 0; i < f->n; i++)
		if (list[i].kind == FINDING_FINALIZER)
			finalizers = list[i].class;
	for (i = 0; i < f->n; i++) {
		if (!work_tick(f->work, i))
			return fail_cancel(f->err);
		if (is_told(f, &list[i], finalizers))
			list[n++] = list[i];
	}
	f->n = n;
	return true;
}

bool
findings_group(struct finder *f)
{
	struct idmap first = IDMAP_INIT;
	struct buf text = BUF_INIT;
	bool ok = group(f, &first, &text) && filter(f);

	idmap_free(&first);
	buf_free(&text);
	return ok;
}
