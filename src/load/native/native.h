/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * native: names for native code addresses in a profile, from the ELF files that it names and the .syms.json
 * that samply writes beside it. load_symbols (icecore/load.h) opens these files before the sandbox starts;
 * this code reads them. A file with another build id than in the profile provides no names.
 */
#ifndef LOAD_NATIVE_H
#define LOAD_NATIVE_H

#include "icecore/os.h"

struct work;

/*
 * A function at an address; source file and line may be unknown (line 0). The texts are valid until the next
 * call.
 */
struct native_frame {
	struct str	name, file;
	uint64_t	line;
};

struct native_names;

/* Return whether load_symbols found a file with names for that profile. */
bool	native_has_names(const struct map *profile);
/* Open the names for a profile given to load_symbols; NULL: it was not given, or out of memory. */
struct native_names *native_names_open(const struct map *profile, struct work *);
void	native_names_close(struct native_names *);
/*
 * Get the functions at an address of a library, outermost first; *n 0: no name. lib: row of the profile's
 * list of libraries; address: relative to the library's lowest address. False: failure.
 */
bool	native_names_at(struct native_names *, uint64_t lib, uint64_t address, const struct native_frame **,
	    size_t *n, struct err *) MUST_USE;
/* Return the number of distinct addresses, and of those with names. */
void	native_names_count(const struct native_names *, uint64_t *asked, uint64_t *named);
/* For example "13 of 15 addresses (burn: .symtab 13; libc.so.6: no file)". */
void	native_names_tell(const struct native_names *, struct buf *);

#endif
