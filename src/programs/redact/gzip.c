/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gzip: members of one block each, as HotSpot writes them, compressed on all processors.
 *
 * The comment of the first member is HotSpot's, so that readers can seek without decompressing. The second
 * member, which may be empty, has a comment of icecore.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "icecore/bytes.h"
#include "icecore/inflate.h"

#include "redact.h"

#define COMMENT_FIRST "HPROF BLOCKSIZE=1048576"
#define COMMENTED 2u		/* members with a comment */
#define HEAD 10u		/* bytes of a member before its comment */
#define TAIL 8u			/* after the compressed data: checksum and length */
#define OS_NONE 255		/* in a header written here */
#define OS_UNIX 3		/* in a header written by zlib */

struct member {
	z_stream	 z;
	gz_header	 head;
	uint8_t		*packed;
	size_t		 n;
	bool		 open;
};

struct gzip {
	struct member	*member;
	size_t		 members, room;		/* room: capacity for compressed data */
	uint64_t	 done;			/* members written so far */
	const char	*comment;
	const uint8_t	*from;			/* data of the blocks being compressed */
	size_t		 size;
};

bool
gzip_open(struct gzip **out, unsigned level, const char *comment, size_t blocks, struct err *err)
{
	struct gzip *g = *out = mem_array(1, sizeof *g);

	if (g == NULL || (g->member = mem_array(blocks, sizeof *g->member)) == NULL)
		return fail(err, E_SYSTEM, "out of memory (compression)");
	g->members = blocks;
	g->comment = comment;
	for (size_t i = 0; i < blocks; i++) {
		struct member *m = &g->member[i];

		m->open = deflateInit2(&m->z, (int)level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
		g->room = m->open ? deflateBound(&m->z, SINK_BLOCK) + 64 : 0;
		m->packed = m->open ? mem_array(g->room, 1) : NULL;
		if (m->packed == NULL)
			return fail(err, E_SYSTEM, "out of memory (compression)");
	}
	return true;
}

void
gzip_free(struct gzip *g)
{
	for (size_t i = 0; g != NULL && i < g->members; i++) {
		if (g->member[i].open)
			deflateEnd(&g->member[i].z);
		free(g->member[i].packed);
	}
	free(g != NULL ? g->member : NULL);
	free(g);
}

static bool
gzip_pack(void *gzip, uint64_t part, struct work *w, struct err *err)
{
	struct gzip *g = gzip;
	struct member *m = &g->member[part];
	size_t at = (size_t)part * SINK_BLOCK, n = g->size - at < SINK_BLOCK ? g->size - at : SINK_BLOCK;
	uint64_t number = g->done + part;

	(void)w;
	if (deflateReset(&m->z) != Z_OK)
		return fail(err, E_SYSTEM, "out of memory (compression)");
	/* A stream keeps its header: later members must not get this one. */
	m->head = (gz_header){ .os = OS_NONE, .comment = (Bytef *)(uintptr_t)(number == 0 ? COMMENT_FIRST :
	    g->comment) };
	(void)deflateSetHeader(&m->z, g->comment != NULL && number < COMMENTED ? &m->head : NULL);
	m->z.next_in = (Bytef *)(uintptr_t)(g->from + at);
	m->z.avail_in = (uInt)n;
	m->z.next_out = m->packed;
	m->z.avail_out = (uInt)g->room;
	if (deflate(&m->z, Z_FINISH) != Z_STREAM_END)
		return fail(err, E_SYSTEM, "compression failed");
	m->n = g->room - m->z.avail_out;
	return true;
}

static bool
put_blocks(struct sink *s, const uint8_t *p, size_t n, uint64_t blocks)
{
	struct gzip *g = s->gzip;
	bool ok;

	g->from = p;
	g->size = n;
	ok = pool_run(s->work, blocks, gzip_pack, g, s->err);
	for (uint64_t i = 0; ok && i < blocks; i++)
		ok = space_ask(s->fd, g->member[i].n, s->err) &&
		    fd_write_all(s->fd, g->member[i].packed, g->member[i].n, s->err);
	g->done += blocks;
	return ok;
}

bool
gzip_put(struct sink *s, const uint8_t *p, size_t n, bool last)
{
	uint64_t blocks = (n + SINK_BLOCK - 1) / SINK_BLOCK;

	if (blocks > 0 && !put_blocks(s, p, n, blocks))
		return false;
	while (last && s->gzip->done < (s->gzip->comment != NULL ? COMMENTED : 1))
		if (!put_blocks(s, p, 0, 1))
			return false;
	return true;
}

/* ---- checking: the file contains only the dump --------------------------------------------------------- */

static bool
fail_member(uint64_t at, const char *what, struct err *err)
{
	return fail_at(err, E_INPUT, at, "check failed at byte %llu of the compressed file: %s",
	    (unsigned long long)at, what);
}

/* The header of a member: no name, time or extra field, and only the expected comment. */
static bool
check_head(const struct map *m, uint64_t number, const char *comment, uint64_t *at, struct err *err)
{
	const char *text = number == 0 ? COMMENT_FIRST : comment;
	size_t n = comment != NULL && number < COMMENTED ? strlen(text) + 1 : 0;
	uint8_t want[HEAD] = { 0x1f, 0x8b, Z_DEFLATED, n > 0 ? 0x10 : 0, 0, 0, 0, 0, 0, n > 0 ? OS_NONE :
	    OS_UNIX };
	uint8_t level = m->size > 8 ? m->data[8] : 0;

	/* zlib writes 2 for the best level, 4 for the fastest (XFL of RFC 1952). */
	want[8] = level == 2 || level == 4 ? level : 0;
	if (m->size - *at < HEAD + n || memcmp(m->data + *at, want, HEAD) != 0 ||
	    memcmp(m->data + *at + HEAD, text, n) != 0)
		return fail_member(*at, "gzip header not written by icecore redact", err);
	*at += HEAD + n;
	return true;
}

/* Unpack n bytes; check their length and CRC. */
static bool
check_packed(const struct map *m, uint64_t *at, size_t n, struct inflated *room, struct err *err)
{
	uint64_t left = m->size - *at, refused = mem_refused();
	struct str packed = { (const char *)m->data + *at, left < 2 * SINK_BLOCK ? (size_t)left : 2 * SINK_BLOCK };
	bool ok = inflate_all(packed, INFLATE_RAW, n, n, room) && room->n == n && left - room->used >= TAIL;
	const uint8_t *tail = m->data + *at + room->used;

	if (mem_refused() > refused)
		return fail(err, E_SYSTEM, "out of memory (compression)");
	if (!ok || le32(tail) != crc32(0, room->data, (uInt)n) || le32(tail + 4) != n)
		return fail_member(*at, "compressed data not written by icecore redact", err);
	*at += room->used + TAIL;
	return true;
}

bool
gzip_check(const struct map *m, uint64_t size, const char *comment, struct work *work, struct err *err)
{
	struct inflated room = { .n = 0 };
	uint64_t at = 0, done = 0, n;
	bool ok = true;

	work_start_bytes(work, "checking members", m->size);
	for (uint64_t i = 0; ok && (i < (comment != NULL ? COMMENTED : 1) || done < size); i++, done += n) {
		n = size - done < SINK_BLOCK ? size - done : SINK_BLOCK;
		ok = work_go(work, at, err) && check_head(m, i, comment, &at, err) &&
		    check_packed(m, &at, (size_t)n, &room, err);
	}
	ok = ok && (at == m->size || fail_member(at, "data after the end of the redacted dump", err));
	free(room.data);
	return ok;
}
