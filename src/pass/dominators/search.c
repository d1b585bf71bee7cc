/*
 * search: the depth-first search of the dominator pass.
 *
 * Classes are held by their instances, but an edge for each instance would double the graph.  The
 * first instance reached has one, and a few more; dominators.c adds those that turn out to matter.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/facts.h"
#include "dominators.h"

#define TICK 65536u
#define AHEAD 4u		/* references that are fetched when an object is begun */
#define CLASS_EDGES 8u		/* of one class, before they become rare: one of RARE */
#define RARE 64u

/* Value per object: its number, or UNSEEN with all that the search needs of it, in one word. */
#define UNSEEN (UINT32_C(1) << 31)
#define MARK_CLASS (UINT32_C(1) << 30)		/* its class is held by its instances, not by a root */
#define MARK_REFERRED (UINT32_C(3) << 28)	/* references to it: 0, 1, 2 or more */
#define MARK_ONCE (UINT32_C(1) << 28)
#define MARK_LEN (UINT32_C(255) << 20)		/* of its list, as heap_lists has it */
#define MARK_AT ((UINT32_C(1) << 20) - 1)	/* where its list lies behind the first of its block; MARK_AT: farther off */

/* An object whose references are being followed. */
struct frame {
	const uint8_t	*p, *end;
	uint32_t	 number, last, class;	/* class: an object still to go to, or 0 */
	uint32_t	 hint;			/* a class whose instance it is or has folded into it, or 0 */
	uint8_t		 strength;
	bool		 first, kept;		/* kept: it cannot be folded */
};

/* Per class: where the instances with an edge to it are. */
struct seen {
	uint32_t	 n;			/* instances met */
	uint32_t	 above, depth;		/* the number all of them are below in the search, 0: the root; its frame */
};

struct search {
	struct dominators *d;
	struct scratch	 marks;
	uint8_t		*mark;			/* by object (from 0), until num has them */
	uint32_t	*num;
	struct scratch	 stack;
	uint32_t	 depth;
	struct seen	*seen;			/* by class */
	struct scratch	 data;			/* of the lists */
	uint64_t	 ticks;
};

/* ---- marks --------------------------------------------------------------------- */

static inline void
refer(uint8_t *mark, uint32_t object)
{
	mark[object - 1] += mark[object - 1] < 2;
}

/* References to each object, at most 2 of them. */
static bool
mark_referred(struct search *s, struct work *work, struct err *err)
{
	const struct heap_lists *out = &s->d->h.out;
	uint64_t at = 0, objects = s->d->h.objects;
	struct heap_walk w;
	uint32_t to;

	for (uint64_t i = 0; i < objects; i++) {
		if (i % TICK == 0 && !work_tick(work, i))
			return fail_cancel(err);
		if (out->len[i] == 0)
			continue;
		heap_list(out, i, at, &w);
		at = (uint64_t)(w.end - out->data);
		if (w.chain != 0 && w.chain <= objects && s->d->h.refs >= REFS_ALL)
			refer(s->mark, w.chain);
		while ((to = list_next(&w)) != 0)
			if (to <= objects)
				refer(s->mark, to);
	}
	return true;
}

/* Roots refer to objects.  Classes that no root holds are held by their instances, and never folded. */
static void
mark_roots(struct search *s)
{
	struct dominators *d = s->d;
	uint32_t row = 0, object;

	for (uint64_t i = 1; i <= d->h.classes; i++)
		d->held[i] = heap_class_object(&d->h, (uint32_t)i);
	while ((object = root_next(&d->h, &row)) != 0) {
		refer(s->mark, object);
		d->held[heap_class_of_object(&d->h, object)] = 0;
	}
	d->held[0] = 0;
	for (uint64_t i = 1; i <= d->h.classes; i++)
		if (d->held[i] != 0) {
			refer(s->mark, d->held[i]);
			refer(s->mark, d->held[i]);
		}
}

