/*
 * elf: whether an ELF file is an oat: what dex2oat makes has the dynamic symbol oatdata.
 */
#include "config.h"

#include <string.h>

#include "decode.h"
#include "icecore/bytes.h"

#define TABLES 4096u	/* sections or segments that are looked at */
#define SYMBOLS 65536u	/* of one table; an oat has about ten */

enum { SECTION_DYNSYM = 11, SEGMENT_LOAD = 1, SEGMENT_DYNAMIC = 2, DYNAMIC_STRTAB = 5, DYNAMIC_SYMTAB = 6 };

/* Little-endian ones, of 32 or 64 bits. */
struct elf {
	const uint8_t	*p;
	uint64_t	 size;
	bool		 wide;
};

struct elf_table {
	uint64_t	at, n;
	unsigned	entry;		/* bytes of one */
};

static bool
has(const struct elf *e, uint64_t at, uint64_t n)
{
	return at <= e->size && n <= e->size - at;
}

/* A number that has the width of the file; what does not lie in it is 0. */
static uint64_t
word(const struct elf *e, uint64_t at)
{
	return !has(e, at, e->wide ? 8 : 4) ? 0 : e->wide ? le64(e->p + at) : le32(e->p + at);
}

static uint32_t
half(const struct elf *e, uint64_t at)
{
	return has(e, at, 4) ? le32(e->p + at) : 0;
}

/* Its tables of sections (at 32 or 40, count at 48 or 60) and of segments (28 or 32, 44 or 56). */
static struct elf_table
table(const struct elf *e, bool sections)
{
	uint64_t count = sections ? (e->wide ? 60 : 48) : (e->wide ? 56 : 44);
	struct elf_table t = { .at = word(e, sections ? (e->wide ? 40 : 32) : (e->wide ? 32 : 28)),
	    .entry = sections ? (e->wide ? 64 : 40) : (e->wide ? 56 : 32) };

	t.n = has(e, count, 2) ? le16(e->p + count) : 0;
	t.n = t.n < TABLES ? t.n : TABLES;
	while (t.n > 0 && !has(e, t.at, t.n * t.entry))
		t.n /= 2;
	return t;
}

static bool
has_oatdata(const struct elf *e, uint64_t symbols, uint64_t n, uint64_t names)
{
	static const char name[] = "oatdata";
	unsigned entry = e->wide ? 24 : 16;
	uint64_t at;

	for (uint64_t i = 0; i < n && i < SYMBOLS && has(e, symbols, (i + 1) * entry); i++) {
		at = half(e, symbols + i * entry);
		if (has(e, names, at + sizeof name) && memcmp(e->p + names + at, name, sizeof name) == 0)
			return true;
	}
	return false;
}

/* Where an address lies in the file; 0: nowhere. */
static uint64_t
offset_of(const struct elf *e, uint64_t address)
{
	struct elf_table t = table(e, false);
	uint64_t from, at;

	for (uint64_t i = 0; i < t.n; i++) {
		at = t.at + i * t.entry;
		from = word(e, at + (e->wide ? 16 : 8));
		if (half(e, at) == SEGMENT_LOAD && address >= from && address - from < word(e, at + (e->wide ? 32 : 16)))
			return num_add(word(e, at + (e->wide ? 8 : 4)), address - from);
	}
	return 0;
}

static bool
look_at_sections(const struct elf *e)
{
	struct elf_table t = table(e, true);
	uint64_t at, link;

	for (uint64_t i = 0; i < t.n; i++) {
		at = t.at + i * t.entry;
		link = half(e, at + (e->wide ? 40 : 24));
		if (half(e, at + 4) == SECTION_DYNSYM && link < t.n &&
		    has_oatdata(e, word(e, at + (e->wide ? 24 : 16)), word(e, at + (e->wide ? 32 : 20)) / (e->wide ? 24 : 16),
		    word(e, t.at + link * t.entry + (e->wide ? 24 : 16))))
			return true;
	}
	return false;
}

/* Of a file without sections; its symbols end where their names begin. */
static bool
look_at_segments(const struct elf *e)
{
	struct elf_table t = table(e, false);
	unsigned width = e->wide ? 8 : 4;
	uint64_t at, n, symbols = 0, names = 0;

	for (uint64_t i = 0; i < t.n; i++) {
		if (half(e, t.at + i * t.entry) != SEGMENT_DYNAMIC)
			continue;
		at = word(e, t.at + i * t.entry + (e->wide ? 8 : 4));
		n = word(e, t.at + i * t.entry + (e->wide ? 32 : 16)) / (2 * width);
		for (uint64_t k = 0; k < n && k < TABLES && has(e, at, (k + 1) * 2 * width); k++) {
			if (word(e, at + k * 2 * width) == DYNAMIC_SYMTAB)
				symbols = offset_of(e, word(e, at + k * 2 * width + width));
			if (word(e, at + k * 2 * width) == DYNAMIC_STRTAB)
				names = offset_of(e, word(e, at + k * 2 * width + width));
		}
	}
	return symbols != 0 && names > symbols && has_oatdata(e, symbols, (names - symbols) / (e->wide ? 24 : 16), names);
}

bool
elf_is_oat(const uint8_t *p, uint64_t n)
{
	struct elf e = { .p = p, .size = n };

	if (n < 52 || memcmp(p, "\x7f" "ELF", 4) != 0 || p[5] != 1 || (p[4] != 1 && p[4] != 2))
		return false;
	e.wide = p[4] == 2;
	return look_at_sections(&e) || look_at_segments(&e);
}
