/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names for addresses: from the symbol file beside the profile, otherwise from the library's ELF file.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/make.h"
#include "icecore/policy.h"
#include "native_room.h"

#define MAPS 8u			/* maximum number of mapped ELF files */
#define SHOWN_MOST 8u		/* number of libraries named by native_names_tell */

struct library {
	const struct native_file *file;
	struct native_functions functions;
	uint32_t	 side;		/* 1 + row in the symbol file's libraries; 0: not in it */
	uint64_t	 asked, named;	/* distinct addresses */
	bool		 read;		/* functions were read */
};

struct elf_map {
	struct map	map;
	uint64_t	library;	/* 1 + row; 0: nothing is mapped */
	/* Time of the last use: the least recently used map is unmapped first */
	uint64_t	used;
};

struct native_names {
	struct work	*work;
	struct library	*library;
	uint64_t	 n, uses;
	struct sidecar	*side;
	struct elf_map	 opened[MAPS];
	struct idmap	 seen;		/* addresses already counted */
	struct native_frame frame;	/* library of an ELF file */
};

struct native_names *
native_names_open(const struct map *profile, struct work *w)
{
	const struct native_files *files = native_files_of(profile);
	struct native_names *n = files == NULL ? NULL : mem_array(1, sizeof *n);

	if (n == NULL)
		return NULL;
	n->work = w;
	n->library = mem_array(files->n + 1, sizeof *n->library);
	if (n->library == NULL) {
		free(n);
		return NULL;
	}
	n->n = files->n;
	n->side = files->sidecar < 0 ? NULL : sidecar_open(files->sidecar, w);
	for (uint64_t i = 0; i < n->n; i++) {
		n->library[i].file = &files->file[i];
		n->library[i].side = files->file[i].id[0] == '\0' ? 0 :
		    sidecar_library(n->side, files->file[i].id);
	}
	return n;
}

void
native_names_close(struct native_names *n)
{
	if (n == NULL)
		return;
	for (uint64_t i = 0; i < n->n; i++)
		functions_free(&n->library[i].functions);
	for (size_t i = 0; i < MAPS; i++)
		if (n->opened[i].library != 0)
			map_close(&n->opened[i].map);
	sidecar_close(n->side);
	idmap_free(&n->seen);
	free(n->library);
	free(n);
}

/* ---- ELF files ----------------------------------------------------------------------------------------- */

/* False: it cannot be mapped, or has been damaged since it was opened. */
static bool
elf_of(struct native_names *n, uint64_t lib, struct elf *e)
{
	struct elf_map *o = &n->opened[0];
	struct err err;

	for (size_t i = 0; i < MAPS; i++) {
		if (n->opened[i].library == lib + 1) {
			o = &n->opened[i];
			break;
		}
		if (n->opened[i].used < o->used)
			o = &n->opened[i];
	}
	o->used = ++n->uses;
	if (o->library != lib + 1) {
		if (o->library != 0)
			map_close(&o->map);
		o->library = map_open_fd(&o->map, n->library[lib].file->fd, POLICY_SYMBOLS, n->work, &err) ? lib + 1 :
		    0;
	}
	return o->library != 0 && elf_open(e, o->map.data, o->map.size) && !map_lost(&o->map);
}

static bool
ask_elf(struct native_names *n, uint64_t lib, uint64_t address, size_t *found, struct err *err)
{
	struct library *l = &n->library[lib];
	struct elf e;

	if (l->file->fd < 0 || !elf_of(n, lib, &e))
		return true;
	if (!l->read && !functions_read(&l->functions, &e, n->work, err))
		return false;
	l->read = true;
	n->frame = (struct native_frame){ .name = functions_at(&l->functions, &e, address) };
	*found = n->frame.name.n > 0;
	return true;
}

/* ---- all libraries -------------------------------------------------------------------------- */

static bool
count(struct native_names *n, uint64_t lib, uint64_t address, bool named, struct err *err)
{
	uint64_t key = idmap_hash(address ^ idmap_hash(lib + 1));

	if (idmap_get(&n->seen, key) != 0)
		return true;
	n->library[lib].asked++;
	n->library[lib].named += named;
	return idmap_put(&n->seen, key, 1, err);
}

bool
native_names_at(struct native_names *n, uint64_t lib, uint64_t address, const struct native_frame **frames,
    size_t *found, struct err *err)
{
	bool ok;

	*found = 0;
	if (lib >= n->n)
		return true;
	*frames = &n->frame;
	ok = n->library[lib].side != 0 ?
	    sidecar_at(n->side, n->library[lib].side, address, frames, found, err) :
	    ask_elf(n, lib, address, found, err);
	return ok && count(n, lib, address, *found > 0, err);
}

void
native_names_count(const struct native_names *n, uint64_t *asked, uint64_t *named)
{
	*asked = *named = 0;
	for (uint64_t i = 0; i < n->n; i++) {
		*asked += n->library[i].asked;
		*named += n->library[i].named;
	}
}

void
native_names_tell(const struct native_names *n, struct buf *b)
{
	static const char *const words[] = {
		[NATIVE_NO_FILE] = "no file", [NATIVE_REFUSED] = "not allowed by the policy",
		    [NATIVE_NOT_READABLE] = "not readable",
		    [NATIVE_NO_ID] = "no build id", [NATIVE_OTHER] = "another build",
		    [NATIVE_NO_SYMBOLS] = "no symbols", [NATIVE_SYMTAB] = ".symtab",
		    [NATIVE_DYNSYM] = ".dynsym", [NATIVE_DEBUGLINK] = "debug link",
		    [NATIVE_BUILD_ID] = "build id", [NATIVE_SIDECAR] = ".syms.json",
	};
	uint64_t asked, named, shown = 0;

	native_names_count(n, &asked, &named);
	buf_printf(b, "%llu of %llu addresses", (unsigned long long)named, (unsigned long long)asked);
	for (uint64_t i = 0; i < n->n; i++) {
		const struct library *l = &n->library[i];
		enum native_how how = l->side != 0 ? NATIVE_SIDECAR : l->file->how;

		if (l->asked == 0 || shown++ >= SHOWN_MOST)
			continue;
		buf_printf(b, "%s%s: %s", shown == 1 ? " (" : "; ", l->file->name, words[how]);
		if (how >= NATIVE_SYMTAB)
			buf_printf(b, " %llu", (unsigned long long)l->named);
	}
	if (shown > SHOWN_MOST)
		buf_printf(b, "; %llu more", (unsigned long long)(shown - SHOWN_MOST));
	if (shown > 0)
		buf_chr(b, ')');
}
