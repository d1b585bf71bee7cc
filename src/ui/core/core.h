/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core: base of all ui directories: tasks for the worker, panes and navigation between them, messages, the
 * session's view as text, searches, and the results of heap passes.
 *
 * struct ui is private to the directory (state.h). All functions run on the screen thread unless stated
 * otherwise.
 */
#ifndef UI_CORE_H
#define UI_CORE_H

#include "icecore/ui.h"
#include "ui/term/term.h"

/* ---- placed ------------------------------------------------------------------------ */

/*
 * The place of a pane as a text, for marks and for undo.  A kind of pane declares
 * the members of its places in a list, a macro of F(s, kind, use, member): PLACED makes a struct of
 * it, and PLACED_KIND the table that the reader and the writer share.  The text has one line
 * "MEMBER VALUE\n" for each member that is not 0 or empty.  Texts of marks stay valid without
 * panes, views and ids of the file.  They may come from an untrusted file: check each value.
 */

enum { PLACED_TEXT = 16384 };		/* most bytes of the text of a mark */

/* OF_MARK: by names, which outlive the ids of the file; OF_STEP: exactly, for undo. */
enum placed_use { OF_MARK = 1, OF_STEP = 2, OF_BOTH = OF_MARK | OF_STEP };

/* TEXTS: each ends with a NUL, in a buf; NUMBERS: uint32_t, in a buf. */
enum member_kind { MEMBER_NUMBER, MEMBER_FLAG, MEMBER_TEXT, MEMBER_TEXTS, MEMBER_NUMBERS };

struct placed_member {
	const char	*word;
	enum member_kind kind;
	enum placed_use	 use;
	size_t		 at;		/* offset in the struct of the place */
};

struct placed_kind {
	const struct placed_member *member;	/* the last has no word */
	size_t		 size;		/* size of the struct of a place */
	/* Fill in the current place, which is zeroed; false: it is unknown. */
	bool		 (*take)(struct pane *, void *place, enum placed_use);
	/* Go to a place; false: not ready, it is called again.  moved: the ids of the file have changed. */
	bool		 (*go)(struct pane *, void *place, enum placed_use, bool moved);
};

#define PLACED_IS_NUMBER uint64_t
#define PLACED_IS_FLAG bool
#define PLACED_IS_TEXT struct buf
#define PLACED_IS_TEXTS struct buf
#define PLACED_IS_NUMBERS struct buf
#define PLACED_FIELD(s, kind, use, member) PLACED_IS_##kind member;
#define PLACED_ROW(s, kind, use, member) { #member, MEMBER_##kind, OF_##use, offsetof(struct s, member) },

/* Lists that begin with the same members make structs that begin alike. */
#define PLACED(s, LIST) struct s { LIST(PLACED_FIELD, s) }
#define PLACED_KIND(s, LIST, take, go) \
	{ (const struct placed_member[]){ LIST(PLACED_ROW, s) { .word = NULL } }, sizeof(struct s), take, go }

void	 placed_write(const struct placed_kind *, const void *place, enum placed_use, struct buf *);	/* appends */
/* the struct is zeroed first */
void	 placed_read(const struct placed_kind *, struct str, enum placed_use, void *place);
void	 placed_free(const struct placed_kind *, void *place);
bool	 placed_next(const struct buf *texts, size_t *at, const char **one);	/* the next of TEXTS; false: no more */
/* The index of a text among n words; if it is none of them, otherwise. */
size_t	 placed_word(const struct buf *text, const char *const *words, size_t n, size_t otherwise);

bool	 placed_has(const struct pane *);	/* the pane has places */
void	 placed_stay(const struct pane *);		/* the user moves it: do not go to a place any more */
bool	 placed_comes(const struct pane *);	/* the pane will go to the place of a step */
/* append the current place; nothing while it is unknown */
void	 placed_tell(struct pane *, enum placed_use, struct buf *);

/* ---- look -------------------------------------------------------------------------- */

/*
 * The session's view, and which of several files is shown.
 */

