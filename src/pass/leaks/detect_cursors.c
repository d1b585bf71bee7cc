/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_cursors: Cursors that were not closed, and the holders of those and of other resources; reports only
 * those that nobody will close.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "findings.h"
#include "inspect.h"

#define CURSOR "android.database.AbstractCursor"
#define WRAPPER "android.database.CursorWrapper"
#define WINDOW "android.database.CursorWindow"

#define HOLDERS 256u		/* holders of one cursor that are looked at */
#define HOLDERS_ALL (1u << 18)	/* holders of all cursors that are looked at */
#define LINKS 16u		/* references of a thread to one object, of which one may be a local */
#define BELOW 64u		/* dominators between a cursor and a part of it that refers back to it */

enum { WANT_CURSOR = 1, WANT_WINDOW = 2, WANT_FINALIZER = 4 };

/* ---- which are open ------------------------------------------------------------------------- */

struct cursors {
	struct scratch	wants;		/* u8 by class: WANT_* */
	bool		any;		/* there are some, maybe */
	const struct column *strength;	/* class.strength */
};

static bool
detect_cursors_begin(struct finder *f, void *state)
{
	struct cursors *s = state;

	s->strength = store_column(f->st, COL_CLASS_STRENGTH);
	s->any = class_find(&f->h, CURSOR, 0) != 0 || class_find(&f->h, WINDOW, 0) != 0;
	return scratch_array(&s->wants, f->h.classes + 1ull, 1, f->err);
}

static bool
wants(struct finder *f, void *state, uint32_t class)
{
	struct cursors *s = state;
	uint8_t *w = &s->wants.data[class];

	if (!s->any)
		return false;
	if (class_named(&f->h, class, CURSOR) != 0)
		*w |= WANT_CURSOR;
	if (class_named(&f->h, class, WINDOW) != 0)
		*w |= WANT_WINDOW;
	if (column_get(s->strength, class - 1ull) == HEAP_FINALIZER)
		*w |= WANT_FINALIZER;
	return *w != 0;
}

/*
 * Return whether a cursor is open, or a window holds native memory.  A window below a cursor is reported with
 * the cursor.
 */
static bool
detect_cursors_is_open(const struct finder *f, const struct cursors *s, uint32_t object)
{
	struct inspector *in = f->inspector;
	int64_t window;

	if (finder_wanted(f, &s->wants, object) & WANT_CURSOR)
		return field_flag(in, object, FIELD(CURSOR, "mClosed")) == 0;
	if (finder_wanted(f, &s->wants, heap_above(&f->h, object)) & WANT_CURSOR)
		return false;
	return (field_number(in, object, FIELD(WINDOW, "mWindowPtr"), &window) ||
	    field_number(in, object, FIELD(WINDOW, "nWindow"), &window)) && window != 0;
}

/* Report an open cursor or window that is unreachable except through its finalizer. */
static bool
look_at_referent(struct finder *f, const struct cursors *s, uint32_t reference)
{
	uint32_t object = heap_field_object(&f->h, reference, "referent");

	if (object == 0 || heap_dominator(&f->h, object) != 0 ||
	    !(finder_wanted(f, &s->wants, object) & (WANT_CURSOR | WANT_WINDOW)) ||
	    !detect_cursors_is_open(f, s, object))
		return true;
	return finding_add(f, &(struct finding){ .kind = FINDING_CURSOR, .object = object,
	    .number = CURSOR_UNREACHABLE, .retained = heap_shallow(&f->h, object) });
}

static bool
detect_cursors_look(struct finder *f, void *state, uint32_t object)
{
	struct cursors *s = state;
	unsigned wanted = finder_wanted(f, &s->wants, object);

	if (wanted & WANT_FINALIZER && !look_at_referent(f, s, object))
		return false;
	return !(wanted & (WANT_CURSOR | WANT_WINDOW)) || !detect_cursors_is_open(f, s, object) ||
	    finding_add(f, &(struct finding){ .kind = FINDING_CURSOR, .object = object });
}

static void
detect_cursors_release(void *state)
{
	scratch_free(&((struct cursors *)state)->wants);
}

const struct detector detector_cursors = {
	.state_size = sizeof(struct cursors), .begin = detect_cursors_begin, .wants = wants,
	    .object = detect_cursors_look,
	    .release = detect_cursors_release
};

/* ---- who holds them ----------------------------------------------------------------------------- */

/*
 * Classes that close their cursor when they end, and the field with the context that they end with (NULL:
 * none).
 */
