/*
 * Private to src/query/code: rows that are classes, methods, bugs or instructions of bytecode.  The manual of this room.
 */
#ifndef QUERY_CODE_ROWS_H
#define QUERY_CODE_ROWS_H

#include "icecore/code.h"
#include "query/trace/trace.h"

/* Contents of a cell.  CODE_ID is the number of the row (code_row_number). */
enum code_field {
	CODE_ID = FIELD_OWN + 1,
	CODE_NUMBER,		/* of .column */
	CODE_NUMBER_KNOWN,	/* the same; 0: empty */
	CODE_TRUTH,		/* the same, as yes or no */
	CODE_TEXT,		/* ref of .column, with dots for slashes */
	CODE_RAW,		/* ref of .column as it stands there */
	CODE_CLASS, CODE_NAME, CODE_METHOD, CODE_DESC,	/* of the method */
	CODE_ACCESS,		/* words of .column */
	CODE_FILE,		/* the piece that a class is from */
	CODE_MORE		/* what rows have of their own */
};

/* Which thing of a row .column is of: the row itself, or what its method or class is. */
enum code_of { CODE_OF_ROW, CODE_OF_METHOD, CODE_OF_CLASS };

struct code_rows {
	struct rows	 rows;
	struct code	 code;
	bool		 there;		/* a file is open */
	enum code_of	 item;		/* what the number of a row is: CODE_OF_METHOD or CODE_OF_CLASS; else CODE_OF_ROW */
	uint32_t	*list;		/* numbers, in order; NULL: all from 1 */
	uint64_t	 n;
	struct buf	 text;		/* of the last cell */
	/* The method of a row that is none; NULL where rows are methods or classes. */
	uint32_t	(*method)(struct code_rows *, uint64_t row);
	void		(*more)(struct code_rows *, uint64_t row, unsigned kind, struct cell *);
	void		(*close)(struct code_rows *);
};

void	*code_rows_new(size_t size, struct session *, const struct stage *, struct rows *in, struct err *);
uint64_t code_row_number(const struct code_rows *, uint64_t row);
/* The text that a cell has put into s->text. */
void	code_cell_text(struct code_rows *, struct cell *);

/* The column of rows that says which methods they are about, of the bytecode or of the trace. */
bool	code_rows_about(struct rows *in, const struct stage *, size_t *col, bool *traced, struct err *);
/* Marks in has (0 .. n) the numbers in a column. */
bool	code_rows_mark(struct rows *in, size_t col, uint8_t *has, uint64_t n, struct err *);

/* The methods of the bytecode that rows are about, marked in *has, the caller's, by number; NULL: the store is that of no file. */
bool	code_rows_methods(const struct code_rows *, struct rows *in, const struct stage *, uint8_t **has, struct err *);

/* Marks in has (0 .. n) the bugs that may have made the objects in a column of in. */
bool	code_bugs_of_objects(const struct code_rows *, struct rows *in, size_t col, uint8_t *has, uint64_t n, struct err *err);

extern const struct arg_type arg_code_method;
/* The methods that the arguments of a stage mean, in order; the caller frees *list. */
bool	code_methods_of(const struct code *, const struct stage *, uint32_t **list, uint64_t *n, struct err *);
void	code_name_of(const struct store *, uint32_t method, struct buf *);	/* "a.b.C.run" */

#endif
