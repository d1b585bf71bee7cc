/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tables: the one list of loaders, passes, commands, panes and keys.
 *
 * To add one: write the leaf, which exports one const struct, and add one row here. Dispatch,
 * help, --help, completion and the check of the manual all read these lists.
 */
#include "config.h"

#include "icecore/keys.h"
#include "icecore/ui.h"

/* Tests of its rows: door forms archives refusals fuzz tables install man. */
#define LOADERS(ROW) \
	ROW(load_trace) ROW(load_hprof) ROW(load_ruby) \
	ROW(load_jfr) ROW(load_classes) \
	ROW(load_nano) ROW(load_pprof) \
	ROW(load_perfetto) ROW(load_v8heap) ROW(load_otlp) ROW(load_json) \
	ROW(load_graph) ROW(load_functions) \
	ROW(load_sched) ROW(load_simpleperf) ROW(load_perf) \
	ROW(load_triage) ROW(load_ofx) \
	ROW(load_stacks) ROW(load_counts) \
	ROW(load_callgrind) ROW(load_tracers) \
	ROW(load_folded) ROW(load_table)

/*
 * To add a pass: src/pass/ROOM/NAME.c with const struct pass pass_NAME, a line in room.am, a row here, and rows for
 * its columns (columns.h).  Long loops call work_tick.  The best test is a slow model in tests/oracle/;
 * tests/unit/NAME.c tests a pass alone.  If its columns change, change STORE_CONTENT in src/store/inside.h.
 *
 * Tests of its rows: heap oracle promises.
 */
#define PASSES(ROW) \
	ROW(pass_calls) \
	ROW(pass_samples) \
	ROW(pass_call_thread) \
	ROW(pass_call_depth) \
	ROW(pass_call_self) \
	ROW(pass_call_detail) \
	ROW(pass_methods) \
	ROW(pass_about) ROW(pass_waited) \
	ROW(pass_idle) \
	ROW(pass_event_sums) \
	ROW(pass_order) \
	ROW(pass_tasks) \
	ROW(pass_cpu_use) \
	ROW(pass_frequency) \
	ROW(pass_sched_tracks) \
	ROW(pass_tracks) \
	ROW(pass_sampled) ROW(pass_moments) \
	ROW(pass_task_idle) \
	ROW(pass_processes) ROW(pass_process_times) \
	ROW(pass_dump_waits) \
	ROW(pass_dump_series) \
	ROW(pass_dump_alike) \
	ROW(pass_dump_pools) \
	ROW(pass_dump_troubles) \
	ROW(pass_dump_moves) \
	ROW(pass_dump_tracks) \
	ROW(pass_objects) \
	ROW(pass_referrers) \
	ROW(pass_stacks) \
	ROW(pass_natives) \
	ROW(pass_machine) \
	ROW(pass_allocations) \
	ROW(pass_reach) \
	ROW(pass_fillers) \
	ROW(pass_dominators) \
	ROW(pass_children) \
	ROW(pass_duplicates) \
	ROW(pass_direct) \
	ROW(pass_collections) \
	ROW(pass_names) \
	ROW(pass_columns) \
	ROW(pass_findings) \
	ROW(pass_bugs) \
	ROW(pass_code_names)

/*
 * To add a source or a stage: a file in src/query/ROOM/ with const struct command (command.h), a line in room.am, a
 * row here.  SOURCE or STAGE contains its word, meaning, example and open.  OVER contains shapes and columns (.only:
 * the shapes that have a column) and the types of arguments.  Rows over columns of the store are declared
 * (src/query/rows/items.h; HEAP_SOURCE of src/query/heap/hrows.h, TABLE_SOURCE of src/query/trace/trace.h).  touch
 * of a stage reports which columns it reads; rows.same: it keeps its input's columns (src/query/lang/lang.h).  For a
 * wrong argument, return fail_needs, stage_at_most or fail_at(err, E_USAGE, stage_at(stage, i), ...).
 * Models: src/query/stages/distinct.c (arguments that are columns), pick.c (a count).
 *
 * Then: a paragraph in icecore-query(7), icecore-trace(7) or icecore-heap(7) with the word and the columns
 * (tests/man.sh, which runs the example); a query in tests/query/NAME.q other than errors.q (tests/tables.test), and
 * one in columns_*.q that shows all columns (tests/query.test); tests/query/help.out; the word in
 * tests/fuzz/query.dict (tests/tables.test).
 *
 * Tests of its rows: lang tables install man query.
 */
