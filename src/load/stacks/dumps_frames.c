/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of the open thread: each function with each place once.
 */
#include "config.h"

#include <assert.h>

#include "icecore/name.h"
#include "dumps_in.h"

enum { SALT_LINE = 1, SALT_PLACE };

#define FRAMES_MOST (1u << 24)	/* frames in a stack: more are found only in damaged files */

static void
dumps_push(struct dumps_in *in, uint32_t frame)
{
	/* Outermost frames are dropped. */
	if (in->nstack >= FRAMES_MOST) {
		in->count[DROP_DEEP] += in->nstack == FRAMES_MOST && (in->t.flags & DUMP_CUT) == 0;
		in->t.flags |= DUMP_CUT;
		return;
	}
	MAKE_PUT(in, stack, frame, UINT32_MAX, "frames in a stack");
}

static uint64_t
dumps_key(struct str function, struct str place)
{
	return idmap_hash_text(place, idmap_hash_text(function, SALT_PLACE));
}

/* Add the frame with that function and place, which has that key. */
static uint32_t
frame_add(struct dumps_in *in, uint64_t key, struct str function, struct str place, bool module)
{
	struct in_frame new = (struct in_frame){ .place = dumps_text(in, place),
	    .method = samples_function(&in->s, function, module ? place : STR(""), 0, in->err) };
	in->bad |= new.method == 0;
	MAKE_PUT(in, frames, new, MAKE_MOST, "different frames");
	in->bad = in->bad || !idmap_put(&in->by[BY_FRAME], key, (uint32_t)in->nframes, in->err);
	return in->bad ? 0 : (uint32_t)in->nframes;
}

/* Texts that readers made have no tail. */
struct str
dumps_name(struct dumps_in *in, struct str s, size_t (*length)(struct str))
{
	const struct buf *b = &in->name_buf;
	size_t n;

	if (s.n == 0 || (!samples_has_text(&in->s, s) && (b->n == 0 || s.s < b->s || s.s >= b->s + b->n)) ||
	    (n = length(s)) == 0 || n == s.n)
		return s;
	dumps_tell(in, str_after(s, n), MEANT_TEXT, "text after a name");
	return str_head(s, n);
}

void
dumps_frame(struct dumps_in *in, struct str function, struct str place, bool module)
{
	uint64_t key = dumps_key(function, place), own;
	uint32_t row = in->meaning.to != NULL ? 0 : idmap_get(&in->by[BY_FRAME], key);

	/* The ends of names are looked for once in each text. */
	if (row == 0) {
		function = dumps_name(in, function, name_end);
		place = dumps_name(in, place, name_end_place);
		dumps_tell_name(in, function, "function");
		dumps_tell_name(in, place, "place");
		if (!in->in_thread || in->bad)
			return;
		own = dumps_key(function, place);
		if (own != key || in->meaning.to != NULL)
			row = idmap_get(&in->by[BY_FRAME], own);
		if (row == 0)
			row = frame_add(in, own, function, place, module);
		if (own != key && row != 0)
			in->bad = !idmap_put(&in->by[BY_FRAME], key, row, in->err);
	}
	if (in->in_thread && !in->bad)
		dumps_push(in, row);
}

bool
dumps_line_frame(struct dumps_in *in, struct str line, uint64_t *key)
{
	uint32_t row;

	*key = idmap_hash_text(line, SALT_LINE);
	if (in->meaning.to != NULL)
		return false;
	row = idmap_get(&in->by[BY_LINE], *key);
	if (row != 0 && in->in_thread)
		dumps_push(in, row);
	return row != 0;
}

void
dumps_line_is(struct dumps_in *in, uint64_t key)
{
	assert(in->bad || !in->in_thread || in->nstack > 0);
	if (!in->bad && in->in_thread)
		in->bad = !idmap_put(&in->by[BY_LINE], key, SCRATCH(in->stack, uint32_t)[in->nstack - 1],
		    in->err);
}

void
dumps_replace_place(struct dumps_in *in, struct str place)
{
	struct str name = dumps_top_name(in, in->nstack - 1);

	assert(in->nstack > 0);
	in->nstack--;
	dumps_frame(in, name, place, false);
}

/* Return frame i from the leaf; NULL: there is none. */
static struct in_frame *
top_frame(const struct dumps_in *in, uint64_t i)
{
	return i >= in->nstack ? NULL :
	    &SCRATCH(in->frames, struct in_frame)[SCRATCH(in->stack, uint32_t)[i] - 1];
}

struct str
dumps_top_name(const struct dumps_in *in, uint64_t i)
{
	const struct in_frame *f = top_frame(in, i);

	return f == NULL ? STR("") : samples_frame_name(&in->s, f->method);
}

unsigned
dumps_marks(struct dumps_in *in, uint64_t n)
{
	unsigned marks = 0;

	for (uint64_t i = 0; i < n && i < in->nstack; i++) {
		struct in_frame *f = top_frame(in, i);

		/* Few frames are innermost ones, and the list of functions is long. */
		if (!f->known)
			f->marks = (uint16_t)(runtime_of(dumps_top_name(in, i)) & WAITING_ANY);
		f->known = true;
		marks |= f->marks;
	}
	return marks;
}
