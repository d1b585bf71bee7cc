/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load: recognises an input format by its content and fills base columns from it.  They hold offsets into
 * the source, never copies.
 */
#ifndef ICECORE_LOAD_H
#define ICECORE_LOAD_H

#include "icecore/live.h"
#include "icecore/meant.h"
#include "icecore/records.h"
#include "icecore/samples.h"
#include "icecore/sides.h"

struct heap_form;
struct slicing;
/* A format of files.  Tests of its rows: tables install man. */
struct loader {
	const char	*name;		/* "trace" */
	const char	*what;		/* for --list-formats: "Android method trace ..." */
	unsigned	 shapes;	/* or of enum shape */
	/* Reads the first n bytes: at most SNIFF_MAX, unless whole is set. */
	bool		(*sniff)(const uint8_t *head, size_t n);
	/*
	 * Makes base columns and facts from store_source().  Salvages: damage is counted in loss.* facts and
	 * is not a failure as long as any record was read whole; otherwise E_UNREADABLE.
	 */
	bool		(*load)(struct store *, struct work *, struct err *);
	/* True if the loader would make other columns now than an index has; NULL: never. */
	bool		(*stale)(const struct store *);
	/*
	 * Before load: merges the file and the files that belong to it into one source; no index is kept.
	 * NULL: not needed.
	 */
	bool		(*gather)(struct store *, struct work *, struct err *);
	/* Writes a part of a file (slice.h); NULL: cannot. */
	bool		(*slice)(const struct slicing *, struct err *);
	/*
	 * Reports the parts of a file that it reads (meant.h); *lost: bytes that are damaged. NULL: such
	 * files cannot be redacted.
	 */
	bool		(*meant)(const struct map *, meant_take, void *arg, uint64_t *lost, struct work *,
	    struct err *);
	/* Reads references and texts of a heap that is not an HPROF file (edges.h); NULL: of other files. */
	const struct heap_form *heap;
	bool		whole;		/* the format shows anywhere in it: sniff reads all of the file */
	bool		threads;	/* load uses all threads: nothing runs at the same time */
	/* The fact dump is that of --dump, 0 without it: load reads no later heap dumps of a process, or fails. */
	bool		dumps;
};

#define SNIFF_MAX 65536

/*
 * Options of the command line for loaders; all may be NULL. They find it as facts, trace.ask_path and so on
 * (asks.c).
 */
struct ask_options {
	/* Tables: columns, separated by commas; NULL: no samples are made. */
	const char		*path;
	const char *const	*weight;	/* columns; NULL-terminated, or NULL */
	const char		*time, *sep, *decimal, *header;
	bool			 raw;		/* records have the cut-off rest */
	const char		*by;		/* levels of paths in bank statements, separated by commas */
	const char		*categories;	/* text of rules that give transactions a category */
	/* Account numbers are not shortened; pending transactions count. */
	bool			 full, pending;
	bool			 detail;	/* names of calls in trace events include their detail */
};

extern const struct loader *const loaders[];	/* src/tables.c; ends with NULL */
/*
 * Opens path and its index, decompresses gzip, converts UTF-16 and similar formats once into a cache file,
 * and runs the loader that recognises the content, unless a valid index has its columns.  A file without
 * readable data is an E_UNREADABLE error that names its format, if known.  A text file whose name ends as a
 * table's (.csv, .jsonl) is read as a table if no other format matches.  A directory is a table of the files
 * that can be opened.
 */
bool	load_open(struct store **, const char *path, const struct store_options *, struct work *,
    struct err *) MUST_USE;
/*
 * For struct intake_check: can a loader read data that begins like this, packed or not? name may mark a
 * table.
 */
bool	load_knows(const struct map *, const void *name, struct err *) MUST_USE;
/* Loader for data that begins like this, packed or not, and has that name; NULL: none so far. */
const struct loader *load_format(const struct map *, const char *path);
/* The policy allows its format; otherwise E_USAGE. */
bool	load_permits(const struct map *, const char *path, struct err *);
bool	load_is_name(struct str);	/* whether a loader has that name */
/*
 * Detect the format of an open file; NULL: unknown.  confined: this process may use the libraries of zstd, xz and
 * bzip2.
 */
const struct loader *load_format_fd(int fd, const char *path, bool confined);
/* Store the base columns again, in a store that has none. */
bool	load_again(struct store *, struct work *, struct err *) MUST_USE;
const struct loader *load_loader(const struct store *);
/* Shapes that other files of its formats have: a trace may be without calls, tasks or tracks. */
unsigned load_possible_shapes(unsigned shapes);
/* Shapes of the open file: those of its loader, or of a store over it (fact "shapes"). */
unsigned load_shapes(const struct store *);
/* Number of heap dumps in the file, of which --dump reads one; *at: the one that was read, from 1.  0: no choice. */
uint64_t load_dumps(const struct store *, uint64_t *at);
bool	load_graph_only(unsigned shapes);	/* a call graph that does not say the paths of its calls */
/* Lines of a text that are not of its format, if they are the majority: it may be of another.  Else 0. */
uint64_t load_left_out(const struct store *);

/*
 * A text file next to the open one, unpacked and converted to UTF-8; map_close frees it.  *cut: it is packed
 * and damaged; only its readable part is returned.
 */
bool	text_file_open(struct map *, const char *path, bool *cut, struct work *, struct err *) MUST_USE;
/* text_file_open for any file, or standard input, without conversion; known checks its first part. */
bool	unpacked_open(struct map *, const char *path, const struct intake_check *known, bool *cut,
    struct work *, struct err *) MUST_USE;
/* unpacked_open; *packed gets the packed map, which must be closed, too; size 0: the file is not packed. */
bool	unpacked_open_both(struct map *, struct map *packed, const char *, const struct intake_check *,
    bool *, struct work *, struct err *);

#endif
