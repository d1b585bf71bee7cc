/*
 * tables: the one list of loaders, passes, commands, panes and keys.
 *
 * To add one: write the leaf, which exports one const struct, and add one row here. Dispatch,
 * help, --help, completion and the check of the manual all read these lists.
 */
#include "config.h"

#include "icecore/ui.h"

#define LOADERS(ROW) \
	ROW(load_trace) \
	ROW(load_hprof) \
	ROW(load_classes) \
	ROW(load_nano) \
	ROW(load_sched) \
	ROW(load_perf) \
	ROW(load_json) \
	ROW(load_ofx) \
	ROW(load_folded) \
	ROW(load_table)

#define PASSES(ROW) \
	ROW(pass_calls) \
	ROW(pass_samples) \
	ROW(pass_methods) \
	ROW(pass_order) \
	ROW(pass_tasks) \
	ROW(pass_sched_tracks) \
	ROW(pass_tracks) \
	ROW(pass_objects) \
	ROW(pass_referrers) \
	ROW(pass_stacks) \
	ROW(pass_natives) \
	ROW(pass_reach) \
	ROW(pass_dominators) \
	ROW(pass_children) \
	ROW(pass_duplicates) \
	ROW(pass_direct) \
	ROW(pass_names) \
	ROW(pass_columns) \
	ROW(pass_findings) \
	ROW(pass_bugs) \
	ROW(pass_code_names)

#define COMMANDS(ROW) \
	ROW(source_info) \
	ROW(source_task_threads) \
	ROW(source_threads) \
	ROW(source_methods) \
	ROW(source_calls) \
	ROW(source_merged) \
	ROW(source_inverted) \
	ROW(source_profile_info) \
	ROW(source_profile_threads) \
	ROW(source_profile_methods) \
	ROW(source_profile_calls) \
	ROW(source_profile_merged) \
	ROW(source_profile_inverted) \
	ROW(source_spans) \
	ROW(source_records) \
	ROW(source_tracks) \
	ROW(source_metrics) \
	ROW(source_states) \
	ROW(source_waits) \
	ROW(source_tasks) \
	ROW(source_cpus) \
	ROW(source_switches) \
	ROW(source_wakeups) \
	ROW(source_events) \
	ROW(source_async) \
	ROW(source_async_spans) \
	ROW(source_counters) \
	ROW(source_flows) \
	ROW(source_marks) \
	ROW(source_stacks) \
	ROW(source_accounts) \
	ROW(source_transactions) \
	ROW(source_balances) \
	ROW(source_balance_check) \
	ROW(source_heap_info) \
	ROW(source_histogram) \
	ROW(source_classes) \
	ROW(source_objects) \
	ROW(source_instances) \
	ROW(source_superclasses) \
	ROW(source_subclasses) \
	ROW(source_strings) \
	ROW(source_bitmaps) \
	ROW(source_duplicates) \
	ROW(source_collections) \
	ROW(source_roots) \
	ROW(source_heap_threads) \
	ROW(source_frames) \
	ROW(source_locals) \
	ROW(source_loaders) \
	ROW(source_components) \
	ROW(source_findings) \
	ROW(source_names) \
	ROW(source_dominators) \
	ROW(source_dominator) \
	ROW(source_dominated) \
	ROW(source_retained) \
	ROW(source_refs) \
	ROW(source_referrers) \
	ROW(source_entries) \
	ROW(source_fields) \
	ROW(source_path) \
	ROW(source_paths) \
	ROW(source_chains) \
	ROW(source_leaktrace) \
	ROW(source_raw) \
	ROW(source_code_info) \
	ROW(source_code_classes) \
	ROW(source_code_methods) \
	ROW(source_traced_bytecode) \
	ROW(source_bytecode) \
	ROW(source_bugs) \
	ROW(source_help) \
	ROW(source_sheet) \
	ROW(source_sheet_columns) \
	ROW(source_columns) \
	ROW(stage_calls_of_threads) \
	ROW(stage_merged_of_threads) \
	ROW(stage_inverted_of_threads) \
	ROW(stage_methods_of_threads) \
	ROW(stage_code_methods) \
	ROW(stage_heap_bugs) \
	ROW(stage_code_bugs) \
	ROW(stage_traced_bytecode) \
	ROW(stage_bytecode) \
	ROW(stage_on_threads) \
	ROW(stage_profile_on_threads) \
	ROW(stage_view_hide) \
	ROW(stage_view_keep) \
	ROW(stage_view_drop) \
	ROW(stage_view_fold) \
	ROW(stage_view_by) \
	ROW(stage_view_range) \
	ROW(stage_view_event) \
	ROW(stage_view_diff) \
	ROW(stage_view_file) \
	ROW(stage_callers) \
	ROW(stage_callees) \
	ROW(stage_parents) \
	ROW(stage_children) \
	ROW(stage_profile_callers) \
	ROW(stage_profile_callees) \
	ROW(stage_profile_parents) \
	ROW(stage_profile_children) \
	ROW(stage_names_parents) \
	ROW(stage_names_children) \
	ROW(stage_instances) \
	ROW(stage_superclasses) \
	ROW(stage_subclasses) \
	ROW(stage_dominator) \
	ROW(stage_dominated) \
	ROW(stage_retained) \
	ROW(stage_refs) \
	ROW(stage_referrers) \
	ROW(stage_frames) \
	ROW(stage_locals) \
	ROW(stage_entries) \
	ROW(stage_fields) \
	ROW(stage_path) \
	ROW(stage_paths) \
	ROW(stage_leaktrace) \
	ROW(stage_copies) \
	ROW(stage_during) \
	ROW(stage_waits) \
	ROW(stage_where) \
	ROW(stage_sort) \
	ROW(stage_top) \
	ROW(stage_head) \
	ROW(stage_tail) \
	ROW(stage_select) \
	ROW(stage_distinct) \
	ROW(stage_count) \
	ROW(stage_group) \
	ROW(stage_split) \
	ROW(stage_sum) \
	ROW(stage_min) \
	ROW(stage_max) \
	ROW(stage_avg) \
	ROW(stage_p50) \
	ROW(stage_p90) \
	ROW(stage_p95) \
	ROW(stage_p99) \
	ROW(stage_columns_of) \
	ROW(stage_format) \
	ROW(stage_export) \
	ROW(stage_export_over) \
	ROW(stage_png)

