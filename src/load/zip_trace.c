/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zip_trace: the Perfetto traces in a zip archive, as recorders put them beside their logs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "icecore/mem.h"
#include "zip.h"

enum {
	ENTRIES_LOOKED = 64,	/* an archive with more files is none of a recorder */
	HEAD_LOOKED = 65536	/* bytes of each */
};

/* A file of the archive, as it is unpacked. */
struct unpacking {
	z_stream	 z;
	const uint8_t	*data;
	uint64_t	 left;
	bool		 stored;
};

static bool
unpacking_open(struct unpacking *u, const struct zip *z, const struct zip_entry *e)
{
	*u = (struct unpacking){ .left = e->packed, .stored = e->method == 0 };
	return (e->flags & 1) == 0 && (u->stored || e->method == 8) && zip_data_of(z, e, &u->data) &&
	    (u->stored || inflateInit2(&u->z, -MAX_WBITS) == Z_OK);
}

/* Unpack at most n bytes; 0: no bytes are left, or they are damaged (*bad). */
static size_t
unpacking_some(struct unpacking *u, uint8_t *to, size_t n, bool *bad)
{
	int rc = Z_OK;

	if (u->stored) {
		n = n < u->left ? n : (size_t)u->left;
		memcpy(to, u->data, n);
		u->data += n;
		u->left -= n;
		return n;
	}
	u->z.next_out = to;
	u->z.avail_out = (uInt)n;
	while (rc == Z_OK && u->z.avail_out > 0) {
		if (u->z.avail_in == 0 && u->left > 0) {
			u->z.next_in = (Bytef *)(uintptr_t)u->data;
			u->z.avail_in = u->left > 1u << 30 ? 1u << 30 : (uInt)u->left;
			u->data += u->z.avail_in;
			u->left -= u->z.avail_in;
		}
		rc = inflate(&u->z, Z_NO_FLUSH);
	}
	*bad |= rc != Z_OK && rc != Z_STREAM_END;
	return n - u->z.avail_out;
}

static void
unpacking_close(struct unpacking *u)
{
	if (!u->stored)
		inflateEnd(&u->z);
}

static bool
is_trace(const struct zip *z, const struct zip_entry *e, uint8_t *head)
{
	struct unpacking u;
	size_t n = 0;
	bool bad = false;

	if (unpacking_open(&u, z, e)) {
		n = unpacking_some(&u, head, HEAD_LOOKED, &bad);
		unpacking_close(&u);
	}
	return n > 0 && loader_named(STR("perfetto"))->sniff(head, n);
}

static bool
unpack_trace(struct decode *d, const struct zip *z, const struct zip_entry *e, struct err *err)
{
	struct unpacking u;
	bool ok = true;

	if (!unpacking_open(&u, z, e)) {
		mem_refuse();
		return fail(err, E_SYSTEM, "out of memory (decompression)");
	}
	do {
		d->n = unpacking_some(&u, d->out, DECODE_CHUNK, &d->done->cut[DECODE_ZIP]);
		if (d->n == 0)
			break;
		ok = work_go(d->work, (uint64_t)(u.data - z->data), err) && decode_flush(d, err);
	} while (ok);
	unpacking_close(&u);
	return ok;
}

bool
decode_zip_trace(struct decode *d, bool *is, struct err *err)
{
	struct zip z = { .data = d->in->data, .size = d->in->size };
	struct zip_entry e;
	uint8_t *head;
	bool ok = true;

	*is = false;
	if (!zip_read_end(&z) || z.entries > ENTRIES_LOOKED)
		return true;
	if ((head = mem_array(HEAD_LOOKED, 1)) == NULL)
		return fail(err, E_SYSTEM, "out of memory (decompression)");
	for (uint64_t at = z.dir; ok && zip_read_central(&z, &at, &e); )
		if (is_trace(&z, &e, head)) {
			*is = true;
			decode_part(d->done, e.name);
			ok = unpack_trace(d, &z, &e, err);
		}
	free(head);
	return ok;
}
