/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/load/native: declarations shared by its files.
 */
#ifndef LOAD_NATIVE_ROOM_H
#define LOAD_NATIVE_ROOM_H

#include "icecore/elf.h"
#include "icecore/json.h"
#include "icecore/sandbox.h"
#include "native.h"

/* ---- libraries.c: libraries in the head of a profile ---------------------------------------------- */

/* Texts without escapes. */
struct native_library {
	struct str	name, path, debug_path;
	struct str	code_id, breakpad_id;
};

#define LIBRARIES_MOST 4096u

#define LIBRARIES_PEEK 256u	/* number of first bytes that libraries_may_be_in needs */

/* The file begins like a JSON object, gzip-compressed or not. */
bool	libraries_may_be_in(struct str head);
/* Call take with each library of the profile whose first bytes these are, gzip-compressed or not. */
void	libraries_each(struct str head, void (*take)(void *to, const struct native_library *), void *to);

/* ---- native.c: files -------------------------------------------------------------------------------- */

/* Source of a library's names, or why it has none. */
enum native_how {
	NATIVE_NO_FILE, NATIVE_REFUSED, NATIVE_NOT_READABLE, NATIVE_NO_ID, NATIVE_OTHER, NATIVE_NO_SYMBOLS,
	NATIVE_SYMTAB, NATIVE_DYNSYM, NATIVE_DEBUGLINK, NATIVE_BUILD_ID, NATIVE_SIDECAR
};

#define NATIVE_ID 33		/* 32 digits and a NUL */

struct native_file {
	char		*name;
	char		 id[NATIVE_ID];	/* see native_id; empty: none */
	enum native_how	 how;
	int		 fd;		/* the ELF file with the symbols; -1: none */
};

/* Files found for a profile, which is identified by dev and ino. They are kept until the process ends. */
struct native_files {
	uint64_t	 dev, ino;
	struct native_file *file;
	size_t		 n;
	int		 sidecar;	/* -1: there is none */
};

const struct native_files *native_files_of(const struct map *profile);
/* Normalise a breakpad id: without age and hyphens, in upper case. False: incomplete; id is empty. */
bool	native_id(struct str text, char id[NATIVE_ID]);

/* ---- looks.c: ELF files, read by a confined child ------------------------------------------- */

/* A candidate ELF file: its build id in hex, its debug link, and which symbols it has. */
struct elf_look {
	char		id[65], link[256];
	uint8_t		readable, all, some;	/* not 0: true; of another process, so no bool */
};

/* Have the child look at the file; it is not readable if the child does not answer. */
struct elf_look looks_at(int fd, enum sandbox_level);
/* End the child. */
void	looks_end(void);

/* ---- functions.c: functions of an ELF file ------------------------------------------------------------ */

struct native_function {
	uint64_t	value, size;
	uint64_t	symbol;		/* row in the symbol table */
	uint32_t	rank;		/* among functions at the same address, the lowest rank is used */
};

/* Sorted by value. Empty if all zeros. */
struct native_functions {
	struct scratch	rows;
	uint64_t	n;
	uint64_t	base;		/* lowest address in the file */
	struct elf_symbols symbols;	/* the symbol table with the names */
};

bool	functions_read(struct native_functions *, const struct elf *, struct work *, struct err *);
/* Return the name at an address relative to the file's base; empty: none. */
struct str functions_at(const struct native_functions *, const struct elf *, uint64_t address);
void	functions_free(struct native_functions *);

/* ---- sidecar.c: .syms.json ------------------------------------------------------------------ */

struct sidecar;

/* Open the .syms.json that samply wrote; NULL: out of memory, or truncated before the first library. */
struct sidecar *sidecar_open(int fd, struct work *);
/* Return 1 + row of the library with that id; 0: none. */
uint32_t sidecar_library(const struct sidecar *, const char *id);
bool	sidecar_at(struct sidecar *, uint32_t library, uint64_t address, const struct native_frame **,
	    size_t *n, struct err *) MUST_USE;
void	sidecar_close(struct sidecar *);

#endif
