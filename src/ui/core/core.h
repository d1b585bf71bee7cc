/*
 * core: what every room of the ui stands on: tasks for the worker, panes and the ways between them, messages, the
 * session's view as text, what was looked for, a heap as far as it is known.
 *
 * struct ui is private to the room (state.h).  All functions run on the screen thread unless they say otherwise.
 */
#ifndef UI_CORE_H
#define UI_CORE_H

#include "look.h"
#include "ui/term/term.h"

/* ---- tasks: work for the worker ------------------------------------------ */

/* The first member of whatever has work to give. */
struct task {
	/* On the worker; touches only what its owner leaves alone meanwhile. */
	bool		(*run)(struct task *, struct work *, struct err *);
	/* Back on the screen thread. */
	void		(*done)(struct task *, bool ok, const struct err *);
	struct ui	*ui;
	struct task	*next;		/* in the queue */
	struct pane	*pane;		/* for which it can be put off while another one is shown; or NULL */
	bool		 given;		/* waiting or running */
	bool		 put_off;	/* it ends cancelled because of that */
};

void	task_give(struct ui *, struct task *);
/* Takes it out of the queue, or cancels it and waits for its end; done is not called. */
void	task_drop(struct task *);
void	task_collect(struct ui *);	/* what has ended; starts the next */
void	task_cancel_all(struct ui *);
unsigned ui_stopped(const struct ui *);		/* at how many percent the user stopped what ran last; 0: they did not */
bool	task_idle(const struct ui *);	/* nothing runs, nothing waits */
bool	task_waits(const struct ui *);	/* something waits for what runs */
const struct task *task_running(const struct ui *, uint64_t *since);	/* or NULL; since when */
struct work *task_work(const struct ui *);	/* of the worker: its progress.  Any thread */
size_t	task_passes(const struct ui *);	/* how many passes are done */

/* ---- what is open -------------------------------------------------------- */

/* Starts the worker; NULL with err filled on failure.  The session stays the caller's. */
struct ui *ui_new(struct session *, const struct ui_options *, int wake_fd, struct err *);
void	 ui_stop(struct ui *);		/* closes the panes and stops the worker; tasks were dropped */
void	 ui_free(struct ui *);
struct session *ui_session(const struct ui *);
const struct session *ui_seen(const struct ui *);	/* on the worker: the session as it was when the task began */
const struct ui_options *ui_options(const struct ui *);
struct store *ui_store(const struct ui *);	/* NULL until loaded; of the view, if there is one */
struct store *ui_file(const struct ui *);	/* that is shown, without any view of it; NULL until loaded */
unsigned ui_shapes(const struct ui *);		/* of the file; 0 until loaded */
bool	 ui_has_calls(const struct ui *);	/* scheduler traces only where programs wrote marks, recordings if sampled */
bool	 ui_has_methods(const struct ui *);	/* bank statements have accounts and payees in their places */
unsigned ui_version(const struct ui *);		/* how often a store took the place of another one */
void	 ui_swapped(struct ui *);		/* it did */
/* The session as queries see it that say by themselves what view they mean; it stays where it is. */
struct session *ui_plain(struct ui *);
void	 ui_weight(const struct ui *, struct buf *);	/* that counts: "wall", "cycles", "delta"; fitted, appends */
uint32_t ui_method_thread(const struct ui *, uint32_t method);	/* in which it has most of its time; 0: not known */

/* ---- messages ------------------------------------------------------------ */

struct message {
	char	text[1024];		/* up to three lines, fitted; "": none */
	size_t	skip;			/* columns its last two lines are moved left */
	bool	bad;			/* it is an error */
};

struct message *ui_message(struct ui *);
void	ui_lacks_memory(struct ui *);
void	 ui_say(struct ui *, const char *, ...) __attribute__((format(printf, 2, 3)));
void	 ui_fail(struct ui *, const struct err *);
/* With the query and a mark below it. */
void	 ui_query_error(struct ui *, struct str query, const struct err *);

/* ---- panes --------------------------------------------------------------- */

struct pane {
	const struct pane_kind	*kind;
	struct pane_kind	 does;		/* the same with the functions of what it is like */
	struct ui		*ui;
	void			*data;
	size_t			 focus;		/* of its lists that one has the keys */
	struct area		 area;		/* where it was drawn last */
	size_t			 status_w;	/* columns that its status has */
	bool			 status_cut;	/* they were too few for all of it */
	bool			 extra;		/* opened by a query or help: can be closed */
	bool			 stale;		/* reset it when it is shown next */
	bool			 unfinished;	/* what was drawn goes on with the next step */
	bool			 entered;	/* by Enter in another pane: Backspace goes back there */
	struct buf		 led;		/* what it is about, "Classes › java.lang.Class", raw; or nothing */
	struct pane		*from;		/* where the user was when it was opened */
	const struct pane_kind	*came;		/* of the pane that led here last; NULL: none did */
};