#define COMMANDS(ROW) \
	ROW(source_info) \
	ROW(source_task_threads) \
	ROW(source_threads) \
	ROW(source_methods) \
	ROW(source_calls) \
	ROW(source_merged) \
	ROW(source_process_calls) \
	ROW(source_inverted) \
	ROW(source_callers) \
	ROW(source_callees) \
	ROW(source_costs) \
	ROW(source_arcs) \
	ROW(source_cost_lines) \
	ROW(source_arc_callers) \
	ROW(source_arc_callees) \
	ROW(source_cost_events) \
	ROW(source_spans) \
	ROW(source_records) \
	ROW(source_tracks) \
	ROW(source_metrics) \
	ROW(source_states) \
	ROW(source_recorded_waits) \
	ROW(source_waits) \
	ROW(source_sampled_waits) \
	ROW(source_blame) \
	ROW(source_sampled_blame) \
	ROW(source_intervals) \
	ROW(source_tasks) \
	ROW(source_processes) \
	ROW(source_thread_dumps) \
	ROW(source_dumped) \
	ROW(source_dumped_stack) \
	ROW(source_locks) \
	ROW(source_blocked) \
	ROW(source_deadlocks) \
	ROW(source_identical_stacks) \
	ROW(source_pools) \
	ROW(source_thread_changes) \
	ROW(source_cpus) \
	ROW(source_switches) \
	ROW(source_wakeups) \
	ROW(source_events) \
	ROW(source_labels) \
	ROW(source_ticked_lines) \
	ROW(source_async) \
	ROW(source_async_spans) \
	ROW(source_android_frames) \
	ROW(source_categories) \
	ROW(source_counters) \
	ROW(source_flows) \
	ROW(source_search) \
	ROW(source_mark_search) \
	ROW(source_marks) \
	ROW(source_stacks) \
	ROW(source_accounts) \
	ROW(source_transactions) \
	ROW(source_balances) ROW(source_elements) \
	ROW(source_balance_check) \
	ROW(source_heap_info) \
	ROW(source_histogram) \
	ROW(source_made_classes) \
	ROW(source_classes) \
	ROW(source_allocations) \
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
	ROW(source_sites) \
	ROW(source_components) \
	ROW(source_made_findings) \
	ROW(source_findings) \
	ROW(source_troubles) \
	ROW(source_names) \
	ROW(source_growth) \
	ROW(source_counted_classes) \
	ROW(source_counted_growth) \
	ROW(source_histograms) \
	ROW(source_counts) \
	ROW(source_native_memory) \
	ROW(source_native_sites) \
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
	ROW(source_code_classes) \
	ROW(source_code_methods) \
	ROW(source_traced_bytecode) \
	ROW(source_bytecode) \
	ROW(source_bugs) \
	ROW(source_dumps) \
	ROW(source_found) \
	ROW(source_groups) \
	ROW(source_busy) \
	ROW(source_changes) \
	ROW(source_overview) \
	ROW(source_presets) \
	ROW(source_help) \
	ROW(source_schema) \
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
	ROW(stage_view_hide) \
	ROW(stage_view_keep) \
	ROW(stage_view_drop) \
	ROW(stage_view_fold) \
	ROW(stage_view_by) \
	ROW(stage_view_range) \
	ROW(stage_view_event) \
	ROW(stage_view_state) \
	ROW(stage_view_label) \
	ROW(stage_view_per) \
	ROW(stage_view_dump) \
	ROW(stage_view_diff) \
	ROW(stage_view_file) \
	ROW(stage_callers) \
	ROW(stage_callees) \
	ROW(stage_parents) \
	ROW(stage_children) \
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
	ROW(stage_paths) ROW(stage_chains) \
	ROW(stage_merge_paths) \
	ROW(stage_leaktrace) \
	ROW(stage_copies) \
	ROW(stage_recorded_during) \
	ROW(stage_sampled_during) \
	ROW(stage_during) \
	ROW(stage_recorded_waits) \
	ROW(stage_waits) \
	ROW(stage_sampled_waits) \
	ROW(stage_blame) \
	ROW(stage_sampled_blame) \
	ROW(stage_where) \
	ROW(stage_sort) \
	ROW(stage_top) \
	ROW(stage_head) \
	ROW(stage_tail) \
	ROW(stage_select) \
	ROW(stage_distinct) \
	ROW(stage_count) \
	ROW(stage_group) \
	ROW(stage_split) ROW(stage_similar) \
	ROW(stage_union) \
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

