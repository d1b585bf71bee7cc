/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core: base of all ui directories: tasks for the worker, panes and navigation between them, messages, the session's
 * view as text, searches, and the results of heap passes.
 *
 * struct ui is private to the directory (state.h). All functions run on the screen thread unless stated otherwise.
 */
#ifndef UI_CORE_H
#define UI_CORE_H

#include "bookmark.h"
#include "look.h"
#include "panes.h"
#include "ui/term/term.h"

/* ---- tasks: work for the worker ------------------------------------------ */

/* The first member of every struct with work for the worker. */
struct task {
	/* Runs on the worker; may use only data that its owner does not touch meanwhile. */
	bool		(*run)(struct task *, struct work *, struct err *);
	/* Runs on the screen thread afterwards. */
	void		(*done)(struct task *, bool ok, const struct err *);
	struct ui	*ui;
	struct task	*next;		/* in the queue */
	struct pane	*pane;		/* its pane; put off while another pane is shown; or NULL */
	bool		 given;		/* waiting or running */
	bool		 put_off;	/* cancelled to run later */
};

void	task_give(struct ui *, struct task *);
/* Take a task out of the queue, or cancel it and wait for its end; done is not called. */
void	task_drop(struct task *);
void	task_collect(struct ui *);	/* finish an ended task and start the next */
void	task_cancel_all(struct ui *);
unsigned ui_stopped(const struct ui *);		/* percent at which the user stopped the last task; 0: not stopped */
bool	task_idle(const struct ui *);	/* no task runs or waits */
bool	task_waits(const struct ui *);	/* a task waits for the running one */
const struct task *task_running(const struct ui *, uint64_t *since);	/* or NULL; time of its start */
struct work *task_work(const struct ui *);	/* progress of the worker. Any thread */
size_t	task_passes(const struct ui *);	/* number of computed passes */

/* ---- what is open -------------------------------------------------------- */

/* Start the worker; NULL with err set on failure. The caller keeps the session. */
struct ui *ui_new(struct session *, const struct ui_options *, int wake_fd, struct err *);
void	 ui_stop(struct ui *);		/* close the panes and stop the worker; drop tasks first */
void	 ui_free(struct ui *);
struct session *ui_session(const struct ui *);
const struct session *ui_seen(const struct ui *);	/* on the worker: the session at the start of the task */
const struct ui_options *ui_options(const struct ui *);
/* Append the options that a query needs on a command line, with the event that the configuration file chose. */
void	 ui_command_options(struct ui *, struct buf *);
struct store *ui_store(const struct ui *);	/* NULL until loaded; the view if there is one */
struct store *ui_file(const struct ui *);	/* the file shown, without a view; NULL until loaded */
unsigned ui_shapes(const struct ui *);		/* of the file; 0 until loaded */
bool	 ui_has_calls(const struct ui *);	/* scheduler traces only if programs wrote markers, recordings if sampled */
bool	 ui_has_methods(const struct ui *);	/* bank statements show accounts and payees instead */
size_t	 ui_events(const struct ui *);		/* events with samples that can be shown; calls count as one more */
bool	 ui_processes(const struct ui *);	/* its threads are of several processes */
unsigned ui_version(const struct ui *);		/* number of times that a store replaced another */
void	 ui_swapped(struct ui *);		/* a store replaced another */
/* Return the session without its view, for queries that contain the stages of the view; the pointer stays valid. */
struct session *ui_plain(struct ui *);
void	 ui_weight(const struct ui *, struct buf *);	/* append the current weight, fitted: "wall", "cycles", "delta" */
uint32_t ui_method_thread(const struct ui *, uint32_t method);	/* thread with most of the method's time; 0: unknown */

/* ---- messages ------------------------------------------------------------ */

struct message {
	char	text[1024];		/* up to three lines, fitted; "": none */
	size_t	skip;			/* columns by which its last two lines are scrolled */
	bool	bad;			/* the message is an error */
};

