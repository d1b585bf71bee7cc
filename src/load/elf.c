/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elf: identify ELF files, and read their function symbols.
 */
#include "config.h"

#include <string.h>

#include "icecore/bytes.h"
#include "icecore/elf.h"

#define TABLES 4096u	/* maximum number of sections or segments */

enum { SECTION_NOTE = 7, SEGMENT_LOAD = 1, SEGMENT_NOTE = 4, NOTE_BUILD_ID = 3, MACHINE_ARM = 40,
    SHORT_HEAD = 52, LONG_HEAD = 64 };

bool
elf_open(struct elf *e, const uint8_t *p, uint64_t n)
{
	if (n < SHORT_HEAD || memcmp(p, "\x7f" "ELF", 4) != 0 || (p[4] != 1 && p[4] != 2) || (p[5] != 1 && p[5] != 2))
		return false;
	*e = (struct elf){ .p = p, .size = n, .wide = p[4] == 2, .big = p[5] == 2 };
	return !e->wide || n >= LONG_HEAD;
}

bool
elf_has(const struct elf *e, uint64_t at, uint64_t n)
{
	return at <= e->size && n <= e->size - at;
}

static uint32_t
elf_half(const struct elf *e, uint64_t at)
{
	return !elf_has(e, at, 2) ? 0 : e->big ? (uint32_t)e->p[at] << 8 | e->p[at + 1] : le16(e->p + at);
}

uint32_t
elf_word(const struct elf *e, uint64_t at)
{
	return !elf_has(e, at, 4) ? 0 : e->big ? be32(e->p + at) : le32(e->p + at);
}

uint64_t
elf_long(const struct elf *e, uint64_t at)
{
	if (!e->wide)
		return elf_word(e, at);
	return !elf_has(e, at, 8) ? 0 : e->big ? be64(e->p + at) : le64(e->p + at);
}

/* Read offset and count of a table from the header; halve the count until the table fits the file. */
static struct elf_table
table_at(const struct elf *e, uint64_t place, uint64_t count, unsigned entry)
{
	struct elf_table t = { .at = elf_long(e, place), .n = elf_half(e, count), .entry = entry };

	t.n = t.n < TABLES ? t.n : TABLES;
	while (t.n > 0 && !elf_has(e, t.at, t.n * t.entry))
		t.n /= 2;
	return t;
}

static struct elf_table
elf_sections(const struct elf *e)
{
	return e->wide ? table_at(e, 40, 60, 64) : table_at(e, 32, 48, 40);
}

struct elf_table
elf_segments(const struct elf *e)
{
	return e->wide ? table_at(e, 32, 56, 56) : table_at(e, 28, 44, 32);
}

/* Offset and size of a part of the file, in bytes. */
struct part {
	uint64_t	at, size;
};

static struct part
section_part(const struct elf *e, uint64_t header)
{
	struct part p = { elf_long(e, header + (e->wide ? 24 : 16)), elf_long(e, header + (e->wide ? 32 : 20)) };

	return elf_has(e, p.at, p.size) ? p : (struct part){ 0, 0 };
}

static struct part
segment_part(const struct elf *e, uint64_t header)
{
	struct part p = { elf_long(e, header + (e->wide ? 8 : 4)), elf_long(e, header + (e->wide ? 32 : 16)) };

	return elf_has(e, p.at, p.size) ? p : (struct part){ 0, 0 };
}

static uint64_t
segment_address(const struct elf *e, uint64_t header)
{
	return elf_long(e, header + (e->wide ? 16 : 8));
}

uint64_t
elf_offset(const struct elf *e, uint64_t address)
{
	struct elf_table t = elf_segments(e);

	for (uint64_t i = 0; i < t.n; i++) {
		uint64_t at = t.at + i * t.entry, from = segment_address(e, at);

		if (elf_word(e, at) == SEGMENT_LOAD && address >= from &&
		    address - from < elf_long(e, at + (e->wide ? 32 : 16)))
			return num_add(elf_long(e, at + (e->wide ? 8 : 4)), address - from);
	}
	return 0;
}

uint64_t
elf_base(const struct elf *e)
{
	struct elf_table t = elf_segments(e);
	uint64_t base = UINT64_MAX;

	for (uint64_t i = 0; i < t.n; i++) {
		uint64_t at = t.at + i * t.entry, from = segment_address(e, at);

		if (elf_word(e, at) == SEGMENT_LOAD && from < base)
			base = from;
	}
	return base == UINT64_MAX ? 0 : base;
}

