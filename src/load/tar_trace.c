/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tar_trace: the Perfetto traces in a tar archive, and the names of those that are read from any archive.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/make.h"
#include "decode.h"

enum {
	TAR_BLOCK = 512,
	TAR_LOOKED = 64,	/* files; an archive with more is none of a recorder */
	TAR_HEAD = 65536	/* bytes of each */
};

/* Files of an archive. */
struct tar {
	const uint8_t	*data;
	uint64_t	 size, at;
	struct str	 name, bytes;	/* of the file that was read last; fewer bytes than it has if the archive is cut */
	bool		 cut;
};

/* An octal number, or one of 11 bytes with the highest bit set before them. */
static uint64_t
tar_number(const uint8_t *p, size_t n)
{
	bool binary = (p[0] & 128) != 0;
	uint64_t v = 0;

	for (size_t i = binary ? 1 : 0; i < n; i++) {
		if (!binary && (p[i] < '0' || p[i] > '7')) {
			if (p[i] != ' ' || v != 0)
				break;
			continue;
		}
		if (v >> 55 != 0)
			return UINT64_MAX;
		v = binary ? v << 8 | p[i] : v << 3 | (uint64_t)(p[i] - '0');
	}
	return v;
}

/* The sum of a header's bytes, with blanks in place of the sum. */
static bool
tar_header(const uint8_t *p)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < TAR_BLOCK; i++)
		sum += i >= 148 && i < 156 ? ' ' : p[i];
	return memcmp(p + 257, "ustar", 5) == 0 && tar_number(p + 148, 8) == sum;
}

/* The next file; false: there is none. */
static bool
tar_next(struct tar *t)
{
	while (t->size - t->at >= TAR_BLOCK && tar_header(t->data + t->at)) {
		const uint8_t *p = t->data + t->at;
		uint64_t n = tar_number(p + 124, 12), left = t->size - t->at - TAR_BLOCK, whole;

		t->cut = n > left;
		whole = t->cut ? left : n;
		t->name = str_until((struct str){ (const char *)p, 100 }, '\0');
		t->bytes = (struct str){ (const char *)p + TAR_BLOCK, (size_t)whole };
		whole = t->cut ? whole : (n + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
		t->at += TAR_BLOCK + (whole < left ? whole : left);
		assert(t->at <= t->size);
		if (p[156] == '0' || p[156] == '\0')
			return true;
	}
	return false;
}

static bool
tar_trace(const struct tar *t)
{
	return loader_named(STR("perfetto"))->sniff((const uint8_t *)t->bytes.s, t->bytes.n < TAR_HEAD ? t->bytes.n : TAR_HEAD);
}

/* Names that do not fit are left out. */
void
decode_part(struct decoded *done, struct str name)
{
	size_t n = strlen(done->parts);

	if (n + name.n + 3 < sizeof done->parts && memchr(name.s, '\0', name.n) == NULL)
		snprintf(done->parts + n, sizeof done->parts - n, "%s%.*s", n > 0 ? ", " : "", (int)name.n, name.s);
}

bool
decode_is_tar(const struct map *m)
{
	struct tar t = { .data = m->data, .size = m->size };

	for (unsigned i = 0; i < TAR_LOOKED && tar_next(&t); i++)
		if (t.bytes.n > 0 && tar_trace(&t))
			return true;
	return false;
}

bool
decode_tar(struct decode *d, struct err *err)
{
	struct tar t = { .data = d->in->data, .size = d->in->size };
	const uint8_t *p;

	for (unsigned i = 0; i < TAR_LOOKED && tar_next(&t); i++) {
		if (t.bytes.n == 0 || !tar_trace(&t))
			continue;
		p = (const uint8_t *)t.bytes.s;
		decode_part(d->done, t.name);
		d->done->cut[DECODE_TAR] |= t.cut;
		if (!decode_copy(d, p, p + t.bytes.n, err))
			return false;
	}
	return true;
}
