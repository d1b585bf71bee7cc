/*
 * app: what the files of the room share: the loop (app.c), what is done in every pane (act.c, write.c), files
 * that come and go (files.c, stream.c), the view of them (look.c), the screen as a whole (draw.c, title.c, hints.c),
 * what is said of keys that do nothing (dead.c), work for
 * idle moments (idle.c), scripts (script.c), panes that cannot compare (compare.c), marks and
 * their file (bookmarks.h), the configuration (settings.h).
 */
#ifndef UI_APP_H
#define UI_APP_H

#include "bookmarks.h"
#include "settings.h"
#include "ui/core/core.h"
#include "ui/overlay/overlay.h"
#include "ui/prompt/prompt.h"
#include "ui/term/term.h"

enum { OLD_STORES = 8, APP_STAGES = 2048 };
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
	struct live	*live;		/* NULL: there is none */
	struct store	*snapshot;	/* from the worker, as end is */
	bool		 end, ended;
	uint64_t	 shown;		/* when the last snapshot took its place */
};

/* A view in the making on the worker. */
struct look_making {
	struct app_task	 task;
	char		 asked[APP_STAGES];
	size_t		 asked_at;	/* of which file */
	enum clock	 asked_clock;
	bool		 by_rows;	/* diff is a matter of panes: the files have no call tree */
	struct store	*base;		/* another snapshot of the first file, not yet in the session; or NULL */
	struct store	*made;
};

/* The file that w writes. */
struct app_writer {
	struct app_task	 task;
	struct session	*session;
	struct buf	 path, query;
	enum format	 format;
	bool		 replace;	/* a file that is there */
	uint64_t	 n, size;	/* rows and bytes written */
};

/* The overview that is computed for the clipboard. */
struct app_copier {
	struct app_task	 task;
	enum clock	 clock;		/* of the files themselves */
	struct report_options page;
	struct buf	 text;
};

/* The mouse, and where it was clicked last. */
struct mouse_state {
	bool		 on, none;	/* none: the terminal has none */
	bool		 down, moved;	/* the left button is held in the pane's area; it moved since */
	int		 y, x, from;	/* from: the column where it went down */
	uint64_t	 at;		/* ns; 0: it was not, or that was the second time */
};

/* A pressed key, kept until the next frame shows whether it changed something. */
struct watched {
	const struct key *key;		/* NULL: none */
	unsigned	 many;		/* keys since the last frame */
	uint64_t	 sum;		/* of the screen before them */
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
	bool		 more;		/* there is more to do */
	size_t		 done;		/* verified stores of the session */
	bool		 told;		/* damage was reported */
};

struct app {
	struct ui		*ui;
	struct session		*session;
	const struct ui_options	*opt;
	struct work		 waits;		/* for work that the screen has to wait for */
	bool			 quit, redraw;
	bool			 leaving;	/* the last key was q, and it closed nothing */
	bool			 drawn;		/* the screen is up to date */
	bool			 lacks;		/* memory was refused since the last key */
	uint64_t		 refused;	/* mem_refused at the last report */
	struct err		 err;		/* why it ended */
	struct script		*script;

