/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list: the result of a query as lines. The worker opens, reaches and searches its rows; the screen thread
 * reads them when list_usable returns true.
 */
#ifndef UI_LIST_H
#define UI_LIST_H

#include "ui/core/core.h"
#include "ui/prompt/prompt.h"
#include "page.h"

/* ---- pools ------------------------------------------------------------------------- */

/*
 * Rows of threads; those of a pool are below a heading with sums.  A part of list.h.
 */

struct list;

/* The collapsed pools, by hash of their names; the pane keeps them when it sorts. Zeros: none. */
struct folds {
	struct idmap	pool;
	int		n;		/* collapsed pools */
};

/*
 * Group rows by the texts of a column; processes also by the column of_pid, if there is one, which headings
 * show.  Headings come in the order of their first rows, or sorted by their own cells of the column sort,
 * descending if it begins with a minus.  Takes over in, also on failure.
 */
struct rows	*pools_wrap(struct rows *in, const char *column, const char *sort, const struct folds *,
    struct err *);
/* Collapse or expand the pool of row; all: every pool. Screen thread. */
void		 pools_fold(struct rows *, struct folds *, uint64_t row, bool fold, bool all);
/* Keys that collapse and expand pools; Enter does so on a heading.  False: another key, or the rows are not ready. */
bool		 pools_act(struct list *, struct folds *, enum verb);
/* Return the ids of the n threads that the row stands for; the caller frees them. */
uint32_t	*pools_threads(struct rows *, uint64_t row, size_t *n);

enum list_job { LIST_OPEN, LIST_REACH, LIST_FIND, LIST_READ, LIST_OWN };

/*
 * Work of the list's pane on the rows; if it runs on the worker, the worker owns them meanwhile. It may set
 * ask.sel and ask.top.
 */
typedef bool (*list_own_job)(struct list *, struct work *, struct err *);

/* Rows that are folded into one last row until Enter shows them; undo folds them again. */
struct list_fold {
	const char	*flag;			/* column that is not 0 in rows to fold */
	/* column that shows the number of folded rows; their noun: "idle thread" */
	const char	*text, *what;
	const char	*why;			/* definition of idle */
	const char	*sums;			/* columns that the last row sums up */
	uint64_t	 left, least;		/* do not fold if fewer rows would remain, or fewer would be folded */
	bool		 (*stays)(struct list *, struct rows *, uint64_t row);	/* do not fold this row; or NULL */
};

/* Specification of a list: its first query, and how it is shown. */
struct list_spec {
	const char	*base;			/* source; NULL: the query that the pane was opened with */
	const char	*columns, *sort;	/* stages after the source; NULL: none */
	const char	*hide;			/* columns not drawn, shown only in details; or NULL */
	const char	*quiet;			/* columns shown only in the status line */
	const char	*naming;		/* wide column that names a row; NULL: named, or a text */
	const char	*brief;			/* columns at most brief_w wide; or NULL */
	size_t		 brief_w;
	const char	*spare;			/* columns dropped before others are cut; or NULL */
	const char	*empty;			/* why there are no rows; or NULL */
	/* scope of a search, if not all rows: " in the expanded rows"; or NULL */
	const char	*among;
	const char	*fixed;			/* message if the user sorts or filters; NULL: both are possible */
	const char	*opens, *about;		/* query that Enter opens, and its subject, for list_open; or NULL */
	const char	*named;			/* column that identifies a row across files; or NULL */
	bool		 mute;			/* errors stay in the list */
	bool		 bare;			/* no line of names above the rows */
	bool		 warm_first;		/* the first row is slow to compute: the worker reads it */
	bool		 at_once;		/* open on the screen thread: it is fast */
	const struct list_fold *fold;		/* or NULL */
	struct rows	*(*wrap)(struct list *, struct rows *, struct err *);
	bool		 (*marked)(struct list *, uint64_t row);
	enum role	 (*role)(struct list *, uint64_t row);	/* how a row is drawn; or NULL */
	enum role	 (*cell_role)(struct list *, uint64_t row, size_t col);	/* role of one cell; or NULL */
	/*
	 * Called when rows were opened: warm on the worker, for data that cells need; then opened on the
	 * screen thread.
	 */
	bool		 (*warm)(struct list *, struct rows *, struct work *, struct err *);
	void		 (*opened)(struct list *);
};

