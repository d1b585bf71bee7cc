/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name_holders: the name of an object that no single reference keeps: by the best of its holders; and of
 * thread locals, whose keys are held weakly, by the holder of the key.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "fold.h"

#define LOOKED 64u		/* referrers of one object that are taken as they come; of more the best are chosen */
#define FIRST 12u		/* holders of the object itself that are searched */
#define LATER 6u		/* holders of objects on the way that are searched */
#define ALIKE 4u		/* holders of one class of the JDK, by which different owners hold */
#define STEPS 32u		/* holders in all */
#define DEPTH 3u		/* objects of the JDK on one way: Timer, TaskQueue */
#define MET 4096u		/* objects whose dominators are cached */

#define BACK 8u			/* dominators of a holder up to the target of its back reference */
#define CLIMB 64u		/* dominators of a holder up to the target of a static */

/*
 * Lower rank = better holder.  A static of the JDK is searched for instead of a local, and behind a field of
 * the JDK.
 */
enum rank {
	RANK_PROGRAM, RANK_BEHIND_JDK, RANK_THREAD_LOCAL, RANK_LIBRARY, RANK_JDK_STATIC, RANK_LOCAL,
	    RANK_STATIC_BEHIND,
	RANK_JDK_LOCAL, RANK_JDK, RANK_QUEUED, RANK_ROOT, RANK_NONE
};

/* The best referrers of an object with many: the whole list is read once, only these are looked at. */
struct hub {
	uint32_t	holder[FIRST], n;
};

struct holder {
	uint32_t	object, held;
	uint8_t		depth;		/* objects of the JDK in between */
};

/* Cached holders of an object, at object % MET; another object may replace them. */
struct above {
	uint32_t	object;		/* 0: the place is free */
	uint32_t	n, holder[LATER];
};

struct search {
	struct folding	*f;
	struct holder	 todo[STEPS];
	uint32_t	 n, at;
	/* a bit for many objects: most that are new are known to be without a look at todo */
	uint64_t	 seen;
	struct label	 best;
	enum rank	 rank;
};

/* ---- what to look at ------------------------------------------------------------------------------- */

static void
name_holders_push(struct search *s, uint32_t object, uint32_t held, uint8_t depth)
{
	uint64_t bit = UINT64_C(1) << (object * 0x9e3779b1u >> 26);

	for (uint32_t i = 0; (s->seen & bit) && i < s->n; i++)
		if (s->todo[i].object == object)
			return;
	assert(s->at <= s->n && s->n <= STEPS);
	s->seen |= bit;
	if (s->n < STEPS)
		s->todo[s->n++] = (struct holder){ object, held, depth };
}

/*
 * Return whether a holder, or the class whose statics hold, names an owner.  Objects of the JDK have various
 * owners.
 */
static bool
name_holders_is_own(const struct folding *f, uint32_t holder)
{
	uint32_t class = heap_class_of_object(&f->h, holder);
	const struct name_class *c = class == 0 ? name_class(f, holder) : &f->classes.at[class];

	return !(c->parts & (CLASS_JDK | PART_OF_COLLECTION | PART_ARRAY | PART_THREAD));
}

/* A holder of each class that names an owner is enough: the fields have the same name. */
static bool
name_holders_is_enough(const struct folding *f, uint32_t holder, const uint32_t *met, uint32_t n)
{
	uint32_t class = heap_class(&f->h, holder), same = 0;

	for (uint32_t i = 0; i < n; i++)
		same += heap_class(&f->h, met[i]) == class;
	if (heap_holds_classes(&f->h, class) || same == 0)
		return false;
	return same >= ALIKE || name_holders_is_own(f, holder);
}

static void
name_holders_append(struct hub *hub, const struct hub *others)
{
	for (uint32_t i = 0; i < others->n && hub->n < FIRST; i++)
		hub->holder[hub->n++] = others->holder[i];
}

/*
 * A pool has all of its tasks as referrers, and one field of a program: the result must not depend on which
 * come first. Owners with a name are the most useful, then statics of the JDK, then other holders.
 */
