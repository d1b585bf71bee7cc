/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording: perf.data as simpleperf writes it.  Its tables behind the records have the names of events and
 * the symbols of all files, so neither the programs nor perf is needed.
 */
#ifndef LOAD_SIMPLEPERF_RECORDING_H
#define LOAD_SIMPLEPERF_RECORDING_H

#include "icecore/bytes.h"
#include "code_maps.h"
#include "simpleperf.h"

enum object_type { OBJECT_KERNEL, OBJECT_MODULE, OBJECT_ELF, OBJECT_DEX, OBJECT_OTHER = 5 };

struct code_symbol {
	uint64_t	start, length;
	struct str	name;
	uint32_t	frame;		/* 0: not made yet */
};

/* A file with code.  Row 1 is that of addresses without a map. */
struct code_object {
	struct str	path;
	uint64_t	first, n;	/* symbols: first is that without a name; the next ones are sorted */
	uint64_t	low, offset;	/* lowest address, and its place in the file, or NO_OFFSET */
	uint64_t	type;
	bool		java, art;	/* code of Java; the runtime */
};

#define NO_OFFSET UINT64_MAX

/* A counter that was opened. */
struct attribute {
	uint64_t	type, config, samples, reads;	/* samples, reads: forms of these */
};

/* An address of a stack. */
struct code_place {
	uint32_t	object, symbol;	/* rows, the symbol from 0 */
	bool		dropped;
};

struct simple_file {
	struct simple	*p;
	struct scratch	 attributes, objects, symbols, places, names;
	uint64_t	 nattributes, nobjects, nsymbols, nnames;
	struct idmap	 by_id, by_path, by_tid;	/* attribute, object; row of names, all + 1 */
	struct code_maps maps;
	struct str	 types;		/* lines with the names of events */
	uint32_t	 kernel;	/* object with the list of the kernel's own symbols; 0: none */
	struct buf	 joined;	/* parts of a large record */
	struct scratch	 kept;		/* struct buf: joined lists of the kernel's symbols */
	uint64_t	 nkept;
	struct buf	 packed;	/* content of compressed records */
	uint64_t	 packed_at;
};

/* ---- recording_tables.c ----------------------------------------------------------------------------- */

bool	recording_attributes(struct simple_file *, struct err *);
bool	recording_tables(struct simple_file *, struct err *);
/* The object of a file, which is added if the tables do not have it; 0: failure. */
uint32_t recording_object(struct simple_file *, struct str path, bool kernel, struct err *);
/* Lines with the addresses of the kernel's symbols. */
bool	recording_kernel(struct simple_file *, struct str lines, struct err *);
/* The place of an address in a map, which is NULL if there is none. */
struct code_place recording_place(const struct simple_file *, const struct code_map *, uint64_t address);

/* ---- art_frames.c ----------------------------------------------------------------------------------- */

/* Mark the frames of the runtime among n places, innermost first, which are not calls of the program. */
void	art_frames_drop(struct simple_file *, struct code_place *, uint64_t n);
bool	art_frames_is_java(struct str path);

#endif
