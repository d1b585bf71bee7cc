/*
 * accumulation: where much of the heap comes together, and what it consists of.
 *
 * Parts of the JDK below a point (tables, nodes, boxes) belong to it, and so do further objects of its own
 * class; objects of an application that those hold are its elements.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "accumulation.h"

#define TICK 4096u
#define AHEAD 16u	/* objects between fetching and asking */

enum label { LABEL_UNKNOWN, LABEL_NONE, LABEL_FIRST };	/* LABEL_FIRST + index of a point */

/*
 * Objects of a class that a point holds; bytes: retained by elements, of the parts only their own; direct: so
 * many of the n it dominates at once.
 */
struct share {
	uint64_t	n, bytes, direct;
};

struct piles {
	struct finder	*f;
	const struct heap *h;
	const uint32_t	*parent;	/* the column, by object from 0; NULL: not of that form */
	struct points	*points;
	uint64_t	 least, ticks;
	struct scratch	 label;		/* u8 by object */
	struct scratch	 parts;		/* u8 by class: not 0: part of a point, no element */
	struct scratch	 shares;	/* struct share, by point, then class */
};

static bool
tick(struct piles *p)
{
	return ++p->ticks % TICK != 0 || work_go(p->f->work, p->ticks, p->f->err);
}

/* heap_dominator, for the loop over all objects. */
static inline uint32_t
dominator(const struct piles *p, uint32_t object)
{
	return p->parent != NULL ? p->parent[object - 1] : heap_dominator(p->h, object);
}

/* ---- points ------------------------------------------------------------------------ */

static int
by_object(const void *x, const void *y)
{
	const struct big *a = x, *b = y;

	return num_order(a->object, b->object, 0);
}

/*
 * Lists and trees are made of objects of one class that dominate each other, at once or with one of another
 * class between: the first of them.  Tables in tables are several things, so arrays are left.
 */
static bool
first_of_kind(struct piles *p, uint32_t *object)
{
	uint32_t at = *object, class = heap_class(p->h, at), up, over;

	if (finder_sort(p->f, at) & (SORT_ARRAY | SORT_CLASS))
		return true;
	for (;;) {
		up = heap_above(p->h, at);
		if (up == 0)
			return true;
		over = heap_above(p->h, up);
		if (heap_class(p->h, up) == class)
			at = up;
		else if (over != 0 && heap_class(p->h, over) == class)
			at = over;
		else
			return true;
		*object = at;
		if (!tick(p))
			return false;
	}
}

static bool
add_point(struct piles *p, uint32_t object)
{
	struct points *points = p->points;
	size_t i;

	if (!first_of_kind(p, &object))
		return false;
	for (i = 0; i < points->n && points->point[i].object != object; i++)
		continue;
	if (i == points->n && i < POINTS)
		points->point[points->n++] = (struct point){ .object = object,
		    .own = heap_retained(p->h, object) };
	return true;
}

static bool
add_points(struct piles *p, struct big *big, uint64_t n)
{
	struct big *up;

	for (uint64_t i = 0; i < n; i++) {
		up = bsearch(&(struct big){ .object = big[i].parent }, big, n, sizeof *big, by_object);
		if (up != NULL)
			up->below += big[i].retained;
		if (!tick(p))
			return false;
	}
	for (uint64_t i = 0; i < n; i++)
		if (big[i].retained >= big[i].below + p->least && !add_point(p, big[i].object))
			return false;
	return true;
}

/* The point with that object, or NULL. */
static struct point *
point_at(struct points *points, uint32_t object)
{
	for (size_t i = 0; i < points->n; i++)
		if (points->point[i].object == object)
			return &points->point[i];
	return NULL;
}

/* What a point below retains is none of one above. */
static bool
part_points(struct piles *p)
{
	struct point *over;
	uint32_t at;

	for (size_t i = 0; i < p->points->n; i++) {
		at = heap_above(p->h, p->points->point[i].object);
		for (over = NULL; over == NULL && at != 0; at = heap_above(p->h, at)) {
			over = point_at(p->points, at);
			if (!tick(p))
				return false;
		}
		if (over != NULL)
			over->own -= heap_retained(p->h, p->points->point[i].object);
	}
	return true;
}

/* ---- what belongs to them ------------------------------------------------------------ */

static bool
is_part(const struct piles *p, uint32_t object)
{
	uint32_t class = heap_class(p->h, object);

	return class <= p->h->classes && p->parts.data[class] != 0;
}

static bool
mark_parts(struct piles *p)
{
	uint32_t c;

	if (!scratch_array(&p->parts, p->h->classes + 1ull, 1, p->f->err))
		return false;
	for (c = 1; c <= p->h->classes; c++)
		p->parts.data[c] = (p->f->sorts.data[c] & (SORT_APP | SORT_CLASS)) == 0;
	for (size_t i = 0; i < p->points->n; i++) {
		c = heap_class(p->h, p->points->point[i].object);
		if (c <= p->h->classes && c != p->h->class_class)
			p->parts.data[c] = 1;
		p->label.data[p->points->point[i].object] = (uint8_t)(LABEL_FIRST + i);
	}
	return true;
}

/* The point that owns what the object dominates.  Every object on the way up is labelled as well. */
static bool
label_of(struct piles *p, uint32_t object, uint8_t *found)
{
	uint8_t *label = p->label.data;
	uint32_t at = object, up;

	while (label[at] == LABEL_UNKNOWN && is_part(p, at)) {
		up = dominator(p, at);
		if (up == HEAP_ROOT || up == 0)
			break;
		at = up;
		if (!tick(p))
			return false;
	}
	*found = label[at] == LABEL_UNKNOWN ? LABEL_NONE : label[at];
	label[at] = *found;
	for (; object != at; object = dominator(p, object))
		label[object] = *found;
	return true;
}

