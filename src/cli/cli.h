/*
 * Private to src/cli: what the programs share.
 */
#ifndef CLI_H
#define CLI_H

#include "icecore/cli.h"
#include "options.h"

/* ---- programs that the options choose; they return the exit code ------------------- */

int	cli_explore(struct session *, const struct options *);
int	cli_query(struct session *, const struct options *);
int	cli_report(struct session *, const struct options *);

/* ---- files: those of the command line, and what is said of them on standard error ---- */

/* Prints answers; returns the exit code. */
typedef int answer_fn(struct session *, const struct options *, int status);
/*
 * Confines the process, opens the files, lets answer print, then saves computed columns and reports what could not be read.
 * status: of the queries that were wrong; answer returns it, or that of the first worse mistake.  The session owns the files.
 */
int	files_answer(struct session *, const struct options *, int status, answer_fn *answer);
/* Return whether file i is a recording opened with a heap dump; queries read the dump. */
bool	file_is_beside(const struct session *, size_t i);
bool	fail_no_file(struct err *);

/* ---- confine: what the sandbox leaves to each program -------------------------------- */

/* Answers read what was given to them, and write the index and what queries name; no queries: a page.  False: memory ran out. */
bool	confine_answers(const struct options *, struct err *) MUST_USE;
/* The explorer reads what was given to it, and writes exports where its user works.  For ui_options. */
bool	confine_explorer(const void *options, struct err *) MUST_USE;
/* The server reads beneath the working directory, and what its options name; false: it is confined less than that. */
bool	confine_server(const struct options *, struct err *) MUST_USE;

/* ---- progress: how far the work of the process is, on a terminal, and what an interrupt does to it ---- */

extern struct work progress_work;

/* Interrupts cancel progress_work from now on, a second one ends the process. */
void	progress_begin(bool show);
/* Only on a terminal. */
void	progress_show(bool show);
/* Clears what was shown, before anything else is printed. */
void	progress_end(void);

#endif
