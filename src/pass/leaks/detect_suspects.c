/*
 * detect_suspects: objects that keep a tenth of the heap or more, alone or together with others of their
 * class.
 *
 * Where the heap accumulates is found first, then who owns that: the nearest object of an application on
 * the way up.  Class loaders, and classes of the JDK, own nothing: all hangs below them.  Suspects of which a thread
 * is the owner become findings about the thread: detect_threads.
 */
#include "config.h"

#include "accumulation.h"

#define TICK 65536u
#define SHARE 10u		/* one part in so many of the live bytes makes a suspect */
#define SHARE_MIXED 2u		/* the same, where what is held is of many kinds: the program itself, mostly */
#define FLOOR_MIXED (16u << 20)	/* bytes of such */
#define FLOOR (64u << 10)	/* bytes: less is nobody's trouble, however small the heap is */
#define FLOOR_PLATFORM (1u << 20)	/* bytes: less in objects of the JDK alone is what any program has */
#define SHELLS 8u			/* objects around a table that are looked at */
#define MANY_THREADS 100u	/* fewer hold what they work on; each that is large is told by itself */

/* Objects of one class that nothing dominates. */
struct tops {
	uint64_t	bytes, most;
	uint32_t	n, biggest;
};

/* A point that is worth a finding, and what has it. */
struct suspect {
	struct point	point;
	uint32_t	owner;
};

struct suspects {
	struct scratch	big, tops;
	uint64_t	n, least;
	struct points	points;
	struct suspect	suspect[POINTS];
	size_t		nsuspects;
	bool		done[POINTS];
};

/* What the system made before the app began is shared by all apps. */
static bool
is_preloaded(const struct finder *f, uint32_t object)
{
	struct str part;

	if (!f->android)
		return false;
	part = heap_part(&f->h, object);
	return str_eq(part, STR("zygote")) || str_eq(part, STR("image"));
}

/* ---- all objects, once ------------------------------------------------------------------ */

static void
add_top(struct finder *f, struct suspects *s, uint32_t object, uint64_t retained)
{
	uint32_t class = heap_class(&f->h, object);
	struct tops *t = &SCRATCH(s->tops, struct tops)[class <= f->h.classes ? class : 0];

	if (class == f->h.class_class || is_preloaded(f, object))
		return;
	t->n++;
	t->bytes = num_add(t->bytes, retained);
	if (retained > t->most) {
		t->most = retained;
		t->biggest = object;
	}
}

static bool
read_objects(struct finder *f, struct suspects *s)
{
	struct big big;
	uint32_t parent;
	uint64_t retained;

	work_start(f->work, "largest objects", f->h.objects);
	for (uint32_t object = 1; object <= f->h.objects; object++) {
		if (object % TICK == 0 && !work_tick(f->work, object))
			return fail_cancel(f->err);
		parent = heap_dominator(&f->h, object);
		if (parent == 0)
			continue;
		retained = heap_retained(&f->h, object);
		big = (struct big){ object, parent, retained, 0 };
		if (retained >= s->least && !scratch_add(&s->big, &s->n, &big, sizeof big, f->err))
			return false;
		if (retained < s->least && parent == HEAP_ROOT)
			add_top(f, s, object, retained);
	}
	return true;
}

/* ---- owners ------------------------------------------------------------------------------ */

struct owner {
	uint32_t	app;		/* nearest object of an application that is no array; 0: none */
	uint32_t	holder;		/* nearest class, else what nothing dominates */
	uint32_t	thread;		/* a thread that stands between: it is the owner */
};

/* Of a list or tree of objects of one class the owner is what holds the first. */
static bool
may_own(const struct finder *f, const struct point *point, uint32_t object)
{
	unsigned sort = finder_sort(f, object);

	if (!finder_is_app(f, object) || (sort & SORT_ARRAY))
		return false;
	return object != point->object || point->pile != PILE_ELEMENTS ||
	    point->class != heap_class(&f->h, object);
}

static bool
find_owner(struct finder *f, const struct point *point, struct owner *o)
{
	uint32_t at = point->object, steps = 0;
	unsigned sort;

	*o = (struct owner){ .app = 0 };
	for (; at != 0; at = heap_above(&f->h, at)) {
		if (++steps % TICK == 0 && !work_tick(f->work, steps))
			return fail_cancel(f->err);
		sort = finder_sort(f, at);
		if (o->holder == 0 || (finder_sort(f, o->holder) & SORT_CLASS) == 0)
			o->holder = at;
		if (sort & SORT_THREAD)
			o->thread = at;
		else if (may_own(f, point, at))
			o->app = at;
		if (o->thread != 0 || o->app != 0)
			return true;
	}
	if (finder_is_app(f, point->object))
		o->app = point->object;
	return true;
}

