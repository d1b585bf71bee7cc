/*
 * graph: the objects of a heap dump, what they hold and what holds them.
 * Belongs to layer pass.
 */
#ifndef ICECORE_GRAPH_H
#define ICECORE_GRAPH_H

#include "icecore/heap.h"
#include "icecore/pass.h"

/* Which references count for reachability, dominators and retained sizes (--refs). */
enum heap_refs { REFS_SOFT, REFS_STRONG, REFS_ALL, HEAP_REFS };
extern const char *const heap_refs_names[HEAP_REFS];	/* soft strong all */
extern const char *const heap_sizes_names[HEAP_SIZES];	/* vm mat */

/*
 * Columns of passes.  R is soft, strong or all, S is vm or mat:
 *
 * objects      object.offset (u32; object.high u8 above 4 GiB), object.class (class number),
 *              object.length (u8, 255: in long.*), long.object, long.length,
 *              out.* (outgoing references, read through heap_out)
 * stacks       jthread.frame (u32, first row of frame.*), jthread.frames (u32); frame.thread (u32),
 *              frame.method, frame.signature, frame.file (refs), frame.class (u32), frame.line (i64:
 *              -1 unknown, -2 compiled, -3 native, 0 no line numbers): the frames of a thread stand
 *              together, innermost first; root.frame (u32: row of frame.*, 0: none)
 * referrers    in.* (incoming references, read through heap_in)
 * dominators   R.S.parent (u32: object that dominates it, HEAP_ROOT: nothing does, 0: unreachable),
 *              R.S.retained (in units of R.S.unit bytes, a fact), R.S.class_live (reachable instances),
 *              R.S.class_retained, R.S.loader_retained (u64 bytes),
 *              facts R.S.live_objects, R.S.live_bytes
 * children     R.S.children (u32: all reachable objects by parent, then falling retained, then number)
 * reach        reach.object (u32, rising), reach.level (u8, enum heap_strength): objects that are
 *              reachable, but not strongly
 */
#define HEAP_ROOT UINT32_MAX

/* "REFS.SIZES.parent" to "soft.vm.parent"; returns to. */
#define HEAP_COLUMN 32
const char *heap_column(char to[HEAP_COLUMN], const char *pattern, enum heap_refs, enum heap_sizes);

enum heap_kind { HEAP_INSTANCE, HEAP_OBJECT_ARRAY, HEAP_PRIM_ARRAY, HEAP_CLASS };

#define HEAP_BLOCK 64u			/* lists from one place that is known to the next */
#define HEAP_LONG_LIST 255u

/* A list of objects for each object: src/pass/heap_lists.c. */
struct heap_lists {
	const uint8_t	*data;
	uint64_t	 size;
	const uint8_t	*len;		/* bytes of each list, or HEAP_LONG_LIST */
	const uint64_t	*block;		/* where the list of each HEAP_BLOCKth object begins */
};

/* Columns looked up once.  A plain value over the store; opening it costs microseconds, there is nothing to free. */
struct heap {
	const struct store	*st;
	const uint8_t		*data;		/* the source */
	uint64_t		 size;
	unsigned		 id_size;
	uint32_t		 objects, classes;
	enum heap_refs		 refs;
	enum heap_sizes		 sizes;
	struct heap_ids		 ids;
	struct heap_lists	 out, in;	/* data NULL: not made yet */
	const struct column	*offset, *high, *class, *length, *long_object, *long_length;
	const struct column	*parent, *retained, *children, *reach_object, *reach_level;
	uint64_t		 unit;		/* of retained */
	uint32_t		 class_class;	/* number of java.lang.Class, 0: the dump has none */
	uint32_t		 string_class;	/* of java.lang.String */
	const struct column	*class_object, *class_by, *class_size, *class_element;
	struct heap_rule	 rule;
};

/* What is not made yet stays NULL. */
bool	 heap_open(struct heap *, const struct store *, enum heap_refs, enum heap_sizes, struct err *);

/* ---- objects: pass "objects" ---------------------------------------------------- */

static inline uint32_t
heap_find(const struct heap *h, uint64_t addr)
{
	return heap_ids_find(&h->ids, addr);
}

static inline uint64_t
heap_addr(const struct heap *h, uint32_t object)
{
	return heap_ids_addr(&h->ids, object);
}

uint64_t heap_offset(const struct heap *, uint32_t object);	/* of its sub-record */
/* The number of its class; java.lang.Class for a class. */
static inline uint32_t
heap_class(const struct heap *h, uint32_t object)
{
	return (uint32_t)column_get(h->class, (uint64_t)object - 1);
}

