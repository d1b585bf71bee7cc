/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owners: choose the owner and the content to report for a node of the tree of names.
 */
#include "config.h"

#include <assert.h>

#include "owners.h"

#define BOXES 8u		/* nodes that content is looked for through, and holders */
#define REFERRERS 12u		/* referrers of one object that are looked at */
/* with fewer objects, a library owns them itself, whatever refers to it (as to loggers) */
#define SHARED 20u
#define CALLS 64u		/* suspending functions that wait for each other */
#define JOBS 16u		/* scopes in scopes */
#define KEYS 8u			/* a map also has values if they are at least one part in this many of its keys */

bool
owners_open(struct owners *o, const struct heap *h, struct err *err)
{
	*o = (struct owners){ .h = h, .n = names_count(h) };
	if (!array_grow(&o->nodes, o->n + 1ull, err))
		return false;
	for (uint32_t id = 1; id <= o->n; id++)
		names_get(h, id, &o->nodes.at[id]);
	o->whole = o->n > 0 ? owners_weight(o, 1) : 0;
	return true;
}

void
owners_close(struct owners *o)
{
	array_free(&o->nodes);
}

/* ---- who owns -------------------------------------------------------------------------------- */

static bool
owners_is_lambda(struct str class)
{
	return str_glob(STR("*$$Lambda"), class);
}

/* Lower rank = better owner. */
enum rank { RANK_PROGRAM, RANK_LIBRARY, RANK_STORAGE, RANK_JDK, RANK_NOBODY };

/*
 * Fields of a lambda have generated names, so they rank no higher than fields of a library.  An array in a
 * class of a library only stores what the class was given: the field that holds the class ranks higher.
 */
static enum rank
owners_rank_of(const struct name_node *n)
{
	switch (n->kind) {
	case NAME_THREAD_LOCAL:
	case NAME_STATIC_LOCAL:
	case NAME_LOST_LOCAL:
	case NAME_LOCAL:
		return RANK_PROGRAM;
	case NAME_FIELD:
	case NAME_STATIC:
	case NAME_SHARED:
		if (n->holder_whose & CLASS_PROGRAM)
			return owners_is_lambda(n->holder) ? RANK_LIBRARY : RANK_PROGRAM;
		if (n->holder_whose & CLASS_LIBRARY)
			return n->role == ROLE_ARRAY ? RANK_STORAGE : RANK_LIBRARY;
		return n->holder_whose != 0 ? RANK_JDK : RANK_NOBODY;
	default:
		return RANK_NOBODY;
	}
}

bool
owners_is_of_program(const struct owners *o, uint32_t id)
{
	return owners_rank_of(owners_at(o, id)) == RANK_PROGRAM &&
	    !name_is_thread_local(owners_at(o, id)->kind);
}

uint32_t
owners_teller(const struct owners *o, uint32_t id)
{
	uint64_t most = owners_weight(o, id);
	uint32_t best = id, from = id;
	enum rank least = RANK_NOBODY, rank;

	most = num_add(most, most / 2);
	for (; !owners_is_top(o, id) && owners_weight(o, id) <= most &&
	    least > RANK_PROGRAM; id = owners_at(o, id)->parent) {
		rank = owners_rank_of(owners_at(o, id));
		if (rank >= least)
			continue;
		least = rank;
		best = id;
	}
	/* A Var has a name of its own; what refers to it is often a class that was generated for a script. */
	for (uint32_t up = from; !owners_is_top(o, up) && owners_weight(o, up) <= most; up = owners_at(o, up)->parent)
		if (name_is_var(owners_at(o, up)))
			return up;
	/*
	 * Memory of the JDK belongs to the nearest owner outside of the JDK, however small its share of that
	 * is.
	 */
	for (; least >= RANK_JDK && !owners_is_top(o, id); id = owners_at(o, id)->parent)
		if (owners_rank_of(owners_at(o, id)) <= RANK_LIBRARY)
			return id;
	return best;
}

uint32_t
owners_local(const struct owners *o, uint32_t id)
{
	uint64_t most = num_add(owners_weight(o, id), owners_weight(o, id) / 2);
	const struct name_node *n = owners_at(o, id);
	bool in = false;

	if (n->count >= SHARED || name_is_thread_local(n->kind))
		return id;
	for (uint32_t up = n->parent; !owners_is_top(o, up) && owners_weight(o, up) <= most; up = n->parent) {
		n = owners_at(o, up);
		in |= name_is_collection(n) || (n->kind == NAME_LOCAL && n->count > 1);
		if (n->kind == NAME_LOCAL && in && !(n->holder_whose & CLASS_JDK) && !str_is(n->label, "main"))
			return up;
	}
	return id;
}

/*
 * Return whether the node has at least one object for every two of n, or the holder is an array that large.
 */
