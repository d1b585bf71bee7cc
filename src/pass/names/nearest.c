/*
 * nearest: who of a program holds an object that many do: referrers, and theirs, until one is of the program.
 */
#include "config.h"

#include "icecore/heap_names.h"
#include "pass/heap/heap.h"

#define STEPS 1024u		/* objects that are looked at */
#define LOOKED 32u		/* referrers of each */
#define CLIMB 64u		/* dominators of one, and names above it */

struct search {
	const struct heap	*h;
	uint32_t		 of;		/* the object that is asked about */
	uint32_t		 todo[STEPS], n;
	struct buf		*to;
};

static unsigned
whose(const struct heap *h, uint32_t object)
{
	uint32_t id = names_of(h, object);
	struct name_node n;

	if (id == 0)
		return CLASS_JDK;
	names_get(h, id, &n);
	return n.whose;
}

/* It keeps the holder, and not the other way round. */
static bool
is_own(const struct search *s, uint32_t holder)
{
	for (uint32_t n = 0; holder != 0 && n < CLIMB; n++, holder = heap_above(s->h, holder))
		if (holder == s->of)
			return true;
	return false;
}

static bool
is_met(const struct search *s, uint32_t object)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->todo[i] == object)
			return true;
	return false;
}

static bool
is_lambda(const struct heap *h, uint32_t object)
{
	static const char *const lambdas[] = { "*$$Lambda*" };

	return heap_label_like(h, object, lambdas, NELEM(lambdas));
}

/* The field of the program above the object that has it, when it has a name that is another one. */
static void
add_above(const struct search *s, uint32_t holder)
{
	struct name_node n;
	uint32_t id = names_of(s->h, holder), steps = 0;

	for (; id > 1 && steps < CLIMB; id = n.parent, steps++) {
		names_get(s->h, id, &n);
		if (n.kind == NAME_ELEMENT || !(n.holder_whose & CLASS_PROGRAM))
			continue;
		if (n.kind == NAME_FIELD || n.kind == NAME_STATIC || n.kind == NAME_SHARED) {
			buf_str(s->to, STR(" in "));
			buf_str(s->to, n.holder);
			buf_chr(s->to, '.');
			buf_str(s->to, n.label);
		}
		return;
	}
}

/* By a field, a static or a local variable of the program. */
static bool
tell(const struct search *s, uint32_t holder, uint32_t held)
{
	uint32_t frame;
	struct heap_slot slot;

	if (heap_is_array(s->h, holder) || !heap_link(s->h, holder, held, &slot))
		return false;
	if (slot.kind == SLOT_LOCAL) {
		frame = (uint32_t)store_cell(s->h->st, COL_ROOT_FRAME, slot.index);
		slot.class = frame == 0 ? 0 : (uint32_t)store_cell(s->h->st, COL_FRAME_CLASS, frame);
		slot.name = store_text(s->h->st, store_cell(s->h->st, COL_FRAME_METHOD, frame));
	}
	if (slot.class == 0 || slot.class > s->h->classes || slot.name.n == 0 || heap_is_platform(s->h, slot.class, PLATFORM_BLAME))
		return false;
	if (slot.kind != SLOT_LOCAL && ((whose(s->h, holder) & CLASS_PROGRAM) == 0 || is_lambda(s->h, holder)))
		return false;
	if (slot.kind == SLOT_LOCAL)
		buf_str(s->to, STR("a local variable of "));
	heap_stable_name(s->h, slot.class, s->to);
	buf_chr(s->to, '.');
	buf_str(s->to, slot.name);
	if (slot.kind == SLOT_FIELD)
		add_above(s, holder);
	return true;
}

/* Behind threads, class loaders and classes stands nobody who has it for a purpose. */
static bool
leads_on(const struct search *s, uint32_t holder)
{
	uint32_t class = heap_class(s->h, holder);

	return class != s->h->class_class && class_named(s->h, class, STR("java.lang.ClassLoader")) == 0 &&
	    class_named(s->h, class, STR("java.lang.Thread")) == 0 && class_named(s->h, class, STR("java.lang.ThreadGroup")) == 0;
}

bool
names_nearest(const struct heap *h, uint32_t object, struct buf *b)
{
	struct search s = { .h = h, .of = object, .todo = { object }, .n = 1, .to = b };
	struct heap_walk w;
	enum heap_strength strength;
	uint32_t holder;

	for (uint32_t at = 0; at < s.n; at++) {
		heap_in(h, s.todo[at], &w);
		for (uint32_t i = 0; i < LOOKED && (holder = heap_next(&w, &strength)) != 0; i++) {
			if (heap_dominator(h, holder) == 0 || strength != HEAP_STRONG || is_met(&s, holder) || is_own(&s, holder))
				continue;
			if (tell(&s, holder, s.todo[at]))
				return true;
			if (s.n < STEPS && leads_on(&s, holder))
				s.todo[s.n++] = holder;
		}
	}
	return false;
}
