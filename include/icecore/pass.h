/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pass: derives columns from columns, once; and the cursors over derived columns that panes and commands
 * share (trees, spans).
 */
#ifndef ICECORE_PASS_H
#define ICECORE_PASS_H

#include "icecore/load.h"

struct pass {
	const char		*name;
	const char		*what;		/* a line for help */
	/* A loader column of the files it applies to; COL_NONE: all files. */
	column_id		 when;
	const column_id		*needs;		/* COL_NONE ends them; families: those of the choice */
	const column_id		*makes;
	/*
	 * Relative duration, if it can run in parallel with other passes, reading only its needs and loader
	 * columns.  0: it cannot.
	 */
	unsigned		 beside;
	bool			(*run)(struct store *, struct work *, struct err *);
	/* Instead of run, of a pass that makes families: once for each choice that is wanted. */
	bool			(*run_choice)(struct store *, enum heap_refs, enum heap_sizes, struct work *,
	    struct err *);
};

/* Input or output of a pass. */
#define PASS_COLUMNS(...) (const column_id[]){ __VA_ARGS__, COL_NONE }

extern const struct pass *const passes[];	/* src/tables.c; ends with NULL */

/* Runs the missing passes for the column. */
bool	pass_want(struct store *, column_id, struct work *, struct err *) MUST_USE;
/*
 * Run the missing passes for n columns.  Threads that are idle also run passes for later columns, which the
 * caller does not wait for.  The results and their order in the store do not depend on the number of threads.
 */
bool	passes_want(struct store *, const column_id *, size_t n, const column_id *later, size_t nlater,
    struct work *, struct err *) MUST_USE;
/* A store_rebuild: see store.h. */
bool	pass_rebuild(struct store *, column_id, struct work *, struct err *) MUST_USE;
/* Number of passes run whose columns an index keeps, each choice counted separately. */
size_t	passes_run(const struct store *);

/* ---- names --------------------------------------------------------------- */

/* Appends a class as named in the file, with dots instead of slashes. */
void	class_name(struct str, struct buf *);
/* "class.name" with dots, or "<unknown method 0x...>".  Raw bytes, not yet fitted. */
void	method_name(const struct store *, uint32_t method, struct buf *);
/* "thread 17" when nameless. */
void	thread_name(const struct store *, uint32_t thread, struct buf *);
/*
 * The displayed name, followed by the tid if threads share the name: "java 103"; "java 100/103" if tids
 * repeat.
 */
void	thread_label(const struct store *, uint32_t thread, struct buf *);
/* Makes thread.alike of threads in their order; whoever makes their table calls it.  It sorts them. */
struct thread_called {
	uint64_t	tid, name, listed;	/* tid, name and row, as in the columns thread.* */
	uint32_t	thread;			/* from 0; it is filled in */
};
bool	threads_alike(struct store *, struct thread_called *, uint32_t n, struct err *) MUST_USE;
/*
 * Append thread_label for folded stacks; if --threads named other threads, an unnamed one is "java-100/103".
 */
void	thread_folded(const struct store *, uint32_t thread, struct buf *);
/* Other names of a thread, the last first: "a, b". */
void	thread_earlier(const struct store *, uint32_t thread, struct buf *);
/* Origin of a thread's name: "tid" or "name" (--threads, found by id or by name), "file", or "". */
const char *thread_by(const struct store *, uint32_t thread);
/* Return the thread's state in a thread dump of --threads; or empty. */
struct str thread_state(const struct store *, uint32_t thread);
/* Topmost method of a thread, its class with dots. */
struct str thread_top(const struct store *, uint32_t thread);

/* Return the obfuscated name of a method that a mapping file renamed; otherwise empty. */
struct str method_obfuscated(const struct store *, uint32_t method);
/* False for the placeholder of samples without frames. */
bool	method_named(const struct store *, uint32_t method);
/* Whether the CPU time of any call is known, in a trace with a CPU clock. */
bool	method_has_cpu(const struct store *, uint32_t method);
/* Append the method's name with the kind mark of folded stacks, "foo_[k]"; nothing if it is not named. */
void	method_folded(const struct store *, uint32_t method, struct buf *);
/* 0, or 'k', 'j', 'i', 'c', 'w', 'a': listed.kind. */
char	method_kind(const struct store *, uint32_t method);
const char *kind_word(char);	/* "kernel"; NULL: none has that letter */
struct str method_module(const struct store *, uint32_t method);	/* "": unknown */
struct str method_file(const struct store *, uint32_t method);	/* "": unknown */
/* "(ILjava/lang/String;)V" or "(int, a.B)"; "": unknown. */
struct str method_signature(const struct store *, uint32_t method);
/* " (libc.so.6)" of its path, nothing of none; appends. */
void	module_told(struct str module, struct buf *);
/* " (int, String)", nothing of none; appends. */
void	signature_told(struct str signature, struct buf *);
/* Appends the part that distinguishes methods of the same name: the module, otherwise the signature. */
void	method_apart(const struct store *, uint32_t method, struct buf *);

/*
 * Makes "Binder:*_*" of "Binder:12_3" from byte from on: * for numbers, and for hexadecimal ones that are
 * words.
 */
