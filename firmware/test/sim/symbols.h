/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions and variables of an ELF file, by name and by address. */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	const char *name;
	uint64_t at;		/* of the AVR's RAM: 0x800000 + data address */
	uint64_t size;
	bool function;
};

struct symbols {
	struct symbol *list;	/* by address; of equal ones those with a size first */
	size_t count;
	void *elf;		/* libelf's, it contains the names */
	int fd;
};

/* false: no ELF file, or one without symbols. */
bool symbols_read(struct symbols *symbols, const char *path);
void symbols_free(struct symbols *symbols);
/* The first of that name between two addresses; NULL: none. */
const struct symbol *symbols_named(const struct symbols *symbols, const char *name, uint64_t from, uint64_t to);

#endif