/* Stages are text in query syntax; each ends with a newline. */
const char *look_now(const struct ui *);	/* stages of the current view */
const char *look_wanted(const struct ui *);	/* stages requested last; the view may not be built yet */
size_t	 look_file(const struct ui *);		/* index of the requested file */
void	 look_choose(struct ui *, size_t file);	/* choose a file, as an undo step */
/* Open and show a file, then run the query on it. */
void	 look_open(struct ui *, struct str path, const char *query);
const char *look_opened(struct ui *);		/* return the requested path, once; NULL: none */
const char *look_asking(const struct ui *);	/* the query for that file; NULL: none */
/* Request these stages, as an undo step. */
void	 look_set(struct ui *, const char *stages);
/* Add a stage; remove the one that begins with drop (NULL: none). */
void	 look_add(struct ui *, const char *drop, struct str stage);
/* add stages; only one of range, by, event, state, per, dump and diff remains */
void	 look_join_in(struct ui *, const char *stages);
bool	 look_differs(const struct ui *);	/* two files are compared */
/* Compare two files that are alike, with the second one shown; false: they are not, or the view was changed already. */
bool	 look_compare(struct ui *);
bool	 look_due(struct ui *);			/* the view must be rebuilt; true once */
void	 look_taken(struct ui *, const char *stages);	/* the view was built from these stages */
void	 look_refused(struct ui *, bool none);	/* building the view failed; none: no view any more */
void	 look_set_clock(struct ui *, enum clock);	/* do nothing if the file lacks that clock */
enum clock look_clock(const struct ui *);	/* clock for queries that contain the stages of the view */
bool	 look_two(const struct ui *, unsigned shapes);	/* both compared files have this data */
bool	 look_alike(const struct ui *);			/* the files can be compared */
void	 look_join(const char *stages, const char *mark, struct buf *);	/* append the stages, separated by mark */
/* Return the stage that begins with a word; n 0: none. */
struct str look_stage(const char *stages, const char *word);
void	 look_drop(char *stages, const char *word);	/* remove the stage that begins with word */
bool	 look_begins(struct str);	/* the text begins with the name of a view stage */
void	 look_stages(const struct ui *, struct buf *);	/* " | hide /x/ | by package"; appends */
void	 look_chips(const struct ui *, struct buf *);	/* "hide /x/", "range 1-2 s", raw, one per line */
bool	 look_has(const struct ui *, struct str stage);	/* the stage is requested */
bool	 look_hides(const struct ui *);		/* the view omits part of the file */
void	 look_chip(struct str stage, struct buf *);	/* append one chip */
void	 look_threads(struct ui *, uint32_t method);	/* list the threads that a method runs on */
void	 look_bytecode(struct ui *, uint32_t method);	/* show the instructions of a method */
/* show a method of the bytecode; at: see PLACE_BYTECODE */
void	 look_code(struct ui *, uint32_t method, uint64_t at);
/* Restrict all other panes to a range of time (ns on the clock of spans); from == to: remove the range. */
void	 look_range(struct ui *, uint64_t from, uint64_t to);
void	 look_say_range(struct ui *);		/* report the requested range, and how to undo it */
/* Go to the thread's track at that time, if a pane shows tracks; otherwise make that time the range of all panes. */
void	 look_stretch(struct ui *, uint32_t thread, uint64_t from, uint64_t to);
bool	 look_ranged(const struct ui *, uint64_t *from, uint64_t *to);	/* the requested range; false: none */
/* time of all threads of the file, ns; false: unknown */
bool	 look_extent(const struct ui *, uint64_t *from, uint64_t *to);

/* ---- scale: a common unit and number of decimals for the times of a window ---------- */

struct scale {
	const char	*unit;
	uint64_t	 per, least;	/* ns of the unit, and of its last decimal */
	int		 decimals;
};

struct scale scale_of(uint64_t most, uint64_t step);	/* scale for times up to most in steps of step, ns */
struct scale scale_within(uint64_t from, uint64_t to);	/* scale for positions in a window */
const char *scale_show(char *, size_t, const struct scale *, uint64_t ns);	/* without the unit; returns the text */
void	 scale_window(struct buf *, uint64_t from, uint64_t to);	/* append "2.234-2.872 s" */
/* The same, with " of 5.11 s" if the window is smaller than the file. */
void	 scale_window_of(struct buf *, uint64_t from, uint64_t to, uint64_t all_from, uint64_t all_to);
/* Append the window's position in the file, "[....====....]"; nothing if it shows the whole file. */
void	 scale_strip(struct buf *, uint64_t from, uint64_t to, uint64_t all_from, uint64_t all_to);
/* append a time in a window */
void	 scale_at(struct buf *, const char *name, uint64_t ns, uint64_t from, uint64_t to);

/* ---- panes ------------------------------------------------------------------------- */