enum heap_kind heap_kind(const struct heap *, uint32_t object);
/* The class whose Class object this is, or 0. */
uint32_t heap_class_of_object(const struct heap *, uint32_t object);
uint32_t heap_length(const struct heap *, uint32_t object);	/* elements of an array, else 0 */
uint64_t heap_shallow(const struct heap *, uint32_t object);
uint64_t heap_statics(const struct heap *, uint32_t class);	/* bytes of its static fields */
/* The sub-record itself; false when the source has changed under us. */
bool	 heap_read(const struct heap *, uint32_t object, struct heap_record *);
/* The thread object that root row (from 1) hangs on: stacks hold for their thread; 0: it is a root itself. */
uint32_t heap_root_thread(const struct heap *, uint32_t row);
struct str heap_part(const struct heap *, uint32_t object);	/* Android: "app", "zygote"; else "" */

/* ---- references ------------------------------------------------------------------- */

/* Going through a list; start with heap_out or heap_in. */
struct heap_walk {
	const uint8_t	*p, *end;
	uint32_t	 self, last;
	uint8_t		 strength;	/* of the first, for outgoing references; the others are strong */
	bool		 first;
};

/*
 * Outgoing: fields and elements in the order of the file, statics, superclass, loader; of a thread its
 * locals too.  Not the class of an instance.  Incoming: rising numbers, each as often as it refers;
 * all strengths.
 */
void	 heap_out(const struct heap *, uint32_t object, struct heap_walk *);
void	 heap_in(const struct heap *, uint32_t object, struct heap_walk *);
/* The next object, or 0; *strength may be NULL. */
uint32_t heap_next(struct heap_walk *, enum heap_strength *);
/* Whether references of that strength count under h->refs. */
bool	 heap_counts(const struct heap *, enum heap_strength);

/* ---- dominators: passes "dominators" and "children" ---------------------------------- */

uint32_t heap_dominator(const struct heap *, uint32_t object);	/* HEAP_ROOT; 0: unreachable */
uint64_t heap_retained(const struct heap *, uint32_t object);	/* 0: unreachable */
/* The objects that object (or HEAP_ROOT) dominates at once: rows *first .. +n-1 of children. */
uint64_t heap_children(const struct heap *, uint32_t object, uint64_t *first);
uint32_t heap_child(const struct heap *, uint64_t row);
/* The row of children in which a reachable object stands; children->rows: none. */
uint64_t heap_child_row(const struct heap *, uint32_t object);
/* Passes "reach" and "dominators": the strongest way it can be reached; HEAP_STRENGTHS: none. */
enum heap_strength heap_reach(const struct heap *, uint32_t object);

/* The tree of dominators, to walk as pass.h tells.  Needs R.S.children. */
bool	 tree_open_heap(struct tree **, const struct store *, enum heap_refs, enum heap_sizes, struct err *);
const struct heap *tree_heap(const struct tree *);
uint32_t tree_of_object(const struct tree *, uint32_t object);	/* its node; 0: unreachable */

/* ---- values: read from the source when asked for ------------------------------------ */

enum heap_slot_kind {
	SLOT_FIELD, SLOT_ELEMENT, SLOT_STATIC,
	SLOT_CLASS, SLOT_SUPER, SLOT_LOADER, SLOT_SIGNERS, SLOT_DOMAIN,
	SLOT_LOCAL		/* of a thread */
};

/* A field, an element, or another way in which an object refers to one. */
struct heap_slot {
	enum heap_slot_kind	 kind;
	struct str		 name;		/* of a field or static, raw; else "" */
	uint32_t		 class;		/* that declares it */
	uint32_t		 index;		/* of an element; of a local: its row in root.* */
	uint8_t			 type;		/* enum heap_type; 0: the record ends before it */
	uint64_t		 bits;		/* the value as it stands; of references the address */
	uint64_t		 at;		/* offset in the source; 0: it is in no record of the object */
	uint32_t		 object;	/* that a reference leads to; 0: null or missing */
	enum heap_strength	 strength;
};

struct heap_slots {
	const struct heap	*heap;
	uint32_t		 object;
	struct heap_record	 record;
	unsigned		 stage;		/* private from here on */
	uint32_t		 class, row, left, hops;
	uint64_t		 at;
	const struct column	*super, *field, *fields, *field_name, *field_type;	/* looked up once */
};

