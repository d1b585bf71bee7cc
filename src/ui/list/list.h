/*
 * list: a query drawn as lines.  Its rows are opened, reached and searched by the worker; the screen thread reads them
 * when list_usable says so.
 */
#ifndef UI_LIST_H
#define UI_LIST_H

#include "ui/prompt/prompt.h"

enum list_job { LIST_OPEN, LIST_REACH, LIST_FIND, LIST_READ, LIST_OWN };

/* What only its pane can do with the rows: on the worker, which has them meanwhile; new_sel and new_top are where it leads. */
typedef bool (*list_own_job)(struct list *, struct work *, struct err *);

/* Which rows are one last row until Enter shows them; a step folds them again. */
struct list_fold {
	const char	*flag;			/* the column that says so */
	const char	*text, *what;		/* the column that says how many, and of what: "idle threads" */
	const char	*why;			/* what idle means there */
	const char	*sums;			/* columns that the last row sums up */
	uint64_t	 left;			/* where fewer would be left alone nothing folds */
	bool		 (*stays)(struct list *, struct rows *, uint64_t row);	/* it stands alone all the same; or NULL */
};

/* What a list begins as, and what it is to those who look at it. */
struct list_spec {
	const char	*base;			/* source; NULL: what the pane was opened for */
	const char	*columns, *sort;	/* stages behind it; NULL: none */
	const char	*hide;			/* columns that are for us alone; or NULL */
	const char	*quiet;			/* columns for the status line alone */
	const char	*naming;		/* the column that tells what a row is and needs much room; NULL: named, or a text */
	const char	*brief;			/* one that never takes more than brief_w; or NULL */
	size_t		 brief_w;
	const char	*empty;			/* why there are no rows; or NULL */
	const char	*among;			/* where it is searched, if that is not everywhere: " in the expanded rows"; or NULL */
	const char	*fixed;			/* what is said instead of sorting or filtering it; or NULL */
	const char	*named;			/* the column that tells rows apart over files; or NULL */
	bool		 mute;			/* errors stay in the list */
	bool		 bare;			/* no line of names above the rows */
	bool		 warm_first;		/* the first row makes what all need, so the worker asks for it */
	bool		 at_once;		/* opening takes no time: nobody waits for the worker */
	const struct list_fold *fold;		/* or NULL */
	struct rows	*(*wrap)(struct list *, struct rows *, struct err *);
	bool		 (*marked)(struct list *, uint64_t row);
	enum role	 (*role)(struct list *, uint64_t row);	/* how a row is drawn; or NULL */
	enum role	 (*cell_role)(struct list *, uint64_t row, size_t col);	/* where a cell has one of its own; or NULL */
	/* On the worker, when rows were opened: what their cells need once; and back on the screen thread. */
	bool		 (*warm)(struct list *, struct rows *, struct work *, struct err *);
	void		 (*opened)(struct list *);
};

/* How a cell of the page stands out. */
struct cell_look {
	bool	 hit;			/* it has what was looked for */
	uint8_t	 share;			/* percent */
	enum role role;			/* ROLE_NORMAL: that of its row */
};

struct list {
	struct task	 task;
	struct list_spec is;
	struct pane	*pane;
	char		*base, *filter, *tail;	/* source; added by & and s; columns */
	char		*chip;			/* the filter as it is told: "name ~ x" */
	char		 sort[64];

	struct query	*query;
	struct rows	*rows;
	struct query	*new_query;
	struct rows	*new_rows;
	uint64_t	 known, new_known;
	bool		 new_all;		/* new_known are all */
	bool		 all;			/* known are all there are */
	enum list_job	 job;
	bool		 stale, backward, quiet_find, to_end;
	uint64_t	 want, hit, hits, from;
	uint64_t	 hidden_hit, hidden_hits;	/* among folded rows: one of those without them, or ROWS_ALL */
	bool		 unfolded;
	const struct list_fold *folds;		/* of the rows that the worker opens; NULL: they stand alone */
	char		 find[256];
	struct pattern	*pattern;		/* marks what was found */
	int		 idcol;
	uint64_t	 id;			/* of the selected row, 0: none */
	unsigned	 placed;		/* a step leads to that row, in this ui_version(), from 1; 0: none does */
	struct buf	 kept;			/* what the selected row had there when the file went; "" */
	bool		 part;			/* its pane knows that more will be known of its rows */
	bool		 stopped;		/* they were to be opened again, and the user stopped it */
	uint64_t	 since;			/* when the worker was asked for them */
	uint64_t	 other;			/* when another query was set whose rows are not there yet; 0: they are */
	struct buf	 asked;			/* the query that the worker opens */
	struct session	 seen;			/* over which */
	unsigned	 asked_version, version;	/* of ui->version: of seen, and of rows */
	uint64_t	 asked_id, asked_sel, asked_want, asked_room, new_sel, new_top;
	uint64_t	 read_from, read_to;	/* of slow rows: those that were asked for, */
	uint64_t	 new_from, new_to;	/* and what the worker asks for */
	list_own_job	 own;
	void		 (*owned)(struct list *, bool ok);	/* when it was done; or NULL */

