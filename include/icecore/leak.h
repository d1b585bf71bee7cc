/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leak: objects that should have been collected, what fills the heap, and the suspect references.  Belongs to
 * layer pass.
 */
#ifndef ICECORE_LEAK_H
#define ICECORE_LEAK_H

#include "icecore/bitmap.h"

/* ---- kinds of findings ------------------------------------------------------------ */

/* Android first, then kinds for all heaps. */
enum finding_kind {
	FINDING_ACTIVITY, FINDING_FRAGMENT, FINDING_VIEW, FINDING_STATIC_VIEW, FINDING_ROOT_VIEW,
	FINDING_CONTEXT, FINDING_SERVICE, FINDING_DIALOG, FINDING_OTHER, FINDING_WATCHED,
	FINDING_DETACHED, FINDING_UNREACHABLE,
	FINDING_CURSOR, FINDING_BITMAP_RECYCLED, FINDING_BITMAP_COPIES, FINDING_FINALIZER, FINDING_RESOURCE,
	FINDING_ACCUMULATION, FINDING_POOL, FINDING_LINKED, FINDING_THREAD_LOCAL, FINDING_THREAD,
	    FINDING_LARGE, FINDING_LISTENERS, FINDING_TIMERS, FINDING_PROMISES,
	FINDING_DIRECT, FINDING_NETTY, FINDING_CACHE, FINDING_HASH, FINDING_THREADS, FINDING_POOLS,
	    FINDING_OBJECT_POOL, FINDING_VIRTUAL,
	FINDING_LOADER, FINDING_CLASSES,
	FINDING_EMPTY, FINDING_STRING_COPIES, FINDING_ARRAY_COPIES,
	FINDINGS
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_LEAK, SEVERITIES };
extern const char *const severity_names[SEVERITIES];	/* "note" "warning" "leak" */

/* The one list of kinds, by enum finding_kind: src/pass/leaks/finding_kinds.c. */
extern const struct finding_row {
	const char	*name;		/* "activity", "pool queue" */
	enum severity	 severity;	/* unless the pass says otherwise */
	uint16_t	 weight;	/* percent: weight of its bytes relative to other kinds */
	const char	*what;		/* a line: "destroyed Activity still reachable" */
	const char	*rule;		/* rule and confidence, some lines, for help */
	const char	*advice;	/* remedy, likewise */
	/* Phrase of finding_why, with fields of finding_words.c. */
	const char	*why;
} finding_rows[FINDINGS];

/* ---- inspectors: is an object meant to be alive ------------------------------------ */

enum leak_mark { LEAK_UNKNOWN, LEAK_NOT, LEAK_YES, LEAK_MARKS };
extern const char *const leak_mark_names[LEAK_MARKS];	/* "unknown" "not leaking" "leaking" */

struct verdict {
	enum leak_mark		 mark;
	enum finding_kind	 kind;		/* kind of finding, only for LEAK_YES */
	const char		*why;		/* "mDestroyed is true"; "" for LEAK_UNKNOWN */
	const char		*note;		/* a known leak of a library, in words; or NULL */
};

/*
 * Classes with an inspector, looked up once per heap, and objects watched by LeakCanary; for one thread at a
 * time.
 */
struct inspector;

/* Looks at the classes of a heap, which must stay open.  False: no memory. */
bool	 inspector_open(struct inspector **, const struct heap *, struct err *);
void	 inspector_close(struct inspector *);	/* NULL is fine */
/* The class or a superclass has an inspector: only such objects can get a mark. */
bool	 inspector_knows(const struct inspector *, uint32_t class);
void	 inspect(struct inspector *, uint32_t object, struct verdict *);
/*
 * Append what distinguishes an object from others of its class, raw: "mTag \"stale\"", "key a1b2, retained
 * for 5.0 s".
 */
void	 inspect_label(struct inspector *, uint32_t object, struct buf *);

/*
 * Marks along a path, root first: holders of an object that is not leaking are not leaking; objects held by a
 * leaking object are leaking.  verdict gets n of them.  The suspect references are those to hops *from ..
 * *to: after the last hop that is not leaking, up to the first leaking one; from equals n: none.
 */
void	 inspect_path(struct inspector *, const uint32_t *object, size_t n,
	    struct verdict *verdict, size_t *from, size_t *to);

/*
 * References by which the platform or a library is known to leak: whether objects of the class, and of those
 * that extend it, have one (called once per class, it compares names), and the explanation of a field; class
 * declares it, as in a slot.  NULL: nothing.
 */
bool	 leak_known_class(const struct heap *, uint32_t class);
const char *leak_known_reference(const struct heap *, uint32_t class, struct str field);

/* ---- routes: shortest paths from roots to many objects at once ------------------------ */

enum route_rule {
	ROUTE_PLAIN,	/* references that count under h->refs */
	/*
	 * Strong ones; no links of Finalizer and Cleaner, no locals of "main"; locals of other threads and
	 * known leaks of libraries come last.
	 */
	ROUTE_BLAME
};

struct heap_routes;

#define ROUTE_ROOT UINT32_MAX		/* from, of roots */

/* An object met; from: index of the node that refers to it, which is smaller. */
struct route_node {
	uint32_t	object, from;
};

/*
 * Shortest first, as of heap_paths_next.  If ROUTE_BLAME finds no path, all strong references are searched,
 * then those that count.  Needs "objects", "stacks"; a few objects are found much faster with "referrers".
 */
