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
	bool		 csv;		/* of the two plain formats */
	struct buf	 line, cell;
	struct column_fit {
		size_t	col, width;
		bool	right;
		struct functions	*names;	/* of functions; or NULL */
	}		*fit;		/* columns of a table */
	size_t		 nfit;
	bool		 closed;	/* nobody reads any more */
};

struct printer printer_to(FILE *, unsigned width);
void	printer_free(struct printer *);
/* Writes the line and empties it.  False: end; with err filled unless p->closed. */
bool	print_line(struct printer *, struct err *);
/* The same, with a line end behind it. */
bool	print_end(struct printer *, struct err *);

/* What stands where something was left out. */
struct str print_mark(const struct printer *);
/* Fitted text in at most width columns, cut in the middle; returns the columns it takes. */
size_t	print_shortened(struct printer *, struct str fitted, size_t width);
/* The same of text that is ASCII from here on where the locale is. */
void	print_fitted(struct printer *, struct str fitted, size_t width);
/* The same of raw bytes. */
void	print_raw(struct printer *, struct str, size_t width);
/* The overview of a report, from the rows of info. */
bool	report_facts(struct printer *, struct rows *info, struct err *);
/* Of the findings of a heap, and of its bytes, in two lines; then rows of number, severity, kind and why. */
bool	report_sums(struct printer *, const struct session *, struct err *);
bool	report_findings(struct printer *, struct rows *, struct err *);
/* Words as lines, all but the first indented. */
bool	report_words(struct printer *, struct str raw, unsigned indent, struct err *);
void	table_free(struct printer *);
bool	table_head(struct printer *, struct err *);
bool	table_row(struct printer *, uint64_t row, struct err *);
/* A text with quotes; appends to the line. */
void	json_text(struct printer *, struct str);
bool	json_row(struct printer *, uint64_t row, struct err *);
bool	folded_print(struct printer *, uint64_t *n, struct err *);
bool	tree_print(struct printer *, uint64_t *n, struct err *);

#endif
