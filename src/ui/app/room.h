/*
 * room: what the files of the ui share among themselves.
 */
#ifndef UI_ROOM_H
#define UI_ROOM_H

#include "icecore/ui.h"

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
size_t	task_passes(const struct ui *);	/* how many passes are done */

/* ---- screen: the terminal ------------------------------------------------ */

enum role {
	ROLE_NORMAL, ROLE_TITLE, ROLE_TAB, ROLE_DIM, ROLE_HEAD, ROLE_MATCH, ROLE_ERROR,
	ROLE_HUE,			/* the first of HUES */
	/* frames that are not of a package: of the kernel, made at run time, inlined, of who woke the thread */
	ROLE_KERNEL = ROLE_HUE + 8, ROLE_JIT, ROLE_INLINED, ROLE_WAKER,
	/* what differs: the first of SHADES, the weakest, of frames that grew and shrank; and of text */
	ROLE_SAME, ROLE_GREW, ROLE_SHRANK = ROLE_GREW + 3, ROLE_MORE = ROLE_SHRANK + 3, ROLE_LESS,
	ROLES
};
#define HUES (ROLE_KERNEL - ROLE_HUE)
#define SHADES 3

enum look { LOOK_PLAIN = 0, LOOK_BOLD = 1, LOOK_REVERSE = 2 };

enum glyph { GLYPH_RULE, GLYPH_BAR, GLYPH_CROWD, GLYPH_CUT, GLYPH_INTO, GLYPH_TIMES,
	GLYPH_FALLING, GLYPH_RISING, GLYPHS };

enum { SCREEN_MIN_W = 40, SCREEN_MIN_H = 8 };

enum wake { WAKE_NONE, WAKE_WORKER = 'w', WAKE_SIZE = 's', WAKE_INTERRUPT = 'i', WAKE_END = 'e' };

bool	 screen_open(bool headless, struct err *);
void	 screen_close(void);
int	 signals_ended(void);		/* the signal that ended the loop, or 0 */
void	 signals_raise(void);		/* raises it again, after screen_close */
int	 screen_wake_fd(void);		/* for the worker: it writes one byte */
/* Waits for input or a wake; false when the terminal is gone. */
bool	 screen_wait(int timeout_ms, bool *input);
bool	 screen_wait_key(int timeout_ms, bool *input);	/* for input only */
enum wake screen_woken(void);		/* the next reason, or WAKE_NONE */
size_t	 screen_read(char *, size_t);	/* what was typed, without waiting */
void	 screen_size(int *h, int *w);
bool	 screen_fits(void);		/* there is room for panes: else nothing is drawn */
void	 screen_resize(int h, int w);	/* 0, 0: ask the terminal */
void	 screen_erase(bool all);
/* Text that passed text_fit, cut to w columns; returns the columns used. */
int	 screen_put(int y, int x, int w, enum role, unsigned look, struct str);
int	 screen_puts(int y, int x, int w, enum role, unsigned look, const char *);
void	 screen_fill(int y, int x, int w, enum role, unsigned look, enum glyph, bool blank);
/* How many colours there are for pictures: 256, 8, or 0. */
int	 screen_colours(void);
/* One cell in colours by their numbers, -1: as the terminal has it; false: there are no more pairs of colours. */
bool	 screen_cell(int y, int x, const char *glyph, int fg, int bg);
void	 screen_cursor(int y, int x, bool visible);
void	 screen_flush(void);
void	 screen_frame(FILE *);		/* the screen as text */
void	 screen_raw(struct str);	/* bytes the screen library must not see */
void	 screen_paste(bool on);		/* bracketed paste */
bool	 screen_utf8(void);
const char *screen_note(void);		/* what is odd about the terminal, or NULL */
const char *glyph(enum glyph);
/* The gate: raw bytes to what this terminal can show; appends. */
void	 screen_fit(struct buf *, struct str);
/* Fitted text, shortened in its middle to at most w columns; appends. */
void	 screen_middle(struct buf *, struct str, size_t w);
/* Fitted name and what is told of it: the name gives way first. */
void	 screen_pair(struct buf *, struct str name, struct str rest, size_t w);
/* Fitted text in lines that break at blanks; how many they are. */
int	 screen_words(struct area, enum role, struct str);
void	 screen_short(struct buf *, struct str, size_t w);	/* the same, at its end */

/* ---- keys ---------------------------------------------------------------- */

