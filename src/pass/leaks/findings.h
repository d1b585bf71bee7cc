/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass: what the detectors of pass "findings" share.
 *
 * The pass asks every detector once before the objects, for each object of the classes it wants, and
 * once behind them; then it takes out what a leaking object holds anyway, finds the
 * paths, and puts the findings in order.
 */
#ifndef PASS_FINDINGS_H
#define PASS_FINDINGS_H

#include "icecore/collection.h"
#include "icecore/leak.h"
#include "pass/heap/heap.h"

struct finder {
	struct store		*st;
	struct work		*work;
	struct err		*err;
	struct heap		 h;
	struct inspector	*inspector;
	struct collections	*collections;
	struct collection_rows	 all_collections;
	struct collection	 one_collection;	/* the collection read last */
	struct owners		*owners;
	struct scratch		 sorts;		/* by class: enum class_sort */
	uint64_t		 live;		/* bytes of reachable objects */
	bool			 android;
	uint64_t		 netty_used, netty_all;	/* bytes of the chunks of Netty's pool */
	uint64_t		 pooled_used, pooled;	/* objects of other pools */
	struct scratch		 list;		/* struct finding, hop not filled yet */
	uint64_t		 n;
	uint64_t		 rest[FINDINGS], rest_bytes[FINDINGS];	/* by kind: counted only, there were too many */
	struct idmap		 leaks;		/* leaking objects to 1 + the finding about them */
	struct heap_routes	*routes;
	ARRAY(uint32_t)	path;
	uint64_t		 walked;	/* hops of scanned paths */
};

/* dup.string of Strings, and of arrays of nothing but zeros. */
enum copies { COPIES_STRINGS = 1, COPIES_ZEROS = 2 };

/*
 * .number of cursors and resources: why nobody is left to close them; .other: the class of the static, or
 * what has ended.
 */
enum cursor_lost { CURSOR_UNSURE, CURSOR_UNREACHABLE, CURSOR_STATIC, CURSOR_ENDED };

#define FINDINGS_OF_KIND 4096u	/* the largest of each kind are listed, others counted */
#define FINDINGS_CURSORS 20u	/* open ones held in one way: more are reported */
#define FINDINGS_RESOURCES 100u	/* the same for resources */
#define FINDINGS_LOST 10u	/* resources that only finalizers reach: fewer are not reported */
#define FINDINGS_TICK 4096u	/* objects that are looked at between two ticks */
#define DEEP 1000u			/* dominators that are followed up from an object */

/*
 * A kind of trouble, or several that are seen together: a leaf exports one, and a row of the list
 * in findings.c names it.  Members may be NULL.  state is for the detector alone: zeroed, state_size
 * bytes.  All return false on failure, with f->err filled.
 */
struct detector {
	size_t	 state_size;
	bool	(*begin)(struct finder *f, void *state);
	/* Whether object is to be called for the objects of this class: asked once a class, after begin. */
	bool	(*wants)(struct finder *f, void *state, uint32_t class);
	/* Only reachable ones, by rising number. */
	bool	(*object)(struct finder *f, void *state, uint32_t object);
	bool	(*end)(struct finder *f, void *state);
	void	(*release)(void *state);
};

/* Bits of enum class_sort of an object. */
static inline unsigned
finder_sort(const struct finder *f, uint32_t object)
{
	return sort_of(&f->h, &f->sorts, object);
}

static inline bool
finder_is_app(const struct finder *f, uint32_t object)
{
	return is_app(&f->h, &f->sorts, object);
}

/*
 * Return the byte that a detector stored for the class of an object; 0: the detector does not want this
 * class.
 */
static inline unsigned
finder_wanted(const struct finder *f, const struct scratch *wants, uint32_t object)
{
	uint32_t class = heap_class(&f->h, object);

	return class > f->h.classes ? 0 : wants->data[class];
}

/* Read a collection as collection_get without buckets does; objects come by rising number.  finder.c */
bool	finder_collection(struct finder *, uint32_t object, struct collection *);

/* For detectors; hop and hops are found later; retained 0 is filled with that of the object: finder.c. */
bool	finding_add(struct finder *, const struct finding *);
void	findings_sort(struct finder *);		/* by order of the report */
void	findings_sweep(struct finder *);	/* takes out those that count 0 */
bool	findings_routes(struct finder *);	/* looks for the paths of all */
bool	findings_path(struct finder *, struct finding *);	/* fills hop and hops until the next call */
/* Compute paths, order and columns of the findings: findings_out.c. */
bool	findings_out(struct finder *);
/*
 * Drop leaking objects below others by dominators, then those behind others on their paths: findings_drop.c.
 */
bool	findings_drop_dominated(struct finder *);
bool	findings_drop_behind(struct finder *);

/*
 * Drop open cursors and resources that somebody will close; record for the others why nobody will:
 * detect_cursors.c.
 */
bool	findings_judge_cursors(struct finder *);
/*
 * Return whether the holder is a wrapper of a Cursor, an array or a part of a collection: its holders hold
 * the content.
 */
