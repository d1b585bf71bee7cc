/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fleet: declarations shared by the files of this layer.
 */
#ifndef FLEET_H
#define FLEET_H

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "icecore/args.h"
#include "icecore/fleet.h"
#include "icecore/limits.h"
#include "icecore/query.h"
#include "icecore/sandbox.h"
#include "icecore/system.h"
#include "icecore/triage.h"

/* --groups prints signatures of findings, hottest paths, or methods in two builds. */
enum groups_by { BY_FINDING, BY_PATH, BY_BUILD, GROUPINGS };

/* ---- options: options.c ------------------------------------------------------------------ */

struct fleet_options {
	const char	*out, *from, *one, *groups, *table, *mapping, *mapping_dir, *pattern, *done;
	uint64_t	 shard, shards, memory, unpacked;
	unsigned	 jobs, keep, max_bad;
	uint64_t	 timeout;		/* ns; 0: by the size of the dump, as memory is; with --one: none */
	uint64_t	 retain, retain_size;	/* ns; bytes of INBOX; 0: no limit */
	unsigned	 retry;			/* 1 << enum triage_state */
	size_t		 format;		/* FORMATS: depends on the output */
	const char	*of;			/* --of of icecore compare; NULL: judge the file */
	const char	*base;			/* --base of icecore compare; NULL: the first directory */
	size_t		 part;			/* PATTERN_: what icecore compare compares */
	unsigned	 strata;		/* 1 << PATTERN_: what it keeps apart */
	bool		 null, all, redact, once, page, sandbox_required;
	unsigned	 help;			/* enum args_helped */
	size_t		 by;			/* enum groups_by; only --groups uses it */
	enum sandbox_level sandbox;
	const char	**paths;		/* pointers into argv */
	size_t		 npaths;
	struct stat	*directory;		/* what the first paths are; st_mode 0: files */
	size_t		 ndirectories;
	/* an option without effect with --one, and with --groups or --table */
	const struct args_row *not_one, *not_answers;
};

/* The programs of this layer. */
enum fleet_program { FLEET_TRIAGE, FLEET_WATCH, FLEET_COMPARE, FLEET_PROGRAMS };

bool	fleet_options_read(struct fleet_options *, enum fleet_program, int argc, char **argv,
    struct err *) MUST_USE;

/* Limits of one dump: of the options, otherwise by its size. */
struct run_limits fleet_limits(const struct fleet_options *, uint64_t bytes);
void	fleet_help(enum fleet_program, unsigned helped);

/* ---- files below the paths of the options: below.c ------------------------------------------ */

/* See which of the first n paths are directories; all: each must be one. Call below_end in any case. */
bool	below_begin(struct fleet_options *, size_t n, bool all, struct err *) MUST_USE;
void	below_end(struct fleet_options *);
bool	below_is(const struct fleet_options *, size_t);	/* a directory */
/*
 * Open the directory of a path, and set *name to what the path is in it. -1: errno, ELOOP for a link. Call
 * below_leave, which keeps errno.
 */
int	below_enter(const struct fleet_options *, const char *path, const char **name);
void	below_leave(int directory);
int	below_open(const struct fleet_options *, const char *path, int flags);	/* reads; -1: as above */
DIR	*below_list(const struct fleet_options *, const char *path);	/* NULL: as above */
bool	below_stat(const struct fleet_options *, const char *path, struct stat *);	/* of a link itself */

/* ---- names of files: names.c ---------------------------------------------------------------- */

struct path_list {
	struct scratch	 text, at;	/* texts that end with NUL; u64: offset of each */
	uint64_t	 ntext, n;
	uint64_t	 all;		/* in all shards */
};

#define NAMES_INIT ((struct path_list){ .text = SCRATCH_INIT, .at = SCRATCH_INIT })

bool	names_add(struct path_list *, struct str, struct err *) MUST_USE;
static inline const char *
names_get(const struct path_list *n, uint64_t i)
{
	return (const char *)n->text.data + SCRATCH(n->at, uint64_t)[i];
}
/*
 * Call below_begin, and collect the files that the options name: sorted by bytes, without duplicates, only
 * those of this shard.
 */
bool	names_gather(struct path_list *, struct fleet_options *, struct err *) MUST_USE;
void	names_free(struct path_list *);

/* ---- identity of a dump: ident.c -------------------------------------------------------------- */

#define HASH_TEXT 33

struct ident {
	int		 fd;			/* open for reading; -1: why has the reason */
	uint64_t	 bytes;
	char		 sum[HASH_TEXT];	/* "": unreadable */
	char		 key[HASH_TEXT];
	bool		 other;			/* not a regular file */
	char		 why[160];
};