/* ---- notes ---------------------------------------------------------------------------------- */

/* Sizes of the name and the contents, the type, then both, each padded to a multiple of 4. */
static struct str
id_in(const struct elf *e, struct part p)
{
	uint64_t name, size, at = p.at, end = p.at + p.size;

	while (end - at >= 12) {
		name = elf_word(e, at);
		size = elf_word(e, at + 4);
		name += -name & 3;
		if (name > end - at - 12 || size > end - at - 12 - name)
			break;
		if (elf_word(e, at + 8) == NOTE_BUILD_ID && elf_word(e, at) == 4 &&
		    memcmp(e->p + at + 12, "GNU", 4) == 0)
			return (struct str){ (const char *)e->p + at + 12 + name, size };
		size += -size & 3;
		if (size > end - at - 12 - name)
			break;
		at += 12 + name + size;
	}
	return STR("");
}

struct str
elf_build_id(const struct elf *e)
{
	struct elf_table t = elf_segments(e);
	struct str id = STR("");

	for (uint64_t i = 0; id.n == 0 && i < t.n; i++)
		if (elf_word(e, t.at + i * t.entry) == SEGMENT_NOTE)
			id = id_in(e, segment_part(e, t.at + i * t.entry));
	t = elf_sections(e);
	for (uint64_t i = 0; id.n == 0 && i < t.n; i++)
		if (elf_word(e, t.at + i * t.entry + 4) == SECTION_NOTE)
			id = id_in(e, section_part(e, t.at + i * t.entry));
	return id;
}

/* ---- sections by name ------------------------------------------------------------------------- */

/* Return a NUL-terminated name of a string table; empty: out of range. */
static struct str
elf_name_at(const struct elf *e, uint64_t names, uint64_t size, uint64_t at)
{
	const char *s = (const char *)e->p + names + at, *end;

	if (at >= size || (end = memchr(s, '\0', size - at)) == NULL)
		return STR("");
	return (struct str){ s, (size_t)(end - s) };
}

struct str
elf_debuglink(const struct elf *e)
{
	struct elf_table t = elf_sections(e);
	uint64_t row = elf_half(e, e->wide ? 62 : 50);
	struct part names = row < t.n ? section_part(e, t.at + row * t.entry) : (struct part){ 0, 0 }, link;

	for (uint64_t i = 0; i < t.n; i++) {
		if (!str_eq(elf_name_at(e, names.at, names.size, elf_word(e, t.at + i * t.entry)),
		    STR(".gnu_debuglink")))
			continue;
		link = section_part(e, t.at + i * t.entry);
		return elf_name_at(e, link.at, link.size, 0);
	}
	return STR("");
}

/* ---- symbols ------------------------------------------------------------------------------------ */

bool
elf_symbols(const struct elf *e, enum elf_symbol_kind kind, struct elf_symbols *s)
{
	struct elf_table t = elf_sections(e);
	struct part part, names;
	uint64_t at, link;

	for (uint64_t i = 0; i < t.n; i++) {
		at = t.at + i * t.entry;
		link = elf_word(e, at + (e->wide ? 40 : 24));
		if (elf_word(e, at + 4) != (uint32_t)kind || link >= t.n)
			continue;
		part = section_part(e, at);
		names = section_part(e, t.at + link * t.entry);
		s->table = (struct elf_table){ part.at, part.size / (e->wide ? 24 : 16), e->wide ? 24 : 16 };
		s->names = names.at;
		s->size = names.size;
		if (s->table.n > 0 && names.size > 0)
			return true;
	}
	return false;
}

struct elf_symbol
elf_symbol(const struct elf *e, const struct elf_symbols *s, uint64_t i)
{
	uint64_t at = s->table.at + i * s->table.entry, info = at + (e->wide ? 4 : 12);
	struct elf_symbol y = { .type = 0 };

	if (i >= s->table.n || !elf_has(e, at, s->table.entry))
		return y;
	y.name = elf_name_at(e, s->names, s->size, elf_word(e, at));
	y.value = elf_long(e, at + (e->wide ? 8 : 4));
	y.size = elf_long(e, at + (e->wide ? 16 : 8));
	y.type = e->p[info] & 15;
	y.bind = e->p[info] >> 4;
	y.defined = elf_half(e, info + 2) != 0;
	/* Bit 0 of a function address selects the Thumb instruction set. */
	if (elf_half(e, 18) == MACHINE_ARM)
		y.value &= ~(uint64_t)1;
	return y;
}