struct press {
	char	name[16];	/* "j", "C-d", "PgDn"; "" for text that is no key */
	char	raw[16];
	size_t	n;
};

/* Takes the first key out of s; 0 bytes when more must come (final: nothing will). */
size_t	key_decode(struct str s, bool final, struct press *);
/* The bytes a terminal sends for a name; false: no such key. */
bool	key_named(const char *name, struct press *);
enum verb key_verb(const struct press *, unsigned where);
const struct key *key_of(enum verb, unsigned where);	/* its row, or NULL */
struct rows *key_rows(struct session *, unsigned where);	/* those that apply there, for help */

/* ---- homes: the files a user keeps --------------------------------------- */

/* name in the folder icecore of $variable, or of otherwise below $HOME; NULL: there is none.  The caller frees. */
char	*home_path(const char *variable, const char *otherwise, const char *name);
bool	 home_make(char *path);		/* the folders it lies in */

/* ---- past: the history of the prompt ------------------------------------- */

void	 past_open(bool keep);		/* keep: in a file */
void	 past_choose(bool other);	/* other: of what is no query */
void	 past_add(const char *line);
void	 past_settle(void);		/* a prompt was closed */
void	 past_end(void);

/* ---- saved: queries with names ------------------------------------------- */

bool	 saved_each(void *, void (*)(void *, struct str name, struct str query), struct err *);
bool	 saved_get(struct str name, struct buf *query);
bool	 saved_put(struct str name, struct str query, bool *replaced, struct err *);

/* ---- menu: candidates for the cursor of the prompt ------------------------ */

#define MENU_NONE SIZE_MAX

struct menu {
	struct completion	 c;
	bool			 begun;		/* c is of the line as it stands */
	bool			 open;		/* it is shown */
	bool			 asked;		/* Tab was pressed: what is sure is taken at once */
	size_t			 sel, top;
};

void	 menu_begin(struct menu *, struct str line, size_t point, struct session *);
void	 menu_begin_view(struct menu *, struct str line, size_t point, struct session *);
void	 menu_clear(struct menu *);	/* the line changed */
void	 menu_close(struct menu *);
void	 menu_move(struct menu *, int by);
const struct candidate *menu_chosen(const struct menu *);	/* or NULL */
size_t	 menu_common(const struct menu *);
void	 menu_draw(struct menu *, struct area above);

/* The keys that matter in the pane, on the line of the status behind column x. */
void	 hints_draw(struct ui *, int y, int x, int w);

/* ---- prompt -------------------------------------------------------------- */

#define VIEW_LABEL "view: "		/* of a line of stages: they are completed as those of a query are */
/* Asks for a line; done gets NULL when the user gave up. */
void	 prompt_open(struct ui *, const char *label, const char *text,
	    void (*done)(struct ui *, const char *line));
bool	 prompt_is_open(void);
void	 prompt_feed(const struct press *);
void	 prompt_insert(struct str);	/* pasted */
void	 prompt_poll(struct ui *);	/* runs done when a line is complete */
bool	 prompt_step(struct ui *, uint64_t deadline);	/* true: there is more to look through */
void	 prompt_draw(struct area, int above);	/* so many lines above it may be drawn over */
void	 prompt_end(void);
void	 prompt_forget(void);		/* the file that names came from */
void	 prompt_words(struct completion *);	/* what the prompt knows beside queries: act.c */

/* ---- find: search patterns ----------------------------------------------- */

/* Smart case; what is no valid regular expression is taken as it stands. */
struct pattern;
struct pattern *pattern_make(struct str, struct err *);
void	 pattern_free(struct pattern *);
bool	 pattern_match(struct pattern *, struct str);

/* The methods (of a heap: classes) that match, and what they weigh. */
struct found {
	struct task	 task;
	char		 text[256], next_text[256];
	uint8_t		*set, *next_set;	/* one byte a method */
	uint32_t	 n, next_n;
	uint32_t	*threads;	/* the threads it weighs, nthreads 0: all */
	size_t		 nthreads;
	enum clock	 clock;
	uint64_t	 calls, weight, whole;	/* calls and ticks, or objects and bytes */
	uint32_t	 best;			/* the object among them that retains most */
	bool		 backward, quiet;	/* quiet: nothing is said, nothing moves */
};