static bool
name_holders_choose(struct folding *f, uint32_t object, struct hub *hub)
{
	struct hub statics = { .n = 0 }, others = { .n = 0 }, *to;
	struct heap_walk w;
	uint32_t holder, last = 0;

	heap_in(&f->h, object, &w);
	for (uint64_t i = 1; hub->n < FIRST && (holder = heap_next(&w, NULL)) != 0; i++) {
		if (i % FOLD_TICK == 0 && !work_go(f->work, 0, f->err))
			return false;
		if (holder == object || holder == last || heap_dominator(&f->h, holder) == 0)
			continue;
		last = holder;
		to = name_holders_is_own(f, holder) ? hub :
		    heap_holds_classes(&f->h, heap_class(&f->h, holder)) ? &statics : &others;
		if (to->n < FIRST && !name_holders_is_enough(f, holder, to->holder, to->n))
			to->holder[to->n++] = holder;
	}
	name_holders_append(hub, &statics);
	name_holders_append(hub, &others);
	assert(hub->n <= FIRST);
	return true;
}

static bool
find_hub(struct folding *f, uint32_t object, struct hub *hub)
{
	uint32_t row = idmap_get(&f->hubs, object);

	if (row != 0) {
		assert(row <= f->nhubs);
		*hub = f->hub_rows.at[row - 1];
		return true;
	}
	return name_holders_choose(f, object, hub) && array_add(&f->hub_rows, &f->nhubs, hub, f->err) &&
	    idmap_put(&f->hubs, object, (uint32_t)f->nhubs, f->err);
}

/* Find at most `most' referrers of an object. */
static bool
referrers(struct folding *f, uint32_t object, uint32_t most, uint32_t *holders, uint32_t *n)
{
	const struct heap *h = &f->h;
	struct hub hub = { .n = 0 };
	uint32_t holder, last = 0, i = 0;
	struct heap_walk w;

	heap_in(h, object, &w);
	for (; i < LOOKED && (holder = heap_next(&w, NULL)) != 0; i++) {
		if (hub.n >= most || holder == object || holder == last || heap_dominator(h, holder) == 0 ||
		    name_holders_is_enough(f, holder, hub.holder, hub.n))
			continue;
		last = holder;
		hub.holder[hub.n++] = holder;
	}
	if (i == LOOKED && heap_next(&w, NULL) != 0) {
		hub.n = 0;
		if (!find_hub(f, object, &hub))
			return false;
	}
	assert(most <= FIRST && hub.n <= FIRST);
	*n = hub.n < most ? hub.n : most;
	memcpy(holders, hub.holder, *n * sizeof *holders);
	return true;
}

static inline bool
name_holders_is_inside(const struct folding *f, uint32_t object)
{
	return has_bit(&f->inside, object);
}

/* Find the holders of an object: its dominator if that refers to the object; otherwise its referrers. */
static bool
find_above(struct folding *f, uint32_t object, uint32_t up, struct above *above)
{
	struct label label = { .kind = NAME_ROOT };

	above->object = 0;
	if (up != 0 && !label_met(f, up, object, &label))
		return false;
	if (label.kind != NAME_ROOT) {
		above->holder[0] = up;
		above->n = 1;
	} else if (!referrers(f, object, LATER, above->holder, &above->n))
		return false;
	above->object = object;
	return true;
}

/* A part of a collection is held by that, whatever its links to other parts. */
static bool
push_above(struct search *s, uint32_t object, bool inside, uint8_t depth)
{
	struct above *above = &s->f->above.at[object % MET];
	uint32_t up;

	if (above->object != object) {
		up = heap_above(&s->f->h, object);
		if (inside && up != 0 && name_holders_is_inside(s->f, up)) {
			name_holders_push(s, up, object, depth);
			return true;
		}
		if (!find_above(s->f, object, up, above))
			return false;
	}
	for (uint32_t i = 0; i < above->n; i++)
		name_holders_push(s, above->holder[i], object, depth);
	return true;
}

/* ---- which is best ----------------------------------------------------------------------------------- */

