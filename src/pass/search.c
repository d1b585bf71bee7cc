/*
 * search: the depth-first search of the dominator pass.
 *
 * Classes are held by their instances, but an edge for each instance would double the graph.  The
 * first instance reached has one, and a few more; dominators.c adds those that turn out to matter.
 */
#include "config.h"

#include <string.h>

#include "dominators.h"
#include "heap_lists.h"

#define TICK 65536u
#define CLASS_EDGES 8u		/* of one class, before they become rare */

/* An object whose references are being followed. */
struct frame {
	const uint8_t	*p, *end;
	uint32_t	 number, last, class;	/* class: an object still to go to, or 0 */
	uint8_t		 strength;
	bool		 first, kept;		/* kept: it cannot be folded */
};

struct search {
	struct dominators *d;
	uint8_t		*mark;
	uint32_t	*num, *order, *parent;
	uint64_t	*fold;
	struct scratch	 stack;
	uint32_t	 depth, top;		/* top: the number under the root where we are */
	struct {
		uint32_t n, top;
	}		*seen;			/* by class: edges so far, and where the last one was */
	uint64_t	 ticks;
};

bool
dominators_edge(struct dominators *d, uint32_t target, uint32_t source)
{
	if (!scratch_array(&d->edges, d->nedges + 1, sizeof(struct edge), d->err))
		return false;
	SCRATCH(d->edges, struct edge)[d->nedges++] = (struct edge){ target, source };
	return true;
}

/* ---- marks --------------------------------------------------------------------- */

static inline void
refer(uint8_t *mark, uint32_t object)
{
	uint8_t *m = &mark[object - 1];

	if ((*m & MARK_REFERRED) < 2)
		++*m;
}

/* References to each object, at most 2 of them. */
static bool
mark_referred(struct search *s)
{
	struct dominators *d = s->d;
	const struct heap_lists *out = &d->h.out;
	uint64_t i, at = 0;
	struct heap_walk w;
	uint32_t to;

	work_start(d->work, "references counted", d->h.objects);
	for (i = 0; i < d->h.objects; i++) {
		if (i % TICK == 0 && !work_tick(d->work, i))
			return fail_cancel(d->err);
		if (out->len[i] == 0)
			continue;
		s->mark[i] |= MARK_REFERS;
		heap_list(out, i, at, &w);
		at = (uint64_t)(w.end - out->data);
		while ((to = heap_next(&w, NULL)) != 0)
			if (to <= d->h.objects)
				refer(s->mark, to);
	}
	return true;
}

static void
mark_roots(struct search *s)
{
	const struct column *object = store_column(s->d->st, "root.object");
	uint64_t i;

	for (i = 0; object != NULL && i < object->rows; i++)
		if (heap_root_thread(&s->d->h, (uint32_t)i + 1) == 0)
			refer(s->mark, (uint32_t)column_get(object, i));
}

/* Classes that no root holds are held by their instances, and never folded. */
static void
mark_classes(struct search *s)
{
	struct dominators *d = s->d;
	const struct column *root = store_column(d->st, "root.object");
	uint64_t i, k;
	uint32_t c;

	for (i = 1; i <= d->h.classes; i++)
		d->class_object[i] = (uint32_t)column_get(d->h.class_object, i - 1);
	for (i = 0; root != NULL && i < root->rows; i++) {
		if (heap_root_thread(&d->h, (uint32_t)i + 1) != 0)
			continue;
		c = heap_class_of_object(&d->h, (uint32_t)column_get(root, i));
		d->class_object[c] = 0;
	}
	for (i = 1; i <= d->h.classes; i++)
		if (d->class_object[i] != 0) {
			refer(s->mark, d->class_object[i]);
			refer(s->mark, d->class_object[i]);
		}
	for (k = 0; k < d->h.objects; k++)
		if (held_class(d, (uint32_t)k + 1) != 0)
			s->mark[k] |= MARK_CLASS;
}

/* ---- the search -------------------------------------------------------------------- */

static uint32_t
give_number(struct search *s, uint32_t object, uint32_t parent)
{
	uint32_t n = ++s->d->n;

	s->num[object - 1] = n;
	s->order[n] = object;
	s->parent[n] = parent;
	return n;
}

/* An instance of a class that is reached already: one of the few edges to it, or none for now. */
static bool
hint_class(struct search *s, uint32_t object, uint32_t number)
{
	uint32_t class = heap_class(&s->d->h, object), held = s->d->class_object[class];

	if (s->seen[class].n >= CLASS_EDGES && s->seen[class].top == s->top)
		return true;
	s->seen[class].n++;
	s->seen[class].top = s->top;
	return dominators_edge(s->d, s->num[held - 1], number);
}

static bool
push(struct search *s, uint32_t object, uint32_t parent)
{
	struct dominators *d = s->d;
	uint32_t number = give_number(s, object, parent), held;
	struct heap_walk w;
	struct frame *f;

	if (!scratch_array(&s->stack, (uint64_t)s->depth + 1, sizeof *f, d->err))
		return false;
	f = &SCRATCH(s->stack, struct frame)[s->depth++];
	*f = (struct frame){ .number = number, .last = object };
	if (s->mark[object - 1] & MARK_REFERS) {
		heap_list(&d->h.out, (uint64_t)object - 1,
		    heap_list_at(&d->h.out, (uint64_t)object - 1), &w);
		f->p = w.p;
		f->end = w.end;
		f->strength = w.strength;
		f->first = true;
	}
	f->kept = (s->mark[object - 1] & MARK_REFERRED) != 1;
	if (!(s->mark[object - 1] & MARK_CLASS) || (held = held_class(d, object)) == object)
		return true;
	if (s->num[held - 1] != 0)
		return hint_class(s, object, number);
	f->class = held;
	return true;
}