void	 found_start(struct ui *, const char *text, bool backward);
void	 found_again(struct ui *, const char *text);	/* in the store that took the place of another one */
void	 found_free(struct ui *);
bool	 found_has(const struct ui *, uint32_t method);
void	 found_show(struct ui *);	/* "/text: 212 calls, 23.4% of total" */

/* ---- panes --------------------------------------------------------------- */

struct pane {
	const struct pane_kind	*kind;
	struct ui		*ui;
	void			*data;
	struct area		 area;		/* where it was drawn last */
	bool			 extra;		/* opened by a query or help: can be closed */
	bool			 stale;		/* reset it when it is shown next */
	bool			 entered;	/* by Enter in another pane: Backspace goes back there */
	struct pane		*from;		/* where the user was when it was opened */
};

/* The file that w writes. */
struct writer {
	struct task	 task;
	struct buf	 path, query;
	enum format	 format;
	uint64_t	 n;		/* rows written */
};

/* Passes that panes of a heap will need. */
struct preparer {
	struct task	 task;
	const char	*column;
	bool		 begun;
	bool		 stopped;	/* cancelled or failed: not again by itself */
};

/* Passes that names for the prompt need. */
struct learner {
	struct task	 task;
	struct buf	 query;
};

enum { UI_PANES = 64, OLD_STORES = 8 };

/* A store that another one took the place of, down to what is still in use; NULL: all it lies over. */
struct old_store {
	struct store		*top;
	const struct store	*bottom;
};

/* A trace that is still being written: stream.c. */
struct stream {
	struct task	 task;
	struct live	*live;		/* NULL: there is none */
	struct store	*snapshot;	/* from the worker, as end is */
	bool		 end, ended;
	uint64_t	 shown;		/* when the last snapshot took its place */
};

enum load_state { LOAD_RUNNING, LOAD_STOPPED, LOAD_DONE, LOAD_FAILED };

enum { LOOK_MAX = 2048, LOOK_PAST = 16 };

/* The view of the file: stages as queries have them, each ends with a newline. */
struct look_state {
	struct task	 task;
	char		 now[LOOK_MAX];		/* of session->view */
	char		 want[LOOK_MAX];
	char		 asked[LOOK_MAX];	/* what the worker makes */
	char		 past[LOOK_PAST][LOOK_MAX];
	size_t		 npast;
	size_t		 at, asked_at;		/* file that is wanted, and of what the worker makes */
	enum clock	 clock, asked_clock;	/* by which two files are compared, or what the worker makes counts */
	struct store	*base;			/* another snapshot of the first file, not yet in the session; or NULL */
	struct store	*made;
};

struct ui {
	struct session		*session;
	const struct ui_options	*opt;
	struct worker		*worker;
	struct task		*queue, *running;
	uint64_t		 since;		/* when the running task began */
	struct task		 load, save;
	struct stream		 stream;
	struct store		*loaded;	/* and not yet in the session */
	size_t			 loading;	/* the file that is being loaded, 0: the first */
	enum load_state		 state;		/* of the first */
	struct old_store	 old[OLD_STORES];
	size_t			 nold;
	unsigned		 version;	/* how often a store took the place of another one */
	struct session		 plain;		/* the session without its view: ui_plain */
	struct look_state	 look;
	bool			 quit, redraw, gone;
	struct pane		*pane[UI_PANES];
	size_t			 npanes, cur;
	size_t			 wanted;	/* tab asked for while loading, from 0 */
	unsigned		 where;		/* all places where keys apply */
	char			 message[1024];	/* up to three lines, fitted */
	size_t			 skip;		/* columns its first two lines are moved left */
	bool			 bad;		/* it is an error */
	struct writer		 writer;
	struct learner		 learner;
	struct preparer		 preparer;
	size_t			 saved;		/* passes that are in the index */
	struct buf		 paste;
	bool			 pasting;
	struct found		 found;
	struct err		 err;
	struct list		*asking;	/* whose prompt is open */
	struct buf		 asked;			/* the last query entered */
	char			 search[256];
	bool			 search_back;
	struct script		*script;
};

/* The test script: does its next line; false at its end. */
struct script;
struct script *script_open(const char *path, struct err *);
void	 script_close(struct script *);
bool	 script_step(struct script *, struct ui *, bool idle, struct err *);
void	 ui_press(struct ui *, const struct press *);