/* Counting needs bytes, which fit a cache; the search needs all of an object in one place. */
static bool
move_marks(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	struct search *s = arg;
	struct dominators *d = s->d;
	const struct heap_lists *out = &d->h.out;
	uint64_t at = 0, behind, bytes;

	assert(from % HEAP_BLOCK == 0);
	for (uint64_t i = from; i < to; i++) {
		if (i % TICK == 0 && !work_tick(w, i))
			return fail_cancel(err);
		at = i % HEAP_BLOCK == 0 ? out->block[i / HEAP_BLOCK] : at;
		behind = at - out->block[i / HEAP_BLOCK];
		bytes = at < out->size ? heap_list_bytes(out, i, at) : 0;
		if (at > out->size || bytes > out->size - at || behind > MARK_AT)
			behind = MARK_AT;
		at += bytes;
		s->num[i] = UNSEEN | (uint32_t)behind | (uint32_t)out->len[i] << 20 | (uint32_t)s->mark[i] << 28 |
		    (d->held[heap_class(&d->h, (uint32_t)i + 1)] != 0 ? MARK_CLASS : 0);
	}
	return true;
}

/* ---- the search -------------------------------------------------------------------- */

static uint32_t
give_number(struct search *s, uint32_t object, uint32_t parent)
{
	uint32_t n = ++s->d->n;

	assert(s->num[object - 1] & UNSEEN && parent < n && n <= s->d->h.objects);
	s->num[object - 1] = n;
	s->d->order[n - 1] = object;
	s->d->parent[n - 1] = parent;
	return n;
}

/* The frame of the last object on the current path that has a smaller number than this one. */
static uint32_t
frame_above(const struct search *s, uint32_t number)
{
	const struct frame *f = SCRATCH(s->stack, struct frame);
	uint32_t low = 0, high = s->depth, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (f[middle].number <= number)
			low = middle + 1;
		else
			high = middle;
	}
	assert(low <= s->depth && (low == 0 || f[low - 1].number <= number));
	return low;	/* of frames in front; 0: only the root */
}

/*
 * An instance of a class that is reached already has an edge to it, from its frame or what that is folded
 * into, when it lies elsewhere than those before it; and a few others have.
 */
static void
hint_class(struct search *s, struct frame *f, uint32_t object)
{
	uint32_t class = heap_class(&s->d->h, object), at;
	struct seen *seen = &s->seen[class];
	bool below = seen->above == 0 || (seen->depth < s->depth &&
	    SCRATCH(s->stack, struct frame)[seen->depth].number == seen->above);

	seen->n++;
	if (f->hint != 0 || (below && seen->n > CLASS_EDGES && seen->n % RARE != 0))
		return;
	f->hint = class;
	if (below)
		return;
	at = frame_above(s, seen->above);
	seen->above = at == 0 ? 0 : SCRATCH(s->stack, struct frame)[at - 1].number;
	seen->depth = at == 0 ? 0 : at - 1;
	assert(seen->depth < s->depth);
}

/* Return the begin of the list of an object that has one, by its mark. */
static inline const uint8_t *
search_list_of(const struct search *s, uint32_t object, uint32_t mark)
{
	return (const uint8_t *)s->data.data + s->d->h.out.block[(object - 1) / HEAP_BLOCK] + (mark & MARK_AT);
}

/* The list of an object. */
static inline void
search_open_list(const struct search *s, struct frame *f, uint32_t object, uint32_t mark)
{
	const struct heap_lists *out = &s->d->h.out;
	uint64_t i = (uint64_t)object - 1;
	struct heap_walk w;

	if ((mark & MARK_AT) != MARK_AT && (mark & MARK_LEN) != MARK_LEN) {
		f->p = search_list_of(s, object, mark);
		f->end = f->p + (mark >> 20 & 255);
		return;
	}
	heap_list(out, i, heap_list_at(out, i), &w);
	f->p = w.p;
	f->end = w.end;
	f->strength = w.strength;
	/* All of them count then, whatever their strength. */
	if (w.chain != 0 && s->d->h.refs >= REFS_ALL)
		f->p = w.begin;
	else
		f->last = w.last;
	f->first = true;
}

/* Prefetches what the search will read of the first objects of the list of a frame. */
static inline void
search_fetch(const struct search *s, const struct frame *f)
{
	struct heap_walk w = { .p = f->p, .end = f->end, .last = f->last };
	uint32_t to;

	for (unsigned i = 0; i < AHEAD && (to = list_next(&w)) != 0; i++)
		__builtin_prefetch(&s->num[to - 1], 1);
}

