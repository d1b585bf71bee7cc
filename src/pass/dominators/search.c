/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * search: the depth-first search of the dominator pass.
 *
 * It goes through lists at random, in their packed form, which fits caches best.
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
#define CLASS_EDGES 8u		/* edges of one class, before they become rare: one of RARE */
#define RARE 64u

/* Value per object: its number, or UNSEEN with all that the search needs of it, in one word. */
#define UNSEEN (UINT32_C(1) << 31)
#define MARK_CLASS (UINT32_C(1) << 30)		/* the class is kept by its instances, not by a root */
#define MARK_REFERRED (UINT32_C(3) << 28)	/* references to it: 0, 1, 2 or more */
#define MARK_ONCE (UINT32_C(1) << 28)
/* bytes of its list; all: it has a head, or is far away; 0: nothing to follow */
#define MARK_LIST (UINT32_C(255) << 20)
#define MARK_AT ((UINT32_C(1) << 20) - 1)	/* offset of its list after the first of its block; MARK_AT: far away */

/* An object whose references are being followed. */
struct frame {
	const uint8_t	*p, *end;		/* rest of the object's list */
	uint32_t	 last, number, class;	/* class: an object still to go to, or 0 */
	uint32_t	 hint;			/* a class whose instance it is or has folded into it, or 0 */
	bool		 kept;			/* the object cannot be folded */
};

/* Per class: where the instances with an edge to it are. */
struct seen {
	uint32_t	 n;			/* instances met */
	/* the number all of them are below in the search, 0: the root; its frame */
	uint32_t	 above, depth;
};

struct search {
	struct dominators *d;
	struct scratch	 marks;
	_Atomic uint8_t	*mark;			/* by object (from 0): references to it, until num has them */
	bool		 alone;			/* no other thread counts */
	bool			 rest;			/* heap.rest: objects that no root reaches count */
	uint32_t	*num;
	ARRAY(struct frame)	stack;
	uint32_t	 depth;
	struct seen	*seen;			/* by class */
	uint64_t	 ticks;
};

/* ---- marks --------------------------------------------------------------------- */

/* Counts up to 2, or a few more with several threads. */
static inline void
refer(struct search *s, uint32_t object)
{
	_Atomic uint8_t *mark = &s->mark[object - 1];
	uint8_t n = atomic_load_explicit(mark, memory_order_relaxed);

	if (s->alone)
		atomic_store_explicit(mark, n + (n < 2), memory_order_relaxed);
	else if (n < 2)
		atomic_fetch_add_explicit(mark, 1, memory_order_relaxed);
}

/* How many of the first of a list do not count. */
static inline uint32_t
search_skips(const struct heap *h, const struct heap_walk *w)
{
	return w->weak != 0 && !heap_counts(h, (enum heap_strength)w->strength) ? w->weak : 0;
}

/*
 * Counts the targets of a list, also by references that do not count, unless these tell the rest apart.  False:
 * there is nothing to follow.
 */
static inline bool
count_list(struct search *s, struct heap_walk w)
{
	const struct heap *h = &s->d->h;
	bool any = w.chain != 0 && w.chain <= h->objects && h->refs >= REFS_ALL;
	uint32_t skip = search_skips(h, &w), to;

	if (any)
		refer(s, w.chain);
	for (; (to = list_next(&w)) != 0; skip -= skip > 0)
		if (to <= h->objects) {
			if (skip == 0 || !s->rest)
				refer(s, to);
			any |= skip == 0;
		}
	return any;
}

/* The mark of an object for its list. */
static inline uint32_t
mark_list(const struct heap_lists *out, uint64_t i, uint64_t at, const struct heap_walk *w)
{
	uint64_t n = out->len[i], behind = at - out->block[i / HEAP_BLOCK];

	if (behind >= MARK_AT)
		return MARK_LIST | MARK_AT;
	/* A list may end early in a damaged index. */
	return n != HEAP_LONG_LIST && (uint64_t)(w->end - w->begin) != n ? 0 : (uint32_t)(n << 20 | behind);
}

/* Notes where the lists of objects are, and counts the references in them. */
static bool
count_lists(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	struct search *s = arg;
	const struct heap_lists *out = &s->d->h.out;
	struct heap_walk list;
	uint64_t at = 0;

	for (uint64_t i = from; i < to; i++) {
		if (i % HEAP_BLOCK == 0)
			at = out->block[i / HEAP_BLOCK];
		if (!work_each(w, i, TICK, err))
			return false;
		if (out->len[i] == 0 || at >= out->size)
			continue;
		heap_list(out, i, at, &list);
		if (count_list(s, list))
			s->num[i] = mark_list(out, i, at, &list);
		at = (uint64_t)(list.end - out->data);
	}
	return work_go(w, to, err);
}