#define NAME(handle, name) name,
#define NAMES(handle, name) CHOSEN_NAMES(name),
const char *const column_names[] = { NULL, COLUMNS_SINGLE(NAME) COLUMNS_CHOSEN(NAMES) };
static_assert(NELEM(column_names) == COL_COUNT, "a name for each column");

#define REFER(name) &name,

#define DECLARE_LOADER(name) extern const struct loader name;
LOADERS(DECLARE_LOADER)
const struct loader *const loaders[] = { LOADERS(REFER) NULL };

#define DECLARE_PASS(name) extern const struct pass name;
PASSES(DECLARE_PASS)
const struct pass *const passes[] = { PASSES(REFER) NULL };

#define DECLARE_COMMAND(name) extern const struct command name;
COMMANDS(DECLARE_COMMAND)
const struct command *const commands[] = { COMMANDS(REFER) NULL };

#define PANES(ROW) \
	ROW(pane_overview) \
	ROW(pane_code_overview) \
	ROW(pane_bugs) \
	ROW(pane_code_methods) \
	ROW(pane_code_classes) \
	ROW(pane_classes) \
	ROW(pane_dominators) \
	ROW(pane_retained) \
	ROW(pane_tasks) \
	ROW(pane_cpus) \
	ROW(pane_icicle) \
	ROW(pane_payees) \
	ROW(pane_transactions) \
	ROW(pane_accounts) \
	ROW(pane_balances) \
	ROW(pane_balance_check) \
	ROW(pane_threads) \
	ROW(pane_methods) \
	ROW(pane_time) \
	ROW(pane_timeline) \
	ROW(pane_waits) \
	ROW(pane_async) \
	ROW(pane_marks) \
	ROW(pane_stacks) \
	ROW(pane_strings) \
	ROW(pane_bitmaps) \
	ROW(pane_findings) \
	ROW(pane_info)

#define DECLARE_PANE(name) extern const struct pane_kind name;
PANES(DECLARE_PANE)
const struct pane_kind *const panes[] = { PANES(REFER) NULL };

