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
	struct scratch		 list;		/* struct finding, hop not filled yet */
	uint64_t		 n;
	uint64_t		 rest[FINDINGS], rest_bytes[FINDINGS];	/* by kind: counted only, there were too many */
	struct idmap		 leaks;		/* leaking objects to 1 + the finding about them */
	struct heap_routes	*routes;
	struct scratch		 path;
	uint64_t		 walked;	/* hops of scanned paths */
};

/* dup.string of Strings, and of arrays of nothing but zeros. */
enum copies { COPIES_STRINGS = 1, COPIES_ZEROS = 2 };

/* .number of cursors and resources: why nobody is left to close them; .other: the class of the static, or what has ended. */
enum cursor_lost { CURSOR_UNSURE, CURSOR_UNREACHABLE, CURSOR_STATIC, CURSOR_ENDED };

#define FINDINGS_OF_KIND 4096u	/* the largest of each kind are listed, others counted */
#define FINDINGS_CURSORS 20u	/* open ones held in one way: more are reported */
#define FINDINGS_RESOURCES 100u	/* the same for resources */
#define FINDINGS_LOST 10u	/* resources that only finalizers reach: fewer are not reported */
#define FINDINGS_TICK 4096u	/* objects that are looked at between two ticks */
#define DEEP 1000u			/* dominators that are followed up from an object */

/*
 * One kind of trouble, or several that are seen together: a leaf exports one, and a row of the list
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

/* Return the byte that a detector stored for the class of an object; 0: the detector does not want this class. */
static inline unsigned
finder_wanted(const struct finder *f, const struct scratch *wants, uint32_t object)
{
	uint32_t class = heap_class(&f->h, object);

	return class > f->h.classes ? 0 : wants->data[class];
}

/* As collection_get without buckets, of pass "collections"; objects come by rising number.  finder.c */
bool	finder_collection(struct finder *, uint32_t object, struct collection *);

/* For detectors; hop and hops are found later; retained 0 is filled with that of the object: finder.c. */
bool	finding_add(struct finder *, const struct finding *);
void	findings_sort(struct finder *);		/* by order of the report */
void	findings_sweep(struct finder *);	/* takes out those that count 0 */
bool	findings_routes(struct finder *);	/* looks for the paths of all */
bool	findings_path(struct finder *, struct finding *);	/* fills hop and hops until the next call */
/* Compute paths, order and columns of the findings: findings_out.c. */
bool	findings_out(struct finder *);
/* Drop leaking objects below others by dominators, then those behind others on their paths: findings_drop.c. */
bool	findings_drop_dominated(struct finder *);
bool	findings_drop_behind(struct finder *);

/* Drop open cursors and resources that somebody will close; record for the others why nobody will: detect_cursors.c. */
bool	findings_judge_cursors(struct finder *);
/* Return whether the holder is a wrapper of a Cursor, an array or a part of a collection: its holders hold the content. */
bool	cursor_passed_on(const struct heap *, uint32_t holder);
/* The leaking object that is the object or dominates it, of those that are found already; 0: none. */
uint32_t finder_leaked(const struct finder *, uint32_t object);

/* The signature of a finding about names, threads and finalizers; false: it is about an object and its path: signature_names.c. */
bool	signature_names(const struct findings *, const struct finding *, struct buf *);

void	finding_number(uint64_t, struct buf *);	/* "20 000"; appends */
/* Append a phrase about a finding (icecore/phrase.h): finding_words.c has the fields. */
void	finding_phrase(const struct findings *, const struct finding *, const char *phrase, struct buf *);
/* Return the number of owners that a finding joins. */
uint32_t finding_owners(const struct findings *, const struct finding *);