struct store *ui_store(const struct ui *);	/* NULL until loaded */
unsigned ui_shapes(const struct ui *);		/* of the file; 0 until loaded */
void	 ui_say(struct ui *, const char *, ...) __attribute__((format(printf, 2, 3)));
void	 ui_fail(struct ui *, const struct err *);
struct pane *ui_pane(const struct ui *);
bool	 ui_add(struct ui *, const struct pane_kind *, const char *query, struct err *);
struct pane *ui_find(struct ui *, const struct pane_kind *);	/* NULL: the file has no such pane */
unsigned ui_where(const struct ui *, const struct pane *);	/* which keys apply */
void	 ui_show(struct ui *, const struct pane *);
void	 ui_reset(struct ui *);			/* every pane computes anew */
void	 ui_remove(struct ui *, struct pane *);
bool	 ui_place(struct ui *, struct err *);
void	 ui_find_places(struct ui *);		/* again, with what was opened meanwhile */
void	 ui_draw(struct ui *);
bool	 ui_act(struct ui *, enum verb, const struct press *);
void	 ui_query_error(struct ui *, struct str query, const struct err *);

extern const struct pane_kind pane_icicle, pane_threads, pane_methods, pane_time;
extern const struct pane_kind pane_timeline, pane_tasks, pane_cpus, pane_waits;
extern const struct pane_kind pane_query, pane_help, pane_info;

/* ---- files: what is open ---------------------------------------------------- */

void	 ui_load(struct ui *);
void	 files_end(struct ui *);
/* What was taken out is closed, now that nobody works and the pane that is shown is up to date. */
void	 files_settle(struct ui *);
/*
 * Another store, which from here on belongs to the session, takes the place of the first (NULL: that stays), and another
 * view, over store[at], that of the session's view (NULL: none).  Called when nothing runs: from the done of a task.
 */
void	 ui_swap(struct ui *, size_t at, struct store *base, struct store *view);
/* A pipe with scheduler text is followed; false: it failed.  On the worker: the first snapshot goes to ui->loaded. */
bool	 stream_open(struct ui *, struct work *, struct err *);
void	 stream_go(struct ui *);	/* reads on, when nobody else works */
bool	 stream_runs(const struct ui *);
void	 stream_end(struct ui *);
/* Another snapshot of the first file, of which the view is made anew; from the done of a task, too. */
void	 ui_swap_store(struct ui *, struct store *);
/* ---- look: the session's view, and which of several files ---------------------- */

bool	 look_two(const struct ui *, unsigned shapes);	/* the two files that are compared have one of these */
void	 look_stages(const struct ui *, struct buf *);	/* " | hide /x/ | by package"; appends */
void	 look_path(const struct ui *, struct buf *);	/* "hide /x/ > by package", raw */
/* What keys do to it; name: the frame that is selected, "" for none.  False: the verb means nothing here. */
bool	 look_act(struct ui *, enum verb, struct str name);
enum clock look_clock(const struct ui *);	/* that queries count which say the view themselves */
void	 look_time(struct ui *, uint32_t thread, uint32_t method);	/* time_thread, with ids of the view */
bool	 look_begins(struct str);	/* the text begins with a word of a stage that makes a view */
void	 look_threads(struct ui *, uint32_t method);	/* a list of those it runs on */
void	 ui_weight(const struct ui *, struct buf *);	/* that counts: "wall", "cycles", "delta"; fitted, appends */
/* Every other pane counts only that piece of time (ns on the clock of spans); from == to: all of it again. */
void	 ui_view_range(struct ui *, uint64_t from, uint64_t to);
bool	 ui_range(const struct ui *, uint64_t *from, uint64_t *to);	/* that piece; false: all counts */
/* The session as queries see it that say by themselves what view they mean. */
struct session *ui_plain(struct ui *);

/* ---- heaps: what the panes of heap dumps share ----------------------------- */

/* As far as its passes are done; false: the file is none.  Any thread. */
bool	 ui_heap(const struct ui *, struct heap *);
/* Column of a pass, "REFS.SIZES.parent" as the session says: on the worker; whether it is there. */
bool	 ui_heap_want(struct ui *, const char *column, struct work *, struct err *);
bool	 ui_heap_has(const struct ui *, const char *column);
void	 ui_heap_prepare(struct ui *);		/* the next pass, now that nobody waits for the worker */
bool	 ui_heap_act(struct ui *, enum verb);	/* what is done with the object that is selected */
void	 object_name(const struct heap *, uint32_t object, struct buf *);	/* "java.util.HashMap @4412" */
uint32_t list_object(struct list *);		/* of the selected row; 0: it is about none */
void	 ui_enter(struct ui *, const char *query);	/* a pane of its own, with a way back */
/*
 * Where most of what is reachable comes together: down along the dominators from the largest object.  0:
 * there is no such object.  *holder: the last class on that way, or 0.
 */
