/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bundle: several files of bytecode concatenated into one file.
 */
#include "config.h"

#include <string.h>

#include "decode.h"

static void
put64(uint8_t *p, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static bool
bundle_flush(struct bundle *b, struct err *err)
{
	size_t n = b->nout;

	b->nout = 0;
	return n == 0 || intake_put(b->to, b->out, n, err);
}

/* Small pieces are written together. */
static bool
bundle_put(struct bundle *b, const void *data, uint64_t n, struct err *err)
{
	if (n > sizeof b->out - b->nout && !bundle_flush(b, err))
		return false;
	if (n > sizeof b->out)
		return intake_put(b->to, data, (size_t)n, err);
	if (n > 0)
		memcpy(b->out + b->nout, data, (size_t)n);
	b->nout += (size_t)n;
	return true;
}

static bool
put_padded(struct bundle *b, const void *data, uint64_t n, struct err *err)
{
	static const uint8_t zeros[8] = { 0 };

	return bundle_put(b, data, n, err) && bundle_put(b, zeros, BUNDLE_PAD(n) - n, err);
}

bool
bundle_begin(struct bundle *b, struct intake *to, struct work *w, struct err *err)
{
	b->to = to;
	b->work = w;
	b->inflated = b->budget = 0;
	b->nout = 0;
	memset(b->count, 0, sizeof b->count);
	return bundle_put(b, BUNDLE_MAGIC, 8, err);
}

bool
bundle_add(struct bundle *b, struct str name, const uint8_t *data, uint64_t size, struct err *err)
{
	uint8_t head[BUNDLE_HEAD];

	put64(head, (uint32_t)name.n);
	put64(head + 8, size);
	return bundle_put(b, head, sizeof head, err) && put_padded(b, name.s, name.n, err) &&
	    put_padded(b, data, size, err);
}

bool
bundle_end(struct bundle *b, struct err *err)
{
	uint8_t counts[8 * BUNDLE_COUNTS];

	for (size_t i = 0; i < BUNDLE_COUNTS; i++)
		put64(counts + 8 * i, b->count[i]);
	return bundle_add(b, STR(""), counts, sizeof counts, err) && bundle_flush(b, err);
}
