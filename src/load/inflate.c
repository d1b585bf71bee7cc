/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decode gzip files, and the zlib data after the first line of atrace -z.
 */
#include "config.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

#include "decode.h"

#define HEAD 512		/* atrace may print messages before "TRACE:" */
#define GZIP_LEAST 18

struct inflating {
	z_stream	 z;
	const struct map *in;
	uint64_t	 at;		/* next byte of in for zlib */
	bool		 gzip;
};

uint64_t
decode_zlib_at(const struct map *m)
{
	size_t n = m->size < HEAD ? (size_t)m->size : HEAD, at;
	const uint8_t *hit = n > 0 ? memmem(m->data, n, "TRACE:", 6) : NULL;

	if (hit == NULL || (hit > m->data && hit[-1] != '\n'))
		return 0;
	at = (size_t)(hit - m->data) + 6;
	while (at < n && m->data[at] == '\r')
		at++;
	if (at + 3 > n || m->data[at] != '\n' || m->data[at + 1] != 0x78 ||
	    (m->data[at + 1] * 256u + m->data[at + 2]) % 31 != 0)
		return 0;
	return at + 1;
}

/* zlib uses 32-bit lengths. */
static void
inflate_feed(struct inflating *g)
{
	uint64_t left = g->in->size - g->at;
	unsigned n = left > 1u << 30 ? 1u << 30 : (unsigned)left;

	if (g->z.avail_in > 0 || n == 0)
		return;
	g->z.next_in = (Bytef *)(uintptr_t)(g->in->data + g->at);
	g->z.avail_in = n;
	g->at += n;
	assert(g->at <= g->in->size);
}

static uint64_t
fed(const struct inflating *g)
{
	assert(g->z.avail_in <= g->at);
	return g->at - g->z.avail_in;
}

/* True while there is more data. Damage ends decoding; earlier output is kept. */
static bool
inflate_some(struct decode *d, struct inflating *g, bool *more, struct err *err)
{
	uint64_t at;
	int rc;

	inflate_feed(g);
	g->z.next_out = d->out;
	g->z.avail_out = DECODE_CHUNK;
	rc = inflate(&g->z, Z_NO_FLUSH);
	if (rc == Z_MEM_ERROR) {
		mem_refuse();
		return fail(err, E_SYSTEM, "out of memory (decompression)");
	}
	d->n = DECODE_CHUNK - g->z.avail_out;
	if (!decode_flush(d, err))
		return false;
	*more = true;
	if (rc == Z_STREAM_END) {
		/* gzip members may be concatenated; other trailing bytes are ignored. */
		at = fed(g);
		*more = g->gzip && g->in->size - at >= GZIP_LEAST && memcmp(g->in->data + at, "\x1f\x8b", 2) == 0;
		if (*more)
			inflateReset(&g->z);
	} else if (rc != Z_OK || (g->z.avail_in == 0 && g->at == g->in->size &&
	    g->z.avail_out > 0)) {
		d->done->cut[d->kind] = true;
		*more = false;
	}
	return true;
}

bool
decode_inflate(struct decode *d, struct err *err)
{
	struct inflating g = { .in = d->in, .gzip = d->kind == DECODE_GZIP };
	bool more = true, ok = true;

	g.at = g.gzip ? 0 : decode_zlib_at(d->in);
	if (inflateInit2(&g.z, g.gzip ? 15 + 16 : 15) != Z_OK) {
		mem_refuse();
		return fail(err, E_SYSTEM, "out of memory (decompression)");
	}
	while (ok && more)
		ok = work_go(d->work, fed(&g), err) && inflate_some(d, &g, &more, err);
	inflateEnd(&g.z);
	return ok;
}