/* What compares two dumps where trees of dominators cannot. */
#define COMPARE_PACKAGES "components package | diff component | select retained_delta retained objects_delta objects component change | " \
	"sort -abs(retained_delta)"

struct pane *ui_pane(const struct ui *);	/* that is shown */
size_t	 ui_panes(const struct ui *);		/* how many are open */
struct pane *ui_nth(const struct ui *, size_t tab);	/* NULL: there are not so many */
struct pane *ui_find(const struct ui *, const struct pane_kind *);	/* NULL: the file has no such pane */
bool	 ui_add(struct ui *, const struct pane_kind *, const char *query, struct err *);	/* and shows it */
/* Closes it; who came from there goes back to where it was opened. */
void	 ui_remove(struct ui *, struct pane *);
void	 ui_close(struct ui *);			/* the one that is shown, if the user may close it */
void	 ui_show(struct ui *, const struct pane *);
void	 ui_turn(struct ui *, bool backward);	/* to the next tab */
void	 ui_reset(struct ui *);			/* every pane computes anew */
/* Opens the panes that fit the file that is shown, and closes the others. */
bool	 ui_place(struct ui *, struct err *);
void	 ui_find_places(struct ui *);		/* again, with what was opened meanwhile */
uint64_t ui_places(const struct ui *);		/* where keys apply in panes that are there, or can be opened */
bool	 ui_leads_out(const struct pane *);	/* q has nothing to close in it */
uint64_t ui_where(const struct ui *, const struct pane *);	/* which keys apply in it now */

/* ---- items: what an overlay shows, line by line --------------------------- */

struct remark {
	struct buf	 left, text, note;	/* fitted: a name, what is said of it, what the name means */
	bool		 head;			/* left is the heading of those that follow */
	enum role	 role;			/* of left */
	const struct key *key;			/* whose first name stands first in left; or NULL */
};

struct items {
	struct remark	*at;
	size_t		 n, cap;
};

struct remark *items_add(struct items *, struct str left, struct str text, struct str note);	/* raw; NULL: out of memory */
void	 items_head(struct items *, const char *);
void	 items_text(const struct items *, struct buf *);	/* appends */
void	 items_drop(struct items *);		/* the last one */
void	 items_free(struct items *);

/* ---- ways from one pane to another --------------------------------------- */

/* What the user can be led to; the pane whose kind has its bit in .places answers it by .go. */
enum place {
	PLACE_QUERY,			/* query, in a pane of its own with a way back */
	PLACE_BYTECODE,			/* query: the instructions of a method; id: 1 + offset of the one to select, 0: the first */
	PLACE_OBJECT,			/* id: the fields of an object */
	PLACE_REFERRERS,		/* id: who refers to the object */
	PLACE_PATH,			/* id: why it is alive */
	PLACE_DOMINATORS,		/* id: the object in the tree of dominators */
	PLACE_RETAINED,			/* id: the same as an icicle */
	PLACE_METHOD,			/* id: a method with its callers and callees */
	PLACE_CALLS,			/* id: where in the call tree the method weighs most */
	PLACE_THREADS,			/* ids: the calls of these threads alone */
	PLACE_TIME,			/* id: a thread in the order of time, 0: any; method: at its longest call there; or 0 */
	PLACE_STRETCH,			/* id: a thread of the file, what its track shows between from and until */
	PLACE_CPU,			/* id: the line of a CPU */
	PLACES
};

struct visit {
	enum place	 to;
	uint32_t	 id, method;	/* of the view that is shown */
	const uint32_t	*ids;
	size_t		 n;
	uint64_t	 from, until;	/* ns */
	const char	*query;
	struct str	 about;		/* what of this pane the query is about, raw; or nothing: the query tells it best */
	struct pane	*asker;		/* that was shown; ui_visit sets it */
};