static const struct closer {
	const char	*class, *context;
} closers[] = {
	{ "android.widget.CursorAdapter", "mContext" },
	{ "android.support.v4.widget.CursorAdapter", "mContext" },
	{ "androidx.cursoradapter.widget.CursorAdapter", "mContext" },
	{ "android.widget.CursorTreeAdapter", "mContext" },
	{ "android.widget.CursorTreeAdapter$MyCursorHelper", NULL },
	{ "android.content.Loader", NULL },
	{ "android.support.v4.content.Loader", NULL },
	{ "androidx.loader.content.Loader", NULL },
	{ "android.database.CursorToBulkCursorAdaptor", NULL }
};

/* Streams that close what they are around. */
static const char *const streams[] = {
	"java.io.FilterInputStream", "java.io.FilterOutputStream", "java.io.Reader", "java.io.Writer",
	    "java.io.ObjectInputStream",
	"java.io.ObjectOutputStream", "java.util.Scanner"
};

/*
 * The objects that hold one cursor or resource: the cursor itself, and wrappers, arrays and parts of
 * collections around it.
 */
struct holders {
	struct finder	*f;
	const struct column *strength;
	struct scratch	 roots;		/* bits by object: a root, but no class and no local of a thread */
	uint32_t	 list[HOLDERS], n;
	uint64_t	 left;
	bool		 resource;	/* no cursor */
	bool		 unsure;	/* some may be in use, or there are too many */
	bool		 program;	/* a holder is of the program */
	uint32_t	 is_static, ended;	/* a static holder, and one that has ended; 0: none */
};

static bool
detect_cursors_mark_roots(struct holders *s)
{
	const struct heap *h = &s->f->h;
	uint32_t object, row = 0;

	if (!scratch_array(&s->roots, h->objects / 64 + 1ull, sizeof(uint64_t), s->f->err))
		return false;
	while ((object = root_next(h, &row)) != 0) {
		if (!work_go(s->f->work, row, s->f->err))
			return false;
		if (heap_class_of_object(h, object) == 0)
			set_bit(&s->roots, object);
	}
	return true;
}

static bool
is_strong(const struct holders *s, uint32_t holder, uint32_t object)
{
	const struct heap *h = &s->f->h;
	enum heap_strength strength;
	struct heap_walk w;
	uint32_t to;

	if (column_get(s->strength, heap_class(h, holder) - 1ull) == HEAP_STRONG)
		return true;
	heap_out(h, holder, &w);
	while ((to = heap_next(&w, &strength)) != 0)
		if (to == object && strength == HEAP_STRONG)
			return true;
	return false;
}

/* Return whether the object dominates the holder: such a holder does not keep the object alive. */
static bool
detect_cursors_is_below(const struct holders *s, uint32_t holder, uint32_t object)
{
	for (uint32_t n = 0; n < BELOW && holder != 0; n++, holder = heap_above(&s->f->h, holder))
		if (holder == object)
			return true;
	return false;
}

static bool
is_local(const struct heap *h, uint32_t holder, uint32_t object)
{
	struct heap_slot slot = { .type = 0 };

	if (!object_is(h, holder, "java.lang.Thread"))
		return false;
	for (unsigned i = 0; i < LINKS && heap_link_next(h, holder, object, &slot); i++)
		if (slot.kind == SLOT_LOCAL)
			return true;
	return false;
}

/* Return whether the holder closes its cursor some day; *ended: that day is over. */
static bool
is_closer(const struct holders *s, uint32_t holder, bool *ended)
{
	struct inspector *in = s->f->inspector;

	for (size_t i = 0; i < NELEM(closers); i++) {
		if (!inspect_named(in, holder, closers[i].class))
			continue;
		*ended = closers[i].context != NULL && inspect_destroyed(in, field_object(in, holder,
		    FIELD(closers[i].class, closers[i].context))) == 1;
		return true;
	}
	return false;
}

bool
cursor_passed_on(const struct heap *h, uint32_t holder)
{
	uint32_t class = heap_class(h, holder);

	if (heap_class_of_object(h, holder) != 0 || class_named(h, class, "java.lang.Thread") != 0)
		return false;
	return heap_is_array(h, holder) || class_named(h, class, CURSOR) != 0 ||
	    class_named(h, class, WRAPPER) != 0 ||
	    heap_is_platform(h, class, PLATFORM_OWNER);
}

/* Return whether the holder is a stream, or passes a cursor on. */
static bool
resource_passed_on(const struct heap *h, uint32_t holder)
{
	for (size_t i = 0; i < NELEM(streams); i++)
		if (object_is(h, holder, streams[i]))
			return true;
	return cursor_passed_on(h, holder);
}

