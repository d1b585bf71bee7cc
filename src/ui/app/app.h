/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * app: declarations shared by the files of this directory.
 *
 * app.c: the loop. input.c: keys and pasted text. act.c, write.c: keys that work in every pane. files.c,
 * stream.c, swap.c: opening and replacing files. look.c: the view of the files.
 *
 * draw.c, title.c, hints.c: the whole screen. dead.c: messages about keys without effect. idle.c:
 * background work. script.c: scripts. compare.c: panes that cannot compare. bookmarks.h: marks and their
 * file. settings.h: the configuration.
 */
#ifndef UI_APP_H
#define UI_APP_H

#include "icecore/ui.h"
#include "ui/core/core.h"
#include "ui/overlay/overlay.h"
#include "ui/prompt/prompt.h"
#include "ui/term/term.h"
#include "settings.h"

/* ---- bookmarks --------------------------------------------------------------------- */

/*
 * Keys for marks (bookmarks.c), and the file that stores marks (shelf.c); a part of app.h.
 */

struct app;

/* Detects whether a file has changed. */
struct shelf_stamp {
	uint64_t	size, mtime;	/* bytes; ns since 1970 */
};

/* The file that stores marks, and the file they belong to. */
struct bookmark_file {
	char			*path;		/* NULL: marks are not saved */
	char			*about;		/* absolute path of the first file; NULL: none */
	struct shelf_stamp	 stamp;		/* size and time of that file when it was opened */
};

/* bookmarks.c */
void	 bookmarks_act(struct app *, enum verb);	/* ask for the name of a mark, to set it or to go there */
void	 bookmarks_set(struct app *, struct str name);
void	 bookmarks_offer(const struct ui *, struct completion *);
void	 bookmarks_begin(struct app *);		/* before the sandbox is entered */
void	 bookmarks_load(struct app *);		/* call it when the first file is shown */
void	 bookmarks_end(struct app *);		/* call it while the panes are open */

/* shelf.c: find the marks of a file in the text of the whole file; false: none. */
bool	 shelf_find(struct str all, const char *path, struct str *marks, struct shelf_stamp *);
/* Append the paths of the files used last, the last one at the end; a NUL ends each. */
void	 shelf_paths(struct str all, struct buf *);
/* Append the text of the file with new marks, or none, for one file, moved to the end. */
void	 shelf_put(struct str all, const char *path, const struct shelf_stamp *, struct str marks,
    struct buf *);

enum { OLD_STORES = 8, APP_STAGES = 2048, STEP_NS = 8000000 };
enum load_state { LOAD_RUNNING, LOAD_STOPPED, LOAD_DONE, LOAD_FAILED };

/* A task for the worker that does not belong to one pane. */
struct app_task {
	struct task	 task;
	struct app	*app;
};

/* A replaced store.  bottom: the store below it that is still in use; NULL: no store below it is. */
struct old_store {
	struct store		*top;
	const struct store	*bottom;
};

/* A trace that is still being written. */
struct stream {
	struct app_task	 task;
	struct live	*live;		/* NULL: no live trace */
	struct store	*snapshot;	/* set by the worker, like end */
	bool		 end, ended;
	uint64_t	 shown;		/* time of the last snapshot */
};

/* A view that the worker is building. */
struct look_making {
	struct app_task	 task;
	char		 asked[APP_STAGES];
	size_t		 asked_at;	/* index of its file */
	enum clock	 asked_clock;
	bool		 by_rows;	/* only panes compare: the files have no call tree */
	struct store	*base;		/* another snapshot of the first file, not yet in the session; or NULL */
	struct store	*made;
};

/* The file that w writes. */
struct app_writer {
	struct app_task	 task;
	struct session	*session;
	struct buf	 path, query;
	enum format	 format;
	bool		 replace;	/* replace an existing file */
	uint64_t	 n, size;	/* rows and bytes written */
};

/* The overview that is computed for the clipboard. */
struct app_copier {
	struct app_task	 task;
	enum clock	 clock;		/* the bars also describe the files */
	struct report_options page;
	struct buf	 text;
};

/* The mouse, and its last click. */
struct mouse_state {
	bool		 on, none;	/* the terminal has no mouse */
	bool		 down, moved;	/* the left button is held in the pane's area; the mouse moved since */
	int		 y, x, from;	/* from: column of the button press */
	uint64_t	 at;		/* ns; 0: no click, or already the second one */
};

/* A pressed key, kept until the next frame shows whether it changed something. */
struct watched {
	const struct key *key;		/* NULL: no key */
	unsigned	 many;		/* number of keys since the last frame */
	uint64_t	 sum;		/* checksum of the screen before them */
};

/* Passes that panes of a heap will need. */
struct preparer {
	struct app_task	 task;
	column_id	 column;
	bool		 begun;
};

/* Verification of the unused parts of the indexes, a little at a time. */
struct checker {
	struct app_task	 task;
	bool		 more;		/* more indexes to verify */
	size_t		 done;		/* verified stores of the session */
	bool		 told;		/* damage was reported */
};

