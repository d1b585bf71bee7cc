/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command: the words of the query language and their arguments.
 *
 * A command is a const struct named by a row of src/tables.c.  It describes its arguments by types: whether
 * /x/ is a regex, what completion offers, and their names in help and errors.
 */
#ifndef ICECORE_COMMAND_H
#define ICECORE_COMMAND_H

#include "icecore/rows.h"

/* ---- arguments ------------------------------------------------------------------- */

/* Source of completions for an argument. */
enum arg_look {
	LOOK_NOWHERE,
	LOOK_NAMES,		/* in a column of a query over the file */
	LOOK_WORDS,		/* in a list of words */
	LOOK_COLUMNS,		/* in the columns of the rows that reach the stage */
	LOOK_CONDITION,		/* a condition over them, which takes all that follows */
	LOOK_SOURCES, LOOK_COMMANDS
};

/*
 * Type of an argument.  The types below belong to the language; types of certain kinds of file are declared
 * in their rooms.
 */
struct arg_type {
	const char	*name;		/* "THREAD": its name in the usage line; display only */
	/* "a thread: name, tid or @id"; NULL: the usage of the command says it. */
	const char	*hint;
	bool		 regex;		/* /x/ is a regex; elsewhere it is a path or a name */
	enum arg_look	 look;
	const char	*query, *column;	/* LOOK_NAMES */
	bool		 quoted;	/* names are always quoted */
	/* LOOK_WORDS: returns word i; false after the last one. */
	bool		(*word)(size_t i, const char **word, const char **what);
};

enum arg_flag {
	ARG_OPTIONAL = 1,
	ARG_MANY = 2,		/* once or more; with ARG_OPTIONAL any number */
	ARG_OR = 4,		/* instead of the previous one */
	ARG_AGAIN = 8		/* after it the whole list may be repeated */
};

struct arg {
	const struct arg_type	*type;		/* NULL: word itself */
	unsigned		 flags;
	const char		*word;		/* before an argument of a type: "from" */
	const char		*name;		/* shown instead of the type's; or NULL */
};

/* The value of .args: ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }) */
#define ARGS(...) (const struct arg[]){ __VA_ARGS__, { .type = NULL } }

static inline bool
arg_is_end(const struct arg *a)
{
	return a->type == NULL && a->word == NULL;
}

extern const struct arg_type arg_column, arg_abs, arg_expression, arg_condition, arg_name, arg_count,
    arg_number, arg_time, arg_path, arg_folder, arg_source, arg_command;

/* ---- commands ------------------------------------------------------------------ */

enum command_kind { COMMAND_SOURCE, COMMAND_STAGE, COMMAND_SINK };

struct stage;	/* a command with its arguments, parsed: parse.c */
struct plan;	/* the filter stages after a source */

#define COMMAND_NAMES 3

/*
 * Sources without a call tree can be limited to a range of time, or read another file; those of samples also to
 * some of the samples.
 */
enum command_views { VIEWS_NONE, VIEWS_OF_TIMES, VIEWS_OF_SAMPLES, VIEWS_OF_TREES };

/* Pictures of rows other than call trees. */
enum command_draws {
	DRAWS_TABLE,
	DRAWS_DOMINATORS,	/* column object: boxes of the objects it dominates, sized by retained size */
	DRAWS_OBJECTS,		/* columns id, dominator: objects, each below its dominator */
	DRAWS_REFS,		/* columns holder, name, object, strength: references */
	DRAWS_REFERRERS,	/* columns object, name, to, strength */
	DRAWS_CHAINS,		/* lines: chains_step */
	/* Columns depth, field, object: each refers to the one of the next row, up to the next depth 0. */
	DRAWS_PATHS
};

/* A line of help on a command, apart from its columns. */
struct topic {
	struct str	item, kind, type, meaning;
};