uint32_t ui_gathering(const struct heap *, uint32_t *holder);

extern const struct pane_kind pane_overview, pane_classes, pane_dominators, pane_retained;
extern const struct pane_kind pane_stacks, pane_strings, pane_bitmaps, pane_findings, pane_object;

/* ---- contents: what passes found, in a few words; false: not known yet ------ */

bool	 told_findings(const struct heap *, uint64_t *n, struct buf *);	/* "3 leaks, 1 note"; appends */
bool	 told_strings(const struct heap *, struct buf *);	/* "duplicates 88 MiB in 41 022 values"; appends */

/* The bitmaps, added up by the worker. */
struct tally {
	struct task	 task;
	bool		 known, stopped;
	uint64_t	 n, bytes;
};

bool	 tally_bitmaps(struct ui *, struct tally *);	/* asks for it, too */

enum part { PART_FIELDS, PART_REFERRERS, PART_PATH, PARTS };

void	 object_show(struct ui *, uint32_t object, enum part);
void	 dominators_show(struct ui *, uint32_t object);
void	 icicle_object(struct ui *, uint32_t object);

/* Ways from one pane to another. */
void	 icicle_threads(struct ui *, const uint32_t *, size_t);
void	 icicle_goto(struct ui *, uint32_t method);
void	 icicle_again(struct ui *);	/* other methods match: it is laid out anew */
void	 methods_goto(struct ui *, uint32_t method);
uint32_t methods_thread(const struct ui *, uint32_t method);	/* where it weighs most; 0: not known */
void	 time_thread(struct ui *, uint32_t thread, uint32_t method);
void	 time_exact(char *, size_t size, uint64_t ns, uint64_t window);	/* so exact that a cell of that window shows */
void	 time_place(struct ui *, uint32_t thread, uint64_t from, uint64_t to);	/* ns; what its track shows there is selected */
void	 timeline_cpu(struct ui *, uint32_t cpu);
size_t	 icicle_chosen(struct ui *, const uint32_t **);
bool	 ui_has_calls(const struct ui *);

/* ---- list: a query drawn as lines ---------------------------------------- */

enum list_job { LIST_OPEN, LIST_REACH, LIST_FIND };

struct list {
	struct task	 task;
	struct pane	*pane;
	char		*base, *filter, *tail;	/* source; added by & and s; columns */
	char		 sort[64];
	const char	*hide;			/* columns that are for us alone; or NULL */
	const char	*quiet;			/* columns for the status line alone */
	const char	*empty;			/* why there are no rows; or NULL */
	bool		 mute;			/* errors stay in the list */
	bool		 bare;			/* no line of names above the rows */
	bool		 at_once;		/* opening takes no time: nobody waits for the worker */
	struct rows	*(*wrap)(struct list *, struct rows *, struct err *);
	bool		 (*marked)(struct list *, uint64_t row);
	enum role	 (*role)(struct list *, uint64_t row);	/* how a row is drawn; or NULL */
	/* On the worker, when rows were opened: what their cells need once; and back on the screen thread. */
	bool		 (*warm)(struct list *, struct rows *, struct work *, struct err *);
	void		 (*opened)(struct list *);

	struct query	*query;
	struct rows	*rows;
	struct query	*new_query;
	struct rows	*new_rows;
	uint64_t	 known, new_known;
	bool		 all;			/* known are all there are */
	enum list_job	 job;
	bool		 stale, backward, quiet_find, to_end;
	uint64_t	 want, hit, hits, from;
	char		 find[256];
	struct pattern	*pattern;		/* marks what was found */
	int		 idcol;
	uint64_t	 id;			/* of the selected row, 0: none */
	const char	*named;			/* the column that tells rows apart over files; or NULL */
	struct buf	 kept;			/* what the selected row had there when the file went; "" */
	uint64_t	 other;			/* when another query was set whose rows are not there yet; 0: they are */
	struct buf	 asked;			/* the query that the worker opens */
	struct session	*session;		/* over which */
	unsigned	 version;		/* of ui->version, when rows were opened */
	uint64_t	 asked_id, asked_sel, new_sel;