/*
 * To add a pane: src/ui/ROOM/NAME.c with const struct pane_kind pane_NAME (ui.h), a line in room.am, a row here, a
 * letter in pane_letters (tests/keys.test), an item in man/icecore.1 (tests/man.sh), and a script with its frames,
 * tests/screen/NAME.keys and NAME.scr.  The keys ., # and K show its .details, .tell[TELL_SUBJECT] and .legend.
 * Base a list on src/ui/list/list.h, which provides marks and undo; other panes declare the members of their places
 * (src/ui/core/core.h).  ui_go switches panes.
 *
 * Tests of its rows: keys names same script screen man.
 */
#define PANES(ROW) \
	ROW(pane_files) \
	ROW(pane_overview) \
	ROW(pane_bugs) \
	ROW(pane_code_methods) \
	ROW(pane_code_classes) \
	ROW(pane_classes) \
	ROW(pane_dominators) \
	ROW(pane_retained) \
	ROW(pane_tasks) \
	ROW(pane_cpus) \
	ROW(pane_blocked) \
	ROW(pane_dumped) \
	ROW(pane_same) \
	ROW(pane_thread_changes) \
	ROW(pane_icicle) \
	ROW(pane_payees) \
	ROW(pane_transactions) \
	ROW(pane_accounts) \
	ROW(pane_balances) ROW(pane_elements) \
	ROW(pane_balance_check) \
	ROW(pane_threads) \
	ROW(pane_methods) \
	ROW(pane_counted) \
	ROW(pane_counted_growth) \
	ROW(pane_histograms) \
	ROW(pane_native) \
	ROW(pane_native_sites) \
	ROW(pane_costs) \
	ROW(pane_cost_lines) \
	ROW(pane_arcs) \
	ROW(pane_time) \
	ROW(pane_timeline) \
	ROW(pane_waits) \
	ROW(pane_intervals) \
	ROW(pane_frames) \
	ROW(pane_async) \
	ROW(pane_flows) \
	ROW(pane_counters) \
	ROW(pane_marks) \
	ROW(pane_stacks) \
	ROW(pane_strings) \
	ROW(pane_bitmaps) \
	ROW(pane_findings) \
	ROW(pane_growth) \
	ROW(pane_groups) \
	ROW(pane_dumps) \
	ROW(pane_troubles) \
	ROW(pane_pools) \
	ROW(pane_deadlocks) \
	ROW(pane_locks) \
	ROW(pane_thread_dumps) \
	ROW(pane_records) \
	ROW(pane_columns) \
	ROW(pane_info)


#define DECLARE_PANE(name) extern const struct pane_kind name;
PANES(DECLARE_PANE)
const struct pane_kind *const panes[] = { PANES(REFER) NULL };

const struct pane_kind *const task_panes[] = {
	&pane_overview, &pane_tasks, &pane_cpus, &pane_timeline, &pane_waits, &pane_time, NULL
};

extern const struct pane_kind pane_query, pane_bytecode, pane_object, pane_sandwich;
const struct pane_kind *const called_panes[] = { &pane_query, &pane_bytecode, &pane_object, &pane_sandwich, NULL };

/* Traces and profiles, then stack dumps, heap dumps and others. */
const struct pane_letter pane_letters[] = {
	{ "Overview", 'o' }, { "Icicle", 'i' }, { "Threads", 't' }, { "Methods", 'm' }, { "Stack chart", 'c' },
	{ "Timeline", 'l' },
	{ "Waits", 'w' }, { "Intervals", 'v' }, { "Info", 'n' }, { "Findings", 'f' },
	{ "Tasks", 'k' }, { "CPUs", 'u' }, { "Frames", 'r' }, { "Async", 'a' }, { "Flows", 'h' }, { "Counters", 'e' },
	{ "Marks", 's' },
	{ "Blocked", 'b' }, { "Identical stacks", 'a' }, { "Changes", 'c' }, { "Groups", 'u' }, { "Pools", 's' },
	{ "Deadlocks", 'd' }, { "Locks", 'k' }, { "Dumps", 'e' },
	{ "Classes", 'c' }, { "Dominators", 'd' }, { "Strings", 's' }, { "Bitmaps", 'b' }, { "Growth", 'r' },
	{ "Histograms", 'h' }, { "Native", 'a' }, { "Sites", 'e' }, { "Lines", 'l' }, { "Arcs", 'a' }, { "Bugs", 'b' },
	{ "Records", 'r' }, { "Columns", 's' }, { "Files", 'f' },
	{ "Payees", 'y' }, { "Transactions", 'x' }, { "Accounts", 'a' }, { "Balances", 'b' }, { "Elements", 'e' },
	{ "Check", 'k' },
	{ NULL, '\0' }
};