	struct app_task		 load, save;
	struct store		*loaded;	/* loaded, but not yet in the session */
	size_t			 loading;	/* the file that is being loaded, 0: the first */
	enum load_state		 state;		/* of the first */
	size_t			 wanted;	/* tab asked for while loading, from 0 */
	struct old_store	 old[OLD_STORES];
	size_t			 nold;
	size_t			 saved;		/* passes that are in the index */
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
	bool			 pasting;
	bool			 pasted;	/* the last input was text, not keys */
	uint64_t		 pasted_at;
	struct buf		 typed;		/* keys that wait for rows, as the terminal sent them */
	uint64_t		 typed_at;	/* time of the first of them */
	struct buf		 asked;		/* the last query entered */
	char			 search[256];	/* the pattern that n continues with */
	const struct pane	*searched;	/* pane of the last search; NULL: no pane marks matches */
	const char		*stage;		/* stage for which the prompt asks a pattern: "hide" */
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

void	 app_press(struct app *, const struct press *);	/* at once, or as soon as the rows it is about are there */
void	 app_draw(struct app *);
void	 app_act(struct app *, enum verb, const struct press *);
bool	 app_waits(struct app *, enum verb);	/* the verb needs rows that are being computed */
/* The keys that matter where keys go now, in the columns from x to w; right: at the end of them.  cut: details have more. */
void	 hints_draw(struct app *, int y, int x, int w, bool right, bool cut);

void	 search_act(struct app *, enum verb);	/* search.c */
bool	 search_forget(struct app *);		/* remove the marks; false: there were none */

/* burst.c */
/*
 * Presses the whole keys that came at once, but for text: *text says whether they are, before: whether they go on with some.
 * Returns the bytes they had.
 */
size_t	 burst_take(struct app *, struct str, bool final, bool *text);
void	 burst_say(struct app *);		/* report that pasted text is not taken as keys */

/* dead.c */
void	 dead_key(struct app *, const struct press *);	/* report a key that has no action here */
void	 dead_watch(struct app *, const struct key *);	/* call before the key acts */
bool	 dead_check(struct app *, bool more);	/* after a frame: true if it reported a key without effect */

/* title.c */
void	 title_draw(struct app *, int w);
bool	 app_partial(const struct app *);		/* the visible pane shows partial results */
void	 title_wait(struct work *);	/* show above the frame what the screen waits for */
void	 title_progress(struct app *, struct buf *);	/* of what is worked on: "[ 40% ] calls"; appends */

int	 tabs_draw(struct app *, int y, int w);	/* tabs.c: the columns used */

/* click.c: handle a mouse event; return how many times *key must be pressed for it. */
int	 click_take(struct app *, const struct press *, struct press *key);
void	 click_switch(struct app *);	/* on, off */
/* crumbs.c: the line below the tabs: active filters, then the path. */
bool	 crumbs_any(const struct app *);	/* the line is not empty */
int	 crumbs_draw(struct app *, int y, int w);	/* returns the columns used */
void	 crumbs_strip(struct app *, int y, int x, int w);	/* behind the path, if there is room */
/* compare.c */
bool	 compare_lacks(const struct app *);	/* two files are compared, and the pane that is shown cannot */
void	 compare_draw(const struct app *, struct area);	/* what it says instead */
bool	 compare_act(struct app *, enum verb);	/* keys that are about what is not shown; false: others */

/* act.c */
void	 app_words(const struct ui *, enum prompt_kind, struct completion *);	/* offer what the prompt accepts besides queries */

bool	 typed_is(const struct app *, struct str line);	/* typed.c: filters without a source, or "@" and a time */
bool	 typed_do(struct app *, struct str line, struct err *);	/* the line ends with a zero byte */
/* Append the query of a query pane with filters put behind its source; false: the line or the pane is another one. */
bool	 typed_behind(const struct app *, struct str line, struct buf *);
void	 typed_act(struct app *, enum verb);	/* ask for a time to go to, or a range; a pane with an axis marks that itself */
/* write.c */
void	 app_copy(struct app *);	/* copy the selection to the clipboard */
void	 app_copy_page(struct app *, bool brief);	/* the overview, below the header of a report */
void	 app_write(struct app *);	/* asks for a file to write the pane's query to */
/* files.c */
void	 app_load(struct app *);
void	 files_end(struct app *);
/* Close replaced stores; called when no task runs.  Waits until the visible pane is up to date. */
void	 files_settle(struct app *);
void	 files_lead(struct app *);		/* open the file that a pane asked for */
/*
 * Another store, which from here on belongs to the session, takes the place of the first (NULL: that stays), and another
 * view, over store[at], that of the session's view (NULL: none).  Called when nothing runs: from the done of a task.
 */
void	 files_swap(struct app *, size_t at, struct store *base, struct store *view);
/* stream.c */
/* A pipe with scheduler text is followed; false: it failed.  On the worker: the first snapshot goes to app->loaded. */
bool	 stream_open(struct app *, struct work *, struct err *);
void	 stream_go(struct app *);	/* continue reading if no task runs */
bool	 stream_runs(const struct app *);
void	 stream_end(struct app *);
/* look.c */
void	 look_make(struct app *);	/* make the requested view */
/* Another snapshot of the first file, of which the view is made anew; from the done of a task, too. */
void	 look_swap(struct app *, struct store *);
/* Apply a verb to the view; name: the selected frame, "" for none. */
void	 look_act(struct app *, enum verb, struct str name);
void	 look_split(const char *line, struct buf *);	/* append the stages of a typed line, each with a newline */
/* idle.c */
void	 idle_work(struct app *);	/* writes the index, runs passes that panes will need */

/* The test script: does its next line; false at its end. */
struct script *script_open(const char *path, struct err *);
void	 script_close(struct script *);
bool	 script_step(struct script *, struct app *, bool idle, struct err *);

#endif