/* Return whether the holder will close the cursor; otherwise record the kind of holder. */
static bool
is_used_by(struct holders *s, uint32_t holder, uint32_t object)
{
	const struct heap *h = &s->f->h;
	struct verdict v;
	bool ended = false;
	uint32_t leak;

	if (heap_class_of_object(h, holder) != 0) {
		s->is_static = holder;
		s->program |= finder_is_app(s->f, holder);
		return false;
	}
	inspect(s->f->inspector, holder, &v);
	if (v.mark == LEAK_NOT || is_local(h, holder, object))
		return true;
	leak = finder_leaked(s->f, holder);
	if (leak == 0 && is_closer(s, holder, &ended) && !ended)
		return true;
	if (leak != 0 || ended)
		s->ended = leak != 0 ? leak : holder;
	else if ((s->resource ? resource_passed_on : cursor_passed_on)(h, holder) && s->n < HOLDERS)
		s->list[s->n++] = holder;
	else {
		s->unsure = true;
		s->program |= finder_is_app(s->f, holder);
	}
	return false;
}

static bool
detect_cursors_is_new(const struct holders *s, uint32_t holder)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->list[i] == holder)
			return false;
	return true;
}

static bool
is_used(struct holders *s, uint32_t cursor)
{
	const struct heap *h = &s->f->h;
	uint32_t holder, object;
	struct heap_walk w;

	s->unsure = s->program = false;
	s->is_static = s->ended = s->n = 0;
	s->list[s->n++] = cursor;
	for (uint32_t at = 0; at < s->n; at++) {
		object = s->list[at];
		assert(s->n <= HOLDERS);
		if (has_bit(&s->roots, object))
			return true;
		heap_in(h, object, &w);
		while ((holder = heap_next(&w, NULL)) != 0) {
			if (s->left == 0) {
				s->unsure = s->program = true;
				return false;
			}
			s->left--;
			if (holder <= h->objects && heap_dominator(h, holder) != 0 &&
			    detect_cursors_is_new(s, holder) &&
			    !detect_cursors_is_below(s, holder, cursor) && is_strong(s, holder, object) &&
			    is_used_by(s, holder, object))
				return true;
		}
	}
	return false;
}

/* A server has many of them. */
static const char *const sockets[] = {
	"java.net.Socket", "java.net.DatagramSocket", "java.nio.channels.SocketChannel",
	    "java.nio.channels.DatagramChannel"
};

static bool
is_connection(const struct heap *h, uint32_t object)
{
	for (size_t i = 0; i < NELEM(sockets); i++)
		if (object_is(h, object, sockets[i]))
			return true;
	return false;
}

/* A static field may hold a resource for good reason; one of the JDK does. */
static void
judge_resource(const struct holders *s, struct finding *x)
{
	if (!s->unsure && s->is_static == 0 && s->ended != 0) {
		x->number = CURSOR_ENDED;
		x->other = s->ended;
	} else if (s->program && !is_connection(&s->f->h, x->object))
		x->grade = 1 + SEVERITY_NOTE;
	else
		x->count = 0;
}

static bool
detect_cursors_judge(struct holders *s)
{
	struct finding *list = SCRATCH(s->f->list, struct finding), *x;

	for (uint64_t i = 0; i < s->f->n; i++) {
		x = &list[i];
		if (!work_go(s->f->work, i, s->f->err))
			return false;
		if ((x->kind != FINDING_CURSOR && x->kind != FINDING_RESOURCE) || x->number != CURSOR_UNSURE)
			continue;
		s->resource = x->kind == FINDING_RESOURCE;
		if (is_used(s, x->object))
			x->count = 0;
		else if (s->resource)
			judge_resource(s, x);
		else if (!s->unsure && (s->is_static != 0 || s->ended != 0)) {
			x->number = s->is_static != 0 ? CURSOR_STATIC : CURSOR_ENDED;
			x->other = s->is_static != 0 ? s->is_static : s->ended;
		}
	}
	findings_sweep(s->f);
	return true;
}

bool
findings_judge_cursors(struct finder *f)
{
	struct holders s = { .f = f, .strength = store_column(f->st, COL_CLASS_STRENGTH),
	    .left = HOLDERS_ALL };
	const struct finding *list = SCRATCH(f->list, struct finding);
	uint64_t i = 0;
	bool ok;

	while (i < f->n && list[i].kind != FINDING_CURSOR && list[i].kind != FINDING_RESOURCE)
		i++;
	if (i == f->n)
		return true;
	ok = detect_cursors_mark_roots(&s) && detect_cursors_judge(&s);
	scratch_free(&s.roots);
	return ok;
}