/* Of a class of java.util, or another with collections. */
static bool
is_collection(const struct finder *f, uint32_t object)
{
	static const char *const globs[] = { "java.util.*", "android.util.*" };

	return (finder_sort(f, object) & (SORT_CLASS | SORT_APP)) == 0 &&
	    heap_label_like(&f->h, object, globs, NELEM(globs));
}

/* The collection that a table or node belongs to, for a person knows that. */
static uint32_t
collection_of(const struct finder *f, const struct point *point)
{
	uint32_t object = point->object, up;

	if (point->pile != PILE_ELEMENTS || finder_is_app(f, object))
		return object;
	for (uint32_t n = 0; n < SHELLS; n++) {
		up = heap_above(&f->h, object);
		if (up == 0 || !is_collection(f, up) ||
		    heap_retained(&f->h, object) < heap_retained(&f->h, up) / 10 * 9)
			break;
		object = up;
	}
	return object;
}

/* Something on the way up is leaking: that is a finding of its own, and has it all. */
static bool
is_told(struct finder *f, uint32_t object, bool *told)
{
	struct verdict v;
	uint32_t steps = 0;

	for (*told = false; object != 0 && !*told; object = heap_above(&f->h, object)) {
		if (++steps % TICK == 0 && !work_tick(f->work, steps))
			return fail_cancel(f->err);
		if (f->inspector == NULL || !inspector_knows(f->inspector, heap_class(&f->h, object)))
			continue;
		inspect(f->inspector, object, &v);
		*told = v.mark == LEAK_YES;
	}
	return true;
}

/* ---- findings ----------------------------------------------------------------------------- */

/* Whether a point is worth a finding. */
static bool
is_suspect(const struct finder *f, const struct point *point, const struct owner *o)
{
	uint64_t bytes = heap_retained(&f->h, point->object);

	if (point->pile == PILE_CLASSES || is_preloaded(f, point->object))
		return false;
	/* What the JDK notes in a class loader for its classes is no trouble. */
	if (o->app != 0 && (finder_sort(f, o->app) & SORT_LOADER) != 0 &&
	    (f->sorts.data[point->class] & SORT_APP) == 0)
		return false;
	if (point->pile == PILE_MIXED &&
	    (point->own < FLOOR_MIXED || point->own < f->live / SHARE_MIXED))
		return false;
	return o->app != 0 || o->thread != 0 || bytes >= FLOOR_PLATFORM;
}

/* The nearest object that dominates both: what is above retains more. */
static bool
common_dominator(struct finder *f, uint32_t *object, uint32_t other)
{
	uint32_t steps = 0;

	while (*object != other && *object != HEAP_ROOT && other != HEAP_ROOT) {
		if (++steps % TICK == 0 && !work_tick(f->work, steps))
			return fail_cancel(f->err);
		if (heap_retained(&f->h, *object) <= heap_retained(&f->h, other))
			*object = heap_dominator(&f->h, *object);
		else
			other = heap_dominator(&f->h, other);
	}
	return true;
}

/* Several of one kind that one object owns: they are elements of what holds them all. */
static bool
add_several(struct finder *f, struct suspects *s, const struct suspect *first, size_t n)
{
	struct finding finding = { .kind = FINDING_SUSPECT, .object = first->owner,
	    .class = heap_class(&f->h, first->point.object), .count = 1 };
	struct point all = first->point;

	for (size_t i = 0; i < n; i++) {
		if (first[i].owner != first->owner ||
		    heap_class(&f->h, first[i].point.object) != finding.class)
			continue;
		/* Of a list or tree all its nodes. */
		finding.number += first[i].point.class == finding.class ? first[i].point.elements : 1;
		finding.retained += heap_retained(&f->h, first[i].point.object);
		s->done[&first[i] - s->suspect] = true;
		if (!common_dominator(f, &all.object, first[i].point.object))
			return false;
	}
	all.pile = PILE_ELEMENTS;
	finding.other = all.object == HEAP_ROOT ? finding.object : collection_of(f, &all);
	return finding_add(f, &finding);
}

static bool
add_one(struct finder *f, const struct suspect *one)
{
	struct finding finding = { .kind = FINDING_SUSPECT, .object = one->owner,
	    .class = one->point.class, .other = collection_of(f, &one->point),
	    .number = one->point.elements, .count = 1 };
	uint64_t bytes = one->point.own;

	/* An owner of many things is not told by the size of all of them. */
	finding.retained = heap_retained(&f->h, finding.object);
	if (bytes < finding.retained / 10 * 7)
		finding.retained = bytes;
	return finding_add(f, &finding);
}