/* Fields of phrases.  Conditions about copies and estimates: finding_text.c. */
bool	finding_most(const struct findings *, const struct finding *);		/* of several values one wastes most */
bool	finding_zeros(const struct findings *, const struct finding *);		/* arrays of nothing but zeros */
bool	finding_zlib(const struct findings *, const struct finding *);		/* most outside the heap is an estimate for zlib */
/* Texts about threads, appended: finding_threads.c. */
void	finding_keepers(const struct findings *, const struct finding *, struct buf *);		/* thread "import-1" keeps */
void	finding_pattern(const struct findings *, const struct finding *, struct buf *);		/* "sender-*" */
void	finding_finalizer(const struct findings *, const struct finding *, struct buf *);	/* where the Finalizer thread is, or nothing */
void	finding_worker(const struct findings *, const struct finding *, struct buf *);		/* a thread of the pool, or nothing */
void	finding_workers(const struct findings *, const struct finding *, struct buf *);	/* "; its 2 threads are in shop.MailTask.run" or nothing */
bool	finding_of_thread(const struct findings *, const struct finding *);			/* a thread of the pool is known */
void	finding_frame(const struct findings *, const struct finding *, struct buf *);		/* "shop.Poller.run"; nothing: JDK code */
void	finding_held(const struct findings *, const struct finding *, struct buf *);		/* "shop.Desk.pools" or nothing */
void	finding_place(const struct findings *, const struct finding *, struct buf *);	/* of virtual threads: "shop.Chat.pump" */
void	finding_does(const struct findings *, const struct finding *, struct buf *);		/* "are parked" */
bool	finding_has_stack(const struct findings *, const struct finding *);
void	finding_awaited(const struct findings *, const struct finding *, struct buf *);	/* "; waiting for shop.Bank.lock; held by ..." */
/* Local variables have most of what virtual threads keep. */
bool	finding_most_local(const struct findings *, const struct finding *);
const char *thread_does(const struct heap *, uint32_t object);	/* "are parked", "are blocked", "run" */

/* A suspended coroutine of Kotlin: owners.c. */
bool	coroutine_is(const struct heap *, uint32_t object);
/* Texts about accumulated objects, appended, and conditions: finding_things.c. */
void	finding_class(const struct findings *, const struct finding *, struct buf *);
void	finding_in(const struct findings *, const struct finding *, struct buf *);	/* " in a java.util.ArrayList" or nothing */
void	finding_each(const struct findings *, const struct finding *, struct buf *);	/* ", each with an X": of coroutines and entries */
void	finding_things(const struct findings *, const struct finding *, struct buf *);	/* "120 shop.Item", "300 objects of 5 classes, mostly ..." */
void	finding_links(const struct findings *, const struct finding *, struct buf *);	/* "20 shop.Link, each with a shop.Item" */
bool	finding_cleared(const struct findings *, const struct finding *);	/* most are references to what is gone */
bool	finding_scheduled(const struct findings *, const struct finding *);	/* tasks wait for their time in a delay queue, */
bool	finding_cancelled(const struct findings *, const struct finding *);	/* and most of them were cancelled */

/* Class loaders: finding_loaders.c. */
bool	finding_held_class(const struct findings *, const struct finding *);	/* by its class, not by an instance of it */
void	finding_loader_place(const struct findings *, const struct finding *, struct buf *);	/* loader_place of its holder */
void	finding_kept_otherwise(const struct findings *, const struct finding *, struct buf *);	/* "; 8 others in ..." or nothing */
/* Where the holder has an instance of the class, or the class itself: "shop.Main.plugins"; appends. */
void	loader_place(const struct heap *, uint32_t holder, uint32_t class, struct buf *);

/* Append the common name of generated classes that differ in a number only: "jdk.proxy.$Proxy*". */
void	class_family(const struct heap *, uint32_t class, struct buf *);
bool	class_is_hidden(const struct heap *, uint32_t class);
void	finding_names(const struct findings *, const struct finding *, struct buf *);		/* the same, of its class */

extern const struct detector detector_android, detector_cursors, detector_bitmaps, detector_finalizers, detector_resources;
extern const struct detector detector_owners, detector_hashes, detector_threads, detector_loaders, detector_classes;
extern const struct detector detector_collections, detector_copies;

#endif