/*
 * The open panes, the visible one, and calls of the functions of pane kinds.
 */

struct pane {
	const struct pane_kind	*kind;
	struct ui		*ui;
	void			*data;
	size_t			 focus;		/* index of the list with the focus */
	struct area		 area;		/* area of the last drawing */
	size_t			 status_w;	/* width of its status line, columns */
	bool			 status_cut;	/* the status line was truncated */
	bool			 extra;		/* opened by a query or help: can be closed */
	bool			 stale;		/* reset the pane when it is shown next */
	bool			 unfinished;	/* the drawing continues with the next step */
	bool			 entered;	/* opened by Enter in another pane: Backspace returns there */
	bool			 ranging;	/* its last v began a range; another v sets it */
	bool			 superseded;	/* another pane took its place: ui_sweep closes it */
	bool			 other;		/* of a split screen, it shows the other of two files */
	struct buf		 query;		/* query it was opened with; empty: none */
	/* name on its tab if it differs from its kind's: the source of its query; or "" */
	char			 name[16];
	struct buf		 led;		/* subject, "Classes › java.lang.Class", raw; or empty */
	struct pane		*from;		/* the pane shown when it was opened */
	const struct pane_kind	*came;		/* kind of the pane that led here last; NULL: none */
};

/* The function of a pane's kind, or of the kind that it is based on; NULL: neither has one. */
#define PANE_DOES(p, function) \
	((p)->kind->function != NULL || (p)->kind->like == NULL ? (p)->kind->function : (p)->kind->like->function)

/* Without a function, these do nothing and return false or 0. */
void	 pane_on(struct pane *, enum pane_event);
void	 pane_tell(struct pane *, enum tell, struct buf *);
bool	 pane_act(struct pane *, enum verb);
bool	 pane_busy(struct pane *);
uint32_t pane_selected(struct pane *);		/* the selected object of a heap */

/* Query that compares two dumps by package, because dominator trees cannot be compared. */
#define COMPARE_PACKAGES "components package | diff component | select retained_delta retained objects_delta " \
    "objects component change | " \
	"sort -abs(retained_delta)"

struct pane *ui_pane(const struct ui *);	/* the visible pane */
size_t	 ui_panes(const struct ui *);		/* number of open panes */
struct pane *ui_nth(const struct ui *, size_t tab);	/* NULL: no more */
const char *pane_name(const struct pane *);	/* on its tab */
/* Return the open pane of a kind with that query, which must not be empty; NULL: none. */
struct pane *ui_asked(const struct ui *, const struct pane_kind *, struct str query);
/* The kind is for files like that one. */
bool	 ui_suits(const struct ui *, const struct pane_kind *);
struct pane *ui_find(const struct ui *, const struct pane_kind *);	/* NULL: the file has no such pane */
/* open a pane and show it */
bool	 ui_add(struct ui *, const struct pane_kind *, const char *query, struct err *);
/* Close a pane; panes opened from it will return to the pane where it was opened itself. */
void	 ui_remove(struct ui *, struct pane *);
void	 ui_sweep(struct ui *);			/* close the panes whose place others took */
void	 ui_close(struct ui *);			/* close the visible pane, if the user may close it */
void	 ui_show(struct ui *, const struct pane *);
void	 ui_turn(struct ui *, bool backward);	/* show the pane of the next tab */
void	 ui_reset(struct ui *);			/* reset every pane */
/* Open the panes that fit the file shown, and close the others. */
bool	 ui_place(struct ui *, struct err *);
void	 ui_find_places(struct ui *);		/* compute ui_places again, after panes were opened */
uint64_t ui_places(const struct ui *);		/* contexts of keys in panes that are open or can be opened */
size_t	 ui_opened(const struct ui *);		/* number of panes that queries or help opened */
bool	 ui_leads_out(const struct pane *);	/* the pane has nothing for q to close */
uint64_t ui_where(const struct ui *, const struct pane *);	/* key contexts of the pane's current state */

/* ---- split: two panes side by side ------------------------------------------------- */

/*
 * The pane without the focus shows what is selected in ui_pane(): with two files the same pane of the other file, which
 * is an extra pane.  While such a pane is asked, ui_session() is of its file, without a view.
 */
