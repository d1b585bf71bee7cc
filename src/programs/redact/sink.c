/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sink: write redacted bytes to a file, or compare them with one.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "redact.h"

static bool
open_room(struct sink *s, size_t blocks, uint64_t size)
{
	s->cap = blocks * SINK_BLOCK;
	s->cap = size < s->cap ? (size_t)size : s->cap;
	s->room = mem_array(s->cap, 1);
	return s->room != NULL || fail(s->err, E_SYSTEM, "out of memory (output)");
}

/* ---- uncompressed --------------------------------------------------------------------------- */

static bool
put_plain(struct sink *s, const uint8_t *p, size_t n, bool last)
{
	(void)last;
	return space_ask(s->fd, n, s->err) && fd_write_all(s->fd, p, n, s->err);
}

bool
sink_begin(struct sink *s, int fd, uint64_t size, struct work *w, struct err *err)
{
	*s = (struct sink){ .fd = fd, .put = put_plain, .work = w, .err = err };
	return open_room(s, 2, size);
}

bool
sink_begin_gzip(struct sink *s, int fd, uint64_t size, unsigned level, const char *comment, struct work *w,
    struct err *err)
{
	size_t blocks = 2 * (size_t)pool_size() + 1;

	*s = (struct sink){ .fd = fd, .put = gzip_put, .work = w, .err = err };
	return gzip_open(&s->gzip, level, comment, blocks, err) && open_room(s, blocks, size);
}

/* ---- compared --------------------------------------------------------------------------------- */

static bool
put_peer(struct sink *s, const uint8_t *p, size_t n, bool last)
{
	const struct map *m = s->peer;
	size_t i = 0, most = m->size - s->at < n ? (size_t)(m->size - s->at) : n;

	while (i < most && p[i] == m->data[s->at + i])
		i++;
	if (i < most)
		return fail_at(s->err, E_INPUT, s->at + i,
		    "check failed at byte %llu: 0x%02x instead of 0x%02x", (unsigned long long)(s->at + i),
		    m->data[s->at + i], p[i]);
	if (i < n)
		return fail_at(s->err, E_INPUT, s->at + i, "check failed at byte %llu: ends before the input",
		    (unsigned long long)(s->at + i));
	return !last || s->at + n == m->size ||
	    fail_at(s->err, E_INPUT, s->at + n, "check failed at byte %llu: longer than the input",
	    (unsigned long long)(s->at + n));
}

bool
sink_begin_peer(struct sink *s, const struct map *peer, uint64_t size, struct work *w, struct err *err)
{
	*s = (struct sink){ .fd = -1, .put = put_peer, .work = w, .err = err, .peer = peer };
	return open_room(s, 2, size);
}

/* ---- all kinds of sinks ------------------------------------------------------------------------- */

static bool
sink_flush(struct sink *s, bool last)
{
	size_t n = last ? s->n : s->n / SINK_BLOCK * SINK_BLOCK;

	if (!s->put(s, s->room, n, last))
		return false;
	s->at += n;
	s->n -= n;
	memmove(s->room, s->room + n, s->n);
	return true;
}

uint8_t *
sink_take(struct sink *s, size_t n)
{
	assert(n <= SINK_BLOCK);
	if (n > s->cap - s->n && !sink_flush(s, false))
		return NULL;
	s->n += n;
	return s->room + s->n - n;
}

bool
sink_put(struct sink *s, struct str bytes)
{
	uint8_t *to;
	size_t n;

	for (; bytes.n > 0; bytes = str_after(bytes, n)) {
		n = bytes.n < SINK_BLOCK ? bytes.n : SINK_BLOCK;
		if ((to = sink_take(s, n)) == NULL)
			return false;
		memcpy(to, bytes.s, n);
	}
	return true;
}

bool
sink_end(struct sink *s)
{
	return sink_flush(s, true);
}

void
sink_free(struct sink *s)
{
	free(s->room);
	gzip_free(s->gzip);
	*s = (struct sink){ .fd = -1 };
}
