/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decode files of the lz4 program, which Java recorders also write: concatenated frames.
 */
#include "config.h"

#include <assert.h>
#include <lz4frame.h>

#include "decode.h"

#define MAGIC 0x184d2204u

#define SKIPPED 0x184d2a50u	/* to 0x184d2a5f: skippable frames */

static bool
begins_frame(const struct map *m, uint64_t at)
{
	return m->size - at >= 4 && (le32(m->data + at) == MAGIC || (le32(m->data + at) & ~0xfu) == SKIPPED);
}

bool
decode_is_lz4(const struct map *m)
{
	return m->size >= 4 && le32(m->data) == MAGIC;
}

/* Decode some data from *at on. *more: there is more. Damage ends decoding; earlier output is kept. */
static bool
lz4_some(struct decode *d, LZ4F_dctx *frames, uint64_t *at, bool *more, struct err *err)
{
	size_t in = (size_t)(d->in->size - *at), out = DECODE_CHUNK;
	size_t hint = LZ4F_decompress(frames, d->out, &out, d->in->data + *at, &in, NULL);

	if (LZ4F_isError(hint) || (hint != 0 && in == 0 && out == 0)) {
		d->done->cut[d->kind] = true;
		*more = false;
		return true;
	}
	assert(in <= d->in->size - *at && out <= DECODE_CHUNK);
	*at += in;
	d->n = out;
	/* Other bytes after a frame are ignored. */
	*more = hint != 0 || begins_frame(d->in, *at);
	return decode_flush(d, err);
}

bool
decode_lz4(struct decode *d, struct err *err)
{
	LZ4F_dctx *frames;
	uint64_t at = 0;
	bool more = true, ok = true;

	if (LZ4F_isError(LZ4F_createDecompressionContext(&frames, LZ4F_VERSION)))
		return fail(err, E_SYSTEM, "out of memory (decompression)");
	while (ok && more)
		ok = work_go(d->work, at, err) && lz4_some(d, frames, &at, &more, err);
	LZ4F_freeDecompressionContext(frames);
	return ok;
}