static bool
list_suspects(struct finder *f, struct suspects *s)
{
	const struct point *point;
	struct owner o;
	bool told;

	for (size_t i = 0; i < s->points.n; i++) {
		point = &s->points.point[i];
		if (!find_owner(f, point, &o))
			return false;
		if (!is_suspect(f, point, &o))
			continue;
		if (!is_told(f, point->object, &told))
			return false;
		if (!told)
			s->suspect[s->nsuspects++] = (struct suspect){ *point,
			    o.thread != 0 ? o.thread : o.app != 0 ? o.app : o.holder };
	}
	return true;
}

static bool
is_sibling(const struct finder *f, const struct suspect *a, const struct suspect *b)
{
	return a->owner != b->owner && heap_class(&f->h, a->owner) == heap_class(&f->h, b->owner) &&
	    heap_dominator(&f->h, a->owner) == heap_dominator(&f->h, b->owner) &&
	    heap_dominator(&f->h, a->owner) != HEAP_ROOT;
}

/* It becomes an element of what its owner is an element of. */
static bool
lift(struct finder *f, struct suspect *one)
{
	struct point up = { .object = heap_dominator(&f->h, one->owner) };
	struct owner o;

	if (!find_owner(f, &up, &o))
		return false;
	if (o.app == 0 || o.thread != 0)
		return true;
	one->point = (struct point){ .object = one->owner, .own = heap_retained(&f->h, one->owner),
	    .pile = PILE_ITSELF };
	one->owner = o.app;
	return true;
}

/* Owners of one class that one object has, such as the segments of a map: the owner of those is told. */
static bool
lift_siblings(struct finder *f, struct suspects *s)
{
	bool lifts[POINTS] = { false };

	for (size_t i = 0; i < s->nsuspects; i++)
		for (size_t j = 0; j < s->nsuspects && !lifts[i]; j++)
			lifts[i] = is_sibling(f, &s->suspect[i], &s->suspect[j]);
	for (size_t i = 0; i < s->nsuspects; i++)
		if (lifts[i] && !lift(f, &s->suspect[i]))
			return false;
	return true;
}

static bool
add_suspects(struct finder *f, struct suspects *s)
{
	const struct suspect *one;
	size_t j;
	bool ok;

	for (size_t i = 0; i < s->nsuspects; i++) {
		one = &s->suspect[i];
		if (s->done[i])
			continue;
		for (j = i + 1; j < s->nsuspects && (s->suspect[j].owner != one->owner ||
		    heap_class(&f->h, s->suspect[j].point.object) !=
		    heap_class(&f->h, one->point.object)); j++)
			continue;
		ok = j < s->nsuspects ? add_several(f, s, one, s->nsuspects - i) : add_one(f, one);
		if (!ok)
			return false;
	}
	return true;
}

/* ---- classes ------------------------------------------------------------------------------ */

/* Bytes that make a class one; the zip files that are open are in any program, threads in few so many. */
static uint64_t
least_of(const struct finder *f, const struct suspects *s, uint32_t class)
{
	uint64_t floor = f->sorts.data[class] & SORT_APP ? 0 :
	    f->sorts.data[class] & SORT_THREAD ? FLOOR_PLATFORM : FLOOR_MIXED;

	return s->least > floor ? s->least : floor;
}

static bool
add_classes(struct finder *f, const struct suspects *s)
{
	const struct tops *t;
	uint64_t least;

	for (uint32_t class = 1; class <= f->h.classes; class++) {
		t = &SCRATCH(s->tops, struct tops)[class];
		least = least_of(f, s, class);
		if (t->n < 2 || t->bytes < least ||
		    (f->sorts.data[class] & SORT_THREAD && t->n < MANY_THREADS))
			continue;
		if (!finding_add(f, &(struct finding){ .kind = FINDING_SUSPECT_CLASS,
		    .object = t->biggest, .class = class, .count = t->n, .retained = t->bytes }))
			return false;
	}
	return true;
}

static bool
suspects_end(struct finder *f, void *state)
{
	struct suspects *s = state;

	s->least = f->live / SHARE < FLOOR ? FLOOR : f->live / SHARE;
	if (!scratch_array(&s->tops, f->h.classes + 1ull, sizeof(struct tops), f->err) || !read_objects(f, s) ||
	    !points_find(f, SCRATCH(s->big, struct big), s->n, s->least, &s->points))
		return false;
	return list_suspects(f, s) && lift_siblings(f, s) && add_suspects(f, s) && add_classes(f, s);
}

static void
suspects_release(void *state)
{
	struct suspects *s = state;

	SCRATCH_FREE(&s->big, &s->tops);
}

const struct detector detector_suspects = {
	.state_size = sizeof(struct suspects), .end = suspects_end, .release = suspects_release
};