/* Rows of a query, as far as they are known. */
struct list_answer {
	struct query	*query;
	struct rows	*rows;
	uint64_t	 known;
	bool		 all;			/* known is the number of all rows */
	uint64_t	 from, to;		/* number of slow rows already read */
	unsigned	 version;		/* ui_version() of the rows */
};

/* A row by the text of a column; n 0: none. */
struct list_name {
	char		 column[32];
	struct buf	 text;
};

void	 list_set_name(struct list_name *, const char *column, struct str text);

/* Request to the worker; the user may change the list meanwhile. */
struct list_ask {
	enum list_job	 job;
	struct buf	 query;			/* query to open, */
	struct session	 seen;			/* session of that query */
	const struct list_fold *fold;		/* work on the opened rows; NULL: none */
	uint64_t	 want, room;		/* rows to reach; how many to read before and after sel */
	uint64_t	 id;			/* id of the row to select; 0: by name, or by the number sel */
	struct list_name name;
	uint64_t	 sel, top;		/* the worker changes them to the rows to show */
	list_own_job	 own;
	void		(*done)(struct list *, bool ok);	/* called after own; or NULL */
};

struct list_search {
	char		 text[256];
	struct pattern	*pattern;		/* highlights matches on the page; NULL: no search */
	bool		 backward, quiet;	/* quiet: no count of matches */
	uint64_t	 from;			/* the previously selected row */
	uint64_t	 hit, hits;		/* the matching row, or ROWS_ALL */
	uint64_t	 hidden, nhidden;	/* number of folded rows before the first other row */
};

struct list {
	struct task	 task;
	struct list_spec is;
	struct pane	*pane;
	char		*base, *filter, *tail;	/* source; stages added by & and s; columns */
	char		*chip;			/* the filter as shown: "name ~ x" */
	char		 sort[160];
	struct buf	 chosen;		/* stage for the columns that the user chose; empty: tail */
	bool		 refused;		/* missing columns were reported */

	struct list_answer now, next;		/* the rows on the screen; the rows that the worker has found */
	struct list_ask	 ask;
	struct list_search search;
	struct list_page page;
	bool		 stale, to_end;
	bool		 unfolded;
	uint64_t	 want;
	uint64_t	 id;			/* id of the selected row, 0: none */
	unsigned	 placed;		/* 1 + ui_version() in which a step restores that row; 0: none */
	/* the row to select next: the selected row of a closed file, or list_land's */
	struct list_name kept;
	bool		 part;			/* the pane will know more about the rows later */
	bool		 stopped;		/* the user stopped reopening the rows */
	uint64_t	 since;			/* time of the request to the worker */
	/* time when the query changed and its rows are not ready; 0: they are */
	uint64_t	 other;
	uint64_t	 top, sel;
	size_t		 left;			/* first column drawn */
	char		 error[480];
};