static void
pop(struct search *s)
{
	struct frame *f = &SCRATCH(s->stack, struct frame)[--s->depth];

	if (!f->kept)
		s->fold[f->number / 64] |= (uint64_t)1 << (f->number % 64);
	else if (s->depth > 0)
		f[-1].kept = true;
}

/* A leaf that only this object refers to is done at once. */
static bool
leaf(struct search *s, uint32_t object, uint32_t parent, bool *done)
{
	uint8_t mark = s->mark[object - 1];
	uint32_t n;

	*done = (mark & (MARK_REFERRED | MARK_REFERS)) == 1 &&
	    (!(mark & MARK_CLASS) || s->num[held_class(s->d, object) - 1] != 0);
	if (!*done)
		return true;
	n = give_number(s, object, parent);
	s->fold[n / 64] |= (uint64_t)1 << (n % 64);
	return !(mark & MARK_CLASS) || hint_class(s, object, n);
}

static bool
follow(struct search *s, struct frame *f, uint32_t to)
{
	bool done;

	if (to == 0 || to > s->d->h.objects)
		return true;
	if (s->num[to - 1] != 0) {
		f->kept = true;
		return dominators_edge(s->d, s->num[to - 1], f->number);
	}
	return leaf(s, to, f->number, &done) && (done || push(s, to, f->number));
}

/* The next reference that counts, or 0. */
static uint32_t
next_reference(struct search *s, struct frame *f)
{
	struct heap_walk w = { .p = f->p, .end = f->end, .last = f->last };
	uint32_t to = heap_next(&w, NULL);

	if (f->first && f->strength != 0 &&
	    !heap_counts(&s->d->h, (enum heap_strength)f->strength))
		to = heap_next(&w, NULL);
	f->first = false;
	f->p = w.p;
	f->last = w.last;
	return to;
}

static bool
search_from(struct search *s, uint32_t object)
{
	struct dominators *d = s->d;
	struct frame *f;
	uint32_t to;

	if (s->num[object - 1] != 0)
		return dominators_edge(d, s->num[object - 1], 0);
	s->top = d->n + 1;
	if (!push(s, object, 0))
		return false;
	while (s->depth > 0) {
		f = &SCRATCH(s->stack, struct frame)[s->depth - 1];
		if (++s->ticks % TICK == 0 && !work_tick(d->work, d->n))
			return fail_cancel(d->err);
		if (f->class != 0) {
			to = f->class;
			f->class = 0;
		} else if ((to = next_reference(s, f)) == 0) {
			pop(s);
			continue;
		}
		if (!follow(s, f, to))
			return false;
	}
	return true;
}

static bool
search_roots(struct search *s)
{
	const struct column *object = store_column(s->d->st, "root.object");
	uint64_t i;

	for (i = 0; object != NULL && i < object->rows; i++)
		if (heap_root_thread(&s->d->h, (uint32_t)i + 1) == 0 &&
		    column_get(object, i) != 0 &&
		    !search_from(s, (uint32_t)column_get(object, i)))
			return false;
	return true;
}

/* Without roots: classes, what nothing refers to, and one object of each circle that is left. */
static bool
search_pseudo(struct search *s)
{
	struct dominators *d = s->d;
	uint32_t i;

	for (i = 1; i <= d->h.classes; i++)
		if (column_get(d->h.class_object, (uint64_t)i - 1) != 0 &&
		    !search_from(s, (uint32_t)column_get(d->h.class_object, (uint64_t)i - 1)))
			return false;
	for (i = 1; i <= d->h.objects; i++)
		if ((s->mark[i - 1] & MARK_REFERRED) == 0 && s->num[i - 1] == 0 &&
		    !search_from(s, i))
			return false;
	for (i = 1; i <= d->h.objects; i++)
		if (s->num[i - 1] == 0 && !search_from(s, i))
			return false;
	return true;
}

static bool
make_arrays(struct search *s)
{
	struct dominators *d = s->d;
	uint64_t n = (uint64_t)d->h.objects + 1;

	if (!scratch_array(&d->mark, n, 1, d->err) ||
	    !scratch_array(&d->num, n, sizeof(uint32_t), d->err) ||
	    !scratch_array(&d->order, n, sizeof(uint32_t), d->err) ||
	    !scratch_array(&d->parent, n, sizeof(uint32_t), d->err) ||
	    !scratch_array(&d->fold, n / 64 + 1, sizeof(uint64_t), d->err))
		return false;
	s->mark = SCRATCH(d->mark, uint8_t);
	s->num = SCRATCH(d->num, uint32_t);
	s->order = SCRATCH(d->order, uint32_t);
	s->parent = SCRATCH(d->parent, uint32_t);
	s->fold = SCRATCH(d->fold, uint64_t);
	return true;
}

bool
dominators_search(struct dominators *d)
{
	struct scratch seen = SCRATCH_INIT;
	struct search s = { .d = d, .stack = SCRATCH_INIT };
	bool ok;

	ok = make_arrays(&s) &&
	    scratch_array(&seen, (uint64_t)d->h.classes + 1, sizeof *s.seen, d->err);
	s.seen = (void *)seen.data;
	ok = ok && mark_referred(&s);
	if (ok) {
		mark_roots(&s);
		mark_classes(&s);
		work_start(d->work, "search from the roots", d->h.objects);
		ok = search_roots(&s) &&
		    (store_fact_get(d->st, "heap.pseudo") == 0 || search_pseudo(&s));
	}
	scratch_free(&s.stack);
	scratch_free(&seen);
	return ok;
}