void	ident_open(struct ident *, const struct fleet_options *, const char *path, const char *name);
void	ident_fd(struct ident *, int fd, const char *name);	/* identity of an open file; takes over fd */
void	hash_text(struct str, char text[HASH_TEXT]);
/* Return the name for rows, before text_escape: the path, or, redacted, its hash. */
const char *name_shown(const struct fleet_options *, const char *path, char text[HASH_TEXT]);

/* Add app, build and process as found in the path. */
void	row_put_names(struct triage_row *, const struct fleet_options *, const char *path);
/* Begin a row of this kind. */
void	begin_row(struct triage_row *, const char *kind);
/* Make the row of a dump that was not read: key, path, state and reason. */
void	row_of_dump(struct triage_row *, const struct ident *, const char *name, enum triage_state,
    struct str reason);

/* ---- parts of paths: pattern.c --------------------------------------------------------------- */

enum { PATTERN_APP, PATTERN_BUILD, PATTERN_PROCESS, PATTERN_DEVICE, PATTERN_PARTS };

struct pattern_found {
	struct str	part[PATTERN_PARTS];	/* empty: not found */
};

extern const char *const pattern_parts[PATTERN_PARTS];	/* names of the holes */

/* pattern NULL: finds nothing. */
struct pattern_found pattern_find(const char *pattern, const char *path);

/* Return the mapping file of the build in the path (in *room) if it exists, otherwise that of the options. */
const char *mapping_of(const struct fleet_options *, const char *path, struct buf *room);

/* ---- rows of a query: rows.c --------------------------------------------------------------------- */

/* Call each for all rows of a result. */
bool	rows_each(struct session *, const char *query, struct work *,
    bool (*each)(void *to, struct rows *, uint64_t row, struct err *),
	    void *to, struct err *) MUST_USE;
/* Append the text of a cell; false: it is empty. Paths are escaped by text_escape. */
bool	rows_text(struct rows *, uint64_t row, const char *column, struct buf *);
/* Read a cell by the name of its column; false: empty, or no such column. */
bool	cell_named(struct rows *, uint64_t row, const char *column, struct cell *);
/* Set a member to a cell. Texts are sanitized. */
void	row_put(struct triage_row *, const char *field, const struct cell *);

/* ---- one dump: one.c ----------------------------------------------------------------------------- */

bool	fleet_one(const struct fleet_options *, int *status, struct err *) MUST_USE;

/* ---- what is not a heap dump: time.c --------------------------------------------------------------- */

/* Add to its row, its findings and its busiest methods, as far as files of these shapes contain them. */
bool	time_judge(struct session *, unsigned shapes, struct triage_block *, struct work *,
    struct err *) MUST_USE;

/* ---- busiest methods: busiest.c -------------------------------------------------------------------- */

/*
 * Add a row, by rank, for each name of methods that have enough of the self time. name: selects the column of
 * names as the column name; stable: replace numbers in the names by *.
 */
bool	busiest_find(struct session *, const char *name, bool stable, struct triage_rows *, struct work *,
    struct err *) MUST_USE;

/* ---- values: measure.c ------------------------------------------------------------------------ */

/* Check what to measure, for example "span activityStart". */
bool	measure_check(const char *of, struct err *) MUST_USE;
/* Make the row of triage_measure for an open file. */
bool	measure_make(struct session *, const char *of, struct triage_row *, struct work *,
    struct err *) MUST_USE;

/* ---- output directories: outdir.c --------------------------------------------------------------------- */

/*
 * A directory of this user or root, not writable by others, except by a group of its own. Below OUT, symbolic
 * links are not followed.
 */
struct out_dir {
	int	 fd;		/* -1: none */
	char	*path;		/* for messages */
	bool	 own;		/* owner and mode are checked, also of its files */
};

#define OUT_DIR_INIT ((struct out_dir){ .fd = -1 })

/* Call outdir_close in any case. A directory with a wrong owner or mode is E_SYSTEM with advice. */
bool	outdir_open(struct out_dir *, const char *path, struct err *) MUST_USE;	/* created if missing */
bool	outdir_read(struct out_dir *, const char *path, struct err *) MUST_USE;	/* only for reading, of any user */
bool	outdir_below(struct out_dir *, const struct out_dir *in, const char *name, bool make,
    struct err *) MUST_USE;
void	outdir_close(struct out_dir *);
/* Open a regular file in the directory with these flags; -1: missing, or not a regular file. */
int	outdir_file(const struct out_dir *, const char *name, int flags, struct err *);
/*
 * Append a path to name in the directory for functions that take a path. If they fail, outdir_fail puts the
 * real path into the message and returns false.
 */
void	outdir_path(const struct out_dir *, const char *name, struct buf *);
bool	outdir_fail(const struct out_dir *, const char *name, struct err *);

/* ---- the rows: out.c ------------------------------------------------------------------------------- */