void	name_pool(struct buf *, size_t from);

/* Ticks to nanoseconds, saturating. */
uint64_t trace_ns(const struct store *, uint64_t ticks);
bool	trace_has_clock(const struct store *, enum clock);
/* The call trees are made of samples.  If the file also has calls, that is so only in a view of an event. */
bool	trace_is_profile(const struct store *);

/*
 * Moments: "14:03:10", optionally with ".345" and a date: "2026-11-22T14:03:10", or with a blank; UTC unless
 * an offset follows, e.g. "+02:00".  zero: ns since 1970 at time 0 of the file; 0: unknown.
 */
/* Length of a day in ns: in longer files, moments need a date. */
#define MOMENTS_DAY (UINT64_C(86400) * 1000000000)
bool	moment_is(struct str);
uint64_t moment_zero(const struct store *);
/*
 * Converts a moment to a time of the file; moments before its start become 0.  False: invalid, the file has
 * no zero, or a date is needed.
 */
bool	moment_read(const struct store *, struct str, uint64_t *ns, struct err *);
/* False, with the time of the file in err: nothing of the file is between these times, which were moments. */
bool	moments_within(const struct store *, uint64_t from, uint64_t to, struct err *);
/* "14:03:12.345Z", or "2026-11-22T14:03:12.345Z"; appends. */
void	moment_show(uint64_t ns, bool dated, struct buf *);

/* Thread of a call, by binary search, for stores without call.thread. */
uint32_t call_thread(const struct store *, uint32_t call);

/* ---- weights: meaning of the numbers of call trees -------------------- */

/*
 * Call trees have up to three weights, in the places of enum clock.  Method traces: wall, cpu and off.
 * Profiles: one ("samples").  Two profiles or two files: after, before and delta, which is signed.
 */
struct weights {
	enum weight_type type;
	uint64_t	 tick;		/* ns per unit, if the unit is a time */
	/* Factor by which the numbers are scaled; 1 unless weights have decimals. */
	uint64_t	 scale;
	bool		 differs;	/* after, before, delta */
	/* Wall, cpu and off exist, and calls are counted; otherwise samples are counted. */
	bool		 clocks;
	bool		 some_cpu;	/* the CPU time of most calls is unknown */
	const char	*name[CLOCKS];	/* NULL: none */
	struct str	 unit;		/* "samples", "cycles"; of times "" */
};

/* The weights that a file has.  Names and units point into the store. */
void	weights_of(const struct store *, struct weights *);
/* Initial weight: CPU time if the trace has that of most calls. */
enum clock weights_clock(const struct weights *);
unsigned weights_places(const struct weights *);	/* decimals: scale is 10 to the power of it */
struct str event_name(const struct store *, uint32_t event);	/* event of a profile, from 1 */
struct str word_text(const struct store *, uint32_t word);	/* word of trace events; 0: empty */
struct str process_name(const struct store *, uint32_t process);	/* name or id */
uint32_t thread_process(const struct store *, uint32_t thread);	/* 0: unknown */
/* For people, "system_server 1643"; appends. */
void	process_label(const struct store *, uint32_t process, struct buf *);
/*
 * "event cpu-clock counts (49 samples); not page-faults (7): --event"; for samples recorded with calls, which
 * count, "1,600 samples: --event cpu-samples"; nothing if there is only one event.  Raw bytes.
 */
void	event_told(const struct store *, struct buf *);
uint32_t event_named(const struct store *, struct str name);	/* exactly so; 0: none */
/*
 * The event of that name, with or without modifiers: "cycles" is "cycles:u" where only one event begins so;
 * or the one that an alias means, "cpu", "wall", "alloc", "lock", "io", "exception": the file's event of that
 * kind that says most; "freed bytes" is the first of "freed bytes of libc.malloc" and other heaps.  0: none.
 */
uint32_t event_find(const struct store *, struct str name);
/* Kind of resource that an event measures, if its name is known. */
enum event_kind { EVENT_OTHER, EVENT_OF_CPU, EVENT_OF_WALL, EVENT_OF_MEMORY, EVENT_OF_LOCKS, EVENT_OF_IO,
    EVENT_OF_ERRORS, EVENT_OF_DURATION };
enum event_kind event_kind(const struct store *, uint32_t event);
struct str event_kind_name(enum event_kind);	/* "allocation" */
const char *event_alias(size_t i);	/* "alloc": kinds that --event takes, from 0; NULL after the last */
/* "3.21 ms", "1 204", "12.5", a delta with its sign; appends. */
void	weight_show(const struct weights *, enum clock, uint64_t value, struct buf *);
/* The same, with the unit of counts: "91 samples". */
void	weight_show_unit(const struct weights *, enum clock, uint64_t value, struct buf *);

/* ---- trees: call trees to walk from the root ------------------------------- */