bool	cursor_passed_on(const struct heap *, uint32_t holder);
/* The leaking object that is the object or dominates it, of those that are found already; 0: none. */
uint32_t finder_leaked(const struct finder *, uint32_t object);

/*
 * The signature of a finding about names, threads and finalizers; false: it is about an object and its path:
 * signature_names.c.
 */
bool	signature_names(const struct findings *, const struct finding *, struct buf *);

struct name_node;
/* The value of a Var of Clojure.  Append the name of the Var, "#'shop.core/cache"; false: it has none. */
bool	name_is_var(const struct name_node *);
bool	var_name(const struct heap *, const struct name_node *, struct buf *);
/* Append the field that owns the objects, without what kind it is of: owner_names.c. */
void	finding_owner(const struct findings *, const struct finding *, struct buf *);

/*
 * Fields of phrases (icecore/phrase.h; finding_words.c has the list): a text, appended, perhaps nothing; a
 * number, which is 1 or 0 for a condition.
 */
typedef void finding_text(const struct findings *, const struct finding *, struct buf *);
typedef uint64_t finding_count(const struct findings *, const struct finding *);

/*
 * About an object that has ended: "mDestroyed is true"; its label; a known leak on its path; classes of
 * leaking objects from below it to x->other.  finding_verdict.c
 */
finding_text	finding_reason, finding_state, finding_known_leak, finding_with;
/*
 * About threads: "sender-*"; where the Finalizer thread is; "shop.Poller.run", nothing for JDK code;
 * "shop.Desk.pools".  finding_threads.c
 */
finding_text	finding_pattern, finding_finalizer, finding_frame, finding_held;
/* The threads with the local variable: how many; "import-1", "import-*", "import-1" and others, in quotes. */
finding_count	finding_keepers;
finding_text	finding_keeper;
/* The class of the request that each of these threads works on. */
finding_text	finding_request;
/* Known threads of a pool: how many; whether in several methods; a name; the frame of the first. */
finding_count	finding_workers, finding_workers_differ;
finding_text	finding_worker, finding_worker_frame;
/* About virtual threads: "shop.Chat.pump"; "are parked"; what they wait for, "shop.Bank.lock". */
finding_text	finding_place, finding_does, finding_awaited;
/* The thread that has that lock, in quotes; what they wait for is what holds them. */
finding_text	finding_taken_by;
finding_count	finding_await_holder;
/*
 * A thread of the pool is known; the dump has its stack; local variables have most of what virtual threads
 * keep.
 */
finding_count	finding_of_thread, finding_has_stack, finding_most_local;
const char *thread_does(const struct heap *, uint32_t object);	/* "are parked", "are blocked", "run" */

/* A suspended coroutine of Kotlin: owners.c. */
bool	coroutine_is(const struct heap *, uint32_t object);
/*
 * About accumulated objects: the class; " in a java.util.ArrayList"; ", each with an X", of coroutines and
 * entries.  finding_things.c
 */
finding_text	finding_class, finding_in, finding_each, finding_bound, finding_by, finding_parts,
    finding_inside;
/*
 * Suspended coroutines; objects of several classes, none of which has most; how many classes, 0: unknown;
 * most are references to what is gone; tasks wait for their time in a delay queue; most of them were
 * cancelled.
 */
finding_count	finding_suspended, finding_mixed, finding_mixed_classes, finding_cleared,
    finding_scheduled, finding_cancelled, finding_running, finding_kept_all;
/* The cut that a finding is about; false: it is about a field. */
struct cut_found;
bool	finding_cut(const struct findings *, const struct finding *, struct cut_found *);
/* Objects that hold one another, unless they are the content; ", each with a shop.Item": the content. */
void	finding_linked(const struct findings *, const struct finding *, struct name_node *);
finding_text	finding_linked_each;
/*
 * About copies and estimates: one of several values wastes most; arrays of nothing but zeros; most outside
 * the heap is an estimate for zlib.
 */
finding_count	finding_most, finding_zeros, finding_zlib;

/* About a pool of objects: class, name and owner; who holds one in use.  finding_pools.c */
finding_text	finding_pool, finding_pool_owner, finding_borrower, finding_waiter;
/* Thread locals of one class, and the collection that contains them: finding_keys.c */
finding_text	finding_keys;

/*
 * About class loaders: where the holder is; held by its class, not by an instance of it.
 * finding_loaders.c
 */
finding_text	finding_loader_place, finding_context;
finding_count	finding_held_class;
/* Where the holder has an instance of the class, or the class itself: "shop.Main.plugins"; appends. */
void	loader_place(const struct heap *, uint32_t holder, uint32_t class, struct buf *);

/* Append the common name of generated classes that differ in a number only: "jdk.proxy.$Proxy*". */
void	class_family(const struct heap *, uint32_t class, struct buf *);
bool	class_is_hidden(const struct heap *, uint32_t class);
finding_text	finding_names;		/* the same, of the class of a finding */

extern const struct detector detector_android, detector_cursors, detector_bitmaps, detector_finalizers,
    detector_pools, detector_resources;
extern const struct detector detector_owners, detector_hashes, detector_threads, detector_loaders,
    detector_classes;
extern const struct detector detector_collections, detector_copies, detector_detached;

#endif