static void
name_holders_take(struct search *s, enum rank rank, const struct label *label)
{
	const struct text_pool *t = &s->f->texts;
	int order = rank < s->rank ? -1 : rank > s->rank;

	if (order == 0 && label->holder != s->best.holder)
		order = label->holder == 0 ? -1 : s->best.holder == 0 ? 1 :
		    str_cmp(texts_get(t, label->holder), texts_get(t, s->best.holder));
	if (order == 0 && label->text != s->best.text)
		order = label->text == 0 ? 1 : s->best.text == 0 ? -1 :
		    str_cmp(texts_get(t, label->text), texts_get(t, s->best.text));
	if (order < 0) {
		s->rank = rank;
		s->best = *label;
	}
}

static enum rank
name_holders_rank_of(const struct folding *f, const struct label *label)
{
	uint32_t parts = label->whose != 0 ? label->whose : f->classes.at[label->class].parts;

	if (label->kind == NAME_LOCAL)
		return parts & CLASS_JDK ? RANK_JDK_LOCAL : RANK_LOCAL;
	/*
	 * Links between the VM's queued references, and from a coroutine to its job, are not owners: the
	 * creator is elsewhere.
	 */
	if (label->declares != 0 && (f->classes.at[label->declares].parts & PART_LINKS))
		return RANK_QUEUED;
	/* Internal references of the VM, such as <resolved_references>, are not fields of a class. */
	if (label->text != 0 && str_has_prefix(texts_get(&f->texts, label->text), STR("<")))
		return RANK_JDK;
	return parts & CLASS_PROGRAM ? RANK_PROGRAM : parts & CLASS_LIBRARY ? RANK_LIBRARY : RANK_JDK;
}

/* With --refs unreachable, an object without referrers is its own root. */
static bool
is_own_root(const struct heap *h, uint32_t object)
{
	struct heap_walk w;

	heap_in(h, object, &w);
	return h->refs == REFS_UNREACHABLE && heap_dominator(h, object) == HEAP_ROOT &&
	    heap_next(&w, NULL) == 0;
}

/* Take the root of the object, if the object is one. */
static bool
look_root(struct search *s, uint32_t object)
{
	uint32_t row = s->rank < RANK_ROOT ? 0 : idmap_get(&s->f->roots, object);
	struct label label = { .kind = NAME_GC_ROOT };
	unsigned kind = row != 0 ? (unsigned)column_get(s->f->h.root_kind, row - 1ull) : ROOT_UNREACHABLE;

	if (s->rank < RANK_ROOT || (row == 0 && !is_own_root(&s->f->h, object)))
		return true;
	if (!name_text(s->f, str_of(heap_root_name(kind)), &label.text))
		return false;
	label.whose = root_is_of_program(kind) ? CLASS_PROGRAM : 0;
	name_holders_take(s, RANK_ROOT, &label);
	return true;
}

/*
 * Return whether object dominates holder: then holder only refers back, as a registration does to its owner.
 */
static bool
is_back(const struct folding *f, uint32_t holder, uint32_t object)
{
	for (unsigned n = 0; n < BACK && holder != 0 && holder != object; n++)
		holder = heap_above(&f->h, holder);
	return holder == object;
}

static bool
name_holders_look(struct search *s, const struct holder *at)
{
	const struct name_class *c;
	struct label label;
	enum rank rank;
	bool is_static;

	/* A holder behind the JDK is never better than one of the program. */
	if (at->depth > 0 && s->rank == RANK_PROGRAM)
		return true;
	if (name_holders_is_inside(s->f, at->object))
		return push_above(s, at->object, true, at->depth) && look_root(s, at->object);
	if (!label_met(s->f, at->object, at->held, &label) || label.kind == NAME_ROOT)
		return label.kind == NAME_ROOT;
	c = name_class(s->f, at->object);
	if (c->parts & PART_ENTRY) {
		if (!label_entry(s->f, at->object, &label))
			return false;
		name_holders_take(s, RANK_THREAD_LOCAL, &label);
		return true;
	}
	rank = name_holders_rank_of(s->f, &label);
	if (rank <= RANK_LIBRARY && is_back(s->f, at->object, at->held))
		rank = RANK_QUEUED;
	is_static = label.kind == NAME_STATIC;
	label.kind = label.kind == NAME_LOCAL ? NAME_LOCAL : NAME_SHARED;
	if (at->depth == 0)
		name_holders_take(s, rank, &label);
	else if (rank == RANK_PROGRAM)
		name_holders_take(s, RANK_BEHIND_JDK, &label);
	else if (rank == RANK_JDK && is_static)
		name_holders_take(s, RANK_STATIC_BEHIND, &label);
	/*
	 * Search on behind an object of the JDK, except for threads and class loaders, which everything
	 * shares.
	 */
	if (rank == RANK_JDK && at->depth < DEPTH && !(c->parts & (PART_THREAD | PART_LOADER)) &&
	    !heap_holds_classes(&s->f->h, heap_class(&s->f->h, at->object)))
		return push_above(s, at->object, false, (uint8_t)(at->depth + 1));
	return true;
}