/*
 * Names of keys, where they apply, what they do, for hints and for help.  Tests of its rows: keys script screen
 * tables man.
 */
#define KEYS(ROW) \
	ROW("? h", IN_HELP, VERB_HELP, "all keys", "keys of all panes; again: of this pane") \
	ROW("? F1", IN_ANY, VERB_HELP, "help", "keys of this pane; again: of all panes") \
	ROW("h", IN_SUMMARY | IN_FACTS | IN_OVERLAY, VERB_HELP, "help", "keys of this pane; again: of all panes") \
	ROW("Enter", IN_HELP, VERB_ENTER, "run", "run the key of this line, or show its event") \
	ROW("Esc q Backspace", IN_OVERLAY, VERB_BACK, "close", "close this overlay") \
	ROW("n Right l Down j Space", IN_PICTURE, VERB_DOWN, "next", "next bitmap") \
	ROW("p Left h Up k b", IN_PICTURE, VERB_UP, "prev", "previous bitmap") \
	ROW("Up k", IN_ANY, VERB_UP, "up", "move up; in the icicle: to the caller") \
	ROW("Down j", IN_ANY, VERB_DOWN, "down", "move down; in the icicle: to the widest callee") \
	ROW("h", IN_TIME | IN_TIMELINE, VERB_PAN_LEFT, "earlier", "pan left (earlier)") \
	ROW("l", IN_TIME | IN_TIMELINE, VERB_PAN_RIGHT, "later", "pan right (later)") \
	ROW("- Left h", IN_TREE, VERB_FOLD, "collapse", "collapse; again: go to the immediate dominator") \
	ROW("+ Right l", IN_TREE, VERB_UNFOLD, "expand", "expand: immediately dominated objects, largest first") \
	ROW("*", IN_TREE, VERB_FOLD_ALL, "hottest", "expand the hottest path as long as one child has over half") \
	ROW("m", IN_TREE, VERB_GROUP, "group", "group children by class, package, loader; again: ungroup") \
	ROW("m", IN_BITMAPS, VERB_GROUP, "group", "only duplicates, one row per image; again: all") \
	ROW("m", IN_STRINGS, VERB_GROUP, "group", "group equal strings; again: ungroup") \
	ROW("m", IN_TABLE, VERB_GROUP, "group", "group by the sort column, or the selected one; with sums") \
	ROW("m", IN_TIMELINE, VERB_LINES, "CPUs", "switch between one row per CPU and one row per thread") \
	ROW("<", IN_LISTS | IN_TREE, VERB_LEFT, "earlier", "scroll back to earlier columns") \
	ROW(">", IN_LISTS | IN_TREE, VERB_RIGHT, "columns", \
	    "show the columns that have no room: the footer names them") \
	ROW("Left h", IN_ALL, VERB_LEFT, "left", "move left; in a list: scroll to earlier columns") \
	ROW("Right l", IN_ALL, VERB_RIGHT, "right", "move right; in a list: scroll to later columns") \
	ROW("b", IN_TWO, VERB_OTHER, "other file", "show the same place in the other file") \
	ROW("D", IN_TWO, VERB_DELTA, "diff", "compare the two files; again: one file") \
	ROW("%", IN_TWO, VERB_SCALE, "normalise", "scale the first file to the second's total; again: unscaled") \
	ROW("Space", IN_THREADS, VERB_MARK, "mark", "mark or unmark the thread or pool") \
	ROW("PgDn Space C-f", IN_ANY, VERB_PAGE_DOWN, "page down", "page down") \
	ROW("PgUp b C-b", IN_ANY, VERB_PAGE_UP, "page up", "page up") \
	ROW("C-d", IN_ANY, VERB_HALF_DOWN, "half page", "half a page down") \
	ROW("C-u", IN_ANY, VERB_HALF_UP, "half up", "half a page up") \
	ROW("g", IN_OVERLAY, VERB_TOP, "top", "go to the first line") \
	ROW("g", IN_ALL, VERB_GO, "go to", "go to a pane by its letter; g g: first row") \
	ROW("Home", IN_ANY, VERB_TOP, "top", "go to the first row or the root") \
	ROW("C-p", IN_ANY, VERB_PALETTE, "find", "find a pane, key, source, mark or name by a few letters") \
	ROW("G End", IN_ANY, VERB_BOTTOM, "bottom", "go to the last row or the deepest call") \
	ROW("Enter", IN_ICICLE, VERB_ENTER, "zoom", "zoom in; on a +N cell: expand merged or folded frames") \
	ROW("Enter", IN_SANDWICH, VERB_ENTER, "method", "callers and callees of the selected method; +N: expand it") \
	ROW("Enter", IN_TIME, VERB_ENTER, "zoom", "zoom to the selection") \
	ROW("Enter t", IN_TIMELINE, VERB_ENTER, "over time", \
	    "Stack chart of this thread; on a CPU row: the running one") \
	ROW("Enter t", IN_CHART, VERB_ENTER, "over time", "in Stack chart, or set the range; on a CPU: in Timeline") \
	ROW("Enter t", IN_WAITS, VERB_ENTER, "range", "set the range to this time") \
	ROW("s", IN_TIMELINE, VERB_ORDER, "sort", "sort by CPU time, run queue, wait or file order") \
	ROW("L", IN_TIMELINE, VERB_NEXT_LONGER, "longest", "next longest wait of this row, skipping idle sleep") \
	ROW("Enter", IN_THREADS, VERB_ENTER, "icicle", "icicle of the thread, pool or marked threads; +N: show them") \
	ROW("Enter", IN_METHODS, VERB_ENTER, "go to", "show the method in the icicle; in the lower lists: select it") \
	ROW("Enter", IN_BYTES, VERB_ENTER, "zoom", "zoom in; on a +N cell: expand the merged frames") \
	ROW("m", IN_BYTES, VERB_NAMES, "group", "objects by dominators; again: by the fields that hold them") \
	ROW("o f", IN_BYTES, VERB_GOTO, "inspect", "inspect the object: fields, referrers, path to GC root") \
	ROW("o", IN_TREE, VERB_GOTO, "icicle", "show the object in the icicle") \
	ROW("Enter f", IN_TREE | IN_OBJECT, VERB_ENTER, "inspect", \
	    "inspect the object: fields, referrers, path to GC root") \
	ROW("Enter f", IN_STACKS, VERB_ENTER, "open", "stack of the thread with locals; on a local: inspect it") \
	ROW("Enter", IN_BITMAPS, VERB_ENTER, "picture", "full-screen bitmap; on a group: its duplicates") \
	ROW("Enter", IN_TRACE, VERB_ENTER, "inspect", "in a leak trace: inspect the object") \
	ROW("Enter", IN_FINDINGS, VERB_ENTER, "leak trace", "leak trace full screen") \
	ROW("Enter e", IN_NO_FINDINGS, VERB_EXPLAIN, "checks", "no findings: list the kinds that were checked") \
	ROW("Enter", IN_STRINGS | IN_OBJECTS, VERB_ENTER, "open", "open the object, instances or pane of the row") \
	ROW("Enter", IN_SUMMARY, VERB_ENTER, "open", "open the thread, method, time or pane of the line") \
	ROW("Enter", IN_GROUPS, VERB_ENTER, "open", "open the leak trace in the dump in which it retains the most") \
	ROW("Enter", IN_FOLDER, VERB_ENTER, "open", "open the file or the directory") \
	ROW("Enter", IN_TABLE, VERB_ENTER, "open", "the values of the column; the records with this value") \
	ROW("Enter", IN_CODE, VERB_ENTER, "open", "open the bytecode, methods of the class or bugs of the kind") \
	ROW("Enter", IN_COSTS, VERB_ENTER, "calls", "callers and callees of the function, with their costs") \
	ROW("o", IN_COSTS, VERB_GOTO, "lines", "lines of the function, with their costs") \
	ROW("Enter", IN_CALLS, VERB_ENTER, "go to", "go to the method or thread; on a payee: its transactions") \
	ROW("o", IN_WAKERS, VERB_GOTO, "waker", "open the task that ended the wait in Stack chart") \
	ROW("o", IN_FLOWS, VERB_GOTO, "receiver", "open the call at the end of the flow in Stack chart") \
	ROW("f", IN_TIME, VERB_FLOW, "flow", "follow the flow that starts in this call to its end") \
	ROW("F", IN_TIME, VERB_FLOW_BACK, "flow back", "go back to the start of the flow that ends in this call") \
	ROW("S", IN_TIME | IN_TIMELINE | IN_CHART, VERB_FIND_ALL, "find all", \
	    "list all matches of names and args in the file or range") \
	ROW("o", IN_BITMAPS | IN_PICTURE, VERB_GOTO, "object", "inspect the Bitmap object") \
	ROW("f", IN_BITMAPS | IN_PICTURE, VERB_FORMAT, "format", "reinterpret the pixels: next pixel format") \
	ROW("w", IN_BITMAPS | IN_PICTURE, VERB_PNG, "save", "save this bitmap as PNG: X.png, or in a directory") \
	ROW("W", IN_BITMAPS | IN_PICTURE, VERB_PNG_ALL, "save all", "save all listed bitmaps as PNG in a directory") \
	ROW("e", IN_FINDINGS, VERB_EXPLAIN, "explain", "explain this kind: meaning, detection, what to do") \
	ROW("p", IN_OBJECTS, VERB_PATH, "path", "shortest path to a GC root") \
	ROW("d", IN_OBJECTS, VERB_DOMINATORS, "dominator", "show the object in the dominator tree") \
	ROW("E", IN_OBJECTS, VERB_ENTRIES, "entries", "list the entries of a collection: keys and values") \
	ROW("x", IN_OBJECTS, VERB_REFERRERS, "referrers", "list the referrers (incoming references)") \
	ROW("R", IN_OBJECTS, VERB_REFS, "refs", "references: soft (all except weak), strong, all, unreachable") \
	ROW("W", IN_OBJECT, VERB_WEAK, "weak", "path with weak references; again: without") \
	ROW("x", IN_FLAMES | IN_METHODS, VERB_HIDE, "hide", "hide this method; its time goes to its callers") \
	ROW("X", IN_FLAMES | IN_METHODS, VERB_HIDE_LIKE, "hide /x/", "hide all methods that match a pattern") \
	ROW("f", IN_FLAMES | IN_METHODS, VERB_KEEP, "keep", "show only stacks through this method") \
	ROW("z", IN_FLAMES | IN_METHODS, VERB_FOLD_LIKE, "fold", \
	    "collapse chains of matching frames into one (libraries)") \
	ROW("p", IN_FLAMES | IN_METHODS, VERB_BY, "group", \
	    "group frames by class, package, file, module; again: method") \
	ROW("e", IN_EVENTS, VERB_EVENT, "event", "choose the event (or calls) for all panes") \
	ROW("F", IN_FLAMES | IN_METHODS | IN_THREADS, VERB_VIEW, "filters", \
	    "edit the filters as text: hide, keep, drop, fold, by, ...") \
	ROW("B", IN_FLAMES | IN_METHODS | IN_CODE, VERB_BYTECODE, "bytecode", \
	    "bytecode and bugs of this method (traces: --classes)") \
	ROW("T", IN_FLAMES | IN_METHODS, VERB_ON_THREADS, "threads", "threads that run this method") \
	ROW("Backspace Esc", IN_ALL, VERB_BACK, "back", "go back: zoom, marks, previous method, previous pane") \
	ROW("u", IN_ALL, VERB_UNDO, "undo", "undo the last zoom, filter, range, group, fold or sort") \
	ROW("U", IN_ALL, VERB_REDO, "redo", "redo the last step that u undid") \
	ROW("`", IN_ALL, VERB_SET_MARK, "set mark", "set a mark: name this place; ' returns to it") \
	ROW("'", IN_ALL, VERB_MARKS, "marks", "go to a mark; Enter alone: end of the last session") \
	ROW("C", IN_ALL, VERB_CLEAR, "clear", "clear all filters, ranges, groups and diffs") \
	ROW("i", IN_ICICLE, VERB_INVERT, "invert", "bottom-up: methods on top, callers below; again: top-down") \
	ROW("S", IN_ICICLE | IN_METHODS, VERB_SANDWICH, "sandwich", \
	    "icicles of all callers and callees of this method") \
	ROW("m", IN_ICICLE, VERB_TOGETHER, "unfold", "a row for each frame; again: merge or split the threads") \
	ROW("t", IN_FLAMES | IN_TIME | IN_THREADS | IN_METHODS, VERB_TIME, "over time", \
	    "in Stack chart; again: back; on a method: its longest call") \
	ROW("o", IN_FLAMES | IN_TIME | IN_METHODS, VERB_GOTO, "method", \
	    "on a call: its method; on a method: its largest call") \
	ROW("c", IN_CLOCKS, VERB_CLOCK, "clock", "next clock: wall, CPU, off; in a diff: after, before, delta") \
	ROW("0", IN_FRAMES | IN_TIMELINE, VERB_ALL, "reset", "reset: no zoom, all threads, the whole time") \
	ROW("+", IN_TIME | IN_TIMELINE, VERB_ZOOM_IN, "zoom in", "zoom in (half the time)") \
	ROW("-", IN_TIME | IN_TIMELINE, VERB_ZOOM_OUT, "zoom out", "zoom out (twice the time)") \
	ROW("z", IN_TIME | IN_TIMELINE, VERB_FIT, "fit", "zoom to the selection") \
	ROW("{", IN_TIME, VERB_PREV_CALL, "prev call", "previous call of this method") \
	ROW("}", IN_TIME, VERB_NEXT_CALL, "next call", "next call of this method") \
	ROW("^", IN_TIME, VERB_TO_START, "start", "go to the start of the selected call") \
	ROW("$", IN_TIME, VERB_TO_END, "end", "go to the end of the selected call") \
	ROW("@", IN_TIME | IN_TIMELINE, VERB_AT, "go to time", "go to a time (2s) or zoom to a range (2s..3s)") \
	ROW("[", IN_TIME | IN_TIMELINE, VERB_PREV_EVENT, "prev event", \
	    "previous event of the track, and the call at that time") \
	ROW("]", IN_TIME | IN_TIMELINE, VERB_NEXT_EVENT, "next event", \
	    "next event of the track, and the call at that time") \
	ROW("[", IN_DUMPS, VERB_PREV_DUMP, "prev dump", "the previous dump of the file; stack dumps: or all") \
	ROW("]", IN_DUMPS, VERB_NEXT_DUMP, "next dump", "the next dump of the file; stack dumps: or all") \
	ROW("Tab", IN_TIME, VERB_FOCUS, "tracks", "next track, then the calls; without tracks: next pane") \
	ROW("S-Tab", IN_TIME, VERB_FOCUS_BACK, "prev track", "previous track; without tracks: previous pane") \
	ROW("x", IN_TIME, VERB_HIDE_TRACK, "hide", "hide the selected track") \
	ROW("X", IN_TIME, VERB_ALL_TRACKS, "all tracks", "show all tracks, CPUs included; again: only this thread's") \
	ROW("*", IN_TIME, VERB_FOLD_ALL, "nested", "fold or unfold tracks below the selected one, or all") \
	ROW("<", IN_TIME, VERB_EARLIER, "shift", "shift the other file one cell earlier") \
	ROW(">", IN_TIME, VERB_LATER, "shift", "shift the other file one cell later") \
	ROW("v", IN_TIME | IN_TIMELINE, VERB_RANGE, "range", "range of all panes: v, move, v; or v and type 2s..3s") \
	ROW("v", IN_TIMES, VERB_RANGE, "range", "type the range for all panes (2s..3s); empty: all") \
	ROW("V", IN_TIME | IN_TIMELINE, VERB_RANGE_WINDOW, "range", \
	    "use the visible window as the range of all panes") \
	ROW("r", IN_TIME, VERB_BORDERS, "refreshes", "display-frame boundaries from this call on; again: off") \
	ROW("R", IN_TIME, VERB_BORDER_LENGTH, "rate", "set the display-frame time, in ms or Hz (default 16.67 ms)") \
	ROW("L", IN_TIME, VERB_NEXT_LONGER, "long call", "next call longer than a display frame") \
	ROW("H", IN_TIME, VERB_PREV_LONGER, "long call", "previous call longer than a display frame") \
	ROW("p", IN_THREADS, VERB_POOLS, "pools", "group threads by pool, not at all, or by process") \
	ROW("-", IN_THREADS, VERB_FOLD, "fold", "collapse the pool or process") \
	ROW("+", IN_THREADS, VERB_UNFOLD, "unfold", "expand the pool or process") \
	ROW("*", IN_THREADS, VERB_FOLD_ALL, "all pools", "collapse or expand all pools or processes") \
	ROW("p", IN_TIMELINE, VERB_POOLS, "processes", "ungroup the threads; again: group them by process") \
	ROW("p", IN_PROCESSES, VERB_POOLS, "processes", "ungroup the tasks; again: group them by process") \
	ROW("-", IN_PROCESSES, VERB_FOLD, "fold", "collapse the process") \
	ROW("+", IN_PROCESSES, VERB_UNFOLD, "unfold", "expand the process") \
	ROW("*", IN_PROCESSES, VERB_FOLD_ALL, "all", "collapse or expand all processes") \
	ROW("-", IN_NESTED, VERB_FOLD, "fold", "collapse the track") \
	ROW("+", IN_NESTED, VERB_UNFOLD, "unfold", "expand the track") \
	ROW("*", IN_NESTED, VERB_FOLD_ALL, "all", "collapse or expand all tracks") \
	ROW("m", IN_ABOUT, VERB_GROUP, "by class", "group by object class, all methods, by method") \
	ROW("Tab", IN_METHODS, VERB_FOCUS, "next list", "next list: callers, callees, methods") \
	ROW("Tab", IN_FINDINGS, VERB_FOCUS, "next part", "switch between findings and leak trace") \
	ROW("Tab", IN_OBJECT, VERB_FOCUS, "next part", "next part: referrers, path, fields") \
	ROW("Tab", IN_ANY, VERB_NEXT_PANE, "next pane", "next pane") \
	ROW("S-Tab", IN_ANY, VERB_PREV_PANE, "prev pane", "previous pane") \
	ROW("|", IN_ALL, VERB_SPLIT, "split", "two panes or two files side by side; again: one") \
	ROW(";", IN_ALL, VERB_SIDE, "other side", "in a split screen: go to the pane on the other side") \
	ROW("1 2 3 4 5 6 7 8 9", IN_ANY, VERB_PANE, "pane", "go to the pane with that number") \
	ROW("/", IN_ANY, VERB_FIND, "search", "search text or /regex/; lower case matches any case") \
	ROW("#", IN_ALL, VERB_FIND_NAME, "this name", "search for the name of the selection") \
	ROW("n", IN_ANY, VERB_FIND_NEXT, "next", "next match") \
	ROW("N", IN_ANY, VERB_FIND_PREV, "prev match", "previous match") \
	ROW("&", IN_LISTS, VERB_FILTER, "filter", "show rows that contain a text (default: search); empty: all") \
	ROW("s", IN_LISTS, VERB_SORT_RIGHT, "sort", "sort by the next column") \
	ROW("O", IN_LISTS, VERB_SORT_LEFT, "sort", "sort by the previous column") \
	ROW("r", IN_LISTS, VERB_REVERSE, "reverse", "reverse the order; changes: increases, then decreases") \
	ROW("=", IN_ALL, VERB_QUERY, "query", "edit the query of this pane") \
	ROW(":", IN_ANY, VERB_PROMPT, "query", "type a query; the result opens in a new pane") \
	ROW("y", IN_SUMMARY, VERB_COPY_PAGE, "copy", "copy the overview with file and format (OSC 52)") \
	ROW("Y", IN_SUMMARY, VERB_COPY_ALL, "copy all", "copy the overview, SHA-256, options, losses and repairs") \
	ROW("Y", IN_ALL, VERB_COPY_ADDRESS, "address", "copy an address of this pane; icecore ADDRESS opens it") \
	ROW("y", IN_ANY, VERB_COPY, "copy", "copy the row, stack or name to the clipboard (OSC 52)") \
	ROW(".", IN_ANY, VERB_DETAILS, "details", "full details of the selection; y copies them") \
	ROW("K", IN_ANY, VERB_LEGEND, "legend", "explain the colours and marks of this pane") \
	ROW("w", IN_ALL, VERB_WRITE, "export", "export the pane: .tsv, .folded, .html, .svg or .dot") \
	ROW("C-c", IN_ANY, VERB_CANCEL, "stop", "stop the current work; partial results are kept") \
	ROW("C-l", IN_ANY, VERB_REDRAW, "redraw", "redraw and resume stopped work") \
	ROW("M", IN_ANY, VERB_MOUSE, "mouse", "mouse off: the terminal selects text; again: on") \
	ROW("q", IN_ALL, VERB_CLOSE, "close", "close the opened pane; press twice in a first pane: quit") \
	ROW("Q", IN_ANY, VERB_QUIT, "quit", "quit")

#define KEY(names, where, verb, name, what) { names, where, verb, name, what },
const struct key keys[] = { KEYS(KEY) { NULL, 0, VERB_NONE, NULL, NULL } };
