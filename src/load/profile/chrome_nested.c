/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks of begins and ends, by number in "stackFrames": dotnet-trace writes there what the nesting of the
 * calls says already.  The frames may follow the events, so the stacks are compared when all were read.
 */
#include "config.h"

#include <assert.h>

#include "chrome.h"

#define FRAME(W, V, O) W(name) W(parent)
JLOAD_SHAPE(nested_frame, FRAME)

/* Ids and names by their hashes; 0: none. */
struct nested_event {
	uint64_t	frame, name;
	uint32_t	thread;
	bool		begins;
};

struct nested_known {
	uint64_t	name, parent;
};

struct nested_frames {
	struct scratch	 rows;		/* struct nested_known */
	uint64_t	 n;
	struct idmap	 by_id;		/* row + 1 */
};

static uint64_t
nested_hash(struct str s)
{
	return s.n == 0 ? 0 : idmap_hash_text(s, 0);
}

void
chrome_nested_add(struct chrome_nested *c, struct jload *l, const struct chrome_event *e)
{
	struct nested_event new = { .frame = nested_hash(jload_word(e->is.sf)), .thread = e->thread,
	    .name = nested_hash(jload_text(l, e->is.name)), .begins = e->letter == 'B' };

	INTO_ROW(&l->to, c->events, c->n, new, "stacks of calls");
	c->threads = e->thread > c->threads ? e->thread : c->threads;
}

static void
nested_frames_read(struct nested_frames *f, struct jload *l, struct json j)
{
	struct nested_known new;
	struct nested_frame at;
	struct str id;

	if (!scan_open(&j, '{'))
		return;
	while (scan_member(&j, &id) && into_go(&l->to, j.at)) {
		at = nested_frame_read(l, j);
		new = (struct nested_known){ nested_hash(jload_text(l, at.name)), nested_hash(at.parent) };
		INTO_ROW(&l->to, f->rows, f->n, new, "stack frames");
		into_map(&l->to, &f->by_id, nested_hash(id), (uint32_t)f->n);
		if (!scan_skip(&j))
			break;
	}
}

static const struct nested_known *
nested_find(const struct nested_frames *f, uint64_t id)
{
	uint32_t row = idmap_get(&f->by_id, id);

	return row == 0 ? NULL : &SCRATCH(f->rows, struct nested_known)[row - 1];
}

/* Whether a stack is that of the open calls of its thread, whose innermost one is *open. */
static bool
nested_agrees(const struct nested_frames *f, const struct nested_event *e, uint64_t *open)
{
	const struct nested_known *known = nested_find(f, e->frame), *inner = nested_find(f, *open);
	bool agrees = known != NULL && (e->name == known->name || (e->name == 0 && !e->begins)) &&
	    *open == (e->begins ? known->parent : e->frame);

	*open = e->begins ? e->frame : inner == NULL ? 0 : inner->parent;
	return agrees;
}

uint64_t
chrome_nested_others(struct chrome_nested *c, struct jload *l, struct json frames)
{
	struct nested_frames f = { .n = 0 };
	struct scratch open = SCRATCH_INIT;
	uint64_t n = 0;

	if (c->n > 0) {
		nested_frames_read(&f, l, frames);
		INTO(&l->to, scratch_array(&open, c->threads + 1ull, sizeof(uint64_t), l->to.err));
	}
	for (uint64_t i = 0; i < c->n && !l->to.bad; i++) {
		const struct nested_event *e = &SCRATCH(c->events, struct nested_event)[i];

		assert(e->thread <= c->threads);
		n += !nested_agrees(&f, e, &SCRATCH(open, uint64_t)[e->thread]);
	}
	SCRATCH_FREE(&f.rows, &open, &c->events);
	idmap_free(&f.by_id);
	return n;
}