bool	 split_is(const struct ui *);
bool	 split_files(const struct ui *);		/* each side shows a file */
bool	 split_right(const struct ui *);		/* ui_pane() is on the right */
struct pane *split_beside(const struct ui *);	/* the pane without the focus; NULL: not split, or not chosen yet */
void	 split_set(struct ui *, bool split, bool files, struct pane *beside);
bool	 couple_open(struct ui *, struct err *);		/* the pane beside ui_pane() for the other file */
void	 couple_turn(struct ui *);		/* exchange the panes of the sides, but not the focus; call it twice */
/* Select in the other pane what is selected in this one; also: for panes whose keys lead to no place there. */
void	 couple_follow(struct ui *, void (*also)(struct pane *));
/* within that: visits only reach the other pane, and nothing is recorded */
bool	 split_couples(const struct ui *);

/* ---- bookmark ---------------------------------------------------------------------- */

/*
 * Named places, called marks in the interface.  placed.h describes their texts.
 */

#define BOOKMARK_LAST "last"		/* mark set by the explorer itself: where the last session ended */

enum { BOOKMARK_NAME = 40, BOOKMARKS = 64 };

bool	 bookmark_named(struct str);		/* the text is a valid name: letters, digits, _ and - */
/* Return the i-th mark by name; NULL: no more. */
const char *bookmark_at(const struct ui *, size_t i);
/* Append a description of a mark, raw: "Icicle, range 2 s to 3 s"; subject: with the name of the selection. */
void	 bookmark_about(const struct ui *, const char *name, bool subject, struct buf *);
bool	 bookmark_set(struct ui *, struct str name, struct err *);	/* set a mark at the current place */
void	 bookmark_drop(struct ui *, const char *name);
void	 bookmark_go(struct ui *, const char *name);	/* go to a mark, as one undo step, or report why not */
/* Restore the place of a mark in its pane as soon as it is ready; true: restored. */
bool	 bookmark_step(struct ui *);
void	 bookmark_save(const struct ui *, struct buf *);	/* append all marks as text */
void	 bookmark_load(struct ui *, struct str, bool moved);	/* moved: the file and its ids have changed since */
void	 bookmark_free(struct ui *);		/* call it before ui_stop */

/* ---- tasks: work for the worker ------------------------------------------ */

/* The first member of every struct with work for the worker. */
struct task {
	/* Runs on the worker; may use only data that its owner does not touch meanwhile. */
	bool		(*run)(struct task *, struct work *, struct err *);
	/* Runs on the screen thread afterwards. */
	void		(*done)(struct task *, bool ok, const struct err *);
	struct ui	*ui;
	struct task	*next;		/* next task in the queue */
	struct pane	*pane;		/* pane of the task, which is put off while another pane is shown; or NULL */
	bool		 given;		/* waiting or running */
	bool		 put_off;	/* cancelled to run later */
	bool		 other;		/* given by a pane of the other file: split_set */
};

void	task_give(struct ui *, struct task *);
/* Take a task out of the queue, or cancel it and wait for its end; done is not called. */
void	task_drop(struct task *);
void	task_collect(struct ui *);	/* finish an ended task and start the next */
void	task_cancel_all(struct ui *);
unsigned ui_stopped(const struct ui *);		/* percent at which the user stopped the last task; 0: not stopped */
bool	task_idle(const struct ui *);	/* no task runs or waits */
bool	task_waits(const struct ui *);	/* a task waits for the running one */
/* running task, and time of its start; NULL: none */
const struct task *task_running(const struct ui *, uint64_t *since);
struct work *task_work(const struct ui *);	/* progress of the worker. Any thread */
size_t	task_passes(const struct ui *);	/* number of computed passes */
bool	task_refuses(const struct task *);	/* the task runs or waits: report that it must end first */
void	task_why(const struct err *, char *, size_t);	/* text for a pane whose task failed */

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
unsigned ui_shapes(const struct ui *);		/* shapes of the file; 0 until loaded */
/* scheduler traces only if programs wrote markers, recordings if sampled */
bool	 ui_has_calls(const struct ui *);
bool	 ui_has_methods(const struct ui *);	/* bank statements show accounts and payees instead */
size_t	 ui_events(const struct ui *);		/* events with samples that can be shown; calls count as one more */
bool	 ui_processes(const struct ui *);	/* the file has threads of several processes */
unsigned ui_version(const struct ui *);		/* number of times that a store replaced another */
void	 ui_swapped(struct ui *);		/* a store replaced another */
/* Return the session without its view, for queries that contain the stages of the view; the pointer stays valid. */
struct session *ui_plain(struct ui *);
/* append the current weight, fitted: "wall", "cycles", "delta" */
void	 ui_weight(const struct ui *, struct buf *);
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
void	 ui_say_hint(struct ui *, enum verb, const char *words);	/* say hint() */
void	 ui_fail(struct ui *, const struct err *);
/* Show an error with the query and a mark below the fault. */
void	 ui_query_error(struct ui *, struct str query, const struct err *);