/* base: source if the spec has none. */
struct list *list_new(struct pane *, const struct list_spec *, const char *base);
void	 list_free(struct list *);
void	 list_set(struct list *, const char *base, uint64_t row);	/* set another query and the row to select */
void	 list_reset(struct list *);
void	 list_again_at(struct list *, uint64_t id);	/* select that row later; 0: keep the row number */
void	 list_unlimit(struct list *);		/* drop the filter of &: for rows with other columns */
void	 list_again(struct list *);		/* reopen its rows */
void	 list_forget(struct list *);		/* close its rows */
/* list_fold.c: rows that are folded */
struct rows *list_whole(struct list *);		/* all rows, including folded ones */
bool	 list_folded(const struct list *, uint64_t row);	/* the row is the one for folded rows */
bool	 list_enter_folded(struct list *);	/* list_undo.c: unfold, as a step; false: another row is selected */
/* A query of a pane, for one file or for a comparison.  list_take returns false if the list has that query already. */
struct list_form {
	const char	*base, *columns, *sort;
};
bool	 list_take(struct list *, const struct list_form *);
/* Set other columns and another order, for another kind of file. */
void	 list_columns(struct list *, const char *tail, const char *sort);
void	 list_draw(struct list *, struct area, bool focus);
bool	 list_act(struct list *, enum verb);
void	 list_text(const struct list *, struct buf *);	/* query of the rows that are shown, without folded ones */
/* list_text without columns and without the view's range */
void	 list_rows_text(const struct list *, struct buf *);
/* list_text with the stages of the session's view, so that the query gives the same rows in another session. */
void	 list_look_text(const struct list *, struct buf *);
enum role list_row_role(struct list *, uint64_t row);	/* unreachable objects and calls below the noise are dim */
void	 list_unmark(struct list *);
void	 list_goto(struct list *, uint64_t id);	/* selects that row */
/*
 * Select the row with that text in a column, in a pane of lists, as soon as there are rows. Other columns
 * and "" change nothing.
 */
void	 list_land(struct pane *, const char *column, struct str text);
bool	 list_cell(struct list *, const char *column, struct cell *);	/* cell of the selected row */
/* Return the text of the cell; n 0: none, or not visible. */
struct str list_word(struct list *, const char *column);
uint64_t list_number(struct list *, const char *column);	/* line of the selected row; 0: not visible */
/* area of the last drawing; false: not drawn */
bool	list_column(const struct list *, const char *column, int *x, int *w);
uint64_t list_number_at(struct rows *, uint64_t row, const char *column);
void	 list_place(const struct list *, struct buf *);	/* "3 of 10" */
/*
 * Append "+6: calls, self%, ...": how many columns with values have no room, or were scrolled away (earlier), and the
 * first headings, about w columns; w 0: no headings.  False: none, nothing.
 */
bool	 columns_fallen(const struct list *, bool earlier, size_t w, struct buf *);
/* Append list_place in brackets to a status line, if that leaves room for a third of the name. */
void	 list_add_place(const struct list *, struct str name, struct buf *rest);
bool	 list_usable(const struct list *);
bool	 list_has_row(const struct list *);	/* the selected row can be read */
bool	 list_partial(const struct list *);	/* rows or values are still incomplete: draw them dim */
uint64_t list_id(struct list *);
void	 list_want(struct list *, uint64_t rows);
void	 list_recount(struct list *);		/* call it after the pane changed the rows itself */
/* Run a pane's work on rows that list_usable allows: on the worker if long_work, otherwise at once. */
void	 list_do(struct list *, bool long_work, list_own_job, void (*done)(struct list *, bool ok));
/*
 * A row about this thread, 0: of none, at a time opens Stack chart there. False: it is not, or the file has no Stack
 * chart.
 */
bool	 list_enter_time(struct list *, uint32_t thread);
/*
 * Enter and T: the time of the selected row in Stack chart. The columns have a thread, a start, and a length (NULL: an
 * instant).
 */
bool	 list_act_stretch(struct list *, enum verb, const char *thread, const char *start, const char *length);
bool	 list_has_time(struct list *);		/* result that list_enter_time would have */
/* Number of the function of the selected row in a call graph with costs; 0: none. */
uint64_t list_costs_function(struct list *);
void	 list_costs_calls(struct list *);	/* open its calls */
bool	 list_costs_lines(struct list *);	/* open its lines; false: no function */
/* Open the rows of a query about the selected row, named by that column. */
void	 list_ask(struct list *, const char *query, const char *column);
/* show that event in all panes, as an undo step; n 0: the calls */
void	 list_event(struct ui *, struct str name);
/*
 * Append a query about the selected row: {COLUMN} in the form is its cell, quoted if it is a text.  False:
 * the row has no such cell, or its number is 0; {COLUMN?} permits an empty text and 0.
 */
