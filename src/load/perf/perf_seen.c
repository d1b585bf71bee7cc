/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Remember how lines of perf script were parsed. Samples are similar: most begin like the previous one, and
 * their other lines occurred in earlier samples.
 */
#include "config.h"

#include <assert.h>

#include "icecore/perf.h"

#define LINES 65536u
#define FRAMES 4096u	/* maximum lines of the last sample; later ones are looked up line by line */

struct seen_line {
	uint64_t	key;
	uint32_t	number;
};

struct seen_frame {
	uint64_t	from;		/* start of the line, counted from the end of the previous one */
	uint32_t	node;
};

void
perf_seen_free(struct perf_seen *s)
{
	SCRATCH_FREE(&s->lines, &s->frames);
}

/* Return the length of the common suffix of two texts. */
static size_t
common_end(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	const char *x = a.s + a.n, *y = b.s + b.n;

	for (; i + 32 <= n && memcmp(x - 16, y - 16, 16) == 0 && memcmp(x - 32, y - 32, 16) == 0; i += 32) {
		x -= 32;
		y -= 32;
	}
	for (; i < n && x[-1] == y[-1]; i++) {
		x--;
		y--;
	}
	return i;
}

/* Find the next line, and fetch its number meanwhile. */
static void
look_ahead(struct perf_seen *s, struct str frames)
{
	s->ahead.left = frames;
	s->ahead.is = perf_line(&s->ahead.left, &s->ahead.line);
	if (!s->ahead.is)
		return;
	s->ahead.key = idmap_hash_text(s->ahead.line, s->names);
	__builtin_prefetch(&SCRATCH(s->lines, struct seen_line)[s->ahead.key % LINES], 1);
}

bool
perf_seen_begin(struct perf_seen *s, struct str *frames, unsigned names, uint32_t *node, struct err *err)
{
	const struct seen_frame *frame;
	size_t same = names == s->names && *node == s->node ? common_end(s->last, *frames) : 0;

	if (!scratch_array(&s->lines, LINES, sizeof(struct seen_line), err) ||
	    !scratch_array(&s->frames, FRAMES, sizeof *frame, err))
		return false;
	frame = SCRATCH(s->frames, struct seen_frame);
	for (; s->n > 0; s->n--) {
		uint64_t from = frame[s->n - 1].from;

		if (from < same || (from == same &&
		    (frames->n == same || frames->s[frames->n - same - 1] == '\n')))
			break;
	}
	s->last = *frames;
	s->names = names;
	s->node = *node;
	s->most = FRAMES;
	if (s->n > 0) {
		assert(frame[s->n - 1].from <= frames->n);
		frames->n -= frame[s->n - 1].from;
		*node = frame[s->n - 1].node;
	}
	look_ahead(s, *frames);
	return true;
}

void
perf_seen_frame(struct perf_seen *s, struct str frames, uint32_t node)
{
	assert(frames.n <= s->last.n && s->n <= FRAMES);
	if (s->n < s->most)
		SCRATCH(s->frames, struct seen_frame)[s->n++] =
		    (struct seen_frame){ s->last.n - frames.n, node };
}

void
perf_seen_end(struct perf_seen *s)
{
	s->most = 0;
}

bool
perf_seen_next(struct perf_seen *s, struct str *frames, struct str *line, uint32_t **number)
{
	struct seen_line *at = &SCRATCH(s->lines, struct seen_line)[s->ahead.key % LINES];
	uint64_t key = s->ahead.key;

	if (!s->ahead.is)
		return false;
	*frames = s->ahead.left;
	*line = s->ahead.line;
	look_ahead(s, *frames);
	if (at->key != key)
		*at = (struct seen_line){ key, 0 };
	*number = &at->number;
	return true;
}
