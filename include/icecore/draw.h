/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* draw: answers printed as text, tables, JSON and pictures. */
#ifndef ICECORE_DRAW_H
#define ICECORE_DRAW_H

#include "icecore/command.h"

enum format { FORMAT_TABLE, FORMAT_TSV, FORMAT_CSV, FORMAT_JSON, FORMAT_MD, FORMAT_FOLDED, FORMAT_TREE,
    FORMAT_DOT,
	FORMAT_SVG, FORMAT_HTML, FORMAT_SARIF, FORMATS };
extern const char *const format_names[FORMATS];

/* How pictures are drawn: svg, html, dot. */
struct draw_options {
	bool		 up;		/* callers below callees */
	bool		 interactive;	/* svg: with the script that a page has */
	double		 min;		/* percent of all; boxes of less are joined */
	bool		 alike;		/* small objects of one class below one object are one box */
	unsigned	 nodes;		/* most nodes of a graph */
	unsigned	 figure;	/* number of this picture on a page with several; 0: the only one */
	struct str	 title;		/* raw bytes; empty: the names of the files */
};

#define NODES_MAX 5000u
#define DRAW_OPTIONS ((struct draw_options){ .min = 0.1, .nodes = 200 })

/* The format is a picture or a page. */
static inline bool
format_draws(enum format format)
{
	return format == FORMAT_DOT || format == FORMAT_SVG || format == FORMAT_HTML;
}

/* The format is for people and omits columns that table hides. */
static inline bool
format_shows(enum format format)
{
	return format == FORMAT_TABLE || format == FORMAT_MD;
}

/* The format by the suffix of a file name. */
bool	format_of_path(const char *path, enum format *);
/* The requested format; FORMATS: the default for standard output. */
enum format output_format(size_t asked);
/* Width of the terminal on standard output, in columns; 0: not a terminal. */
unsigned output_width(void);

/*
 * All rows to f; *n gets their number.  table: for people, fitted to width columns (0: unbounded).  md: the
 * same cells as a table of Markdown.  tsv, csv, json: plain numbers in base units.  svg, html, dot: one
 * picture, *n its boxes.  A full disk is E_SYSTEM, a broken pipe ends quietly with true.
 */
bool	rows_print(struct rows *, enum format, unsigned width, FILE *, uint64_t *n, struct err *) MUST_USE;
/* Print the empty line before rows that follow other rows, with the line end of the format. */
void	rows_gap(const struct rows *, enum format, FILE *);
/* rows_print with options for drawing. */
bool	rows_draw(struct rows *, enum format, const struct draw_options *, unsigned width, FILE *,
    uint64_t *n, struct err *) MUST_USE;
/*
 * rows_draw to a file, created completely or not at all; *size gets its bytes.  replace: overwrite an
 * existing file.
 */
bool	rows_write(struct rows *, enum format, const struct draw_options *, const char *path, bool replace,
    uint64_t *n, uint64_t *size, struct err *) MUST_USE;
/* "time". */
const char *cell_type_name(enum cell_type);
const char *cell_unit(enum cell_type);	/* base unit of its numbers; "": none */
/* The columns that table shows. */
uint64_t columns_shown(const struct rows *);
/*
 * Append a cell: for people, as table prints it; for programs, in base units, and nothing for a text.
 */
void	cell_show(const struct cell *, struct buf *);
void	cell_plain(const struct cell *, struct buf *);
/* Append a name or a text as a query needs it: in quotes, unless it is a word and need not be. */
void	name_quote(struct buf *, struct str name, bool always);
/* cell_show; a negative amount, which is an integer, keeps the unit of its column: "-72 B". */
void	cell_show_in(const struct coldef *, const struct cell *, struct buf *);
/* Three lines for people, passed through text_fit: the message, the query, a ^ under err.at. */
void	query_show_error(struct str query, const struct err *, struct buf *);

#endif
