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
	struct args_list	 threads, mappings, classes, resources, checks, tables, weights, write_dirs;
	bool			 no_sandbox, no_run, no_symbols, inlined;
	enum sandbox_level	 sandbox;
	struct ask_options	 asked;		/* weights is stored in it */
	struct ask_options	 beside;	/* options of tables for a table beside a trace */
	uint64_t		 timeout, most;	/* ns; bytes of memory; 0: not given */
	unsigned		 jobs;		/* 0: number of processors */
	bool			 script_stdin;	/* a script was read from standard input */
	bool			 raw_csv, text, report, list_formats, list_keys, list_config, show_policy, check_sandbox, version, help;
	const char		*root;
	const char		*out;		/* file of the page; NULL: standard output */
	bool			 force;		/* overwrite out */
	struct mcp_options	 mcp;
	struct report_options	 page;		/* of --text and --report */
	struct report_option	*reported;		/* storage for page.given */
	size_t			 reported_cap;
};

/* Parse argv. Call options_free in any case, also after a failure. */
bool	options_read(struct options *, int argc, char **argv, struct err *);
bool	options_fit(struct options *, struct err *);	/* for options_read */
/* For options_read: move tables among the files to tables, and the options about tables to beside. */
bool	options_beside(struct options *, struct err *);
/* Add an option to those that the header of a report shows. */
bool	options_report(struct options *, const char *name, const char *arg, bool path, struct err *);
/* Files or recent files were added. */
void	options_listed(struct options *);
/* Copy the options that choose references, sizes, rules, clock and raw CSV to a session. */
void	options_session(const struct options *, struct session *);
void	options_free(struct options *);
void	options_help(enum option_set);

#endif
