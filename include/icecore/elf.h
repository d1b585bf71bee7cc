/*
 * elf: reads ELF files in memory, of 32 and 64 bits and of both byte orders.  Every offset is checked: a number outside of the file reads
 * as 0, a table outside of it as empty.  Source of the format: elf(5).
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
	unsigned	entry;		/* bytes of one */
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

/* False: it is not an ELF file. */
bool	elf_open(struct elf *, const uint8_t *, uint64_t n);
/* Read a number of 16 bits, of 32 bits, or of the width of the file. */
uint32_t elf_half(const struct elf *, uint64_t at);
uint32_t elf_word(const struct elf *, uint64_t at);
uint64_t elf_long(const struct elf *, uint64_t at);
bool	elf_has(const struct elf *, uint64_t at, uint64_t n);
struct elf_table elf_sections(const struct elf *);
struct elf_table elf_segments(const struct elf *);
/* The offset in the file of a loaded address; 0: it is in no segment. */
uint64_t elf_offset(const struct elf *, uint64_t address);
/* The lowest address that is loaded. */
uint64_t elf_base(const struct elf *);
/* The bytes of the GNU build id; empty: it has none. */
struct str elf_build_id(const struct elf *);
/* The name in section .gnu_debuglink; empty: there is none. */
struct str elf_debuglink(const struct elf *);
/* False: there is no such table with a symbol in it. */
bool	elf_symbols(const struct elf *, enum elf_symbol_kind, struct elf_symbols *);
struct elf_symbol elf_symbol(const struct elf *, const struct elf_symbols *, uint64_t i);

#endif
