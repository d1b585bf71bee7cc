/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elf: detect oat files: dex2oat adds the dynamic symbol oatdata.
 */
#include "config.h"

#include <string.h>

#include "decode.h"
#include "icecore/elf.h"

#define SYMBOLS 65536u	/* entries of a table; an oat file has about ten */
#define DYNAMIC 4096u	/* maximum entries of a segment */

enum { SEGMENT_DYNAMIC = 2, DYNAMIC_STRTAB = 5, DYNAMIC_SYMTAB = 6 };

static bool
has_oatdata(const struct elf *e, const struct elf_symbols *s)
{
	for (uint64_t i = 0; i < s->table.n && i < SYMBOLS; i++)
		if (str_eq(elf_symbol(e, s, i).name, STR("oatdata")))
			return true;
	return false;
}

/* Find the symbols of a file without sections. The symbol table ends where the name table begins. */
static bool
find_symbols(const struct elf *e, struct elf_symbols *s)
{
	struct elf_table t = elf_segments(e);
	unsigned width = e->wide ? 8 : 4;
	uint64_t at, n, symbols = 0, names = 0;

	for (uint64_t i = 0; i < t.n; i++) {
		if (elf_word(e, t.at + i * t.entry) != SEGMENT_DYNAMIC)
			continue;
		at = elf_long(e, t.at + i * t.entry + (e->wide ? 8 : 4));
		n = elf_long(e, t.at + i * t.entry + (e->wide ? 32 : 16)) / (2 * width);
		for (uint64_t k = 0; k < n && k < DYNAMIC && elf_has(e, at, (k + 1) * 2 * width); k++) {
			if (elf_long(e, at + k * 2 * width) == DYNAMIC_SYMTAB)
				symbols = elf_offset(e, elf_long(e, at + k * 2 * width + width));
			if (elf_long(e, at + k * 2 * width) == DYNAMIC_STRTAB)
				names = elf_offset(e, elf_long(e, at + k * 2 * width + width));
		}
	}
	if (symbols == 0 || names <= symbols || names >= e->size)
		return false;
	*s = (struct elf_symbols){ { symbols, (names - symbols) / (e->wide ? 24 : 16), e->wide ? 24 : 16 },
	    names, e->size - names };
	return true;
}

bool
elf_is_oat(const uint8_t *p, uint64_t n)
{
	struct elf_symbols s;
	struct elf e;

	return elf_open(&e, p, n) && ((elf_symbols(&e, ELF_DYNSYM, &s) && has_oatdata(&e, &s)) ||
	    (find_symbols(&e, &s) && has_oatdata(&e, &s)));
}
