/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of the open thread: each function with each place once.
 */
#include "config.h"

#include <assert.h>

#include "dumps_in.h"

enum { SALT_LINE = 1, SALT_PLACE };

#define FRAMES_MOST (1u << 24)	/* frames in a stack: more are found only in damaged files */

static void
dumps_push(struct dumps_in *in, uint32_t frame)
{
	/* Outermost frames are dropped. */
	if (in->nopen >= FRAMES_MOST) {
		in->count[DROP_DEEP] += in->nopen == FRAMES_MOST && (in->t.flags & DUMP_CUT) == 0;
		in->t.flags |= DUMP_CUT;
		return;
	}
	in->bad = in->bad || !make_add(&in->open_frames, &in->nopen, &frame, sizeof frame, UINT32_MAX, "frames in a stack", in->err);
}

/* Return the frame with that function and place. */
static uint32_t
dumps_frame_row(struct dumps_in *in, struct str function, struct str place, bool module)
{
	uint64_t key = idmap_hash_text(place, idmap_hash_text(function, SALT_PLACE));
	struct in_frame new = { 0 };
	struct text_at at;
	uint32_t row = idmap_get(&in->by_frame, key);

	assert(row <= in->nframes);
	if (row != 0)
		return row;
	at = dumps_text(in, place);
	new.place = at.ref;
	new.own = at.own;
	new.marks = in->marks == NULL ? 0 : in->marks(function);
	new.method = samples_function(&in->s, function, module ? place : STR(""), 0, in->err);
	in->bad = in->bad || new.method == 0 ||
	    !make_add(&in->frames, &in->nframes, &new, sizeof new, MAKE_MOST, "different frames", in->err) ||
	    !idmap_put(&in->by_frame, key, (uint32_t)in->nframes, in->err);
	return in->bad ? 0 : (uint32_t)in->nframes;
}

void
dumps_frame(struct dumps_in *in, struct str function, struct str place, bool module)
{
	uint32_t row;

	dumps_tell_name(in, function, "function");
	dumps_tell_name(in, place, "place");
	if (!in->in_thread || in->bad || (row = dumps_frame_row(in, function, place, module)) == 0)
		return;
	dumps_push(in, row);
}

bool
dumps_line_frame(struct dumps_in *in, struct str line, uint64_t *key)
{
	uint32_t row;

	*key = idmap_hash_text(line, SALT_LINE);
	if (in->tell != NULL)
		return false;
	row = idmap_get(&in->by_line, *key);
	if (row != 0 && in->in_thread)
		dumps_push(in, row);
	return row != 0;
}

void
dumps_line_is(struct dumps_in *in, uint64_t key)
{
	assert(in->bad || !in->in_thread || in->nopen > 0);
	if (!in->bad && in->in_thread)
		in->bad = !idmap_put(&in->by_line, key, SCRATCH(in->open_frames, uint32_t)[in->nopen - 1], in->err);
}

void
dumps_replace_place(struct dumps_in *in, struct str place)
{
	struct str name = dumps_top_name(in, in->nopen - 1);

	assert(in->nopen > 0);
	in->nopen--;
	dumps_frame(in, name, place, false);
}

const struct in_frame *
dumps_top(const struct dumps_in *in, uint64_t i)
{
	return i >= in->nopen ? NULL : &SCRATCH(in->frames, struct in_frame)[SCRATCH(in->open_frames, uint32_t)[i] - 1];
}

struct str
dumps_top_name(const struct dumps_in *in, uint64_t i)
{
	const struct in_frame *f = dumps_top(in, i);
	const struct sample_name *name;

	if (f == NULL)
		return STR("");
	assert(f->method != 0 && f->method <= in->s.nnames);
	name = &SCRATCH(in->s.names, struct sample_name)[f->method - 1];
	return samples_text_at(&in->s, &in->s.own, name->ref, name->own);
}

uint8_t
dumps_marks(const struct dumps_in *in, uint64_t n)
{
	uint8_t marks = 0;

	for (uint64_t i = 0; i < n && i < in->nopen; i++)
		marks |= dumps_top(in, i)->marks;
	return marks;
}
