/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* sides: data about a file from other files. */
#ifndef ICECORE_SIDES_H
#define ICECORE_SIDES_H

#include "icecore/sandbox.h"
#include "icecore/shapes.h"
#include "icecore/store.h"

struct side_options {	/* NULL-terminated lists of paths, or NULL */
	const char *const	*threads;	/* --threads: thread dumps, lists of "tid comm" */
	const char *const	*mappings;	/* --mapping: mapping.txt of R8 or ProGuard */
	const char *const	*classes;	/* classes: files and directories of bytecode */
	const char *const	*resources;	/* --resources: tables of resources.h */
	const char *const	*checks;	/* --checks: rules of resources.h */
	const char *const	*tables;	/* --tracks: tables whose numbers are tracks */
	const struct ask_options *asked;	/* for tables: time, sep, decimal, header; or NULL */
	int64_t			 offset;		/* ns to add to the times of tables */
};

/* side.by: how a thread of the file was found; 0: by its tid, but its own name is longer. */
enum side_by { SIDE_BY_TID = 1, SIDE_BY_NAME };

/*
 * If one file is a heap dump and the other a recording of allocations or surviving objects: dump becomes a
 * store over it with the recording (store_beside) and SHAPE_MADE.  With a report of native memory it becomes
 * a store with the same report, and SHAPE_NATIVE.  Otherwise nothing is done.  The recording must live as
 * long.
 */
bool	load_recording(struct store **dump, struct store *recording, struct err *) MUST_USE;
/* The file describes a heap dump that is open with it: a recording, or a report of native memory. */
bool	load_goes_beside(const struct store *);
/* True if the data of a file has an axis of time that other files can share. */
bool	load_has_times(const struct store *);
/* The shapes that such a file may have with others beside it. */
static inline unsigned
load_beside_shapes(unsigned shapes)
{
	return shapes | (shapes & SHAPE_GRAPH ? SHAPE_MADE | SHAPE_NATIVE : 0);
}
/*
 * A store over base with the data of side files: the names of threads and methods or classes, and the tracks
 * of the side files of a Nanoscope trace.  *out is base itself if they add nothing.  A side file that was
 * requested and cannot be read is an error, E_USAGE if it is of another kind.  Facts side.* count matches,
 * conflicts and leftovers.  Names of a mapping file are in columns that shadow those of the file, with refs
 * to own text (store_own_text).
 */
bool	load_sides(struct store **out, struct store *base, const struct side_options *,
	    struct work *, struct err *) MUST_USE;

/*
 * Before the sandbox, for a perf.data or trace.dat that the user named: starts perf script or trace-cmd report on it,
 * which is confined as well. Ignores other files.
 */
void	load_run(const char *path, bool inlined, enum sandbox_level);
/*
 * Before the sandbox, for a profile that the user named: opens ELF files and .syms.json that it names, if
 * build ids agree. Ignores others.
 */
void	load_symbols(const char *path, enum sandbox_level);
/* Before the sandbox: whether the explorer opens other files, which this one names: rows of triage do. */
bool	load_leads(const char *path);
/* All files, and their directories, that loading path and its side files may open. */
void	load_files(const char *path, const struct side_options *, void (*each)(void *to, const char *file),
    void *to);

#endif
