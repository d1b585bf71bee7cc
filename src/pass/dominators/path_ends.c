/*
 * path_ends: where paths end, and the instances by which classes are held.
 */
#include "config.h"

#include "paths.h"

/* ---- roots ------------------------------------------------------------------------- */

void
path_mark_roots(struct heap_paths *p)
{
	const struct column *objects = store_column(p->heap->st, COL_ROOT_OBJECT);
	uint32_t object, row;

	for (row = 1; objects != NULL && row <= objects->rows; row++) {
		object = root_object(p->heap, objects, row);
		if (object != 0)
			set_bit(&p->roots, object);
	}
}

/* In a dump without roots: classes, and what nothing refers to. */
bool
path_is_root(const struct heap_paths *p, uint32_t object)
{
	struct heap_walk w;

	if (!p->pseudo)
		return has_bit(&p->roots, object);
	if (heap_class_of_object(p->heap, object) != 0)
		return true;
	heap_in(p->heap, object, &w);
	return heap_next(&w, NULL) == 0;
}

/* ---- instances -------------------------------------------------------------------- */

/*
 * Where the instances of each class begin, at its number, and end, at the next one.  All of them count,
 * whatever passes have run: those that are unreachable lead nowhere.
 */
static bool
count_instances(const struct heap *h, uint32_t *start, struct work *work, struct err *err)
{
	uint32_t class, object, n = 0, here;

	for (object = 0; object < h->objects; object++) {
		if (object % 65536 == 0 && work != NULL && !work_tick(work, object))
			return fail_cancel(err);
		class = (uint32_t)column_get(h->class, object);
		start[class <= h->classes ? class : 0]++;
	}
	for (class = 0; class <= h->classes; class++) {
		here = start[class];
		start[class] = n;
		n += here;
	}
	start[class] = n;
	return true;
}

static bool
list_instances(const struct heap *h, const uint32_t *start, uint32_t *fill, uint32_t *list,
    struct work *work, struct err *err)
{
	uint32_t class, object;

	for (object = 0; object < h->objects; object++) {
		if (object % 65536 == 0 && work != NULL && !work_tick(work, object))
			return fail_cancel(err);
		class = (uint32_t)column_get(h->class, object);
		class = class <= h->classes ? class : 0;
		list[start[class] + fill[class]++] = object + 1;
	}
	return true;
}

bool
path_find_instances(struct heap_paths *p, struct work *work, struct err *err)
{
	const struct heap *h = p->heap;
	struct path_instances *in = &p->instances;
	struct scratch fill = SCRATCH_INIT;
	uint32_t *start;
	bool ok;

	ok = scratch_array(&in->start, h->classes + 2ull, sizeof *start, err) &&
	    scratch_array(&fill, h->classes + 1ull, sizeof *start, err);
	start = SCRATCH(in->start, uint32_t);
	ok = ok && count_instances(h, start, work, err) &&
	    scratch_array(&in->list, h->objects, sizeof *start, err) &&
	    list_instances(h, start, SCRATCH(fill, uint32_t), SCRATCH(in->list, uint32_t),
	    work, err);
	scratch_free(&fill);
	if (!ok) {
		scratch_free(&in->start);
		in->start = SCRATCH_INIT;
	}
	return ok;
}