/* Roots refer to objects.  Classes that no root holds are held by their instances, and never folded. */
static void
mark_roots(struct search *s)
{
	struct dominators *d = s->d;
	uint32_t row = 0, object;

	for (uint64_t i = 1; i <= d->h.classes; i++)
		d->held[i] = d->h.form != NULL ? 0 : heap_class_object(&d->h, (uint32_t)i);
	while ((object = root_next(&d->h, &row)) != 0) {
		refer(s, object);
		d->held[heap_class_of_object(&d->h, object)] = 0;
	}
	d->held[0] = 0;
	for (uint64_t i = 1; i <= d->h.classes; i++)
		if (d->held[i] != 0) {
			refer(s, d->held[i]);
			refer(s, d->held[i]);
		}
}

/* Counting needs bytes, which fit a cache; the search needs all of an object in one place. */
static bool
move_marks(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	struct search *s = arg;
	struct dominators *d = s->d;
	uint32_t mark;

	for (uint64_t i = from; i < to; i++) {
		if (!work_each(w, i, TICK, err))
			return false;
		mark = atomic_load_explicit(&s->mark[i], memory_order_relaxed);
		s->num[i] |= UNSEEN | (mark < 2 ? mark :
		    2) << 28 | (d->held[heap_class(&d->h, (uint32_t)i + 1)] != 0 ? MARK_CLASS : 0);
	}
	return work_go(w, to, err);
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
	const struct frame *f = s->stack.at;
	uint32_t low = 0, high = s->depth, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (f[middle].number <= number)
			low = middle + 1;
		else
			high = middle;
	}
	assert(low <= s->depth && (low == 0 || f[low - 1].number <= number));
	return low;	/* number of frames in front; 0: only the root */
}

/*
 * An instance of a reached class already has an edge to it, from its frame or the node the frame is folded
 * into, if it is in another place than those before it; so have a few others.
 */
static void
hint_class(struct search *s, struct frame *f, uint32_t object)
{
	uint32_t class = heap_class(&s->d->h, object), at;
	struct seen *seen = &s->seen[class];
	bool below = seen->above == 0 || (seen->depth < s->depth &&
	    s->stack.at[seen->depth].number == seen->above);

	seen->n++;
	if (f->hint != 0 || (below && seen->n > CLASS_EDGES && seen->n % RARE != 0))
		return;
	f->hint = class;
	if (below)
		return;
	at = frame_above(s, seen->above);
	seen->above = at == 0 ? 0 : s->stack.at[at - 1].number;
	seen->depth = at == 0 ? 0 : at - 1;
	assert(seen->depth < s->depth);
}

/* Return where the list of an object that has one begins, from its mark. */
static inline uint64_t
search_list_at(const struct search *s, uint32_t object, uint32_t mark)
{
	const struct heap_lists *out = &s->d->h.out;

	if ((mark & MARK_AT) == MARK_AT)
		return heap_list_at(out, object - 1);
	return out->block[(object - 1) / HEAP_BLOCK] + (mark & MARK_AT);
}

/* Opens a list after its uncounted references: these are in lists with a head. */
static inline void
open_list(const struct search *s, struct frame *f, uint32_t object, uint32_t mark)
{
	const struct heap *h = &s->d->h;
	uint64_t at = search_list_at(s, object, mark);
	struct heap_walk w = { .p = h->out.data + at, .end = h->out.data + at + (mark >> 20 & 255),
	    .last = object };

	if ((mark & MARK_LIST) == MARK_LIST)
		heap_list(&h->out, object - 1, at, &w);
	if (w.chain != 0 && h->refs >= REFS_ALL)
		w.p = w.begin, w.last = object;
	else
		for (uint32_t skip = search_skips(h, &w); skip > 0 && list_next(&w) != 0; skip--)
			continue;
	f->p = w.p;
	f->end = w.end;
	f->last = w.last;
}

/* The next object of the list; 0: there is none. */
static inline uint32_t
frame_next(const struct search *s, struct frame *f)
{
	struct heap_walk w = { .p = f->p, .end = f->end, .last = f->last };
	uint32_t to;

	while ((to = list_next(&w)) > s->d->h.objects)
		;
	f->p = w.p;
	f->last = w.last;
	return to;
}

/* Prefetches the data that the search will read for the first objects of a list. */
static inline void
search_fetch(const struct search *s, struct frame f)
{
	uint32_t to;

	for (unsigned i = 0; i < AHEAD && (to = frame_next(s, &f)) != 0; i++)
		__builtin_prefetch(&s->num[to - 1], 1);
}

/* Prefetches the list of the object to which a frame will go next; its mark was fetched before. */
static inline void
fetch_next(const struct search *s, struct frame f)
{
	uint32_t to = frame_next(s, &f), mark = to == 0 ? 0 : s->num[to - 1];

	if (mark & UNSEEN && mark & MARK_LIST)
		__builtin_prefetch(s->d->h.out.data + search_list_at(s, to, mark));
}