/* Prefetches the list of the object to which a frame will go next; its mark was fetched before. */
static inline void
fetch_next(const struct search *s, const struct frame *f)
{
	struct heap_walk w = { .p = f->p, .end = f->end, .last = f->last };
	uint32_t to = list_next(&w), mark;

	if (to == 0 || to > s->d->h.objects)
		return;
	mark = s->num[to - 1];
	if (mark & UNSEEN && mark & MARK_LEN)
		__builtin_prefetch(search_list_of(s, to, mark));
}

static bool
search_push(struct search *s, uint32_t object, uint32_t parent)
{
	struct dominators *d = s->d;
	uint32_t mark = s->num[object - 1], number = give_number(s, object, parent), held;
	struct frame *f;

	if (((uint64_t)s->depth + 1) * sizeof *f > s->stack.size &&
	    !scratch_array(&s->stack, (uint64_t)s->depth + 1, sizeof *f, d->err))
		return false;
	f = &SCRATCH(s->stack, struct frame)[s->depth++];
	assert(s->depth < 2 || f[-1].number < number);
	*f = (struct frame){ .number = number, .last = object, .kept = (mark & MARK_REFERRED) != MARK_ONCE };
	if (mark & MARK_LEN) {
		search_open_list(s, f, object, mark);
		if (s->depth > 1)
			fetch_next(s, f - 1);
		search_fetch(s, f);
	}
	if (!(mark & MARK_CLASS) || (held = d->held[heap_class(&d->h, object)]) == object)
		return true;
	if (!(s->num[held - 1] & UNSEEN))
		hint_class(s, f, object);
	else {
		f->class = held;
		s->seen[heap_class(&d->h, object)] = (struct seen){ 1, number, s->depth - 1 };
	}
	return true;
}

static bool
search_pop(struct search *s)
{
	struct frame *f = &SCRATCH(s->stack, struct frame)[--s->depth];
	bool top = s->depth == 0;
	uint32_t source = f->number;

	assert(f->number != 0 && f->number <= s->d->n);
	if (!f->kept) {
		set_bit(&s->d->fold, f->number);
		source = 0;
	} else if (!top)
		f[-1].kept = true;
	if (f->hint == 0)
		return true;
	if (f->kept || top)
		return dominators_edge(s->d, s->num[s->d->held[f->hint] - 1], source);
	if (f[-1].hint == 0)
		f[-1].hint = f->hint;
	return true;
}

/* A leaf that only this object refers to is done at once. */
static bool
leaf(struct search *s, struct frame *f, uint32_t object)
{
	uint32_t mark = s->num[object - 1];

	if ((mark & (MARK_REFERRED | MARK_LEN)) != MARK_ONCE || (mark & MARK_CLASS &&
	    s->num[s->d->held[heap_class(&s->d->h, object)] - 1] & UNSEEN))
		return false;
	set_bit(&s->d->fold, give_number(s, object, f->number));
	if (mark & MARK_CLASS)
		hint_class(s, f, object);
	return true;
}

static bool
search_follow(struct search *s, struct frame *f, uint32_t to)
{
	if (to == 0 || to > s->d->h.objects)
		return true;
	if (!(s->num[to - 1] & UNSEEN)) {
		f->kept = true;
		return dominators_edge(s->d, s->num[to - 1], f->number);
	}
	return leaf(s, f, to) || search_push(s, to, f->number);
}

/* The next reference that counts, or 0. */
static uint32_t
next_reference(struct search *s, struct frame *f)
{
	struct heap_walk w = { .p = f->p, .end = f->end, .last = f->last };
	uint32_t to = list_next(&w);

	if (f->first && f->strength != 0 &&
	    !heap_counts(&s->d->h, (enum heap_strength)f->strength))
		to = list_next(&w);
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

	if (!(s->num[object - 1] & UNSEEN))
		return dominators_edge(d, s->num[object - 1], 0);
	assert(s->depth == 0);
	if (!search_push(s, object, 0))
		return false;
	while (s->depth > 0) {
		f = &SCRATCH(s->stack, struct frame)[s->depth - 1];
		if (++s->ticks % TICK == 0 && !work_tick(d->work, d->n))
			return fail_cancel(d->err);
		if (f->class != 0) {
			to = f->class;
			f->class = 0;
		} else if ((to = next_reference(s, f)) == 0) {
			if (!search_pop(s))
				return false;
			continue;
		}
		if (!search_follow(s, f, to))
			return false;
	}
	return true;
}

