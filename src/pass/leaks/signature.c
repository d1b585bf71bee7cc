/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * signature: the references from a root to an object as text that is the same for the same leak in
 * every dump.
 */
#include "config.h"

#include "findings.h"
#include "pass/heap/heap.h"

#define ENDS 256u		/* hops at each end that are looked at in a path of more than twice as many */

/* ---- steps --------------------------------------------------------------------------- */

struct steps {
	const struct heap	*h;
	struct buf		*to;
	struct buf		 now, last;	/* the step that is being made; the one that was written last */
	bool			 starred;	/* the last one is */
	size_t			 begin;		/* place in to where the text begins */
};

/* A static lives as long as its class: holders of the class are not to blame. */
static void
signature_begin_anew(struct steps *s)
{
	s->to->n = s->begin;
	buf_clear(&s->now);
	buf_clear(&s->last);
}

static void
end_step(struct steps *s)
{
	struct buf swap;

	if (s->now.n == 0)
		return;
	if (str_eq(buf_view(&s->now), buf_view(&s->last))) {
		if (!s->starred)
			buf_chr(s->to, '*');
		s->starred = true;
	} else {
		if (s->last.n > 0)
			buf_text(s->to, " > ");
		buf_str(s->to, buf_view(&s->now));
		s->starred = false;
	}
	swap = s->last;
	s->last = s->now;
	s->now = swap;
	buf_clear(&s->now);
}

/*
 * Steps from one node of a collection to another: their number depends on hashes and on the other
 * contents.
 */
static bool
signature_is_inner(const struct heap *h, uint32_t holder, uint32_t object)
{
	return collection_same_node(collection_node_of(class_text(h, heap_class(h, holder))),
	    collection_node_of(class_text(h, heap_class(h, object))));
}

/* The shortest path enters a list by the end that is nearer: both ends are one way. */
static struct str
signature_end(const struct heap *h, uint32_t object, struct str name)
{
	static const char *const ends[][2] = { { "last", "first" }, { "tail", "head" } };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_is(name, ends[i][0]) && collection_node_of(class_text(h, heap_class(h, object))).n > 0)
			return str_of(ends[i][1]);
	return name;
}

static void
signature_add_step(struct steps *s, uint32_t holder, uint32_t object)
{
	uint32_t class = heap_class_of_object(s->h, holder);
	struct heap_slot slot;

	if (heap_is_array(s->h, holder)) {
		if (s->now.n == 0)
			heap_stable_name(s->h, heap_class(s->h, holder), &s->now);
		else
			buf_text(&s->now, "[]");
		return;
	}
	if (signature_is_inner(s->h, holder, object))
		return;
	end_step(s);
	if (!heap_link(s->h, holder, object, &slot)) {
		heap_stable_name(s->h, class != 0 ? class : heap_class(s->h, holder), &s->now);
		buf_text(&s->now, ".?");
		return;
	}
	switch (slot.kind) {
	case SLOT_LOCAL:
		buf_text(&s->now, "<Java Local>");
		break;
	case SLOT_STATIC:
	case SLOT_FIELD:
		if (slot.kind == SLOT_STATIC) {
			signature_begin_anew(s);
			buf_text(&s->now, "static ");
		}
		heap_stable_name(s->h, slot.class, &s->now);
		buf_chr(&s->now, '.');
		buf_str(&s->now, signature_end(s->h, object, slot.name));
		break;
	default:
		heap_stable_name(s->h, class != 0 ? class : heap_class(s->h, holder), &s->now);
		buf_chr(&s->now, '.');
		heap_slot_name(s->h, &slot, &s->now);
		break;
	}
}

void
finding_signature(const struct findings *f, const struct finding *finding, struct buf *b)
{
	struct steps s = { .h = f->heap, .to = b, .now = BUF_INIT, .last = BUF_INIT,
	    .begin = b->n };
	uint32_t object = finding->object, class;

	if (signature_names(f, finding, b))
		return;
	if (finding->kind == FINDING_LOADER) {
		buf_text(b, "v2 ");
		s.begin = b->n;
	}
	if (object == 0 && finding->class == 0) {
		buf_text(b, finding_rows[finding->kind].name);
		return;
	}
	if (object != 0 && finding->hops > 0)
		object = finding->hop[finding->hops - 1];
	class = object == 0 ? 0 : heap_class_of_object(s.h, object);
	for (size_t i = 0; i + 1 < finding->hops && object != 0 && class == 0; i++) {
		if (i == ENDS && finding->hops > 2 * ENDS)
			i = finding->hops - ENDS;
		signature_add_step(&s, finding->hop[i], finding->hop[i + 1]);
	}
	end_step(&s);
	if (class != 0)
		buf_text(&s.now, "class ");
	if (class == 0)
		class = object != 0 ? heap_class(s.h, object) : finding->class;
	heap_stable_name(s.h, class, &s.now);
	end_step(&s);
	buf_free(&s.now);
	buf_free(&s.last);
}
