/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elf: read ELF files in memory, with 32 or 64 bits and either byte order.  Every offset is checked: a
 * number outside the file reads as 0, and a table outside the file is empty.  Source of the format: elf(5).
 */
#ifndef ICECORE_ELF_H
#define ICECORE_ELF_H

#include "icecore/base.h"
#include "icecore/str.h"

struct elf {
	const uint8_t	*p;
	uint64_t	 size;
	bool		 wide, big;	/* 64 bits; high byte first */
};

struct elf_table {
	uint64_t	at, n;
	unsigned	entry;		/* bytes per entry */
};

/* Symbols of a table, and the text with their names. */
struct elf_symbols {
	struct elf_table table;
	uint64_t	 names, size;
};

struct elf_symbol {
	struct str	name;		/* in the file */
	uint64_t	value, size;
	uint8_t		type, bind;	/* STT_..., STB_... */
	bool		defined;
};

enum elf_symbol_kind { ELF_SYMTAB = 2, ELF_DYNSYM = 11 };	/* types of sections */

/* False: not an ELF file. */
bool	elf_open(struct elf *, const uint8_t *, uint64_t n);
/* Read a number of 32 bits, or of the width of the file. */
uint32_t elf_word(const struct elf *, uint64_t at);
uint64_t elf_long(const struct elf *, uint64_t at);
bool	elf_has(const struct elf *, uint64_t at, uint64_t n);
struct elf_table elf_segments(const struct elf *);
/* The file offset of a loaded address; 0: the address is in no segment. */
uint64_t elf_offset(const struct elf *, uint64_t address);
/* The lowest address that is loaded. */
uint64_t elf_base(const struct elf *);
/* The bytes of the GNU build id; empty: none. */
struct str elf_build_id(const struct elf *);
/* The name in section .gnu_debuglink; empty: none. */
struct str elf_debuglink(const struct elf *);
/* False: no such table, or it has no symbols. */
bool	elf_symbols(const struct elf *, enum elf_symbol_kind, struct elf_symbols *);
struct elf_symbol elf_symbol(const struct elf *, const struct elf_symbols *, uint64_t i);

#endif