/*
 * Return whether a class, or an object that a class refers to, keeps the holder: then it outlives the local
 * variable.
 */
static bool
is_below_static(const struct folding *f, uint32_t holder)
{
	const struct heap *h = &f->h;
	struct heap_walk w;
	uint32_t up, at;

	for (uint32_t n = 0; n < CLIMB && !heap_holds_classes(h, heap_class(h, holder)) &&
	    (up = heap_above(h, holder)) != 0; n++)
		holder = up;
	if (heap_holds_classes(h, heap_class(h, holder)) || (name_class(f, holder)->parts & PART_THREAD))
		return heap_holds_classes(h, heap_class(h, holder));
	heap_in(h, holder, &w);
	for (uint32_t n = 0; n < LOOKED && (at = heap_next(&w, NULL)) != 0; n++)
		if (heap_holds_classes(h, heap_class(h, at)) && heap_dominator(h, at) != 0)
			return true;
	return false;
}

/* If only locals and the JDK hold the object, prefer a static of the JDK, which holds it for good. */
static bool
look_static(struct search *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct holder *at = &s->todo[i];
		struct label label;

		if (at->depth > 0 || name_holders_is_inside(s->f, at->object))
			continue;
		if (!label_met(s->f, at->object, at->held, &label))
			return false;
		if (label.kind == NAME_ROOT || (name_class(s->f, at->object)->parts & PART_ENTRY) ||
		    name_holders_rank_of(s->f, &label) != RANK_JDK || !is_below_static(s->f, at->object))
			continue;
		label.kind = NAME_SHARED;
		name_holders_take(s, RANK_JDK_STATIC, &label);
	}
	return true;
}

static bool
is_first_root(const struct folding *f, uint32_t object)
{
	uint32_t row = idmap_get(&f->roots, object);

	return row != 0 && root_is_first(column_get(f->h.root_kind, row - 1ull));
}

bool
label_shared(struct folding *f, uint32_t object, struct label *label)
{
	struct search s;
	uint32_t holders[FIRST], n;

	if (f->above.raw.data == NULL && !array_grow(&f->above, MET, f->err))
		return false;
	/* Do not clear all of todo: little of it is used. */
	s.f = f;
	s.n = s.at = 0;
	s.seen = 0;
	s.best = (struct label){ .kind = NAME_ROOT };
	s.rank = RANK_NONE;
	if (is_first_root(f, object)) {
		if (!look_root(&s, object))
			return false;
		*label = s.best;
		return true;
	}
	if (!referrers(f, object, FIRST, holders, &n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		name_holders_push(&s, holders[i], object, 0);
	while (s.at < s.n) {
		struct holder at = s.todo[s.at++];

		if (!name_holders_look(&s, &at))
			return false;
	}
	if ((s.rank == RANK_LOCAL || s.rank == RANK_JDK_LOCAL) && !look_static(&s))
		return false;
	/* The object's own root is better than the roots of arrays that hold it. */
	if (s.rank >= RANK_ROOT && (idmap_get(&f->roots, object) != 0 || s.rank == RANK_NONE)) {
		s.rank = RANK_NONE;
		s.best = (struct label){ .kind = NAME_SHARED };
		if (!look_root(&s, object))
			return false;
	}
	*label = s.best;
	return s.rank != RANK_NONE || name_text(f, STR("(no field)"), &label->text);
}