/* Dominated by up.  The characters of a String count as its bytes. */
static void
count_object(struct piles *p, size_t point, uint32_t object, uint32_t up)
{
	uint32_t class = heap_class(p->h, object);
	struct share *shares = &SCRATCH(p->shares, struct share)[point * (p->h->classes + 1ull)];
	uint64_t bytes = heap_retained(p->h, object);

	if (is_part(p, object)) {
		bytes = heap_shallow(p->h, object);
		if (p->h->string_class != 0 && heap_class(p->h, up) == p->h->string_class) {
			shares[p->h->string_class].bytes += bytes;
			return;
		}
	} else if (bytes >= p->least) {
		return;		/* a point below has it */
	}
	shares[class].n++;
	shares[class].bytes += bytes;
	shares[class].direct += up == p->points->point[point].object;
}

static bool
count_objects(struct piles *p)
{
	uint32_t up;
	uint8_t label;

	work_start(p->f->work, "accumulation points", p->h->objects);
	for (uint32_t object = 1; object <= p->h->objects; object++) {
		if (!tick(p))
			return false;
		/* What will be asked at random is fetched. */
		if (p->parent != NULL && object + AHEAD <= p->h->objects) {
			up = p->parent[object + AHEAD - 1];
			if (up != 0 && up <= p->h->objects)
				__builtin_prefetch(&p->label.data[up]);
		}
		up = dominator(p, object);
		if (up == 0 || up > p->h->objects || p->label.data[up] == LABEL_NONE)
			continue;
		if (!label_of(p, up, &label))
			return false;
		if (label >= LABEL_FIRST && heap_class(p->h, object) <= p->h->classes)
			count_object(p, label - LABEL_FIRST, object, up);
	}
	return true;
}

/* ---- what they have in common --------------------------------------------------------- */

/* The class with the most bytes; parts: of those that are only parts.  0: none. */
static uint32_t
best_class(const struct piles *p, const struct share *share, bool parts)
{
	uint32_t best = 0;

	for (uint32_t class = 1; class <= p->h->classes; class++)
		if (class != p->h->class_class && (p->parts.data[class] != 0) == parts &&
		    share[class].bytes > share[best].bytes)
			best = class;
	return best;
}

/* What holds one key, value or element, and nobody thinks of. */
static bool
is_node(const struct heap *h, uint32_t class)
{
	static const char *const globs[] = { "*Node", "*Entry", "*Node[]", "*Entry[]" };

	return heap_class_like(h, class, globs, NELEM(globs));
}

/* An array has what its elements are, not what those have most of. */
static uint32_t
best_direct(const struct piles *p, const struct share *share, uint32_t best)
{
	uint32_t direct = 0;

	for (uint32_t c = 1; c <= p->h->classes; c++)
		if (p->parts.data[c] != 0 && share[c].direct > share[direct].direct)
			direct = c;
	return direct != 0 && share[direct].direct >= share[best].n / 2 &&
	    !is_node(p->h, direct) ? direct : best;
}

/* The class of parts to name; a list or tree is one of its nodes, if those are not of the JDK. */
static uint32_t
best_part(const struct piles *p, const struct share *share, uint32_t own)
{
	uint32_t best = best_class(p, share, true), class = heap_class(p->h, own);
	unsigned sort = finder_sort(p->f, own);

	if (sort & SORT_ARRAY)
		return best_direct(p, share, best);
	return (sort & SORT_CLASS) == 0 && share[class].n >= share[best].n / 2 &&
	    ((sort & SORT_APP) || !is_node(p->h, class)) ? class : best;
}

static void
judge(const struct piles *p, struct point *point, const struct share *share)
{
	uint32_t best = best_class(p, share, false);
	uint64_t parts = 0;

	for (uint32_t class = 1; class <= p->h->classes; class++)
		if (p->parts.data[class] != 0)
			parts += share[class].bytes;
	if (share[p->h->class_class].bytes >= point->own / 2 && p->h->class_class != 0)
		point->pile = PILE_CLASSES;
	else if (best != 0 && share[best].bytes >= point->own / 2)
		point->pile = PILE_ELEMENTS;
	else if (heap_shallow(p->h, point->object) >= point->own / 2)
		point->pile = PILE_ITSELF;
	else if (parts >= point->own / 2) {
		point->pile = PILE_ELEMENTS;
		best = best_part(p, share, point->object);
	}
	if (point->pile == PILE_ELEMENTS) {
		point->class = best;
		point->elements = share[best].n + (best == heap_class(p->h, point->object));
	}
}

bool
points_find(struct finder *f, struct big *big, uint64_t n, uint64_t least, struct points *points)
{
	struct piles p = { .f = f, .h = &f->h, .points = points, .least = least };
	uint64_t stride = f->h.classes + 1ull;
	bool ok;

	if (f->h.parent != NULL && f->h.parent->type == COL_U32 && f->h.parent->rows >= f->h.objects)
		p.parent = f->h.parent->data;
	assert(least > 0);
	points->n = 0;
	ok = add_points(&p, big, n) && part_points(&p);
	if (ok && points->n > 0) {
		ok = scratch_array(&p.label, f->h.objects + 1ull, 1, f->err) && mark_parts(&p) &&
		    scratch_array(&p.shares, points->n * stride, sizeof(struct share), f->err) &&
		    count_objects(&p);
		for (size_t i = 0; ok && i < points->n; i++)
			judge(&p, &points->point[i], &SCRATCH(p.shares, struct share)[i * stride]);
	}
	SCRATCH_FREE(&p.label, &p.parts, &p.shares);
	return ok;
}
