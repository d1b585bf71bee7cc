/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: rows on their way to a stream.
 */
#ifndef ICECORE_QUERY_PRINT_H
#define ICECORE_QUERY_PRINT_H

#include "query/lang/lang.h"

struct printer {
	struct rows	*rows;
	FILE		*file;
	unsigned	 width;		/* columns of the terminal, 0: unbounded */
	bool		 ascii;		/* the locale has no UTF-8 */
	bool		 csv;		/* csv, otherwise tsv */
	enum page_output { PAGE_PLAIN, PAGE_MD, PAGE_HTML } page;	/* what a page is written as */
	unsigned	 indent;	/* blanks in front of each line */
	struct buf	 line, cell;
	struct column_fit {
		size_t	col, width;
		bool	right, whole;	/* whole: never shortened */
		struct functions	*names;	/* names of functions in the column; or NULL */
	}		*fit;		/* columns of a table */
	size_t		 nfit;
	bool		 ended;		/* nothing more is written: err says why, unless closed */
	bool		 closed;	/* the reader closed the pipe */
	struct err	*err;
};

struct printer printer_to(FILE *, unsigned width, struct err *);
void	printer_free(struct printer *);
/* Write the line and empty it. */
void	print_line(struct printer *);
/* Append a line end, then call print_line. */
void	print_end(struct printer *);
/* End unless it is ok; a function that returned false has filled err. */
void	print_unless(struct printer *, bool ok);

/* Return the mark for omitted text: an ellipsis, or three points in ASCII. */
struct str print_mark(const struct printer *);
/* Make fitted text ASCII if the locale is. */
void	print_ascii(const struct printer *, struct buf *);
/*
 * Fitted text in at most width columns, cut in the middle; returns the columns it takes. In HTML all of it,
 * escaped.
 */
size_t	print_shortened(struct printer *, struct str fitted, size_t width);
/* Append fitted text as print_shortened does, converted to ASCII if the locale is ASCII. */
void	print_fitted(struct printer *, struct str fitted, size_t width);
/* Fit raw bytes, then append them as print_fitted does. */
void	print_raw(struct printer *, struct str, size_t width);
/*
 * The biggest calls, or what retains most in a heap dump, as an indented text tree of at most that many
 * lines; outline_want ran the passes that it needs.
 */
bool	outline_want(const struct session *, struct work *, struct err *);
void	outline_lines(struct session *, size_t most, struct printer *);
void	table_free(struct printer *);
/* Choose the columns that a table shows, into p->fit. */
bool	table_columns(struct printer *);	/* false: the printer has ended */
/* Build the text of a cell as people read it, fitted, in p->cell. */
struct str table_show(struct printer *, uint64_t row, size_t col);
void	table_head(struct printer *);
void	table_row(struct printer *, uint64_t row);
/* JSON: append a raw text with quotes to the line; print a row as an object. */
void	print_quoted(struct printer *, struct str raw);
void	print_members(struct printer *, uint64_t row);	/* the object, without a line end */
void	print_object(struct printer *, uint64_t row);
/*
 * Append text to the line of a Markdown page, of which a tracker makes neither markup nor a link to people or
 * issues; or as code.
 */
void	md_text(struct printer *, struct str raw);
void	md_code(struct printer *, struct str raw);
void	md_head(struct printer *);
void	md_row(struct printer *, uint64_t row);
/* SARIF: one document of rows of bugs or findings. */
void	sarif_print(struct printer *, uint64_t *n);
void	folded_print(struct printer *, uint64_t *n);
void	tree_print(struct printer *, uint64_t *n);

#endif