/* Meanings of the next key. */
struct awaited {
	bool	letter;		/* of a pane */
	bool	digit;		/* the first of a range */
	size_t	tour;		/* step of the tour */
};

struct app {
	struct ui		*ui;
	struct session		*session;
	struct ui_options	*opt;
	struct report_option	*given;		/* of opt->page, with another dump; or NULL */
	char			 dump[24];	/* its number as text */
	uint64_t		 dump_wanted;
	struct work		 waits;		/* progress of work that the screen waits for */
	bool			 quit, redraw;
	bool			 leaving;	/* the last key was q, and nothing was open */
	bool			 drawn;		/* the screen is up to date */
	struct awaited		 awaits;
	bool			 lacks;		/* an allocation failed since the last key */
	uint64_t		 refused;	/* mem_refused at the last report */
	struct err		 err;		/* reason for the end */
	struct script		*script;

	struct app_task		 load, save;
	struct store		*loaded;	/* loaded, but not yet in the session */
	/* index of the file being loaded, from 0; files of the loaded store */
	size_t			 loading, taken;
	enum load_state		 state;		/* progress of the first file */
	size_t			 wanted;	/* tab asked for while loading, from 0 */
	struct old_store	 old[OLD_STORES];
	size_t			 nold;
	size_t			 saved;		/* number of passes saved in the index */
	struct stream		 stream;
	struct look_making	 look;
	struct app_writer		 writer;
	struct app_copier		 copier;
	struct preparer		 preparer;
	struct checker		 checker;
	struct bookmark_file	 bookmarks;
	struct settings		 settings;
	struct overlays		 overlays;
	struct mouse_state	 mouse;
	struct watched		 watched;

	struct buf		 paste;
	bool			 pasting, began_typing;	/* began_typing: keys of the command line */
	bool			 pasted;	/* the last input was text, not keys */
	uint64_t		 pasted_at;
	struct buf		 typed;		/* keys that wait for rows, as bytes from the terminal */
	uint64_t		 typed_at;	/* time of the first waiting key */
	struct buf		 asked;		/* the last query entered */
	char			 search[256];	/* the pattern that n continues with */
	const struct pane	*searched;	/* pane of the last search; NULL: no pane marks matches */
	const char		*stage;		/* stage whose pattern the prompt asks for: "hide" */
};

/* Give a task to the worker; run and done get it as their task. */
static inline void
app_give(struct app *app, struct app_task *t, bool (*run)(struct task *, struct work *, struct err *),
    void (*done)(struct task *, bool ok, const struct err *))
{
	t->app = app;
	t->task.run = run;
	t->task.done = done;
	task_give(app->ui, &t->task);
}

static inline struct app *
app_of(struct task *task)
{
	return ((struct app_task *)task)->app;
}

void	 app_draw(struct app *);
/* Set next to a key to press then, if Enter chose it in an overlay; NULL: the verb is not Enter. */
void	 app_act(struct app *, enum verb, const struct press *, struct press *next);
bool	 app_waits(struct app *, enum verb);	/* the verb needs rows that are still being computed */
bool	 hints_row_opened(const struct app *);	/* the pane of a row's file, opened from a list that q returns to */
/*
 * Draw the most useful keys for the focus, in the columns from x to w; right: aligned at the end. cut:
 * details have more.
 */
void	 hints_draw(struct app *, int y, int x, int w, bool right, bool cut);
void	 search_act(struct app *, enum verb);	/* search.c */
bool	 search_forget(struct app *);		/* remove the marks; false: there were none */
/* input.c */
void	 input_press(struct app *, const struct press *);	/* at once, or when the rows are ready */
/*
 * Press the complete keys of one read, except text. *text: they are text; before: *text continues. Return
 * the bytes of the keys.
 */
size_t	 input_take(struct app *, struct str, bool final, bool *text);
bool	 input_typed(struct app *);		/* press the keys that waited; false: there were none */
bool	 input_read(struct app *);		/* press what was typed; false: the terminal is closed */
void	 input_wakes(struct app *);		/* what signals ask for */
/* go.c */
char	 go_letter(const struct pane *);	/* 0: none */
struct pane *go_find(const struct ui *, char letter);	/* NULL: no pane has it */
void	 go_begin(struct app *);		/* the next key is a letter */
/* The key after g: true if it was; *next: a key to press in its place, or as it was. */
bool	 go_press(struct app *, const struct press *, struct press *next);
void	 palette_open(struct app *);		/* palette.c */
/* Offers what fits the typed text; again when all names so far were looked through. */
void	 palette_offer(const struct ui *, struct completion *);
/* tour.c: the next key to press, after one, or NULL: at the start */
void	 tour_tell(struct app *, const struct press *);
/* burst.c */
bool	 burst_is_text(struct app *, struct str, bool final);	/* the keys look like pasted text */

