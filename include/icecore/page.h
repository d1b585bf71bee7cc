/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* page: pages of text, of Markdown and of HTML. */
#ifndef ICECORE_PAGE_H
#define ICECORE_PAGE_H

#include "icecore/command.h"
#include "icecore/draw.h"

/* An option that affects results, as the user wrote it. */
struct report_option {
	const char	*name, *value;	/* value NULL: it has none */
	bool		 path;		/* value is a path; pages show only its last part */
};

/*
 * REPORT: findings with leak traces, the largest and the slowest.  TEXT: the overview and an outline.
 * OVERVIEW: the overview alone.
 */
enum page_kind { PAGE_REPORT, PAGE_TEXT, PAGE_OVERVIEW };

struct report_options {
	enum page_kind			 page;
	enum format			 format;	/* table, md; of a report json: one object */
	/* Session of the overview below the header; NULL: the session itself. */
	struct session			*view;
	/* The header leaves out losses and everything that needs a pass over the file. */
	bool				 brief;
	/* HTML without the head and the end of the page, and without the name of the file. */
	bool				 parts;
	bool				 no_hash, stamp;	/* no digest; the time of the file */
	/* The user selected one of two files: they are not compared. */
	bool				 one;
	const struct report_option	*given;
	size_t				 ngiven;
};

/*
 * A page begins with a header: the file, its digest, format and losses, the program and its options.  The
 * same files and options always give the same bytes.  Given two files of the same kind, the page compares
 * the second with the first, except for PAGE_TEXT, which shows one.
 */

/* The head of a page of HTML: fitted texts. */
struct html_page {
	struct str	title;
	struct str	heading;	/* empty: the title */
	bool		images;		/* its policy allows those that are in the page itself */
};

/*
 * A page of HTML: its head, policy and heading; its end, with the script of pictures and tables.  They
 * append.
 */
void	html_page_begin(const struct html_page *, struct buf *), html_page_end(struct buf *);
/*
 * Append the options that give the same results on a command line, each followed by a blank: "--clock wall
 * --event lock ".
 */
void	command_options(const struct session *, const struct report_options *, struct buf *);
/*
 * Appends the address of a place in a file, icecore://PATH?NAME=VALUE with the options that change its rows: name is q,
 * of a query, or pane.
 */
void	command_address(const struct session *, const struct report_options *, struct str path, const char *name,
    struct str value, struct buf *);
/* Append "in the explorer: icecore 'icecore://PATH?q=QUERY'". */
void	command_explorer(const struct session *, const struct report_options *, struct str path, struct str query,
    struct buf *);
/* Runs the passes that a page needs, except those of its overview, on the worker or inline. */
bool	report_prepare(struct session *, const struct report_options *, struct work *, struct err *) MUST_USE;
/* Call report_prepare first, except for PAGE_OVERVIEW, which prepares itself. */
bool	report_print(struct session *, const struct report_options *, FILE *, struct work *,
    struct err *) MUST_USE;

#endif