struct message *ui_message(struct ui *);
void	ui_lacks_memory(struct ui *);
void	 ui_say(struct ui *, const char *, ...) __attribute__((format(printf, 2, 3)));
void	 ui_fail(struct ui *, const struct err *);
/* Show an error with the query and a mark below the fault. */
void	 ui_query_error(struct ui *, struct str query, const struct err *);

/* ---- items: lines of an overlay ------------------------------------------- */

struct remark {
	struct buf	 left, text, note;	/* fitted: a name, its value, and its meaning */
	bool		 head;			/* left is the heading of the following items */
	bool		 now;			/* the current choice */
	uint32_t	 choice;		/* from 1: id for Enter; 0: none */
	enum role	 role;			/* of left */
	const struct key *key;			/* the key whose first name begins left; or NULL */
};

struct items {
	struct remark	*at;
	size_t		 n, cap;
};

struct remark *items_add(struct items *, struct str left, struct str text, struct str note);	/* raw; NULL: out of memory */
void	 items_sample(struct items *, const char *sample, enum role, const char *what);	/* meaning of a colour or mark */
void	 bars_legend(struct items *);	/* meaning of bars of CPU use */
void	 items_head(struct items *, const char *);
void	 items_text(const struct items *, struct buf *);	/* appends */
void	 items_drop(struct items *);		/* the last item */
void	 items_free(struct items *);

/* ---- navigation between panes -------------------------------------------- */

/* Destinations of navigation.  The pane whose kind has the bit in .places handles a visit in .go. */
enum place {
	PLACE_QUERY,			/* query, in a new pane; Backspace returns */
	PLACE_BYTECODE,			/* query: the instructions of a method; id: 1 + offset of the one to select, 0: the first */
	PLACE_OBJECT,			/* id: fields of an object */
	PLACE_REFERRERS,		/* id: referrers of the object */
	PLACE_PATH,			/* id: path to a GC root */
	PLACE_DOMINATORS,		/* id: the object in the dominator tree */
	PLACE_RETAINED,			/* id: the object in the dominator icicle */
	PLACE_METHOD,			/* id: a method with its callers and callees */
	PLACE_SANDWICH,			/* id: a method between all its callers and all its callees */
	PLACE_CALLS,			/* id: the heaviest call of the method in the call tree */
	PLACE_LARGEST,			/* the end of the hottest path, in the tree of all threads */
	PLACE_THREADS,			/* ids: the calls of these threads only */
	PLACE_TIME,			/* id: a thread in Chart, 0: any; method: go to its longest call; or 0 */
	PLACE_TRACK,			/* about: a track by name in Chart; method: its process; id: a thread of that; 0: any */
	PLACE_STRETCH,			/* id: a thread of the file: its track between from and until; method: its call at from; 0: none */
	PLACE_CPU,			/* id: the line of a CPU */
	PLACE_LINE,			/* about: name of a line in Timeline */
	PLACE_WINDOW,			/* from, until: the time window; if they are equal, keep its length around that time */
	PLACES
};

struct visit {
	enum place	 to;
	uint32_t	 id, method;	/* in the current view */
	const uint32_t	*ids;
	size_t		 n;
	uint64_t	 from, until;	/* ns */
	bool		 at_end;	/* of PLACE_STRETCH with a method: select its call at until, not at from */
	bool		 exactly;	/* of PLACE_STRETCH: show this time, not the interval of the track at from */
	const char	*query;
	struct str	 about;		/* subject of the query in this pane, raw; empty: named by the query itself */
	struct pane	*asker;		/* the pane shown before; ui_visit sets it */
};

/* Go to a place.  If no pane handles it, show a message; if its pane refuses, return to the pane shown before. */
void	 ui_visit(struct ui *, const struct visit *);
void	 ui_go(struct ui *, enum place, uint32_t id);
void	 ui_ask(struct ui *, const char *query);	/* PLACE_QUERY */
void	 ui_go_time(struct ui *, uint32_t thread, uint32_t method);
void	 ui_go_threads(struct ui *, const uint32_t *ids, size_t n);
struct pane *ui_answers(const struct ui *, enum place);	/* the open pane that handles the place; or NULL */
bool	 ui_leave(struct pane *);		/* return to the pane that led here; false: none */

/* ---- history: undo steps ---------------------------------------------------- */

