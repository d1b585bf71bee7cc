/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_lines: read the lines of a text in order.
 *
 * The meaning of a line depends on earlier lines, but parsing it does not. Several threads parse the next
 * lines while one of them processes the lines parsed in the previous round.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/chunk.h"
#include "line.h"

#define BLOCK CHUNK_OF(1u << 20)	/* bytes that a thread parses at once */
#define BLOCK_LINES (BLOCK / 80)	/* if lines are shorter, the processing thread parses the rest */
#define TICK_BYTES 65536	/* far less than a millisecond */
#define BLOCKS_EACH 2u		/* for each thread in a round: one of the threads processes them */
#define WORTH (2 * BLOCK)	/* minimum bytes for several threads */

struct block {
	struct str	 rest;		/* not read yet */
	struct scratch	 lines;		/* struct sched_line */
	size_t		 n;
};

struct round {
	sched_take	 take;
	void		*arg;
	const char	*text;
	struct block	*taken, *read;
	uint64_t	 ntaken, nread;
};

/* ---- one block ------------------------------------------------------------------------ */

/* Parse as many lines as there is room for. */
static void
sched_lines_read_block(struct block *b)
{
	struct sched_line *line = SCRATCH(b->lines, struct sched_line);
	struct str text;

	for (b->n = 0; b->rest.n > 0 && b->n < BLOCK_LINES; b->rest = str_after(b->rest, text.n + 1)) {
		text = str_until(b->rest, '\n');
		if (text.n > 0)
			sched_read(text, &line[b->n++]);
	}
}

/* Lines that were not parsed yet. */
static bool
sched_lines_take_text(const struct round *r, struct str text, struct work *w, struct err *err)
{
	const char *tick = text.s;
	struct sched_line line;
	struct str one;

	for (; text.n > 0; text = str_after(text, one.n + 1)) {
		if (text.s >= tick) {
			if (!work_go(w, (uint64_t)(text.s - r->text), err))
				return false;
			tick = text.s + TICK_BYTES;
		}
		one = str_until(text, '\n');
		if (one.n == 0)
			continue;
		sched_read(one, &line);
		if (!r->take(r->arg, &line, 1, err))
			return false;
	}
	return true;
}

/* ---- many blocks ---------------------------------------------------------------------- */

static bool
sched_lines_part(void *arg, uint64_t i, struct work *w, struct err *err)
{
	struct round *r = arg;

	if (i > 0) {
		sched_lines_read_block(&r->read[i - 1]);
		return true;
	}
	for (const struct block *b = r->taken; b < r->taken + r->ntaken; b++)
		if (!work_go(w, (uint64_t)(b->rest.s - r->text), err) ||
		    !r->take(r->arg, SCRATCH(b->lines, struct sched_line), b->n, err) ||
		    !sched_lines_take_text(r, b->rest, w, err))
			return false;
	return true;
}

/* Get the next block, up to the end of a line. */
static struct str
sched_lines_next_block(struct str *text)
{
	struct str block = str_head(*text, BLOCK);

	block.n += str_until(str_after(*text, block.n), '\n').n;
	*text = str_after(*text, block.n);
	return block;
}

static bool
take_rounds(struct round *r, struct str text, uint64_t n, struct work *w, struct err *err)
{
	struct block *taken;

	do {
		for (r->nread = 0; text.n > 0 && r->nread < n; r->nread++)
			r->read[r->nread].rest = sched_lines_next_block(&text);
		if (!pool_run(w, r->nread + 1, sched_lines_part, r, err))
			return false;
		taken = r->read;
		r->read = r->taken;
		r->taken = taken;
		r->ntaken = r->nread;
	} while (r->ntaken > 0);
	return true;
}

static bool
take_parts(struct round *r, struct str text, uint64_t n, struct work *w, struct err *err)
{
	struct block *b = mem_array(2 * n, sizeof *b);
	bool ok = b != NULL || fail(err, E_SYSTEM, "out of memory (lines)");

	for (uint64_t i = 0; ok && i < 2 * n; i++)
		ok = scratch_array(&b[i].lines, BLOCK_LINES, sizeof(struct sched_line), err);
	r->taken = b;
	r->read = b + n;
	ok = ok && take_rounds(r, text, n, w, err);
	for (uint64_t i = 0; b != NULL && i < 2 * n; i++)
		scratch_free(&b[i].lines);
	free(b);
	return ok;
}

bool
sched_lines(struct str text, struct work *w, sched_take take, void *arg, struct err *err)
{
	struct round r = { .take = take, .arg = arg, .text = text.s };

	work_start_bytes(w, "scheduler text", text.n);
	return pool_size() == 1 || text.n < WORTH ? sched_lines_take_text(&r, text, w, err) :
	    take_parts(&r, text, BLOCKS_EACH * pool_size(), w, err);
}