enum tree_kind {
	TREE_CALLS,	/* all > thread > frames */
	TREE_MERGED,	/* all > frames, threads merged */
	TREE_PROCESSES,	/* all > process > frames, threads of a process merged */
	TREE_INVERTED,	/* all > method > its callers; weights are the method's self */
	/*
	 * Chosen methods with their outermost calls: all > method > its callers, or its callees; weights are
	 * totals.
	 */
	TREE_CALLERS, TREE_CALLEES,
	TREE_DOMINATORS,	/* all > objects, by dominators, in bytes; for heap dumps: tree_open_heap */
	TREE_NAMES	/* all > field paths: heap_names.h */
};

#define TREE_ROOT 1u

struct tree;

struct tree_node {
	uint32_t	parent;		/* 0 for the root */
	uint32_t	method;		/* 0: a thread, a process, or the root */
	uint32_t	thread;		/* 0: several */
	/*
	 * Id of the process that the node stands for; 0: it is unknown, or the node stands for something
	 * else.
	 */
	uint32_t	process;
	/* 0 at the root; known only in merged and inverted trees, otherwise 0. */
	uint32_t	depth;
	uint32_t	object, class;	/* only in a tree of dominators; 0: the root */
	uint64_t	calls;
	uint64_t	total[CLOCKS], self[CLOCKS];	/* ticks, or bytes */
};

/*
 * threads: n ids to include; n 0 is all.  Needs the columns of pass "calls", and for TREE_INVERTED those of
 * "call-self". Node ids stay valid until tree_close; nodes of merged and inverted trees are made when the
 * children of their parent are requested.
 */
bool	tree_open(struct tree **, const struct store *, enum tree_kind,
	    const uint32_t *threads, size_t n, struct err *) MUST_USE;
/*
 * TREE_CALLERS or TREE_CALLEES of methods in all threads; has: 1 at the id of each method, the tree's until
 * tree_close, which frees it.
 */
bool	tree_open_methods(struct tree **, const struct store *, enum tree_kind, uint8_t *has,
    struct err *) MUST_USE;
void	tree_close(struct tree *);
void	tree_get(struct tree *, uint32_t id, struct tree_node *);
/* tree_get without self weights, which cost as much as tree_first or more. */
void	tree_peek(struct tree *, uint32_t id, struct tree_node *);
uint64_t tree_total(struct tree *, uint32_t id, enum clock);	/* tree_get's total, faster */
uint32_t tree_first(struct tree *, uint32_t id);	/* first child; 0: none */
uint32_t tree_next(struct tree *, uint32_t id);	/* next sibling; 0: none */
uint32_t tree_parent(struct tree *, uint32_t id);
/* Number of children in a dominator tree, whose children are sorted by descending total. */
uint32_t tree_children(struct tree *, uint32_t id);
/* Appends the name of a node; false: it is the name of its method, thread or object. */
bool	tree_name(struct tree *, uint32_t id, struct buf *);
/* A merged or inverted tree grew too large: some nodes lack their children. */
bool	tree_full(const struct tree *);
/* First tree_first on this node would have to make children: cost about that many steps.  0: cheap. */
uint64_t tree_cost(struct tree *, uint32_t id);

/* ---- spans: calls in time order -------------------------------------------- */

struct span {
	uint64_t	start, end;		/* ticks of the wall clock, otherwise of the CPU clock */
	uint64_t	start_cpu, end_cpu;
	uint32_t	method, depth;
	/* 0: one call; otherwise the number of calls too short to list one by one; method is then 0. */
	uint32_t	crowd;
	/* Number of the record that enters the call, from 1; 0: it was open before the first record. */
	uint32_t	row;
};

/* Start from zeros; may be filled again and again. */
struct spans {
	struct span	*span;
	size_t		 n, cap;
	struct replay	*replay;	/* kept from call to call */
};

/* Frees what the calls below have grown; an empty one too. */
void	spans_free(struct spans *);
/*
 * All calls of a thread, piece by piece: chunk k (of spans_chunks) holds the calls that start
 * in it, in the order they were entered; chunk after chunk gives every call once, in time order.
 */
uint64_t spans_chunks(const struct store *, uint32_t thread);
bool	spans_chunk(const struct store *, uint32_t thread, uint64_t k, struct spans *, struct err *) MUST_USE;
/*
 * The calls of a thread that touch [from, to], in the order they were entered.  Calls shorter
 * than min are merged into crowds.  Reads only what the window needs (there is a checkpoint
 * about every 64 Ki records); when that would be more than budget records (0: no bound), the answer comes
 * from the stored long calls, with crowds for the rest.  Needs pass "order".
 */
bool	spans_window(const struct store *, uint32_t thread, uint64_t from, uint64_t to,
	    uint64_t min, uint64_t budget, struct spans *, struct err *) MUST_USE;

/*
 * The calls of many threads that touch [from, to] in one pass: take gets them block by block, each with its
 * thread; of a thread they come in the order they were entered.  If take returns false, the sweep ends.
 */
struct span_sweep {
	const uint32_t	*thread;
	size_t		 n;
	uint64_t	 from, to;
	struct work	*work;
	bool		(*take)(void *arg, const struct span *, const uint32_t *thread, size_t n,
	    struct err *);
	void		*arg;
};
bool	spans_sweep(const struct store *, const struct span_sweep *, struct err *) MUST_USE;

#endif
