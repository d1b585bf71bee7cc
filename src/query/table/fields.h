/*
 * Private to src/query/table: fields of some columns of a table in many records at once.
 *
 * Records are read in windows, a window once for all columns that were asked for so far; some windows stay, so that
 * one column may be read after the other.
 */
#ifndef ICECORE_QUERY_FIELDS_H
#define ICECORE_QUERY_FIELDS_H

#include "icecore/batch.h"
#include "icecore/table.h"
#include "icecore/texts.h"

#define FIELDS_COLUMNS 16u	/* so many may be asked for */
#define FIELDS_WINDOW 1024u	/* records in a window */
#define FIELDS_WINDOWS 8u	/* a batch lies in five of them at most */
#define FIELDS_VALUES 65536u	/* a column with more different texts has no values */

struct fields_column {
	uint32_t	 column;	/* of the file */
	struct sheet_field *field;	/* of the records in the windows */
	struct text_pool texts;		/* its values */
	bool		 many;		/* there are too many */
};

struct fields {
	struct sheet_reader reader;
	const struct column *block, *line;	/* of the store: where records begin */
	uint64_t	 window[FIELDS_WINDOWS];	/* the number of the window that is there, from 1; 0: none */
	struct fields_column column[FIELDS_COLUMNS];
	unsigned	 n;
};

bool	fields_open(struct fields *, const struct sheet *, const struct store *, struct err *);
void	fields_close(struct fields *);
/* Read a column of records [first, first + n), n <= BATCH, all of which the sheet has; NULL: it is not possible. */
struct fields_column *fields_read(struct fields *, uint32_t column, uint64_t first, size_t n);
/* The text of a field that was read; valid until the next one. */
struct str fields_text(struct fields *, const struct fields_column *, uint64_t record);
/* The column, if it was read of that record; NULL: it was not. */
const struct fields_column *fields_have(const struct fields *, uint32_t column, uint64_t record);
/* The text of a value of a column that has values. */
struct str fields_value(const struct fields *, uint32_t column, uint64_t value);
/* Number the texts of n records, from 0, empty ones apart: values of a batch; false: there are too many different ones. */
bool	fields_values(struct fields *, struct fields_column *, uint64_t first, size_t n, struct batch *);

#endif
