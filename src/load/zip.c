/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zip: the directory of a zip archive, and the data of its entries.
 */
#include "config.h"

#include <string.h>
#include <zlib.h>

#include "zip.h"

#define END_BYTES 22
#define CENTRAL_BYTES 46
#define COMMENT_MOST 65535

/* ---- directory ------------------------------------------------------------------------------- */

/* Find the end record; NULL: none. A comment may contain the magic, so its length must match the size. */
static const uint8_t *
find_end(const uint8_t *data, uint64_t size)
{
	uint64_t most = size < END_BYTES + COMMENT_MOST ? size : END_BYTES + COMMENT_MOST;

	for (uint64_t back = END_BYTES; back <= most; back++) {
		const uint8_t *p = data + size - back;

		if (p[0] == 'P' && memcmp(p, "PK\5\6", 4) == 0 && END_BYTES + (uint64_t)le16(p + 20) == back)
			return p;
	}
	return NULL;
}

bool
zip_is(const uint8_t *data, uint64_t size)
{
	const uint8_t *end;

	if (size >= LOCAL_BYTES && memcmp(data, "PK\3\4", 4) == 0)
		return true;
	end = size < END_BYTES ? NULL : find_end(data, size);
	/* A program may precede the archive: then the directory must be directly before the end record. */
	return end != NULL && le16(end + 10) > 0 && le32(end + 12) <= (uint64_t)(end - data) &&
	    memcmp(end - le32(end + 12), "PK\1\2", 4) == 0;
}

bool
zip_read_end(struct zip *z)
{
	const uint8_t *end = find_end(z->data, z->size), *p;
	uint64_t at, offset, bytes;

	if (end == NULL)
		return false;
	at = (uint64_t)(end - z->data);
	z->entries = le16(end + 10);
	bytes = le32(end + 12);
	offset = le32(end + 16);
	if ((z->entries == 0xffff || bytes == UINT32_MAX || offset == UINT32_MAX) && at >= 20 &&
	    memcmp(end - 20, "PK\6\7", 4) == 0) {
		/*
		 * A program may precede the archive and shift all offsets: the zip64 end record is read directly
		 * before its locator.
		 */
		if (at < 76 || memcmp(end - 76, "PK\6\6", 4) != 0)
			return false;
		p = end - 76;
		at -= 76;
		z->entries = le64(p + 32);
		bytes = le64(p + 40);
		offset = le64(p + 48);
	}
	if (bytes > at || offset > at - bytes)
		return false;
	z->prefix = at - bytes - offset;
	z->dir = at - bytes;
	z->end = at;
	return true;
}

/* 64-bit sizes and offsets in the extra field of the entry. */
static void
read_extra(struct zip_entry *e, const uint8_t *p, uint64_t n)
{
	uint64_t *const wide[] = { &e->size, &e->packed, &e->at };

	for (; n >= 4; ) {
		uint64_t length = le16(p + 2);

		p += 4;
		n -= 4;
		if (length > n)
			return;
		if (le16(p - 4) == 1)
			for (size_t i = 0, k = 0; i < NELEM(wide); i++)
				if (*wide[i] == UINT32_MAX && k + 8 <= length) {
					*wide[i] = le64(p + k);
					k += 8;
				}
		p += length;
		n -= length;
	}
}

/* Read the entry at *at of the directory and advance *at. */
bool
zip_read_central(const struct zip *z, uint64_t *at, struct zip_entry *e)
{
	const uint8_t *p = z->data + *at;
	uint64_t left = z->end - *at, name, extra, all;

	if (left < CENTRAL_BYTES || memcmp(p, "PK\1\2", 4) != 0)
		return false;
	name = le16(p + 28);
	extra = le16(p + 30);
	all = CENTRAL_BYTES + name + extra + le16(p + 32);
	if (all > left)
		return false;
	*e = (struct zip_entry){ .name = { (const char *)p + CENTRAL_BYTES, name }, .flags = le16(p + 8),
	    .method = le16(p + 10),
	    .crc = le32(p + 16), .packed = le32(p + 20), .size = le32(p + 24), .at = le32(p + 42) };
	read_extra(e, p + CENTRAL_BYTES + name, extra);
	*at += all;
	return true;
}

/* ---- data of an entry ------------------------------------------------------------------------- */

/* Find the data of an entry, after its local header, which has a variable length. */
bool
zip_data_of(const struct zip *z, const struct zip_entry *e, const uint8_t **data)
{
	const uint8_t *p;
	uint64_t at;

	if (e->at > z->size - z->prefix || z->size - z->prefix - e->at < LOCAL_BYTES)
		return false;
	at = z->prefix + e->at;
	p = z->data + at;
	if (memcmp(p, "PK\3\4", 4) != 0)
		return false;
	at += LOCAL_BYTES + (uint64_t)le16(p + 26) + le16(p + 28);
	if (at > z->size || e->packed > z->size - at)
		return false;
	*data = z->data + at;
	return true;
}

bool
zip_count(struct zip *z, enum bundle_count what)
{
	z->b->count[what]++;
	return false;
}

bool
zip_unpack(struct zip *z, const struct zip_entry *e, const uint8_t *data, struct str *bytes, uint8_t **own)
{
	struct bundle *b = z->b;
	uint64_t left = b->budget - b->inflated, n = e->packed;
	struct inflated out = { .n = 0 };
	bool whole;

	*own = NULL;
	if (e->flags & 1)
		return zip_count(z, BUNDLE_ENCRYPTED);
	if (e->method != 0 && e->method != 8)
		return zip_count(z, BUNDLE_METHOD);
	if (e->size > ENTRY_MOST || e->size > left)
		return zip_count(z, BUNDLE_BOUNDS);
	*bytes = (struct str){ (const char *)data, (size_t)n };
	if (e->method == 8) {
		/* Deflate expands at most 1032:1, so a larger claimed size is false. */
		if (e->size / 1032 > e->packed + 1)
			return zip_count(z, BUNDLE_BOUNDS);
		whole = inflate_all((struct str){ (const char *)data, (size_t)e->packed }, INFLATE_RAW, (size_t)e->size,
		    (size_t)e->size, &out);
		*own = out.data;
		n = out.n;
		if (!whole)
			return zip_count(z, BUNDLE_CHECKSUM);
		*bytes = (struct str){ (const char *)*own, (size_t)n };
	}
	b->inflated += n;
	if (n != e->size || crc32(0, (const Bytef *)bytes->s, (uInt)n) != e->crc)
		return zip_count(z, BUNDLE_CHECKSUM);
	return true;
}