static bool
search_roots(struct search *s)
{
	uint32_t row = 0, object;

	while ((object = root_next(&s->d->h, &row)) != 0)
		if (!search_from(s, object))
			return false;
	return true;
}

/* Search objects that no root reaches: unreferenced ones, then one of each remaining cycle; without roots, classes first. */
static bool
search_pseudo(struct search *s, bool classes)
{
	struct dominators *d = s->d;

	for (uint32_t i = 1; classes && i <= d->h.classes; i++)
		if (heap_class_object(&d->h, i) != 0 && !search_from(s, heap_class_object(&d->h, i)))
			return false;
	for (uint32_t i = 1; i <= d->h.objects; i++)
		if (s->num[i - 1] & UNSEEN && (s->num[i - 1] & MARK_REFERRED) == 0 &&
		    !search_from(s, i))
			return false;
	/* The only one that refers to it may come later: what is begun with is not folded. */
	for (uint32_t i = 1; i <= d->h.objects; i++) {
		s->num[i - 1] |= s->num[i - 1] & UNSEEN ? MARK_REFERRED : 0;
		if (s->num[i - 1] & UNSEEN && !search_from(s, i))
			return false;
	}
	return true;
}

static bool
make_arrays(struct search *s)
{
	struct dominators *d = s->d;
	uint64_t n = (uint64_t)d->h.objects + 1;

	if (!scratch_array(&d->num, n, sizeof(uint32_t), d->err) ||
	    !scratch_array(&s->marks, n, 1, d->err) ||
	    !scratch_array(&d->fold, n / 64 + 1, sizeof(uint64_t), d->err))
		return false;
	s->mark = SCRATCH(s->marks, uint8_t);
	s->num = SCRATCH(d->num, uint32_t);
	return true;
}

/* Lists are read at random, which is faster from memory of large pages than from a mapped file. */
static bool
search_copy_lists(struct search *s, struct err *err)
{
	const struct heap_lists *out = &s->d->h.out;

	if (!scratch_grow(&s->data, out->size + 1, err))
		return false;
	memcpy(s->data.data, out->data, out->size);
	return true;
}

static bool
read_lists(void *arg, uint64_t part, struct work *w, struct err *err)
{
	return part == 0 ? mark_referred(arg, w, err) : search_copy_lists(arg, err);
}

static bool
mark_all(struct search *s)
{
	struct dominators *d = s->d;
	bool ok;

	work_start(d->work, "references counted", d->h.objects);
	if (!pool_run(d->work, 2, read_lists, s, d->err))
		return false;
	d->h.out.data = s->data.data;
	mark_roots(s);
	ok = pool_ranges(d->work, d->h.objects, move_marks, s, d->err);
	scratch_free(&s->marks);
	return ok;
}

/* Objects that were not reached have number 0. */
static bool
clear_unseen(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	struct search *s = arg;

	for (uint64_t i = from; i < to; i++)
		if (s->num[i] & UNSEEN)
			s->num[i] = 0;
	return work_go(w, to, err);
}

static void
number_held(struct search *s)
{
	for (uint64_t i = 1; i <= s->d->h.classes; i++)
		if (s->d->held[i] != 0)
			s->d->held_number[i] = s->num[s->d->held[i] - 1];
}

bool
dominators_search(struct dominators *d)
{
	struct scratch seen = SCRATCH_INIT;
	struct search s = { .d = d };
	struct heap_lists lists = d->h.out;
	bool ok, pseudo = fact_value(d->st, FACT_HEAP_PSEUDO) != 0;

	heap_lists_all(&lists);
	ok = make_arrays(&s) &&
	    scratch_array(&seen, (uint64_t)d->h.classes + 1, sizeof *s.seen, d->err);
	s.seen = SCRATCH(seen, struct seen);
	ok = ok && mark_all(&s);
	if (ok) {
		work_start(d->work, "search from the roots", d->h.objects);
		ok = search_roots(&s) &&
		    (!(pseudo || d->h.refs == REFS_UNREACHABLE) || search_pseudo(&s, pseudo));
	}
	ok = ok && pool_ranges(d->work, d->h.objects, clear_unseen, &s, d->err);
	if (ok)
		number_held(&s);
	d->h.out = lists;
	SCRATCH_FREE(&s.stack, &s.marks, &s.data, &seen);
	return ok;
}