static bool
search_push(struct search *s, uint32_t object, uint32_t parent)
{
	struct dominators *d = s->d;
	uint32_t mark = s->num[object - 1], number = give_number(s, object, parent), held;
	struct frame *f;

	if (((uint64_t)s->depth + 1) * sizeof *f > s->stack.raw.size &&
	    !array_grow(&s->stack, (uint64_t)s->depth + 1, d->err))
		return false;
	f = &s->stack.at[s->depth++];
	assert(s->depth < 2 || f[-1].number < number);
	*f = (struct frame){ .number = number, .kept = (mark & MARK_REFERRED) != MARK_ONCE };
	if (mark & MARK_LIST) {
		open_list(s, f, object, mark);
		if (s->depth > 1)
			fetch_next(s, f[-1]);
		search_fetch(s, *f);
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
	struct frame *f = &s->stack.at[--s->depth];
	bool top = s->depth == 0;
	uint32_t source = f->number;

	assert(f->number != 0 && f->number <= s->d->n);
	if (!f->kept) {
		set_bit(&s->d->fold.raw, f->number);
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

	if ((mark & (MARK_REFERRED | MARK_LIST)) != MARK_ONCE || (mark & MARK_CLASS &&
	    s->num[s->d->held[heap_class(&s->d->h, object)] - 1] & UNSEEN))
		return false;
	set_bit(&s->d->fold.raw, give_number(s, object, f->number));
	if (mark & MARK_CLASS)
		hint_class(s, f, object);
	return true;
}

static bool
search_follow(struct search *s, struct frame *f, uint32_t to)
{
	if (!(s->num[to - 1] & UNSEEN)) {
		f->kept = true;
		return dominators_edge(s->d, s->num[to - 1], f->number);
	}
	return leaf(s, f, to) || search_push(s, to, f->number);
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
		f = &s->stack.at[s->depth - 1];
		if (++s->ticks % TICK == 0 && !work_go(d->work, d->n, d->err))
			return false;
		if (f->class != 0) {
			to = f->class;
			f->class = 0;
		} else
			to = frame_next(s, f);
		if (!(to == 0 ? search_pop(s) : search_follow(s, f, to)))
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

/*
 * Search objects that no root reaches: unreferenced ones, then one of each remaining cycle; without roots,
 * classes first.
 */
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
	/* Starting objects are not folded: their only referrer may come later. */
	for (uint32_t i = 1; i <= d->h.objects; i++) {
		s->num[i - 1] |= s->num[i - 1] & UNSEEN ? MARK_REFERRED : 0;
		if (s->num[i - 1] & UNSEEN && !search_from(s, i))
			return false;
	}
	return true;
}

/* Where the file says what holds the rest: unreferenced objects are roots, and each of those in cycles is one alone. */
static bool
search_unheld(struct search *s)
{
	for (uint32_t i = 1; i <= s->d->h.objects; i++)
		if (s->num[i - 1] & UNSEEN && (s->num[i - 1] & MARK_REFERRED) == 0 && !search_from(s, i))
			return false;
	for (uint32_t i = 1; i <= s->d->h.objects; i++)
		if (s->num[i - 1] & UNSEEN)
			set_bit(&s->d->fold.raw, give_number(s, i, 0));
	return true;
}

static bool
make_arrays(struct search *s)
{
	struct dominators *d = s->d;
	uint64_t n = (uint64_t)d->h.objects + 1;

	if (!array_grow(&d->num, n, d->err) ||
	    !scratch_array(&s->marks, n, 1, d->err) ||
	    !array_grow(&d->fold, n / 64 + 1, d->err))
		return false;
	s->mark = SCRATCH(s->marks, _Atomic uint8_t);
	s->alone = pool_size() == 1;
	s->num = d->num.at;
	return true;
}

static bool
mark_all(struct search *s)
{
	struct dominators *d = s->d;
	bool ok;

	work_start(d->work, "references counted", d->h.objects);
	if (!pool_ranges(d->work, d->h.objects, count_lists, s, d->err))
		return false;
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
	ARRAY(struct seen) seen = ARRAY_INIT;
	struct search s = { .d = d, .rest = fact_value(d->st, FACT_HEAP_REST) != 0 };
	bool ok, pseudo = fact_value(d->st, FACT_HEAP_PSEUDO) != 0;

	heap_lists_all(&d->h.out);
	ok = make_arrays(&s) &&
	    array_grow(&seen, (uint64_t)d->h.classes + 1, d->err);
	s.seen = seen.at;
	ok = ok && mark_all(&s);
	if (ok) {
		work_start(d->work, "search from the roots", d->h.objects);
		ok = search_roots(&s) && (s.rest ? search_unheld(&s) :
		    !(pseudo || d->h.refs == REFS_UNREACHABLE) || search_pseudo(&s, pseudo));
	}
	ok = ok && pool_ranges(d->work, d->h.objects, clear_unseen, &s, d->err);
	if (ok)
		number_held(&s);
	SCRATCH_FREE(&s.stack, &s.marks, &seen);
	return ok;
}