/* ---- items: lines of an overlay ------------------------------------------- */

struct remark {
	struct buf	 left, text, note;	/* fitted: a name, its value, and its meaning */
	bool		 head;			/* left is the heading of the following items */
	bool		 now;			/* the current choice */
	uint32_t	 choice;		/* from 1: id for Enter; 0: none */
	enum role	 role;			/* role of left */
	const struct key *key;			/* the key whose first name begins left; or NULL */
};

struct items {
	struct remark	*at;
	size_t		 n, cap;
};

/* raw; NULL: out of memory */
struct remark *items_add(struct items *, struct str left, struct str text, const char *note);
/* meaning of a colour or mark */
void	 items_sample(struct items *, const char *sample, enum role, const char *what);
void	 bars_legend(struct items *);	/* meaning of bars of CPU use */
void	 items_head(struct items *, const char *);
void	 items_text(const struct items *, struct buf *);	/* appends */
void	 items_drop(struct items *);		/* the last item */
void	 items_free(struct items *);

/* ---- navigation between panes -------------------------------------------- */

/* Destinations of navigation.  The pane whose kind has the bit in .places handles a visit in .go. */
enum place {
	PLACE_QUERY,			/* query, in a new pane; Backspace returns */
	/* query: the instructions of a method; id: 1 + offset of the one to select, 0: the first */
	PLACE_BYTECODE,
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
	PLACE_TIME,			/* id: a thread in Stack chart, 0: any; method: go to its longest call; or 0 */
	/* about: a track by name in Stack chart; method: its process; id: a thread of that; 0: any */
	PLACE_TRACK,
	/* id: a thread of the file: its track between from and until; method: its call at from; 0: none */
	PLACE_STRETCH,
	PLACE_CPU,			/* id: the line of a CPU */
	PLACE_LINE,			/* about: name of a line in Timeline */
	/* from, until: the time window; if they are equal, keep its length around that time */
	PLACE_WINDOW,
	PLACES
};

struct visit {
	enum place	 to;
	uint32_t	 id, method;	/* ids in the current view */
	const uint32_t	*ids;
	size_t		 n;		/* of ids; PLACE_TRACK: number of tracks before it with its name and process */
	uint64_t	 from, until;	/* ns */
	bool		 at_end;	/* PLACE_STRETCH with a method: select its call at until, not at from */
	bool		 exactly;	/* PLACE_STRETCH: show this time, not the interval of the track at from */
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

enum step_kind { STEP_ZOOM, STEP_VISIT /* a zoom requested by another pane */, STEP_GROUP, STEP_SORT, STEP_FILTER,
    STEP_VIEW };

/* Record the pane's state as an undo step, before changing it.  name: what the step does, "zoom". */
void	 step_add(struct pane *, enum step_kind, const char *name);
/* Undo the last step if it is a zoom in this pane; leave the pane if that step opened it. False: another step. */
bool	 step_back(struct pane *);
void	 history_go(struct ui *, bool redo);	/* undo or redo a step, and show its name */
void	 history_back_to(struct ui *, struct str stage);	/* undo until this stage is the last of the view */
const char *history_next(struct ui *);		/* name of the step that u undoes; NULL: none */
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
 * Match the names of methods, or of the classes of a heap; with a mapping, also the names in the file.
 * Return one byte for each id, from 1 to *n; the caller frees it.  NULL with err filled on failure.
 */
uint8_t	*pattern_names(const char *text, const struct store *, const struct heap *, uint32_t *n,
    struct work *,
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
/* drop all results, before a store is closed; append the search text */
void	 found_drop(struct ui *, struct buf *text);
void	 found_forget(struct ui *);		/* found_drop, and remove the marks; the threads stay */
void	 found_threads(struct ui *, const uint32_t *, size_t);	/* threads to count, kept by the caller; n 0: all */
/* "/text: no match", or the reason; where: " in this thread" */
void	 found_none(struct ui *, const char *text, const char *where);
void	 found_show(struct ui *);	/* "/text: 212 calls, 1.20 s, 23.4% of total" */
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
