/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/programs/cli: declarations shared by the programs.
 */
#ifndef CLI_H
#define CLI_H

#include "icecore/cli.h"
#include "icecore/limits.h"
#include "icecore/policy.h"
#include "options.h"

/* ---- programs chosen by options; they return the exit status ----------------------- */

int	cli_explore(struct session *, const struct options *);
int	cli_query(struct session *, const struct options *);
int	cli_report(struct session *, const struct options *);
/*
 * --repeat: open what the sandbox forbids; then run the query again as often as that says, and report its
 * times on standard error.
 */
bool	repeat_begin(struct err *);
bool	query_repeat(struct session *, const struct options *, const struct ask *, struct err *);

/*
 * Appends the words of a command line to text and words; an address, icecore://PATH?q=QUERY, is several.  The words
 * point into text.
 */
bool	address_expand(int argc, char **argv, struct buf *text, struct args_list *words, struct err *) MUST_USE;

/* ---- files: opening the files of the command line, and messages about them ----------- */

/* Print the results; return the exit status. */
typedef int answer_fn(struct session *, const struct options *, int status);
/*
 * Confine the process, open the files, call answer to print, then save computed columns and report what could
 * not be read. status: exit status for invalid queries; answer returns it, or that of the first worse error.
 * The session owns the files.
 */
int	files_answer(struct session *, const struct options *, int status, answer_fn *answer);
/* Return whether file i is a recording opened with a heap dump; queries read the dump. */
bool	file_is_beside(const struct session *, size_t i);
bool	fail_no_file(struct err *);

/* ---- confine: the sandbox of each program -------------------------------------------- */

/*
 * Queries read the given files, and write the index and the files that queries name. Without queries: a page.
 * False: out of memory.
 */
bool	confine_answers(const struct options *, struct err *) MUST_USE;
/* The explorer reads the given files, and writes exports in the user's directories. For ui_options. */
bool	confine_explorer(const void *options, struct err *) MUST_USE;
/* Options of a command that reads one file and writes another; 0: not given. */
struct file_run {
	uint64_t	 timeout, most;	/* ns; bytes of memory */
	unsigned	 jobs;
	bool		 quiet, no_sandbox;
	unsigned	 help;
};

/* AT(run): a struct file_run. */
#define FILE_RUN_ROWS \
	{ 0, "unpacked", "SIZE", "limit for decompressed files and pipes; default: 64g", \
	    .kind = ARGS_LIMIT, .limit = intake_allow }, \
	{ 0, "reserve", "SIZE", "disk space to keep free; default: 1g, at most 5%", \
	    .kind = ARGS_LIMIT, .limit = space_reserve }, \
	{ 0, "timeout", "TIME", "stop after TIME, e.g. 30s; default: by the size of the file", \
	    .kind = ARGS_TIME, AT(run.timeout) }, \
	{ 0, "max-memory", "SIZE", "limit of memory; default: by the size of the file", \
	    .kind = ARGS_BYTES, AT(run.most) }, \
	{ 0, "quiet", NULL, "show no progress and no summary on standard error", \
	    .kind = ARGS_FLAG, AT(run.quiet) }, \
	{ 0, "no-sandbox", NULL, "run without the sandbox", .kind = ARGS_FLAG, AT(run.no_sandbox) }, \
	ARGS_HELP_ROW(AT(run.help)),

/*
 * Begin the sandbox of such a command: it may read the file in and use temporary ones. sandbox_enter follows.
 * Also set its limits.
 */
bool	confine_file(struct sandbox *, const struct file_run *, const char *in, struct err *) MUST_USE;
/*
 * The server reads below the working directory, and files that its options name; false: the sandbox is
 * incomplete.
 */
bool	confine_server(const struct options *, struct err *) MUST_USE;

/* ---- progress: progress on a terminal, and interrupts ------------------------------------------------- */

extern struct work progress_work;

/* From now on an interrupt cancels progress_work; a second one ends the process. */
void	progress_begin(bool show);
/* No effect if standard error is not a terminal. */
void	progress_show(bool show);
/* Clear the progress line before anything else is printed. */
void	progress_end(void);

#endif
