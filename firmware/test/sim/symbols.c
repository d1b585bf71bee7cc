/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols of an ELF file through libelf, whatever its class: the AVR's and the PC's. */
#include "symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wanted(const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF && sym->st_name != 0 &&
	    (type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC);
}

static void take(struct symbols *symbols, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = header->sh_entsize == 0 ? 0 : header->sh_size / header->sh_entsize;
	GElf_Sym sym;

	free(symbols->list);
	symbols->list = calloc(n + 1, sizeof symbols->list[0]);
	symbols->count = 0;
	for (size_t i = 0; symbols->list != NULL && i < n; i++) {
		if (gelf_getsym(data, (int)i, &sym) == NULL || !wanted(&sym))
			continue;
		symbols->list[symbols->count++] = (struct symbol){
			.name = elf_strptr(symbols->elf, header->sh_link, sym.st_name),
			.at = sym.st_value,
			.size = sym.st_size,
			.function = GELF_ST_TYPE(sym.st_info) == STT_FUNC,
		};
	}
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *one = a, *other = b;

	if (one->at != other->at)
		return one->at < other->at ? -1 : 1;
	return (one->size < other->size) - (one->size > other->size);
}

bool symbols_read(struct symbols *symbols, const char *path)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	memset(symbols, 0, sizeof *symbols);
	if (elf_version(EV_CURRENT) == EV_NONE || (symbols->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	symbols->elf = elf_begin(symbols->fd, ELF_C_READ, NULL);
	while ((section = elf_nextscn(symbols->elf, section)) != NULL) {
		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB)
			take(symbols, section, &header);
	}
	if (symbols->count == 0) {
		symbols_free(symbols);
		return false;
	}
	qsort(symbols->list, symbols->count, sizeof symbols->list[0], by_address);
	return true;
}

void symbols_free(struct symbols *symbols)
{
	free(symbols->list);
	symbols->list = NULL;
	symbols->count = 0;
	elf_end(symbols->elf);
	if (symbols->fd >= 0)
		close(symbols->fd);
	symbols->fd = -1;
}

const struct symbol *symbols_named(const struct symbols *symbols, const char *name, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < symbols->count; i++) {
		const struct symbol *symbol = &symbols->list[i];

		if (symbol->at >= from && symbol->at < to && strcmp(symbol->name, name) == 0)
			return symbol;
	}
	return NULL;
}
