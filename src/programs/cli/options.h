/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options: the parsed command line.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "icecore/args.h"
#include "icecore/mcp.h"
#include "icecore/preset.h"
#include "icecore/sandbox.h"
#include "icecore/ui.h"

/* The command whose options are read. */
enum option_set { OPTIONS_MAIN, OPTIONS_MCP, OPTIONS_PAGE, OPTION_SETS };

/* Files beside those that are opened. */
struct option_sides {
	struct args_list	 threads, mappings, classes, resources, checks, tables;
	struct buf		 names;		/* path of the thread dump beside a recording */
};

/* Options that print something in place of answers. */
struct option_print {
	bool			 formats, keys, config, policy, version;
	unsigned		 help;		/* enum args_helped */
	const char		*complete;	/* a query: the words that may follow, for completions of shells */
};

/* Options about other programs and the sandbox. */
struct option_outside {
	bool			 no_sandbox, no_run, no_symbols;
	bool			 inlined;	/* perf runs to name inlined frames */
	enum sandbox_level	 level;
};

struct options {
	enum option_set		 set;
	struct asks		 asks;
	struct presets		 presets;
	bool			 ask;		/* -e or -f was given, even with an empty script */
	bool			 stop_on_error;
	bool			 fail_if_rows;	/* the exit status says whether a query printed a row */
	unsigned		 repeat;	/* runs after the first; 0: none */
	bool			 quiet;		/* no progress on stderr */
	struct args_list	 files;		/* to open, in this order */
	struct args_list	 passed;	/* words for processes that open other files; copies */
	struct args_list	 recent;	/* listed, too, if no file is given; in recent_paths */
	struct buf		 recent_paths, categories;	/* categories: text of the rules */
	unsigned		 at;		/* file that queries read, from 1; 0: the first */
	size_t			 format;	/* FORMATS: depends on the output */
	size_t			 clock;		/* CLOCKS: the first clock of the file */
	size_t			 refs, sizes, rules;
	struct ui_options	 ui;		/* options for opening files */
	struct option_sides	 sides;
	struct args_list	 weights, write_dirs;
	struct option_outside	 outside;
	struct ask_options	 asked;		/* weights is stored in it */
	struct ask_options	 beside;	/* options of tables for a table beside a trace */
	uint64_t		 timeout, most;	/* ns; bytes of memory; 0: not given */
	unsigned		 jobs;		/* 0: number of processors */
	bool			 script_stdin;	/* a script was read from standard input */
	struct option_print	 print;
	bool			 raw_csv, text, report, check_sandbox;
	const char		*root;
	const char		*out;		/* file of the page; NULL: standard output */
	bool			 force;		/* overwrite out */
	struct mcp_options	 mcp;
	struct report_options	 page;		/* options of --text and --report */
	struct report_option	*reported;		/* storage for page.given */
	size_t			 reported_cap;
};

/* Parse argv. Call options_free in any case, also after a failure. */
bool	options_read(struct options *, int argc, char **argv, struct err *);
bool	options_fit(struct options *, struct err *);	/* for options_read */
/* For options_read: move tables among the files to tables, and the options about tables to beside. */
bool	options_beside(struct options *, struct err *);
/* Files or recent files were added. */
void	options_listed(struct options *);
/* Copy the options that choose references, sizes, rules, clock and raw CSV to a session. */
void	options_session(const struct options *, struct session *);
void	options_free(struct options *);
void	options_help(const struct options *);

#endif