static bool
has_all(const struct owners *o, uint32_t id, uint32_t holder, uint32_t n)
{
	return owners_at(o, id)->count >= n / 2 || (heap_is_array(o->h, holder) &&
	    heap_length(o->h, holder) >= n / 2);
}

static bool
owners_is_among(const uint32_t *ids, uint32_t n, uint32_t id)
{
	while (n > 0 && ids[n - 1] != id)
		n--;
	return n > 0;
}

/*
 * If a path up ends below the top, continue with the next holders.  Thread locals do not own shared objects.
 */
/*
 * The nearest node of the program from a node up; if as many objects have that field as there are things, the
 * things are in a collection above them.
 */
static uint32_t
owners_of_program(const struct owners *o, uint32_t up, uint32_t *count, uint32_t *end)
{
	uint32_t first = 0;

	for (; !owners_is_top(o, up); up = owners_at(o, *end = up)->parent) {
		if (!owners_is_of_program(o, up))
			continue;
		if (owners_at(o, up)->count < *count / 2 || owners_at(o, up)->count == 1)
			return up;
		if (first == 0 && owners_at(o, up)->count > *count)
			*count = owners_at(o, up)->count;
		first = first == 0 ? up : first;
	}
	return first;
}

uint32_t
owners_behind(const struct owners *o, uint32_t id, uint32_t *count)
{
	uint32_t todo[BOXES] = { id }, found = 1, holder, up, end;
	struct heap_walk walk;

	for (uint32_t i = 0; i < found; i++) {
		const struct name_node *n = owners_at(o, todo[i]);
		unsigned looked = 0;

		if (n->kind != NAME_SHARED || !(n->holder_whose & CLASS_LIBRARY) || n->count < SHARED)
			continue;
		heap_in(o->h, n->object, &walk);
		while (looked < REFERRERS && (holder = heap_next(&walk, NULL)) != 0) {
			end = up = names_of(o->h, holder);
			/* Parts of the object refer to it, too, such as its inner classes. */
			if (up >= todo[i] && up - todo[i] < n->size)
				continue;
			looked++;
			if (up == 0 || !has_all(o, up, holder, n->count))
				continue;
			*count = n->count;
			if ((up = owners_of_program(o, up, count, &end)) != 0)
				return up;
			if (found < BOXES && !owners_is_among(todo, found, end))
				todo[found++] = end;
		}
	}
	assert(found <= BOXES);
	return id;
}

uint32_t
owners_object(const struct owners *o, uint32_t id)
{
	const struct name_node *n = owners_at(o, id);
	uint32_t at = heap_above(o->h, n->object);

	/* Table entries are in between a thread and its thread locals. */
	for (unsigned i = 0; name_is_thread_local(n->kind) && i < BOXES && at != 0 &&
	    !object_is(o->h, at, "java.lang.Thread"); i++)
		at = heap_above(o->h, at);
	return at;
}

/* ---- what it is ---------------------------------------------------------------------------------- */

static bool
is_thing(const struct name_node *n)
{
	return (n->whose & CLASS_PROGRAM) && n->role == ROLE_PLAIN && !owners_is_lambda(n->class);
}

/* Return whether a library defines the class, except for nodes and entries of its collections. */
static bool
owners_is_made(const struct name_node *n)
{
	static const char *const links[] = { "*$*Node", "*$*Entry" };

	return (n->whose & CLASS_LIBRARY) && n->role == ROLE_PLAIN &&
	    !str_glob_any(links, NELEM(links), n->class);
}

/*
 * Return the heaviest child with about one object for each of n, and with most of the bytes they hold; 0:
 * none.
 */
static uint32_t
boxed(const struct owners *o, uint32_t id, uint64_t n)
{
	const struct name_node *box = owners_at(o, id), *in;

	for (uint32_t child = owners_first(o, id); child != 0; child = owners_next(o, child)) {
		in = owners_at(o, child);
		if (in->count * 2ull >= n && in->count <= 2 * n && in->total * 2 >= box->total - box->self)
			return child;
	}
	return 0;
}

uint32_t
owners_element(const struct owners *o, uint32_t id)
{
	static bool (*const better[])(const struct name_node *) = { is_thing, owners_is_made };
	const struct name_node *most = owners_at(o, id), *n;

	for (size_t i = 0; i < NELEM(better) && !better[i](most); i++)
		for (uint32_t next = owners_next(o, id); next != 0; next = owners_next(o, next)) {
			n = owners_at(o, next);
			if (better[i](n) && n->count >= most->count / 2 &&
			    owners_weight(o, next) >= owners_weight(o, id) / KEYS)
				return next;
		}
	return id;
}

