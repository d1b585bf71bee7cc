/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "indexfile.h"
#include "store/inside.h"

#define DIR_ENTRY sizeof(struct index_dir)

static uint64_t
get64(const uint8_t *s)
{
	uint64_t v;

	memcpy(&v, s, sizeof v);
	return v;
}

static void
put64(uint8_t *s, uint64_t v)
{
	memcpy(s, &v, sizeof v);
}

/* The number of bytes of the column of a directory entry; 0: none in the file. */
static uint64_t
column_bytes(size_t n, const uint8_t *entry)
{
	uint64_t rows = get64(entry + 56), offset = get64(entry + 64), width;
	uint32_t type;

	memcpy(&type, entry + 48, sizeof type);
	if (type > COL_BYTES || offset > n)
		return 0;
	width = column_width((enum column_type)type);
	return rows <= (n - offset) / width ? rows * width : 0;
}

static bool
is_facts(const uint8_t *entry)
{
	return memcmp(entry, FACTS_COLUMN, sizeof FACTS_COLUMN) == 0;
}

/* Its sums, one for each mebibyte, but of facts one in all. */
static uint64_t
sums(size_t n, const uint8_t *entry)
{
	return is_facts(entry) ? 1 : chunks_of(column_bytes(n, entry));
}

static uint8_t *
put_sums(const uint8_t *s, size_t n, const uint8_t *entry, uint8_t *to)
{
	uint64_t left = column_bytes(n, entry), offset = get64(entry + 64), size;

	for (uint64_t i = sums(n, entry); i > 0; i--, to += 8) {
		size = is_facts(entry) || left < 1u << 20 ? left : 1u << 20;
		/* Sums of the bytes that contain them cannot be right. */
		put64(to, hash_bytes(s + (left == 0 ? 0 : offset), size, 0));
		offset += size;
		left -= size;
	}
	return to;
}

/* As many entries of those in the header as fit together with their sums, which follow them. */
void
index_put_right(uint8_t *s, size_t n, const uint8_t *header)
{
	uint64_t dir, room, need_bytes = 0;
	uint32_t columns = 0, most;
	uint8_t *to;

	if (n < INDEX_PAGE)
		return;
	memcpy(s, header, 20);
	memcpy(s + 24, header + 24, 40);
	memcpy(&most, s + 20, sizeof most);
	dir = get64(s + 64);
	if (dir >= INDEX_PAGE && dir <= n) {
		for (room = n - dir; columns < most && room - columns * DIR_ENTRY >= DIR_ENTRY; columns++) {
			need_bytes += DIR_ENTRY + 8 * sums(n, s + dir + columns * DIR_ENTRY);
			if (need_bytes > room)
				break;
		}
		to = s + dir + columns * DIR_ENTRY;
		for (uint32_t i = 0; i < columns; i++)
			to = put_sums(s, n, s + dir + i * DIR_ENTRY, to);
		memcpy(s + 20, &columns, sizeof columns);
		put64(s + 80, (uint64_t)(to - s));
		put64(s + 72, hash_bytes(s + dir, (uint64_t)(to - s) - dir, 0));
	}
	put64(s + 88, hash_bytes(s, 88, 0));
}
