/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of an ELF file, by address.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/make.h"
#include "native_room.h"

enum { TYPE_NONE = 0, TYPE_FUNCTION = 2, TYPE_CHOSEN = 10, BIND_GLOBAL = 1, BIND_WEAK = 2 };
#define LAST_MOST 4096u		/* bytes of the last function if its size is unknown */

/* Rank names of one address; the lowest wins: global before weak before local, then no leading underscore. */
static uint32_t
functions_rank_of(const struct elf_symbol *y)
{
	return (y->bind == BIND_GLOBAL ? 0u : y->bind == BIND_WEAK ? 2u : 4u) + (y->name.s[0] == '_');
}

static int
by_value(const void *x, const void *y)
{
	const struct native_function *a = x, *b = y;
	int order = num_order(a->value, b->value, 0);

	order = order != 0 ? order : num_order(a->rank, b->rank, 0);
	order = order != 0 ? order : -num_order(a->size, b->size, 0);
	return order != 0 ? order : num_order(a->symbol, b->symbol, 0);
}

static bool
read_kind(struct native_functions *f, const struct elf *e, enum elf_symbol_kind kind, struct work *w,
    struct err *err)
{
	if (!elf_symbols(e, kind, &f->symbols))
		return true;
	for (uint64_t i = 0; i < f->symbols.table.n; i++) {
		struct elf_symbol y = elf_symbol(e, &f->symbols, i);
		struct native_function new = { y.value, y.size, i, 0 };

		if (i % 65536 == 0 && !work_tick(w, i))
			return fail_cancel(err);
		if (!y.defined || y.name.n == 0 ||
		    (y.type != TYPE_FUNCTION && y.type != TYPE_CHOSEN &&
		    (y.type != TYPE_NONE || y.size == 0)))
			continue;
		new.rank = functions_rank_of(&y);
		if (!make_add(&f->rows, &f->n, &new, sizeof new, MAKE_MOST, "functions", err))
			return false;
	}
	return true;
}

bool
functions_read(struct native_functions *f, const struct elf *e, struct work *w, struct err *err)
{
	struct native_function *row;
	uint64_t n = 0;

	f->n = 0;
	f->base = elf_base(e);
	if (!read_kind(f, e, ELF_SYMTAB, w, err) || (f->n == 0 && !read_kind(f, e, ELF_DYNSYM, w, err)))
		return false;
	if (f->n == 0)
		return true;
	row = SCRATCH(f->rows, struct native_function);
	qsort(row, f->n, sizeof *row, by_value);
	for (uint64_t i = 0; i < f->n; i++)
		if (n == 0 || row[n - 1].value != row[i].value)
			row[n++] = row[i];
	f->n = n;
	return true;
}

struct str
functions_at(const struct native_functions *f, const struct elf *e, uint64_t address)
{
	const struct native_function *row = SCRATCH(f->rows, struct native_function);
	uint64_t low = 0, high = f->n, end;

	address = num_add(address, f->base);
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (row[middle].value <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return STR("");
	row += low - 1;
	end = row->size > 0 ? num_add(row->value, row->size) : low < f->n ? row[1].value :
	    num_add(row->value, LAST_MOST);
	return address < end ? elf_symbol(e, &f->symbols, row->symbol).name : STR("");
}

void
functions_free(struct native_functions *f)
{
	scratch_free(&f->rows);
	f->n = 0;
}