extern const struct pane_kind pane_query, pane_bytecode, pane_object, pane_help;
const struct pane_kind *const called_panes[] = { &pane_query, &pane_bytecode, &pane_object, &pane_help, NULL };

/* Names of keys, where they apply, what they do, for hints and for help. */
#define KEYS(ROW) \
	ROW("F1", IN_ALL, VERB_HELP, "keys", "show what the keys do; also :keys") \
	ROW("n Right l Down j Space", IN_PICTURE, VERB_DOWN, "next", "the next bitmap") \
	ROW("p Left h Up k b", IN_PICTURE, VERB_UP, "previous", "the bitmap before") \
	ROW("Up k", IN_ALL, VERB_UP, "up", "up; in an icicle to the caller") \
	ROW("Down j", IN_ALL, VERB_DOWN, "down", "down; in an icicle to the widest callee") \
	ROW("h", IN_TIME | IN_TIMELINE, VERB_PAN_LEFT, "earlier", "move the window to earlier times") \
	ROW("l", IN_TIME | IN_TIMELINE, VERB_PAN_RIGHT, "later", "move the window to later times") \
	ROW("- Left h", IN_TREE, VERB_FOLD, "fold", "hide what it dominates; then to what dominates it") \
	ROW("+ Right l", IN_TREE, VERB_UNFOLD, "unfold", "show what it dominates, largest first") \
	ROW("*", IN_TREE, VERB_FOLD_ALL, "way down", "down along the largest, as far as it is most of what is above it") \
	ROW("g", IN_TREE, VERB_GROUP, "group", "put what it dominates together by class, package, loader, and apart again") \
	ROW("g", IN_BITMAPS, VERB_GROUP, "group", "those that are there twice: one of each and what the others waste, and all again") \
	ROW("g", IN_STRINGS, VERB_GROUP, "group", "put strings of one value together, and apart again") \
	ROW("g", IN_TIMELINE, VERB_LINES, "CPUs", "a line for each CPU, and for each thread again") \
	ROW("Left h", IN_ALL, VERB_LEFT, "left", "left; in a list to the columns before") \
	ROW("Right l", IN_ALL, VERB_RIGHT, "right", "right; in a list to the columns behind") \
	ROW("b", IN_TWO, VERB_OTHER, "other file", "the other of two files, at the same place") \
	ROW("D", IN_TWO, VERB_DELTA, "delta", "what differs between the two files, and again one of them") \
	ROW("%", IN_TWO, VERB_SCALE, "scale", "what differs with the first file scaled to the total of the second, or as it is") \
	ROW("Space", IN_THREADS, VERB_MARK, "mark", "mark the thread or the pool, or take the mark away") \
	ROW("PgDn Space C-f", IN_ALL, VERB_PAGE_DOWN, "page down", "a page down") \
	ROW("PgUp b C-b", IN_ALL, VERB_PAGE_UP, "page up", "a page up") \
	ROW("C-d", IN_ALL, VERB_HALF_DOWN, "half down", "half a page down") \
	ROW("C-u", IN_ALL, VERB_HALF_UP, "half up", "half a page up") \
	ROW("g Home", IN_ALL, VERB_TOP, "top", "to the first row, or the root") \
	ROW("G End", IN_ALL, VERB_BOTTOM, "bottom", "to the last row, or the deepest call below") \
	ROW("Enter", IN_ICICLE, VERB_ENTER, "zoom", "zoom in; a +N cell shows what is in it") \
	ROW("Enter", IN_TIME, VERB_ENTER, "zoom", "make the window as long as what is selected") \
	ROW("Enter t", IN_TIMELINE, VERB_ENTER, "time", "the thread there in the order of time; of a CPU the one that it runs") \
	ROW("Enter t", IN_TASKS | IN_WAITS, VERB_ENTER, "time", "the thread of the row in the order of time, where that was; of a CPU its line") \
	ROW("s", IN_TIMELINE, VERB_ORDER, "sort", "sort by CPU time, run-queue latency, longest wait, as in the file") \
	ROW("e", IN_TIMELINE, VERB_NEXT_LONGER, "longest wait", "the longest wait of this line that is no idle sleep; again: the next shorter one") \
	ROW("Enter", IN_THREADS, VERB_ENTER, "icicle", "icicle of this thread or pool, or of the marked ones") \
	ROW("Enter", IN_METHODS, VERB_ENTER, "go to", "show the method in the icicle; below: go to that method") \
	ROW("Enter", IN_BYTES, VERB_ENTER, "zoom", "zoom in; a +N cell shows what is in it") \
	ROW("m", IN_BYTES, VERB_NAMES, "names", "objects put together by the names of the fields that hold them, and apart again") \
	ROW("o f", IN_BYTES, VERB_GOTO, "look", "look at the object: its fields, who refers to it, why it is alive") \
	ROW("o", IN_TREE, VERB_GOTO, "icicle", "the object in the icicle") \
	ROW("Enter f", IN_TREE | IN_OBJECT, VERB_ENTER, "look", "look at the object: its fields, who refers to it, why it is alive") \
	ROW("Enter f", IN_STACKS, VERB_ENTER, "open", "frames of the thread with their locals; look at a local") \
	ROW("Enter", IN_BITMAPS, VERB_ENTER, "look", "the bitmap on the whole screen; of a group those that are equal") \
	ROW("Enter", IN_FINDINGS, VERB_ENTER, "leak trace", "the leak trace alone; there: look at the object of the line") \
	ROW("Enter", IN_STRINGS | IN_OBJECTS, VERB_ENTER, "open", "what this row is about: an object, the instances of a class, a pane") \
	ROW("Enter", IN_CODE, VERB_ENTER, "open", "the instructions of this method or bug; the methods of a class; the bugs of a kind") \
	ROW("Enter", IN_CALLS, VERB_ENTER, "go to", "to the method or the thread of this row; of a payee to its transactions") \
	ROW("o", IN_WAKERS, VERB_GOTO, "waker", "the task that ended the wait, at that time") \
	ROW("o", IN_BITMAPS | IN_PICTURE, VERB_GOTO, "object", "the Bitmap object: its fields, who refers to it, why it is alive") \
	ROW("f", IN_BITMAPS | IN_PICTURE, VERB_FORMAT, "format", "show the bytes of its pixels as the next pixel format") \
	ROW("w", IN_BITMAPS | IN_PICTURE, VERB_PNG, "write", "write the bitmap as a PNG file to a folder") \
	ROW("W", IN_BITMAPS | IN_PICTURE, VERB_PNG_ALL, "write all", "write all that are shown as PNG files to a folder") \
	ROW("e", IN_FINDINGS, VERB_EXPLAIN, "explain", "what this kind of finding is, how it is found, what to do") \
	ROW("p", IN_OBJECTS, VERB_PATH, "path", "why the object is alive: its path to a GC root") \
	ROW("d", IN_OBJECTS, VERB_DOMINATORS, "dominators", "the object in the tree of dominators: by whom it is held, what it holds") \
	ROW("x", IN_OBJECTS, VERB_REFERRERS, "referrers", "who refers to the object") \
	ROW("R", IN_OBJECTS, VERB_REFS, "references", "which references count: soft (weak ones do not), strong, all") \
	ROW("w", IN_OBJECT, VERB_WEAK, "weak", "paths also through weak references, and not again") \
	ROW("x", IN_ICICLE | IN_METHODS, VERB_HIDE, "hide", "hide this method everywhere: its time goes to its callers") \
	ROW("X", IN_ICICLE | IN_METHODS, VERB_HIDE_LIKE, "hide like", "hide all methods that match a pattern") \
	ROW("f", IN_ICICLE | IN_METHODS, VERB_KEEP, "keep", "keep only the stacks that pass through this method") \
	ROW("F", IN_ICICLE | IN_METHODS, VERB_KEEP_LIKE, "keep like", "keep only the stacks that pass through methods that match a pattern") \
	ROW("z", IN_ICICLE | IN_METHODS, VERB_FOLD_LIKE, "fold", "put methods that match a pattern into their caller where that matches, too") \
	ROW("p", IN_ICICLE | IN_METHODS, VERB_BY, "group", "by class, by package, by file, by module instead of by method") \
	ROW("e", IN_ICICLE | IN_METHODS | IN_THREADS, VERB_EVENT, "event", "the next kind of samples, of a file that has several or has calls as well") \
	ROW("v", IN_ICICLE | IN_METHODS | IN_THREADS, VERB_VIEW, "view", "change what is hidden, kept, folded and put together as text: the stages of a query") \
	ROW("U", IN_ICICLE | IN_METHODS | IN_THREADS | IN_TASKS | IN_WAITS, VERB_VIEW_UNDO, "undo view", "take the last step of the view back") \
	ROW("C", IN_ICICLE | IN_METHODS | IN_THREADS | IN_TASKS | IN_WAITS, VERB_VIEW_ALL, "no view", "everything again: nothing hidden, kept, folded, put together or compared") \
	ROW("B", IN_ICICLE | IN_METHODS | IN_CODE, VERB_BYTECODE, "bytecode", "the instructions of this method and its bugs; of a trace by --classes") \
	ROW("T", IN_ICICLE | IN_METHODS, VERB_ON_THREADS, "threads", "on which threads this method runs") \
	ROW("Backspace Esc", IN_ALL, VERB_BACK, "back", "back: out of the zoom, the marks, to the method before, to the pane that led here") \
	ROW("u", IN_FRAMES | IN_TIMELINE, VERB_UNDO, "undo", "undo the zoom") \
	ROW("u", IN_WAKERS, VERB_UNDO, "fold", "fold the idle waits into one row again") \
	ROW("i", IN_ICICLE, VERB_INVERT, "invert", "methods at the top and their callers below, and back") \
	ROW("m", IN_ICICLE, VERB_TOGETHER, "together", "put the threads together, and apart again") \
	ROW("t", IN_ICICLE | IN_TIME | IN_THREADS | IN_METHODS, VERB_TIME, "time", "the thread in the order of time, and back; of a method its longest call") \
	ROW("o", IN_ICICLE | IN_TIME | IN_METHODS, VERB_GOTO, "other", "from a call to its method, from a method to its biggest call") \
	ROW("c", IN_CALLS | IN_THREADS | IN_METHODS | IN_ICICLE | IN_TIME, VERB_CLOCK, "clock", "next clock: wall, cpu, off (wall without cpu); of two files: after, before, delta") \
	ROW("0", IN_FRAMES | IN_TIMELINE, VERB_ALL, "all", "everything: no zoom, all threads, the whole time") \
	ROW("+", IN_TIME | IN_TIMELINE, VERB_ZOOM_IN, "closer", "half as much time") \
	ROW("-", IN_TIME | IN_TIMELINE, VERB_ZOOM_OUT, "farther", "twice as much time") \
	ROW("z", IN_TIME | IN_TIMELINE, VERB_FIT, "fit", "make the window as long as what is selected") \
	ROW("{", IN_TIME, VERB_PREV_CALL, "previous", "the call of this method before") \
	ROW("}", IN_TIME, VERB_NEXT_CALL, "next", "the next call of this method") \
	ROW("^", IN_TIME, VERB_TO_START, "to start", "move the window to where the selected call begins") \
	ROW("$", IN_TIME, VERB_TO_END, "to end", "move the window to where the selected call ends") \
	ROW("[", IN_TIME | IN_TIMELINE, VERB_PREV_EVENT, "event before", "what the track had before, and the call under it") \
	ROW("]", IN_TIME | IN_TIMELINE, VERB_NEXT_EVENT, "next event", "what the track has next, and the call under it") \
	ROW("Tab", IN_TIME, VERB_FOCUS, "tracks", "to the next track, and to the calls again; without tracks: the next pane") \
	ROW("S-Tab", IN_TIME, VERB_FOCUS_BACK, "track before", "to the track before; without tracks: the pane before") \
	ROW("x", IN_TIME, VERB_HIDE_TRACK, "hide", "hide the selected track") \
	ROW("X", IN_TIME, VERB_ALL_TRACKS, "all tracks", "all tracks, those of CPUs too, and again only those of the thread") \
	ROW("<", IN_TIME, VERB_EARLIER, "shift", "move the other file to earlier times, by one cell") \
	ROW(">", IN_TIME, VERB_LATER, "shift", "move the other file to later times, by one cell") \
	ROW("v", IN_TIME | IN_TIMELINE, VERB_RANGE, "range", "begin a range; move; end it: the other panes show only that time (Esc: everything again)") \
	ROW("V", IN_TIME | IN_TIMELINE, VERB_RANGE_WINDOW, "this range", "make the window the range: the other panes show only that time") \
	ROW("f", IN_TIME, VERB_BORDERS, "frames", "show where display frames begin, counted from the start of the selected call, and again not") \
	ROW("F", IN_TIME, VERB_BORDER_LENGTH, "frame length", "another length of a display frame, in ms or Hz; 16.67 ms at first") \
	ROW("e", IN_TIME, VERB_NEXT_LONGER, "long call", "the next call longer than a display frame") \
	ROW("E", IN_TIME, VERB_PREV_LONGER, "long call", "the call before that is longer than a display frame") \
	ROW("p", IN_THREADS, VERB_POOLS, "pools", "put threads of one pool under one head, and apart again") \
	ROW("-", IN_THREADS, VERB_FOLD, "fold", "hide the threads of a pool") \
	ROW("+", IN_THREADS, VERB_UNFOLD, "unfold", "show the threads of a pool") \
	ROW("*", IN_THREADS, VERB_FOLD_ALL, "fold all", "hide the threads of all pools, or show them") \
	ROW("Tab", IN_METHODS, VERB_FOCUS, "other list", "to the callers, the callees, and the methods again") \
	ROW("Tab", IN_FINDINGS, VERB_FOCUS, "other part", "to the leak trace, and to the findings again") \
	ROW("Tab", IN_OBJECT, VERB_FOCUS, "other part", "to the referrers, the path, and the fields again") \
	ROW("Tab", IN_ALL, VERB_NEXT_PANE, "next pane", "the next pane") \
	ROW("S-Tab", IN_ALL, VERB_PREV_PANE, "pane before", "the pane before") \
	ROW("1 2 3 4 5 6 7 8 9", IN_ALL, VERB_PANE, "pane", "the pane with that number") \
	ROW("/", IN_ALL, VERB_FIND, "find", "look for text or a regular expression; no capitals: either case") \
	ROW("?", IN_ALL, VERB_FIND_BACK, "find back", "look for it backwards") \
	ROW("n", IN_ALL, VERB_FIND_NEXT, "next", "the next match") \
	ROW("N", IN_ALL, VERB_FIND_PREV, "match before", "the match before") \
	ROW("&", IN_LISTS, VERB_FILTER, "filter", "only rows with that in a text; nothing entered: all rows") \
	ROW("s >", IN_LISTS, VERB_SORT_RIGHT, "sort", "sort by the next column") \
	ROW("<", IN_LISTS, VERB_SORT_LEFT, "sort", "sort by the column before") \
	ROW("r", IN_LISTS, VERB_REVERSE, "reverse", "sort the other way round") \
	ROW("=", IN_ALL, VERB_QUERY, "query", "the query of this pane, to be changed and asked") \
	ROW(":", IN_ALL, VERB_PROMPT, "query", "ask a query; its answer opens a pane") \
	ROW("y", IN_ALL, VERB_COPY, "copy", "send the row, the stack or the name to the clipboard (OSC 52)") \
	ROW(".", IN_ALL, VERB_WHOLE, "whole", "what is selected in full, over as many lines as it needs; y copies that") \
	ROW("w", IN_ALL, VERB_WRITE, "write", "write what is shown to a file: tsv, folded stacks, or .html .svg .dot") \
	ROW("C-c", IN_ALL, VERB_CANCEL, "stop", "stop what is being worked on; what is done is kept") \
	ROW("C-l", IN_ALL, VERB_REDRAW, "redraw", "draw the screen anew, ask again") \
	ROW("q", IN_ALL, VERB_CLOSE, "close", "close this pane, if a query or F1 opened it") \
	ROW("Q", IN_ALL, VERB_QUIT, "quit", "leave icecore")

#define KEY(names, where, verb, name, what) { names, where, verb, name, what },
const struct key keys[] = { KEYS(KEY) { NULL, 0, VERB_NONE, NULL, NULL } };