enum step_kind { STEP_ZOOM, STEP_VISIT /* a zoom requested by another pane */, STEP_GROUP, STEP_SORT, STEP_FILTER, STEP_VIEW };

/* Record the pane's state as an undo step, before changing it.  name: what the step does, "zoom". */
void	 step_add(struct pane *, enum step_kind, const char *name);
/* Undo the last step if it is a zoom in this pane; leave the pane if that step opened it. False: another step. */
bool	 step_back(struct pane *);
void	 history_go(struct ui *, bool redo);	/* undo or redo a step, and show its name */
void	 history_back_to(struct ui *, struct str stage);	/* undo until this stage is the last of the view */
const char *history_next(struct ui *);		/* what u undoes; NULL: nothing */
void	 history_arrived(struct ui *);		/* the wanted view was built */
void	 history_renumber(struct ui *);		/* a new snapshot of the file: ids changed */

/* ---- search patterns ----------------------------------------------------- */

/* Smart case; an invalid regular expression is searched as plain text.  Any thread. */
struct pattern;
struct pattern *pattern_make(struct str, struct err *);
void	 pattern_free(struct pattern *);
bool	 pattern_match(struct pattern *, struct str);
bool	 pattern_gave_up(void);	/* the last pattern gave up on some text */
void	 pattern_text(struct str, struct buf *);	/* append the pattern in query syntax: "/x/i" */
/*
 * Match the names of methods, or of the classes of a heap; with a mapping, also the names in the file.  Return one byte
 * for each id, from 1 to *n; the caller frees it.  NULL with err filled on failure.
 */
uint8_t	*pattern_names(const char *text, const struct store *, const struct heap *, uint32_t *n, struct work *,
    struct err *);

/* ---- found: results of a search in calls or objects ---------------------- */

struct sought {
	char		 text[256];
	bool		 known;		/* the matching methods, or classes of a heap, are known */
	uint64_t	 calls;		/* number of matching calls or objects */
	uint32_t	 best;		/* the matching object with the largest retained size */
};

const struct sought *ui_found(const struct ui *);
/* Start a search.  quiet: only mark matches, without message or moving. */
void	 found_start(struct ui *, const char *text, bool backward, bool quiet);
void	 found_drop(struct ui *, struct buf *text);	/* drop all results, before a store is closed; append the search text */
void	 found_forget(struct ui *);		/* found_drop, and remove the marks; the threads stay */
void	 found_threads(struct ui *, const uint32_t *, size_t);	/* threads to count, kept by the caller; n 0: all */
void	 found_none(struct ui *, const char *text, const char *where);	/* "/text: no match", or the reason; where: " in this thread" */
void	 found_show(struct ui *);	/* "/text: 212 calls, 23.4% of total" */
bool	 found_has(const struct ui *, uint32_t method), found_named(const struct ui *, struct str name);

/* ---- marked threads, in Threads: never folded ------------------------------ */

bool	 mark_has(const struct ui *, uint32_t thread);
void	 mark_set(struct ui *, uint32_t thread, bool marked);
void	 mark_clear(struct ui *);
const uint32_t *mark_list(const struct ui *, size_t *n);
unsigned mark_version(const struct ui *);	/* changes when marks change */

/* Search text of all panes; "": none. */
const char *ui_search(const struct ui *);
void	 ui_set_search(struct ui *, const char *);

/* ---- heaps --------------------------------------------------------------- */

/* Open the heap with the results of passes so far; false: not a dump. Screen thread only. */
bool	 ui_heap(const struct ui *, struct heap *);
/* Compute a column of a heap pass, in the variant that the session selects, on the worker; false with err filled. */
bool	 ui_heap_want(const struct session *, column_id, struct work *, struct err *);
bool	 ui_heap_has(const struct ui *, column_id);
/* The user stopped work that panes need: do not restart heap passes and overview lines automatically. */
bool	 ui_heap_stopped(const struct ui *);
void	 ui_heap_stop(struct ui *, bool);
void	 object_name(const struct heap *, uint32_t object, struct buf *);	/* "java.util.HashMap @4412" */
#endif
