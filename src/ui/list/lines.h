/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines: declarations shared by the files of the list: columns, lines, searches.
 */
#ifndef UI_LINES_H
#define UI_LINES_H

#include "list.h"

enum { COLUMN_GAP = 2, LIST_MARGIN = 2, STALE_NS = 200000000 };

bool	column_is_hidden(const struct list *, size_t col);

/* ORDER_CHANGE sorts by absolute value; it is the first order of delta columns. */
enum order { ORDER_RISING, ORDER_FALLING, ORDER_CHANGE };

/* Return the sort column, or the one that a sort stage names; -1: there are several, or none. */
int	column_sorted(const struct list *, enum order *);
int	column_ordered(const struct list *, struct str, enum order *);
enum order column_order(const struct list *, size_t col);	/* default order of a column */
/* append "self increase"; false: none */
bool	column_order_told(const struct list *, size_t col, enum order, struct buf *);
size_t	column_naming(const struct list *);	/* column that names the rows; SIZE_MAX: none */
bool	column_is_delta(const struct coldef *);	/* the column is the change of another column */
/* 1: increase, -1: decrease; 0: neither, or not a delta */
int	column_sign(const struct coldef *, const struct cell *);
void	column_title(const struct coldef *, struct buf *);	/* name in the heading */
bool	column_has_words(const struct coldef *);	/* the column has texts, and no bars */
void	column_put_name(const struct coldef *, struct buf *);	/* name in a query, quoted if the file may choose it */
bool	column_is_searched(const struct coldef *);	/* some of its cells may be texts: columns of tables as well */
void	column_cell(struct list *, uint64_t row, size_t col, struct buf *);
/* Measure rows [top, end). Widths only grow while one result is shown, so that columns do not move. */
void	columns_measure(struct list *, uint64_t top, uint64_t end);
/* Fit COLUMNS_MAX column widths into room screen columns; width 0: not shown. */
void	columns_fit(struct list *, size_t room, size_t *width);

/* cells.c: compute the highlighting of this number of rows from the top one on. */
void	cells_look(struct list *, size_t rows);
bool	cells_hit(const struct list *, size_t line);
void	cells_draw_line(const struct list *, size_t line, int y, int x, int w, enum role, unsigned look);

/* list_run.c: on the worker */
bool	list_run(struct task *, struct work *, struct err *);
/* any thread; false: the row has no id */
bool	list_row_id(struct rows *, uint64_t row, int col, uint64_t *id);
int	list_id_column(const struct rows *);	/* -1: none */
bool	list_slow(const struct rows *);

/* True if these rows can be drawn now; slow rows must first be read by the worker. */
bool	list_ready(struct list *, uint64_t from, uint64_t to);

/* Add the spots of drawn rows and column headings for clicks. */
void	list_spots(struct list *, struct area, int head);
bool	list_set_text(char **, const char *);	/* store a copy; false: out of memory, nothing changed */

/* list_fold.c, on the worker: return rows with some folded into one, or unchanged.  NULL: failure, rows are closed. */
/* the query that opens its rows, including folded ones */
void	 list_opens_text(const struct list *, struct buf *);
void	 list_fold_text(const struct list *, struct buf *);	/* append the stage that omits folded rows */
struct rows *list_fold_rows(struct list *, struct rows *, struct err *);
const char *list_folded_why(const struct list *);	/* why rows are folded, for the status line */
uint64_t list_hidden(const struct list *, uint64_t i);	/* row of list_whole for folded row i; or ROWS_ALL */

/* text.c: use the columns that the user chose if the rows have them; otherwise report it. */
void	list_choose(struct list *, const struct session *);

void	list_unfold(struct list *, uint64_t row);	/* undo step: unfold, and select this row of list_whole */

/* list_undo.c */
#define FILTER_SIGN " ~ "			/* sign in a chip, between column and text */
/* list_limit without an undo step and without reopening the rows */
void	list_filter(struct list *, const char *typed);
void	list_limit(struct list *, const char *typed);	/* undo step: show only rows that contain typed; "": all */

/*
 * Run the search of list_find on the worker, and handle its result on the screen thread.  True: unfold and
 * select search.hidden.
 */
bool	lfind_run(struct list *, struct work *, struct err *);
bool	lfind_done(struct list *);

/* list_keys.c: rows about a process, 0: others, and its tasks. */
uint64_t list_process(struct list *);
void	list_enter_process(struct list *);
/* Rows about a thread of a stack dump, and its stack. */
bool	list_stack_cell(struct list *, struct cell *row);
void	list_enter_stack(struct list *, uint32_t row);

#endif