/* Return the element that makes up most of a collection; 0: no element does. */
static uint32_t
most_of(const struct owners *o, uint32_t id)
{
	uint32_t first = owners_first(o, id), element = first == 0 ? 0 : owners_element(o, first);
	uint64_t both = element == 0 ? 0 : owners_at(o,
	    first)->total + (element != first ? owners_at(o, element)->total : 0);

	return both * 2 < owners_at(o, id)->total ? 0 : element;
}

uint32_t
owners_content(const struct owners *o, uint32_t id)
{
	const struct name_node *n = owners_at(o, id);
	uint64_t count = n->count;
	uint32_t at = id, made = 0, in;

	for (unsigned i = 0; i < BOXES; i++) {
		n = owners_at(o, at);
		if (made == 0 && owners_is_made(n))
			made = at;
		/* An exception is one thing, however large its stack trace. */
		if (is_thing(n) || object_is(o->h, n->object, "java.lang.Throwable"))
			return at;
		in = name_is_collection(n) ? most_of(o, at) : str_is(n->class, "java.lang.String") ? 0 :
		    boxed(o, at, count);
		/*
		 * A collection of many kinds is a part of a library's object, like the arguments of an event.
		 */
		if (name_is_collection(n) && in == 0)
			return made != 0 ? made : at;
		if (in == 0)
			break;
		if (name_is_collection(n))
			count = owners_at(o, in)->count;
		at = in;
	}
	if (is_thing(owners_at(o, at)))
		return at;
	/* Entries of a library's own collection say less than the objects it made. */
	return made != 0 && (owners_at(o, id)->whose & CLASS_LIBRARY) &&
	    !owners_is_made(owners_at(o, id)) ? made : id;
}

/* ---- the way from the top -------------------------------------------------------------------------- */

unsigned
owners_whose(const struct owners *o, uint32_t id)
{
	unsigned whose = 0;

	for (; owners_at(o, id)->role != ROLE_ROOT; id = owners_at(o, id)->parent)
		whose |= owners_at(o, id)->whose | owners_at(o, id)->holder_whose;
	return whose;
}

uint32_t
owners_above(const struct owners *o, uint32_t id, uint32_t most, const char *const *globs, size_t n)
{
	for (; most > 0 && owners_at(o, id)->role != ROLE_ROOT; most--, id = owners_at(o, id)->parent)
		if (str_glob_any(globs, n, owners_at(o, id)->class))
			return id;
	return 0;
}

/* ---- suspended coroutines of Kotlin ------------------------------------------------------------------ */

/*
 * Objects of the classes that Kotlin's compiler makes of suspending functions.  The object that one of them
 * waits for is rarely its holder: that is the scope it was started in.
 *
 * Source of the fields: kotlin-stdlib 1.3 to 2.2 (kotlin.coroutines.jvm.internal), kotlinx-coroutines 1.3 to
 * 1.10 (JobSupport).
 */
bool
coroutine_is(const struct heap *h, uint32_t object)
{
	uint32_t class = object == 0 ? 0 : heap_class(h, object);

	return class != 0 && class <= h->classes && class_named(h, class,
	    "kotlin.coroutines.jvm.internal.BaseContinuationImpl") != 0;
}

/* The job that an object of AbstractCoroutine or JobImpl was started in; 0: none. */
static uint32_t
parent_job(const struct heap *h, uint32_t job)
{
	uint32_t handle = heap_field_object(h, job, "_parentHandle$volatile");

	if (handle == 0)
		handle = heap_field_object(h, job, "_parentHandle");
	return heap_field_object(h, handle, "job");
}

/* The field of the program above a node; 0: none. */
static uint32_t
field_above(const struct owners *o, uint32_t id)
{
	for (; id != 0 && !owners_is_top(o, id); id = owners_at(o, id)->parent)
		if (owners_is_of_program(o, id))
			return id;
	return 0;
}

/*
 * Find the field above a job or one of its referrers: coroutines started in it, and the context of its scope.
 */
static uint32_t
field_with(const struct owners *o, uint32_t job)
{
	uint32_t found = field_above(o, names_of(o->h, job)), last = 0, id, holder;
	struct heap_walk w;

	heap_in(o->h, job, &w);
	while (found == 0 && (holder = heap_next(&w, NULL)) != 0) {
		id = heap_dominator(o->h, holder) == 0 ? 0 : names_of(o->h, holder);
		found = id == last ? 0 : field_above(o, id);
		last = id;
	}
	return found;
}

uint32_t
coroutine_owner(const struct owners *o, uint32_t object)
{
	uint32_t job = object, found;

	for (unsigned i = 0; i < CALLS && coroutine_is(o->h, job); i++)
		job = heap_field_object(o->h, job, "completion");
	for (unsigned i = 0; i < JOBS && (job = parent_job(o->h, job)) != 0; i++)
		if ((found = field_with(o, job)) != 0)
			return found;
	return 0;
}
