/*
 * lines: what the files that make a list share: its columns, its lines, its searches.
 */
#ifndef UI_LINES_H
#define UI_LINES_H

#include "list.h"

enum { COLUMN_GAP = 2, COLUMNS_MAX = 32, LIST_MARGIN = 2, STALE_NS = 200000000 };

bool	column_is_hidden(const struct list *, size_t col);

/* Changes are sorted by how large they are before they are by what grew or shrank most. */
enum order { ORDER_RISING, ORDER_FALLING, ORDER_CHANGE };

/* The one the list is sorted by, or -1. */
int	column_sorted(const struct list *, enum order *);
enum order column_order(const struct list *, size_t col);	/* that is looked at first */
bool	column_order_told(const struct list *, size_t col, enum order, struct buf *);	/* "self increase"; false: it is no change */
size_t	column_naming(const struct list *);	/* that tells what a row is; SIZE_MAX: none does */
bool	column_is_delta(const struct coldef *);	/* how much a column of that name changed */
int	column_sign(const struct coldef *, const struct cell *);	/* 1: it grew, -1: it shrank; 0: neither, or it is no change */
void	column_title(const struct coldef *, struct buf *);	/* its name above the list */
bool	column_has_words(const struct coldef *);	/* that can be looked for: no bars */
void	column_cell(struct list *, uint64_t row, size_t col, struct buf *);
/* Widths only grow while one answer is shown, so that columns stay where they are. */
void	columns_measure(struct list *, uint64_t top, uint64_t end);
/* Widths of the columns, COLUMNS_MAX of them, in so much room; 0: not shown. */
void	columns_fit(struct list *, size_t room, size_t *width);

/* cells.c: of so many rows from the top one on, as they are drawn next. */
void	cells_look(struct list *, size_t rows);
bool	cells_hit(const struct list *, size_t line);
void	cells_draw_line(const struct list *, size_t line, int y, int x, int w, enum role, unsigned look);

/* list_run.c: on the worker */
bool	list_run(struct task *, struct work *, struct err *);
bool	list_row_id(struct rows *, uint64_t row, int col, uint64_t *id);	/* any thread; false: it has none there */
int	list_id_column(const struct rows *);	/* -1: there is none */
bool	list_slow(const struct rows *);

void	list_free_page(struct list *);
/* Whether these rows can be drawn now; slow ones the worker reads first. */
bool	list_ready(struct list *, uint64_t from, uint64_t to);

/* Rows, and head lines of names above them, as they were drawn: what clicks there do. */
void	list_spots(struct list *, struct area, int head);
/* Texts that a list is asked with. */
enum list_text { LIST_BASE, LIST_TAIL, LIST_SORT, LIST_FILTER, LIST_CHIP, LIST_TEXTS };

bool	list_set_text(char **, const char *);	/* a copy of it; false: no memory, nothing changed */

/* list_fold.c: on the worker; the rows with one that folds others, or as they were.  NULL: they are closed. */
struct rows *list_fold_rows(struct list *, struct rows *, struct err *);
const char *list_folded_why(const struct list *);	/* of the rows that are folded */
uint64_t list_hidden(const struct list *, uint64_t i);	/* the row of list_whole that was folded as number i; or ROWS_ALL */

/* list_undo.c */
void	list_unfold(struct list *, uint64_t row);	/* a step: shows what is folded, this row of list_whole selected */
void	list_limit(struct list *, const char *typed);	/* a step: only rows that contain it; "": all */

/* Looks for what list_find was asked for: on the worker, and back from it. */
bool	lfind_run(struct list *, struct work *, struct err *);
void	lfind_done(struct list *);

#endif