struct row_file {
	int		 fd;		/* -1: none */
	struct out_dir	 dir;
	char		*path;
	struct idmap	 tried;		/* by key: attempts so far, or OUT_DONE */
	uint64_t	 size;		/* bytes of the complete blocks */
	unsigned	 unsynced;
	uint64_t	 synced;	/* ns */
	/* Gets the blocks instead; or NULL. */
	bool		(*take)(void *to, const char *name, const struct triage_block *, struct err *);
	void		*to;
};

#define OUT_INIT ((struct row_file){ .fd = -1, .dir = OUT_DIR_INIT, .tried = IDMAP_INIT })

bool	out_open(struct row_file *, const struct fleet_options *, struct err *) MUST_USE;
unsigned out_attempt(const struct row_file *, const char *key);	/* next attempt; 0: done */
bool	out_put(struct row_file *, const struct fleet_options *, const struct triage_block *,
    struct err *) MUST_USE;
bool	out_sync(struct row_file *, struct err *) MUST_USE;
bool	out_sync_due(struct row_file *, struct err *) MUST_USE;	/* after many blocks, or after some time */
void	out_close(struct row_file *);
/* Read all rows of all shards. */
bool	out_read(const struct out_dir *, struct buf *, struct err *) MUST_USE;

/* ---- data of pages: piece.c --------------------------------------------------------------------------- */

/* Make the row of triage_page for an open file; it stays empty if that fails: the page has no such parts. */
void	piece_make(struct session *, const char *key, struct triage_row *, struct work *);
/* Write the page row of a block, if it has one, to OUT/pieces/KEY.json. */
bool	piece_keep(const struct out_dir *, const struct triage_block *, struct err *) MUST_USE;
/* Read the kept row of the dump with that key; empty: none. */
void	piece_read(const struct out_dir *, struct str key, struct triage_row *);

/* ---- pages: html.c ---------------------------------------------------------------------------------- */

/*
 * All append; texts are raw. html_begin uses the title as heading; html_write ends the page and replaces the
 * file.
 */
void	html_begin(struct buf *, struct str title);
void	html_text(struct buf *, struct str raw);
void	html_card(struct buf *, uint64_t n, const char *what);
bool	html_write(struct buf *, const char *path, struct err *) MUST_USE;

/* ---- summary: tally.c -------------------------------------------------------------------------------- */

struct triage_tally {
	uint64_t	 state[TRIAGE_STATES], all, skipped;
};

void	tally_begin(void);		/* all three print to standard error; this one before the work begins */
void	tally_tell_states(const struct triage_tally *);
/*
 * Call each for the states to show, in order: with findings, clean and damaged always, others if they occur.
 */
void	tally_each(const struct triage_tally *, void (*each)(void *to, uint64_t n, const char *told),
    void *to);
bool	tally_count(void *tally, struct rows *, uint64_t row, struct err *);	/* for rows_each of "dumps" */
void	tally_tell(const struct triage_tally *, uint64_t ns, bool cut);
int	tally_status(const struct triage_tally *, const struct fleet_options *);

/* ---- the work: crew.c ------------------------------------------------------------------------------- */

extern volatile sig_atomic_t fleet_stop;	/* number of a signal that asks to end */
void	fleet_catch(void);
/* Make rows for all names without rows, and add to *t. */
bool	crew_run(struct row_file *, const struct fleet_options *, const struct path_list *,
    struct triage_tally *, struct err *) MUST_USE;

/* ---- queries about the rows: answers.c ----------------------------------------------------------------- */

/* Open the rows as a file; free with session_close. */
bool	rows_session(struct session *, const struct buf *, struct err *) MUST_USE;
/* Return the query of --groups or --table. Fewer columns on a narrow terminal keep names readable. */
const char *rows_query(const struct fleet_options *);
/* Print to standard output. */
bool	rows_answer(struct session *, const char *query, const struct fleet_options *, uint64_t *n,
    struct err *) MUST_USE;
/*
 * Print to standard error the number of dumps by state; by builds also those with too few files.
 */
bool	rows_foot(struct session *, const struct fleet_options *, struct err *) MUST_USE;
bool	keep_exemplars(const struct out_dir *, const struct fleet_options *, struct err *) MUST_USE;

/* ---- pages: pages.c ------------------------------------------------------------------------------------ */

/*
 * Write OUT/page: index.html, dumps.html, and a page for each dump that has none yet.  They show no directory
 * of this machine: paths are relative to INBOX.
 */
bool	pages_make(const struct out_dir *, const char *inbox, struct err *) MUST_USE;
/* Remove the page of a dump with new rows (path as in rows), so that it is rebuilt. */
void	pages_forget(const struct out_dir *, struct str path);

#endif
