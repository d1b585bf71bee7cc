/*
 * lines: what the columns and the lines of a list share.
 */
#ifndef UI_LINES_H
#define UI_LINES_H

#include "room.h"

enum { COLUMN_GAP = 2, COLUMNS_MAX = 32 };

bool	column_is_text(const struct rows *, size_t col);
bool	column_is_hidden(const struct list *, size_t col);
/* The one the list is sorted by, or -1. */
int	column_sorted(const struct list *, bool *falling);
void	column_cell(struct list *, uint64_t row, size_t col, struct buf *);
/* Widths only grow while one answer is shown, so that columns stay where they are. */
void	columns_measure(struct list *, uint64_t top, uint64_t end);
/* Widths of the columns, COLUMNS_MAX of them, in so much room; 0: not shown. */
void	columns_fit(const struct list *, size_t room, size_t *width);

#endif