/* dead.c */
void	 dead_key(struct app *, const struct press *);	/* report a key that has no action here */
void	 dead_watch(struct app *, const struct key *);	/* call before the key acts */
bool	 dead_check(struct app *, bool more);	/* after a frame: true if it reported a key without effect */

/* title.c */
void	 title_draw(struct app *, int w);
bool	 app_partial(const struct app *);		/* the visible pane shows partial results */
void	 title_wait(struct work *);	/* show above the frame what the screen is waiting for */
void	 title_progress(struct app *, struct buf *);	/* append the progress: "[ 40% ] calls" */

int	 tabs_draw(struct app *, int y, int w);	/* tabs.c: the columns used */

/* click.c: handle a mouse event; return how many times *key must be pressed for it. */
int	 click_take(struct app *, const struct press *, struct press *key);
void	 click_switch(struct app *);	/* on, off */
/* crumbs.c: the line below the tabs: active filters, then the path. */
bool	 crumbs_any(const struct app *);	/* the line is not empty */
int	 crumbs_draw(struct app *, int y, int w);	/* returns the columns used */
void	 crumbs_strip(struct app *, int y, int x, int w);	/* after the path, if there is room */
/* sides.c: the sides of a split screen; with only one, the visible pane */
bool	 sides_step(struct app *);		/* choose a missing pane, let panes work; true: more to do at once */
bool	 sides_pending(const struct app *);	/* a visible pane waits for its rows */
bool	 sides_unfinished(const struct app *);	/* drawing them continues with the next step */
void	 sides_draw(struct app *, struct area);
bool	 sides_act(struct app *, enum verb);	/* false: another verb */
void	 sides_click(struct app *, const struct press *);	/* the focus goes to the side that is clicked */
/* compare.c */
bool	 compare_lacks(const struct app *);	/* two files are compared, and the visible pane cannot compare */
void	 compare_draw(const struct app *, struct area);	/* message shown instead of the pane */
bool	 compare_act(struct app *, enum verb);	/* keys about hidden contents; false: other keys */

/* act.c */
/* offer what the prompt accepts besides queries */
void	 app_words(const struct ui *, enum prompt_kind, struct completion *);

bool	 typed_is(const struct app *, struct str line);	/* typed.c: filters without a source, or "@" and a time */
bool	 typed_do(struct app *, struct str line, struct err *);	/* the line ends with a zero byte */
/* Append the query of a query pane with filters after its source; false: another line or pane. */
bool	 typed_behind(const struct app *, struct str line, struct buf *);
/* the key is the first digit of a range, after v; the prompt is open */
bool	 typed_press(struct app *, const struct press *);
/* ask for a time or a range; in a pane with an axis, start marking a range */
void	 typed_act(struct app *, enum verb);
/* write.c */
void	 app_copy(struct app *);	/* copy the selection to the clipboard */
void	 app_copy_address(struct app *);	/* icecore://PATH?q=QUERY */
void	 app_copy_page(struct app *, bool brief);	/* the overview, below the header of a report */
void	 app_write(struct app *);	/* ask for a file to write the pane's query to */
/* files.c */
void	 app_load(struct app *);
/* read the heap dump before or after that of the first file; false: it has one */
bool	 files_dump(struct app *, bool back);
void	 files_end(struct app *);
void	 files_lead(struct app *);		/* open the file that a pane asked for in another process */
/* swap.c */
void	 swap_close_old(struct app *);		/* close the replaced stores: no pane has rows of them */
/* Close them as soon as the visible pane is up to date; called when no task runs. */
void	 swap_settle(struct app *);
/*
 * Replace the first store by another one, which the session then owns (NULL: keep it), and the view by
 * another one over store[at] (NULL: no view). Call it when no task runs: from done of a task.
 */
void	 swap_stores(struct app *, size_t at, struct store *base, struct store *view);
/* stream.c */
/* Follow a pipe with scheduler text; false: failed. On the worker: the first snapshot goes to app->loaded. */
bool	 stream_open(struct app *, struct work *, struct err *);
void	 stream_go(struct app *);	/* continue reading if no task runs */
bool	 stream_runs(const struct app *);
void	 stream_end(struct app *);
/* look.c */
void	 look_make(struct app *);	/* make the requested view */
/* Replace the first file by another snapshot and rebuild its view; also called from done of a task. */
void	 look_swap(struct app *, struct store *);
void	 look_swap_dump(struct app *, struct store *);	/* the same, by another dump */
/* Apply a verb to the view; name: the selected frame, "" for none. */
void	 look_act(struct app *, enum verb, struct str name);
void	 look_split(const char *line, struct buf *);	/* append the stages of a typed line, each with a newline */
/* idle.c */
void	 idle_work(struct app *);	/* write the index, and run passes that panes will need */

/* The test script: run its next line; false at its end. */
struct script *script_open(const char *path, struct err *);
void	 script_close(struct script *);
bool	 script_step(struct script *, struct app *, bool idle, struct err *);

#endif