bool	 heap_routes_open(struct heap_routes **, const struct heap *, enum route_rule,
	    const uint32_t *object, size_t n, struct work *, struct err *);
/*
 * The object first, the root's object last, as of heap_paths_next; false: no path.  Valid until the next
 * call.
 */
bool	 heap_routes_to(struct heap_routes *, uint32_t object, struct heap_path *);
/* All that were met, the near ones first where the heap was opened without incoming references. */
const struct route_node *heap_routes_nodes(const struct heap_routes *, uint64_t *n);
/* The row of root.* that holds the object, from 1; 0: none does. */
uint32_t heap_routes_root(struct heap_routes *, uint32_t object);
void	 heap_routes_close(struct heap_routes *);	/* NULL is fine */

/* ---- findings: pass "findings" --------------------------------------------------------- */

/*
 * Columns: columns_heap.h.  Leaking objects that are held by others are counted with them: the
 * first one on the path is to blame, as in LeakCanary.  Those of the same kind and signature are counted
 * together; .object is then the one that retains most.  If a kind has thousands of rows, the smallest are
 * counted in the first one.
 */
struct finding {
	enum finding_kind	 kind;
	uint8_t			 grade;		/* 1 + enum severity; 0: as its kind */
	/* other: of a leaking object the first Activity, Fragment or Service below it; 0: none. */
	uint32_t		 object, class, other, count;
	/* Nodes of heap_names.h; one: objects of which one has most of the finding; 0: none. */
	uint32_t		 owner, content, one;
	/* Objects with the field of the owner, if several nodes have some of them; else 0. */
	uint32_t		 owners;
	/* native: the part of retained that is outside the heap. */
	uint64_t		 retained, native, number;
	uint64_t		 weight;	/* order within one severity; 0: that of its kind */
	const uint32_t		*hop;		/* root first; lives as long as the findings */
	size_t			 hops;
};

/* Columns looked up once; a plain value over the store, nothing to free. */
struct findings {
	const struct heap	*heap;
	const uint32_t		*hop_object;
	uint64_t		 hop_rows, n;
	struct inspector	*inspector;	/* for finding_why, which sets it */
};

/* False: the pass has not run. */
bool	 findings_open(struct findings *, const struct heap *);
void	 finding_get(const struct findings *, uint64_t row, struct finding *);
enum severity finding_severity(const struct finding *);
/*
 * Percent that a finding retains or wastes of the live heap and its native memory; for a finalizer queue,
 * plus the queue.
 */
double	 finding_percent(const struct findings *, const struct finding *);
/*
 * finding_holder appends the owner, "shop.Registry.done", or nothing without a field name; finding_content
 * the held class.
 */
void	 finding_holder(const struct findings *, const struct finding *, struct buf *);
void	 finding_content(const struct findings *, const struct finding *, struct buf *);
/*
 * Append what distinguishes it, without packages: "Sessions.open: 450 Session", "8 Bitmap 80x80"; raw bytes.
 */
void	 finding_what(const struct findings *, const struct finding *, struct buf *);
/*
 * Append the retained bytes of the owners of a finding, or of its things: "20 shop.Tenant: least 2.1 MiB,
 * median 2.2 MiB, most 2.2 MiB"; nothing for one object.  Equal sizes are a template; a spread is growth.
 */
bool	 finding_spread(const struct findings *, const struct finding *, struct work *, struct buf *,
    struct err *);
/* Append a line with the reason of the finding and its numbers, as raw bytes. */
void	 finding_why(const struct findings *, struct inspector *, const struct finding *, struct buf *);
/*
 * The holder, without numbers, addresses and other parts that differ between runs; appends, raw bytes.  A
 * finding of the tree of names has "v2 ", the names from the owner down and the class of the held objects:
 * signature_names.c.  Any other has class.field of each reference from the last static to the object, " > "
 * between them ("v2 " before it for class loaders): "static com.example.Leaky.sActivity >
 * com.example.MainActivity".  [] represents the elements of the field before it, * a reference that repeats;
 * links between the nodes of a collection of java.util are omitted.  A finding without an object has its
 * class or kind.
 */
void	 finding_signature(const struct findings *, const struct finding *, struct buf *);
/* Return whether a limit keeps the objects of a node of heap_names.h from becoming more: a full cache. */
bool	names_bounded(const struct heap *, uint32_t id);
/* Append the signature that a finding about the objects of a node of heap_names.h would have. */
void	 names_signature(const struct heap *, uint32_t id, struct buf *);

/* ---- in a line: appended, raw bytes ------------------------------------------------------ */

/* "3 leaks, 1 note"; of none "Nothing accumulates. The largest are ...". */
void	 findings_told(const struct findings *, struct buf *);
/* The nodes of heap_names.h that hold most, statics and local variables one by one; 0: no more. */
#define LARGEST 3u
void	 heap_largest(const struct heap *, uint32_t most[LARGEST]);
/* Append the name of a node, or its class if it has no name. */
struct name_node;
void	 owner_add(const struct name_node *, struct buf *);
/*
 * "Heap 4.10 MiB, direct buffers 200 MiB, mapped files 123 MiB, behind finalizers 0 B".  False: pass
 * "direct" has not run.
 */
bool	 heap_told(const struct heap *, struct buf *);

#endif