	uint64_t	 top, sel;
	size_t		 left;			/* first column drawn */
	size_t		 width[32];
	bool		 filled[32];		/* the column has something in a row that was drawn */
	size_t		 shown[32];		/* of the page; 0: the column is not on it */
	bool		 more;			/* there was no room for some */
	struct buf	*line;			/* the page as drawn */
	struct buf	*cell;			/* one column of it */
	struct cell_look *look;			/* of its cells, 32 a row */
	bool		*alike;			/* its rows whose function has the name of another one's */
	size_t		 nlines, page_h;
	int		 page_w;
	uint64_t	 page_top;
	bool		 page_ok;
	char		 error[480];
};

/* base: where the spec has none. */
struct list *list_new(struct pane *, const struct list_spec *, const char *base);
void	 list_free(struct list *);
void	 list_set(struct list *, const char *base, uint64_t row);	/* another query, and where in it */
void	 list_reset(struct list *);
void	 list_again_at(struct list *, uint64_t id);	/* selects that row then; 0: the one of the same number */
void	 list_unlimit(struct list *);		/* without what & left out: for rows with other columns */
void	 list_again(struct list *);		/* opens its rows again */
void	 list_forget(struct list *);		/* gives its rows back */
/* list_fold.c: rows that are folded */
struct rows *list_whole(struct list *);		/* its rows with those that are folded */
bool	 list_folded(const struct list *, uint64_t row);	/* it stands for them */
bool	 list_enter_folded(struct list *);	/* list_undo.c: shows them, a step, if that one is selected; false: it is not */
/* What one pane asks, of one file or of two that are compared.  False: the list asks that already. */
struct list_form {
	const char	*base, *columns, *sort;
};
bool	 list_take(struct list *, const struct list_form *);
/* Other columns and another order, for another kind of file. */
void	 list_columns(struct list *, const char *tail, const char *sort);
void	 list_draw(struct list *, struct area, bool focus);
bool	 list_act(struct list *, enum verb);
void	 list_status(struct list *, struct buf *);
void	 list_text(const struct list *, struct buf *);
void	 list_rows_text(const struct list *, struct buf *);	/* the same without its columns and without the range of the view */
/* The same, of a list that shows the session's view, as a query that says so itself. */
void	 list_look_text(const struct list *, struct buf *);
enum role list_object_role(struct list *, uint64_t row);	/* objects that nothing reaches are dim */
/* text NULL: the next one. */
void	 list_find(struct list *, const char *text, bool backward);
void	 list_unmark(struct list *);
void	 list_goto(struct list *, uint64_t id);	/* selects that row */
bool	 list_cell(struct list *, const char *column, struct cell *);	/* of the selected row */
uint64_t list_number(struct list *, const char *column);	/* of the selected row; 0: it has none there */
bool	list_column(const struct list *, const char *column, int *x, int *w);	/* where it was drawn; false: it was not */
uint64_t list_number_at(struct rows *, uint64_t row, const char *column);
void	 list_place(const struct list *, struct buf *);	/* "3 of 10" */
/* The same in brackets at the end of a status, if it and a third of the name have room. */
void	 list_add_place(const struct list *, struct str name, struct buf *rest);
bool	 list_usable(const struct list *);
bool	 list_partial(const struct list *);	/* other rows will follow, or more in them: these are dim */
uint64_t list_id(struct list *);
void	 list_want(struct list *, uint64_t rows);
/* The pane's own work with rows that list_usable says are ours; at once, or on the worker if it may take long. */
void	 list_do(struct list *, bool long_work, list_own_job, void (*done)(struct list *, bool ok));
void	 list_copy(struct list *, struct buf *);
void	 list_sorted(struct list *, struct buf *);	/* "self" and an arrow, "self change", if it is by one column; appends */
void	 list_legend(struct list *, struct items *);
void	 list_details(struct list *, struct items *);	/* the selected row, hidden columns too */
/* Opens the rows of a query about the selected row, which that column names. */
void	 list_ask(struct list *, const char *query, const char *column);
void	 list_subject(struct list *, struct buf *);	/* what names the selected row, raw; appends */
/* A text as a query takes it; appends.  False: it is too long to be asked for. */
bool	 list_quote(struct str, struct buf *);

/* With a title on a line above it, which stands out where it has the keys. */
void	 list_draw_titled(struct list *, const char *title, struct area, bool focus);
uint32_t list_object(struct list *);		/* of the selected row; 0: it is about none */

/* ---- panes of lists -------------------------------------------------------- */

/*
 * What a pane is like whose data begins with pointers to lists, as its kind tells of them.  What it does not do itself
 * is about list_of(): the one that has the keys, or all of them.
 */
extern const struct pane_kind list_pane;
#define LISTS_OF(specs) .like = &list_pane, .lists = specs, .nlists = NELEM(specs)

struct list *list_of(struct pane *);
void	 list_pane_close(struct pane *);
void	 list_pane_forget(struct pane *);
void	 list_pane_draw(struct pane *, struct area);
void	 list_chips(struct pane *, struct buf *);	/* what & leaves */
void	 list_pane_keep(struct pane *, struct buf *);
void	 list_pane_put(struct pane *, struct str place, bool moved);
/* Enter leads to what the row is about; what else keys do in lists. */
bool	 list_pane_act(struct pane *, enum verb);
void	 list_pane_path(struct pane *, struct buf *);	/* its query: for panes that tell it above the lines */

extern const struct pane_kind pane_query, pane_info;

#endif