/* All slots, first those of the object's own class; elements by rising index. */
bool	 heap_slots(const struct heap *, uint32_t object, struct heap_slots *);
bool	 heap_slot(struct heap_slots *, struct heap_slot *);	/* false at the end */
/* Leaves out the elements of an array, right after heap_slots. */
void	 heap_slots_skip(struct heap_slots *);
/* Element i of an array at once. */
bool	 heap_element(const struct heap *, uint32_t object, uint32_t i, struct heap_slot *);
/* The field of that name that is declared nearest to the object's class; in: the class that must declare it, or 0. */
bool	 heap_field(const struct heap *, uint32_t object, struct str name, uint32_t in, struct heap_slot *);
bool	 heap_static(const struct heap *, uint32_t class, struct str name, struct heap_slot *);
/* It leads to an object, or to where one is missing; the field of ART that repeats the class does not. */
bool	 heap_slot_refers(const struct heap_slot *);
/* ".name", "[3]", "static name", "<class>", "<super>", "<classloader>", "<Java Local>": what leads on; raw bytes. */
void	 heap_slot_name(const struct heap *, const struct heap_slot *, struct buf *);
/* A primitive value as Java prints it; appends. */
void	 heap_value(const struct heap_slot *, struct buf *);

/* Decoded text of a java.lang.String as UTF-8, a lone surrogate as U+FFFD, at most max characters; false: it is none. */
bool	 heap_string(const struct heap *, uint32_t object, size_t max, struct buf *);
struct heap_text {
	uint32_t	array;		/* its characters; 0: none */
	uint32_t	first, length;	/* in characters (UTF-16 units, or bytes) */
	uint8_t		coder;		/* 0 Latin-1 (or ASCII), 1 UTF-16 of the machine, 2 char[] (big-endian) */
};
bool	 heap_text(const struct heap *, uint32_t object, struct heap_text *);
/* Text of a char[], as of heap_string. */
bool	 heap_chars(const struct heap *, uint32_t object, size_t max, struct buf *);

/* ---- names: raw bytes, not yet fitted; all append ------------------------------------ */

/* The text of the STRING record with that id, "?" where there is none. */
struct str heap_name(const struct heap *, uint64_t id);
/* "java.lang.String", "int[]", "java.lang.Object[][]" whatever form the file has; "class@1f00" when nameless. */
void	 heap_class_name(const struct heap *, uint32_t class, struct buf *);
/* "java.util.HashMap" of an object, "class java.util.HashMap" of a Class object. */
void	 heap_label(const struct heap *, uint32_t object, struct buf *);
/* First class with that exact name as heap_class_name gives it, that has objects if one has; 0: none. */
uint32_t heap_class_by_name(const struct heap *, struct str);
bool	 heap_is_a(const struct heap *, uint32_t class, uint32_t super);
void	 heap_thread_name(const struct heap *, uint32_t jthread, struct buf *);
void	 heap_frame_name(const struct heap *, uint32_t frame, struct buf *);	/* "a.b.C.run(C.java:17)" */
bool	 root_is_local(uint64_t kind);	/* a thread holds it by its stack */
const char *heap_root_name(unsigned kind);	/* "java frame", "sticky class" */
const char *heap_strength_name(enum heap_strength);	/* "strong"; HEAP_STRENGTHS: "unreachable" */

/* ---- paths to roots: passes "objects" and "referrers" ---------------------------------- */

struct heap_path {
	const uint32_t	*object;	/* the object asked for first, the root's object last */
	size_t		 n;
	uint32_t	 root;		/* row of root.*, from 1; 0: the dump has none */
};

struct heap_paths;

/*
 * Shortest first; each further path ends at another root object or comes in over another referrer of the
 * object.  Deterministic: distance, kind of root, number.  Only references that count under h->refs.
 */
bool	 heap_paths_open(struct heap_paths **, const struct heap *, uint32_t object, struct err *);
/*
 * The same with classes that hold by a static instead of roots: root stays 0.  What a WeakReference or a
 * FinalizerReference (and so a WeakHashMap$Entry) holds in any field does not count.
 */
bool	 heap_chains_open(struct heap_paths **, const struct heap *, uint32_t object, struct err *);
/* At most about steps references are looked at (0: no bound): *more is true when it stopped for that. False: no more paths. */
bool	 heap_paths_next(struct heap_paths *, struct heap_path *, uint64_t steps, bool *more,
	    struct work *, struct err *);
void	 heap_paths_close(struct heap_paths *);
/* The slot by which holder refers to object; false: by none that is known. */
bool	 heap_link(const struct heap *, uint32_t holder, uint32_t object, struct heap_slot *);
/* All of them in their order: the one behind *slot, from zeros on the first. */
bool	 heap_link_next(const struct heap *, uint32_t holder, uint32_t object, struct heap_slot *);

#endif
