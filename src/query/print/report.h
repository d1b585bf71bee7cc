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
	struct session			*seen;		/* what the overview and the story are about */
	bool				 by_rows;	/* these compare the rows of two files, not their call trees */
	unsigned			 printed;	/* sections */
	unsigned			 figures;	/* pictures of a page of HTML */
	bool				 had;		/* the section before had rows */
};

/* How rows are shown. */
enum section_form {
	AS_TABLE = 1,
	AS_LINES,		/* the first column as it is */
	AS_FACTS,		/* rows of info */
	AS_TREE,		/* an outline, which needs what the query needs */
	AS_FIELDS,		/* a line for each cell of the first row that says something */
	AS_FINDINGS,		/* number, severity, kind and why as words */
	AS_OVERVIEW,		/* the lines of the overview */
	AS_ADVICE,		/* commands to try next */
	AS_DATA,		/* for machines only */
	AS_PICTURE,		/* these only of HTML: a flame graph */
	AS_POOLS,		/* a flame graph for each pool of threads */
	AS_CHARTS,		/* a small chart for each track */
	AS_TRACES,		/* findings, each with its leak trace */
	AS_BITMAPS		/* small images */
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
 * A part of the page: the answer to a query, in which $module and $process are these columns if the files
 * have several; or text of its own.  name: in JSON, NULL: for people only.  title NULL: only the rows, even
 * if there are none.  none: text for an empty result, NULL: drop the part.  more: the query with more rows.
 */
struct section {
	const char	*name, *title;
	unsigned	 shapes;
	enum section_form	 form;
	const char	*query, *none, *more;
	/* A query for the rows that are not shown, and what these are; or NULL. */
	const char	*rest, *left;
	unsigned	 when;		/* or of enum section_when */
	unsigned	 but;		/* not of files that have one of these shapes */
	bool		 compares;	/* the section is for two files, otherwise for one */
	bool		 html;		/* only of HTML, which has pictures in place of AS_TREE */
	bool		 text;		/* not of HTML */
	bool		 instead;	/* HTML: only if the section before it is not shown */
	enum page_kind	 page;
};

extern const struct section sections[];		/* ends with one without a form */

/*
 * section_fits: these files can answer it.  section_wanted: it is worth showing, known once it was prepared.
 */
bool	section_fits(const struct report *, const struct section *);
bool	section_wanted(const struct report *, const struct section *);
/* Append the text of a query. */
void	section_query(const struct report *, const char *text, struct buf *);

/*
 * Option i of those that change the answers of a session: its name and value, and whether it is the default;
 * NULL after the last.
 */
const char *session_option(const struct session *, size_t i, const char **value, bool *usual);
/* Return the value of an option; for a path the last part. */
struct str given_value(const struct report_option *);
/* Append the command that asks a query of files, with command_options. */
void	command_of(const struct session *, const struct report_options *, struct str query, const char *files,
    struct buf *);

/* Ask a query; the first row is known.  reply_close ends it, also after a failure. */
bool	report_ask(struct report *, const char *text, struct reply *, struct err *);
void	report_head(struct report *);
const char *report_head_kind(unsigned shapes);	/* "heap dump" */
void	report_head_files(struct report *);	/* the files, and how they were read */
/* Append the sentence that says what happened; nothing: there is none. */
void	report_head_story(struct report *, struct buf *);
/* Print the overview from the rows of info; head: only the lines of the header. */
void	report_facts(struct printer *, struct rows *info, bool head, bool first);
/* Print the sums of findings and bytes of a heap in two lines; then rows of number, severity, kind, why. */
void	report_sums(struct printer *, const struct session *);
void	report_findings(struct printer *, struct rows *);
/* Print the lines of the overview, of two files those of what differs. */
void	report_overview(struct report *);

/* ---- elements of a page: page.c ----------------------------------------------------------------- */

/* Texts are raw.  They print whole lines, as text, Markdown or HTML. */
void	page_title(struct printer *, const char *title, char under);	/* under: '=' at the top, else '-' */
/* first: Markdown needs a head */
void	page_pair(struct printer *, const char *label, struct str raw, bool first);
/* Print a paragraph; as plain text, all lines except the first are indented. */
void	page_paragraph(struct printer *, struct str raw, unsigned indent);
/* "+12 idle tasks (CPU below 0.1%)" */
void	page_rest(struct printer *, uint64_t rest, const char *what);
void	page_more(struct printer *, struct str command);	/* the command that prints all rows */
void	page_advice(struct printer *, const char *command, unsigned width, const char *what);
void	page_verbatim(struct printer *, bool begin);	/* lines between these keep their blanks */
void	page_table(struct printer *, struct rows *);

/* ---- HTML: report_html.c -------------------------------------------------------------------- */

void	html_head(struct report *);
void	html_facts(struct report *, bool begin);	/* what is between these is folded */
void	html_losses(struct report *);	/* what of the file could not be read, if anything */
void	html_traces(struct report *, struct rows *);
void	html_bitmaps(struct report *, struct rows *);
void	html_end(struct report *);
void	html_picture(struct report *, struct rows *, double min);
void	html_pools(struct report *, struct rows *);
/* Append words raw, cut in the middle if they are many. */
void	html_words(struct printer *, struct str raw);
void	html_charts(struct report *, struct rows *);

#endif