bool	 list_fill(struct list *, const char *form, struct buf *);
/* Open the rows of such a query about the text of a column; about NULL: of none.  False: nothing is opened. */
bool	 list_open(struct list *, const char *form, const char *about);
/* Open the rows of a source grouped by a column: how many have each value, and sums.  about: see list_ask.  True. */
bool	 list_group(struct list *, const char *source, const char *column, const char *about);
/* Append a text quoted for a query. False: too long. */
bool	 list_quote(struct str, struct buf *);

/* Draw the list below a title line, highlighted if the list has the focus. */
void	 list_draw_titled(struct list *, const char *title, struct area, bool focus);
uint32_t list_object(struct list *);		/* object of the selected row; 0: none */

/* ---- panes of lists -------------------------------------------------------- */

/*
 * Base of panes whose data begins with pointers to lists, one for each spec of their kind. Functions that a
 * pane does not define act on list_of(), the list with the focus, or on all lists.
 */
extern const struct pane_kind list_pane;
#define LISTS_OF(specs) .like = &list_pane, .lists = specs, .nlists = NELEM(specs)

static inline struct list *
list_of(const struct pane *p)
{
	return ((struct list **)p->data)[p->focus];
}

void	 list_find(struct pane *, const char *text, bool backward);
void	 list_status(struct pane *, struct buf *);
void	 list_copy(struct pane *, struct buf *);
void	 list_sorted(struct pane *, struct buf *);	/* append the sort column, if one: "self" and an arrow */
void	 list_subject(struct pane *, struct buf *);	/* append the raw name of the selected row */
void	 list_details(struct pane *, struct items *);	/* the selected row, with hidden columns */
void	 list_legend(struct pane *, struct items *);
void	 list_pane_close(struct pane *);
void	 list_pane_forget(struct pane *);
void	 list_pane_draw(struct pane *, struct area);
/* The same, with a text of the selected row below it, wrapped, for which no column has room. */
void	 list_pane_draw_said(struct pane *, struct area, const char *column, const char *title);

/* list_recall.c: a list in a place.  Filter and row in marks, limit and id in steps. */
#define LIST_AT(F, s) F(s, TEXT, BOTH, sort) F(s, TEXT, MARK, filter) F(s, FLAG, BOTH, unfolded) F(s, NUMBER, MARK, \
    object) \
	F(s, TEXT, MARK, row) F(s, NUMBER, MARK, line) F(s, NUMBER, STEP, id) F(s, NUMBER, STEP, sel) F(s, NUMBER, \
	    STEP, top) \
	F(s, NUMBER, STEP, left) F(s, FLAG, STEP, followed) F(s, TEXT, STEP, base) F(s, TEXT, STEP, tail) F(s, TEXT, \
	    STEP, limit) \
	F(s, TEXT, STEP, chip)
/* A pane: the first list in marks, list in steps.  Places of panes with members of their own begin with these. */
#define LIST_PANE_AT(F, s) LIST_AT(F, s) F(s, NUMBER, STEP, focus) F(s, TEXTS, STEP, list)

PLACED(list_pane_at, LIST_PANE_AT);
extern const struct placed_kind list_places;
bool	 list_take_place(struct pane *, void *place, enum placed_use);
bool	 list_go_place(struct pane *, void *place, enum placed_use, bool moved);
static inline bool
list_placeable(const struct pane *p)		/* ready for the place of a mark */
{
	const struct list *l = *(struct list **)p->data;

	return list_usable(l) && !l->task.given;
}

/* Handle the keys of a list; Enter opens the object, method or query of the row. */
bool	 list_pane_act(struct pane *, enum verb);
bool	 list_pane_offers(struct pane *, enum verb);	/* hints show Enter only for rows that open something */
void	 list_pane_file_text(struct pane *, struct buf *);	/* the query of files: with folded rows */
void	 list_pane_side(struct pane *);		/* for couple_follow */
void	 list_pane_path(struct pane *, struct buf *);	/* query, for panes that show it above the rows */

extern const struct pane_kind pane_query, pane_info;

#endif
