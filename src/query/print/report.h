/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report: what the files of a report share.
 */
#ifndef PRINT_REPORT_H
#define PRINT_REPORT_H

#include "print.h"

struct report {
	struct session			*session;
	const struct report_options	*o;
	struct work			*work;
	struct printer			 p;
	bool				 compares;	/* the file with the one before it */
	unsigned			 printed;	/* sections */
	unsigned			 figures;	/* pictures of a page of HTML */
};

/* How rows are shown. */
enum section_form {
	AS_TABLE = 1,
	AS_LINES,		/* the first column as it is */
	AS_FACTS,		/* of info */
	AS_TREE,		/* an outline, which needs what the query needs */
	AS_FIELDS,		/* a line for each cell of the first row that says something */
	AS_FINDINGS,		/* number, severity, kind and why as words */
	AS_OVERVIEW,		/* the lines of the overview */
	AS_ADVICE,		/* commands to try next */
	AS_DATA,		/* for machines only */
	AS_PICTURE,		/* these three only of HTML: a flame graph */
	AS_POOLS,		/* a flame graph for each pool of threads */
	AS_CHARTS		/* a small chart for each track */
};

/* Conditions for a section, in addition to its shapes. */
enum section_when {
	WHEN_GARBAGE = 1,	/* more bytes are unreachable than live */
	WHEN_DIFFERS = 2,	/* the file has two weights */
	WHEN_THREADS = 4,	/* threads are known */
	WHEN_EVENTS = 8,	/* there are several events */
	WHEN_EVENT = 64,	/* weights are of one event alone */
	WHEN_CPU = 16,		/* threads have CPU time */
	WHEN_NO_CPU = 32,
	WHEN_PROCESSES = 128	/* a scheduler trace of several processes */
};

/*
 * A part of the page: the answer to a query, in which $module and $process are these columns if the files have several; or text of
 * its own.  name: in JSON, NULL: for people only.  title NULL: only the rows, even if there are none.  none: text for an
 * empty result, NULL: drop the part.  more: the query with more rows.
 */
struct section {
	const char	*name, *title;
	unsigned	 shapes;
	enum section_form	 form;
	const char	*query, *none, *more;
	const char	*rest, *left;	/* what is not shown: a query for its rows, and what these are; or NULL */
	unsigned	 when;		/* or of enum section_when */
	unsigned	 but;		/* not of files that have one of these shapes */
	bool		 compares;	/* of two files, else of one */
	bool		 html;		/* only of HTML, which has pictures in place of AS_TREE */
	enum page_kind	 page;
};

extern const struct section sections[];		/* ends with one without a form */

/* section_fits: these files can answer it.  section_wanted: it is worth showing, known once it was prepared. */
bool	section_fits(const struct report *, const struct section *);
bool	section_wanted(const struct report *, const struct section *);
/* Append the text of a query. */
void	section_query(const struct report *, const char *text, struct buf *);

/* Option i of those that change the answers of a session: its name and value, and whether it is the default; NULL after the last. */
const char *session_option(const struct session *, size_t i, const char **value, bool *usual);
struct str given_value(const struct report_option *);	/* of a path the last part */
/* Append the command that asks a query of files, with command_options. */
void	command_of(const struct session *, const struct report_options *, struct str query, const char *files, struct buf *);

/* Ask a query; the first row is known.  reply_close ends it, also after a failure. */
bool	report_ask(struct report *, const char *text, struct reply *, struct err *);
bool	report_head(struct report *, struct err *);
/* Print one "label  value"; first: it is the head of a Markdown table. */
bool	report_pair(struct printer *, const char *label, struct str raw, bool first, struct err *);
bool	report_title(struct printer *, const char *title, char under, struct err *);
/* Print the overview from the rows of info; head: only the lines of the header. */
bool	report_facts(struct printer *, struct rows *info, bool head, bool first, struct err *);
/* Print the sums of findings and bytes of a heap in two lines; then rows of number, severity, kind, why. */
bool	report_sums(struct printer *, const struct session *, struct err *);
bool	report_findings(struct printer *, struct rows *, struct err *);
/* Print words as lines, all except the first indented; report_paragraph: in Markdown as one. */
bool	report_words(struct printer *, struct str raw, unsigned indent, struct err *);
bool	report_paragraph(struct printer *, struct str raw, unsigned indent, struct err *);
/* Print the lines of the overview, of two files those of what differs. */
bool	report_overview(struct report *, struct err *);

/* ---- HTML: report_html.c -------------------------------------------------------------------- */

/* Print a line: an element with raw text; class NULL: none. */
bool	html_element(struct printer *, const char *name, const char *class, struct str raw, struct err *);
bool	html_pair(struct printer *, const char *label, struct str raw, struct err *);
bool	html_head(struct report *, const char *kind, struct err *);
bool	html_end(struct report *, struct err *);
bool	html_rows(struct printer *, struct rows *, struct err *);
bool	html_picture(struct report *, struct rows *, double min, struct err *);
bool	html_pools(struct report *, struct rows *, struct err *);
bool	html_charts(struct report *, struct rows *, struct err *);

#endif