/* A source, a stage or a sink.  Tests of its rows: lang tables install man query. */
struct command {
	const char		*word;
	enum command_kind	 kind;
	/* Bitwise or of enum shape: a file must have at least one of them; 0: any file. */
	unsigned		 shapes;
	unsigned		 with;		/* likewise: a file must have all of these */
	unsigned		 unless;	/* likewise: a file must have none of these */
	/* Ends with an entry for which arg_is_end is true; NULL: no arguments. */
	const struct arg	*args;
	const char		*what;		/* a line for help */
	const char		*example;	/* a whole query */
	/* Summary and example for profiles; NULL: the same as what and example. */
	const char		*what_samples, *example_samples;
	/* Ends with COL_NONE; or NULL.  COL_EACH_X: as --refs and --sizes choose. */
	const column_id		*needs;
	const column_id		*arg_needs;	/* the same, needed only with arguments */
	/*
	 * Source: rows that passes make.  Over the store of no file the source has only these rows, with
	 * only the first column, in batches.  Passes run only for rows that a condition after the source
	 * may keep.  Ends with a name of NULL.  NULL: no such rows.
	 */
	const struct late_row	{
		const char	*name;
		const column_id	*needs;
	}			*late;
	unsigned		 late_over;	/* shapes of the files for which these rows exist */
	const struct coldef	*cols;		/* columns of a source, or of a stage with its own columns */
	size_t			 ncols;
	bool			 no_file;	/* a source that answers without a file, */
	bool			 args_no_file;	/* or with arguments */
	bool			(*topic)(uint64_t i, struct topic *);	/* false after the last; or NULL */
	/* Columns that identify the rows of a source in any file. */
	const char		*names[COMMAND_NAMES];
	/* Texts of these may end in " @" and an object number, which differs between files. */
	bool			 numbered;
	bool			 all_files;	/* a source that reads all open files of its shapes, */
	/* All files except the last can be closed before it ends: session.growth. */
	bool			 one_by_one;
	bool			 names_file;	/* a filter that selects one of several files */
	/* Sources: filters that may follow; filters: what they may follow. */
	enum command_views	 views;
	/* A source whose rows, with their id, may precede one that is of_threads. */
	bool			 lists_threads;
	/* A stage that acts as the source of the same word, limited to the threads before it. */
	bool			 of_threads;
	/* Source that shares its word: how to get its extra columns; or NULL. */
	const char		*to_get;
	/* A source that diff compares by its rows, though its file may have call trees. */
	bool			 by_rows;
	/* A stage that takes the rows before it from two files, unless it is a filter. */
	bool			 compares;
	/* Stage that changes the input of the source before it; it makes no rows and is never opened. */
	bool			(*view)(struct plan *, const struct stage *, struct err *);
	enum command_draws	 draws;		/* how its rows are drawn */
	bool			 any_percentile;	/* p1 to p99 are words of it as well */
	bool			 writes;	/* changes files: runs once, never repeated automatically */
	/* Source: append the meaning of a file without any such rows; nothing if there are rows.  Or NULL. */
	void			(*nothing)(const struct session *, struct buf *);
	/* For an open shared by several commands: what its rows are; or NULL. */
	const void		*source;
	/* A source gets in == NULL.  Takes over in, also on failure. */
	bool			(*open)(struct session *, const struct stage *,
				    struct rows *in, struct rows **out, struct err *);
};

#define COLUMNS(list) .cols = (list), .ncols = sizeof(list) / sizeof *(list)
/* First members of a command: word, .what, .example and .open. */
#define SOURCE(...) COMMAND_OF(COMMAND_SOURCE, __VA_ARGS__)
#define STAGE(...) COMMAND_OF(COMMAND_STAGE, __VA_ARGS__)
#define SINK(...) COMMAND_OF(COMMAND_SINK, __VA_ARGS__)
#define COMMAND_OF(place, name, says, query, opens) .word = (name), .kind = (place), .what = (says), \
    .example = (query), \
	.open = (opens)
/* Shapes of files, and columns of the rows, of a command. */
#define OVER(files, list) .shapes = (files), COLUMNS(list)

#define USAGE_TEXT 80
/* Write the arguments of a command to text, "[THREAD ...]"; "" if it takes none.  Returns text. */
const char *command_usage(const struct command *, char text[USAGE_TEXT]);

/* True if the command applies to files of these shapes (enum shape, or-ed; 0: any file). */
bool	command_fits(const struct command *, unsigned shapes);

/*
 * Summary and example for files of these shapes, and whether such files have column i.  Shapes to which the
 * command does not apply count as those of a trace.
 */
const char *command_what(const struct command *, unsigned shapes);
const char *command_example(const struct command *, unsigned shapes);
bool	command_has_column(const struct command *, size_t i, unsigned shapes);

/*
 * src/tables.c; ends with NULL.  If several commands share a word, the one that applies to the file is
 * used.
 */
extern const struct command *const commands[];

#endif