	uint64_t	 top, sel;
	size_t		 left;			/* first column drawn */
	size_t		 width[32];
	bool		 drawn[32];		/* columns the page shows in full */
	struct buf	*line;			/* the page as drawn */
	size_t		 nlines, page_h;
	int		 page_w;
	uint64_t	 page_top;
	bool		 page_ok;
	char		 error[480];
};

struct list *list_new(struct pane *, const char *base, const char *tail, const char *sort);
void	 list_free(struct list *);
void	 list_set(struct list *, const char *base, uint64_t row);	/* another query, and where in it */
void	 list_reset(struct list *);
void	 list_forget(struct list *);		/* gives its rows back */
/* Other columns and another order, for another kind of file. */
void	 list_columns(struct list *, const char *tail, const char *sort);
void	 list_draw(struct list *, struct area, bool focus);
bool	 list_act(struct list *, enum verb);
void	 list_status(struct list *, struct buf *);
void	 list_text(const struct list *, struct buf *);
/* The same, of a list that shows the session's view, as a query that says so itself. */
void	 list_look_text(const struct list *, struct buf *);
enum role list_delta_role(struct list *, uint64_t row);	/* of rows that grew or shrank, where two files are compared */
/* text NULL: the next one. */
void	 list_find(struct list *, const char *text, bool backward);
void	 list_goto(struct list *, uint64_t id);	/* selects that row */
bool	 list_cell(struct list *, const char *column, struct cell *);	/* of the selected row */
bool	 list_usable(const struct list *);
uint64_t list_id(struct list *);
void	 list_want(struct list *, uint64_t rows);
void	 list_copy(struct list *, struct buf *);
/* A text as a query takes it; appends.  False: it is too long to be asked for. */
bool	 list_quote(struct str, struct buf *);

/* Of panes whose data is one list. */
void	 list_pane_close(struct pane *);
void	 list_pane_reset(struct pane *);
void	 list_pane_forget(struct pane *);
void	 list_pane_draw(struct pane *, struct area);
void	 list_pane_path(struct pane *, struct buf *);
void	 list_pane_status(struct pane *, struct buf *);
void	 list_pane_copy(struct pane *, struct buf *);
void	 list_pane_text(struct pane *, struct buf *);
void	 list_pane_find(struct pane *, const char *, bool backward);
uint32_t list_pane_object(struct pane *);

/* ---- frames: rows of boxes, for icicles and time ------------------------- */

struct frame {
	uint32_t	x, w;
	uint32_t	node;		/* of the tree (of a group: the parent); or index of a span */
	uint32_t	method, thread;
	uint32_t	group;		/* 0: one call or frame; else how many */
	bool		crowd;		/* a group of calls in time */
	bool		match;
	char		 kind;		/* method_kind */
	int8_t		 shade;		/* how much it grew (above 0) or shrank, up to SHADES */
	uint64_t	weight;
};

struct frames {
	struct frame	*at;
	size_t		 n, cap;
	size_t		*level;		/* first frame of each level; one more than nlevels */
	size_t		 nlevels, caplevels;
	size_t		 top, sel, sel_level;
	bool		 objects;	/* of a heap: named as such */
	bool		 differ;	/* coloured by how much they grew or shrank */
};

void	 frames_clear(struct frames *);
void	 frames_free(struct frames *);
bool	 frames_level(struct frames *);		/* what is added from here on lies one level deeper */
struct frame *frames_add(struct frames *);	/* zeroed; NULL: no memory */
size_t	 frames_begin(const struct frames *, size_t level);
size_t	 frames_end(const struct frames *, size_t level);
struct frame *frames_selected(struct frames *);	/* NULL: there is none */
void	 frames_select(struct frames *, size_t i);
bool	 frames_move(struct frames *, enum verb, size_t height);
bool	 frames_next_match(struct frames *, bool backward);
/* name appends the full name, raw, of what is no group. */
void	 frames_draw(struct frames *, struct area, void *,
	    void (*name)(void *, const struct frame *, struct buf *));
struct str frame_short(struct str full);	/* "Class.method" of "a.b.Class.method" */
/* What tells most of "class a.b.Map$Node @12": the name without its packages, less of it where w is short; appends. */
void	 object_short(struct buf *, struct str full, size_t w);

#endif