/* That no pane answers is said; one that cannot now is not shown. */
void	 ui_visit(struct ui *, const struct visit *);
void	 ui_go(struct ui *, enum place, uint32_t id);
void	 ui_ask(struct ui *, const char *query);	/* PLACE_QUERY */
void	 ui_go_time(struct ui *, uint32_t thread, uint32_t method);
void	 ui_go_threads(struct ui *, const uint32_t *ids, size_t n);
struct pane *ui_answers(const struct ui *, enum place);	/* the open pane that does; or NULL */
bool	 ui_leave(struct pane *);		/* to the pane that led here; false: none did */

/* ---- history: what was done, step by step ----------------------------------- */

enum step_kind { STEP_ZOOM, STEP_VISIT /* a zoom that another pane came for */, STEP_GROUP, STEP_SORT, STEP_FILTER, STEP_VIEW };

/* What is changed next in the pane is a step; name: what it does, "zoom". */
void	 step_add(struct pane *, enum step_kind, const char *name);
/* Undoes the last step if it is a zoom in this pane, and leaves the pane if it led there; false: it is not one. */
bool	 step_back(struct pane *);
void	 history_go(struct ui *, bool redo);	/* undoes a step, or does it again, and says which */
void	 history_back_to(struct ui *, struct str stage);	/* undoes until it is the last of the view */
const char *history_next(struct ui *);		/* what u undoes; NULL: nothing */
void	 history_arrived(struct ui *);		/* the view that was wanted is there */
void	 history_renumber(struct ui *);		/* another snapshot of the file: its ids are others now */

/* ---- search patterns ----------------------------------------------------- */

/* Smart case; what is no valid regular expression is taken as it stands.  Any thread. */
struct pattern;
struct pattern *pattern_make(struct str, struct err *);
void	 pattern_free(struct pattern *);
bool	 pattern_match(struct pattern *, struct str);
bool	 pattern_gave_up(void);	/* the last one that was made: on some text */
void	 pattern_text(struct str, struct buf *);	/* the same as queries have it: "/x/i"; appends */
/*
 * Which methods match by their names, or by those they have in the file when a mapping gave them others; of a heap
 * which classes.  One byte each, from 1 to *n; the caller frees; NULL with err filled on failure.
 */
uint8_t	*pattern_names(const char *text, const struct store *, const struct heap *, uint32_t *n, struct work *,
    struct err *);

/* ---- found: what was looked for in calls, or among objects --------------- */

struct sought {
	char		 text[256];
	bool		 known;		/* which methods, or classes of a heap, match */
	uint64_t	 calls;		/* and how many calls or objects that is */
	uint32_t	 best;		/* the object among them that retains most */
};

const struct sought *ui_found(const struct ui *);
/* quiet: what matches is marked, nothing is said, nothing moves. */
void	 found_start(struct ui *, const char *text, bool backward, bool quiet);
void	 found_drop(struct ui *, struct buf *text);	/* forgets it all, for a store goes; appends what was looked for */
void	 found_forget(struct ui *);		/* the same, but that the threads stay; nothing is marked any more */
void	 found_threads(struct ui *, const uint32_t *, size_t);	/* that count, kept by the caller; n 0: all */
void	 found_none(struct ui *, const char *text, const char *where);	/* "/text: no match", or why not; where: " in this thread" */
void	 found_show(struct ui *);	/* "/text: 212 calls, 23.4% of total" */
bool	 found_has(const struct ui *, uint32_t method), found_named(const struct ui *, struct str name);

/* ---- marked threads, in Threads: nowhere are they folded ------------------- */

bool	 mark_has(const struct ui *, uint32_t thread);
void	 mark_set(struct ui *, uint32_t thread, bool marked);
void	 mark_clear(struct ui *);
const uint32_t *mark_list(const struct ui *, size_t *n);
unsigned mark_version(const struct ui *);	/* another one when others are marked */

/* What / looks for in any pane; "": nothing is marked. */
const char *ui_search(const struct ui *);
void	 ui_set_search(struct ui *, const char *);

/* ---- heaps --------------------------------------------------------------- */

/* As far as its passes are done; false: the file is none.  On the screen thread. */
bool	 ui_heap(const struct ui *, struct heap *);
/* Column of a pass, of a family as a session says: on the worker; whether it is there. */
bool	 ui_heap_want(const struct session *, column_id, struct work *, struct err *);
bool	 ui_heap_has(const struct ui *, column_id);
/* The user stopped what panes need: passes of a heap and lines of the overview are not begun again by themselves. */
bool	 ui_heap_stopped(const struct ui *);
void	 ui_heap_stop(struct ui *, bool);
void	 object_name(const struct heap *, uint32_t object, struct buf *);	/* "java.util.HashMap @4412" */
#endif
