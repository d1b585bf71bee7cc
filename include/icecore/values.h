/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * values: the contents of the objects of a heap dump, names, and the paths from an
 * object to the roots.  Belongs to layer pass.
 */
#ifndef ICECORE_VALUES_H
#define ICECORE_VALUES_H

#include "icecore/graph.h"

/* ---- values: read from the source on demand ----------------------------------------- */

enum heap_slot_kind {
	SLOT_FIELD, SLOT_ELEMENT, SLOT_STATIC,
	SLOT_CLASS, SLOT_SUPER, SLOT_LOADER, SLOT_SIGNERS, SLOT_DOMAIN,
	SLOT_LOCAL,		/* local variable of a thread */
	/* Heaps without records: edges.h. */
	SLOT_VARIABLE, SLOT_INTERNAL, SLOT_PLAIN
};

/* A field, an element, or another way in which an object refers to one. */
struct heap_slot {
	enum heap_slot_kind	 kind;
	struct str		 name;		/* name of a field, static or variable, raw; otherwise "" */
	uint32_t		 class;		/* class that declares it */
	uint32_t		 index;		/* index of an element; row of a local in root.* */
	uint8_t			 type;		/* enum heap_type; 0: the record ends before it */
	uint64_t		 bits;		/* the stored value; for references, the address */
	/* Offset of the value in the source; 0: it is in no record of the object. */
	uint64_t		 at;
	uint32_t		 object;	/* target of a reference; 0: null or missing */
	enum heap_strength	 strength;
	bool			 idle;		/* a field of the VM, which holds nothing */
};

struct heap_slots {
	const struct heap	*heap;
	uint32_t		 object;
	struct heap_record	 record;
	unsigned		 stage;		/* private from here on */
	uint32_t		 class, row, left, hops;
	uint64_t		 at;
	struct hprof_members	 members;
	struct edge_walk edges;		/* edges of a heap without records */
	const struct column	*super, *field, *fields, *field_name, *field_type, *renamed;	/* looked up once */
};

/* The value of an int or a long, whose bits are stored as they are; false: of another type. */
static inline bool
heap_number(unsigned type, uint64_t bits, int64_t *n)
{
	if (type == HEAP_INT)
		*n = (int32_t)bits;
	else if (type == HEAP_LONG)
		*n = (int64_t)bits;
	return type == HEAP_INT || type == HEAP_LONG;
}

/* All slots, first those of the object's own class; elements by ascending index. */
bool	 heap_slots(const struct heap *, uint32_t object, struct heap_slots *);
bool	 heap_slot(struct heap_slots *, struct heap_slot *);	/* false at the end */
/* Skips the elements of an array, right after heap_slots. */
void	 heap_slots_skip(struct heap_slots *);
/* Element i of an array at once. */
bool	 heap_element(const struct heap *, uint32_t object, uint32_t i, struct heap_slot *);
/*
 * The field of that name that is declared nearest to the object's class; in: the class that must declare
 * it, or 0.
 */
bool	 heap_field(const struct heap *, uint32_t object, const char *name, uint32_t in, struct heap_slot *);
/* The object to which such a field refers; 0: none, or object is 0. */
uint32_t heap_field_object(const struct heap *, uint32_t object, const char *name);
bool	 heap_static(const struct heap *, uint32_t class, struct str name, struct heap_slot *);
/* The slot refers to an object, even to one missing in the dump; an idle field does not. */
bool	 heap_slot_refers(const struct heap_slot *);
/*
 * ".name", "[3]", "static name", "<class>", "<super>", "<classloader>", "<Java Local>": the reference, as
 * raw bytes.
 */
void	 heap_slot_name(const struct heap *, const struct heap_slot *, struct buf *);
/* The name of a slot, which may be escaped in the source. */
void	 heap_slot_text(const struct heap *, struct str name, struct buf *);
/* A primitive value as Java prints it; appends. */
void	 heap_value(const struct heap_slot *, struct buf *);

/*
 * Decoded text of a java.lang.String as UTF-8, a lone surrogate as U+FFFD, at most max characters; false:
 * it is none.
 */
bool	 heap_string(const struct heap *, uint32_t object, size_t max, struct buf *);
struct heap_text {
	uint32_t	array;		/* array with the characters; 0: none */
	uint32_t	first, length;	/* in characters (UTF-16 units, or bytes) */
	/* 0 Latin-1 (or ASCII), 1 UTF-16 of the machine, 2 char[] (big-endian). */
	uint8_t		coder;
};
bool	 heap_text(const struct heap *, uint32_t object, struct heap_text *);
#define HEAP_TEXTS 64u
/* heap_text for n <= HEAP_TEXTS objects; returns a bit for each object that is a String. */
uint64_t heap_texts(const struct heap *, const uint64_t *object, size_t n, struct heap_text *);
/* Text of a char[], as of heap_string. */
bool	 heap_chars(const struct heap *, uint32_t object, size_t max, struct buf *);

/* ---- mask: the reader may not see the contents of objects ------------------------ */

/*
 * From then on contents are masked wherever they are shown or compared, but not where a pass stores them;
 * call before there are threads.
 */
void	 mask_begin(void);
/*
 * The slot's value is hidden: characters, 8-byte values, hashes, all array elements.  Uses kind, type and
 * name of the slot.
 */
bool	 mask_hides(const struct heap_slot *);
/*
 * Replace an object's content, appended from offset from on, by "‹text 23 bytes #a1b2c3›"; equal bytes give
 * equal text.  Content of a few bytes, such as an element of an array, is "‹short text›".
 */
void	 mask_text(struct buf *, size_t from);

/* ---- names: raw bytes, not yet fitted; all append ------------------------------------ */

/* The text of the STRING record with that id, "?": none. */
struct str heap_name(const struct heap *, uint64_t id);
/*
 * "java.lang.String", "int[]", "java.lang.Object[][]" whatever the notation of the file; "class@1f00" when
 * nameless.
 */
void	 heap_class_name(const struct heap *, uint32_t class, struct buf *);
/* Return the name of an array's elements: "int" of "int[][]". */
struct str heap_element_name(struct str name);
bool	 heap_is_primitive_name(struct str);	/* "int" */
/* "java.util"; arrays: the package of their elements; "(primitive)", "(default package)". */
void	 heap_class_package(const struct heap *, uint32_t class, struct buf *);
/* Append the obfuscated name of a class that a mapping file renamed; otherwise nothing. */
void	 heap_class_obfuscated(const struct heap *, uint32_t class, struct buf *);
/* Whether one of n globs fits that name. */
bool	 heap_class_like(const struct heap *, uint32_t class, const char *const *globs, size_t n);
/* Reasons for checking if a class belongs to the platform; results: src/pass/heap/platform.c. */
enum platform_question {
	PLATFORM_BLAME,		/* suspects of a leak */
	PLATFORM_OWNER,		/* owners on a path: heap_owner */
	PLATFORM_SITE,		/* allocation sites */
	PLATFORM_RUNS		/* the application frame of a thread */
};
bool	 heap_is_platform(const struct heap *, uint32_t class, enum platform_question);
bool	 platform_named(enum platform_question, struct str name);	/* the name as in heap_class_name */
/*
 * What the colour of a frame shows, by its kind and name: 'p' a frame of the platform, ' ' its package, which
 * compiled code has too; else its kind, 'j' if compiled.
 */
char	 frame_tone(char kind, struct str name);
/* "java.util.HashMap" of an object, "class java.util.HashMap" of a Class object. */
void	 heap_label(const struct heap *, uint32_t object, struct buf *);
void	 heap_thread_name(const struct heap *, uint32_t jthread, struct buf *);
/* The first thread with a stack of that name; 0: there is none. */
uint32_t heap_thread_named(const struct heap *, const char *name);
/* Append the name in the Thread object, if any. */
void	 heap_own_thread_name(const struct heap *, uint32_t object, struct buf *);
void	 heap_frame_name(const struct heap *, uint32_t frame, struct buf *);	/* "a.b.C.run(C.java:17)" */
/* "app/user.rb:17", by its row of site.* */
void	 heap_site_name(const struct heap *, uint32_t site, struct buf *);
const char *heap_type_name(unsigned type);	/* "int", "object"; NULL: no such type */
const char *heap_root_name(unsigned kind);	/* "Java local", "system class" */
const char *heap_strength_name(enum heap_strength);	/* "strong"; HEAP_STRENGTHS: "unreachable" */

/* ---- paths to roots: passes "objects" and "referrers" ---------------------------------- */

struct heap_path {
	const uint32_t	*object;	/* the target first, the root's object last */
	size_t		 n;
	uint32_t	 root;		/* row of root.*, from 1; 0: the dump has none */
};

struct heap_paths;

/*
 * Shortest first; each further path ends at another root object or comes in over another referrer of the
 * object.  Deterministic: distance, kind of root, number.  Only references that count under h->refs.
 * chains: classes that hold by a static instead of roots: root stays 0.  Objects in any field of a
 * WeakReference or a FinalizerReference (and so of a WeakHashMap$Entry) do not count.
 */
bool	 heap_paths_open(struct heap_paths **, const struct heap *, uint32_t object, bool chains,
    struct err *);
/* Start again with another object; after a failure heap_paths_close is still needed. */
bool	 heap_paths_again(struct heap_paths *, uint32_t object, struct err *);
/* The same, for the first path alone: those of many objects cost little more than those of a few. */
bool	 heap_paths_first(struct heap_paths *, uint32_t object, struct work *, struct err *);
/*
 * Follows at most about steps references (0: no limit); *more is true if that stopped it.  False: no more
 * paths.
 */
bool	 heap_paths_next(struct heap_paths *, struct heap_path *, uint64_t steps, bool *more,
	    struct work *, struct err *);
void	 heap_paths_close(struct heap_paths *);
/* The slot by which holder refers to object; false: by none that is known. */
bool	 heap_link(const struct heap *, uint32_t holder, uint32_t object, struct heap_slot *);
/* All of them in order: the one after *slot; *slot is all zeros at first. */
bool	 heap_link_next(const struct heap *, uint32_t holder, uint32_t object, struct heap_slot *);

/*
 * On a path (object first): the nearest holder that a person knows: not an array, not a part of a
 * collection or of the platform's drawing classes.  Its index, and the object it refers to is
 * path->object[index - 1]; 0: none.
 */
size_t	 heap_owner(const struct heap *, const struct heap_path *);
/*
 * On a path (root first): how many of n objects are the table and nodes of the collection object[0], before
 * the element that follows them; 0: none, or not a collection of a known library.
 */
size_t	 heap_inside(const struct heap *, const uint32_t *object, size_t n);
/* Append the place of the element that the last of them holds: "[3]", "["key"]", "[]" if nothing is known. */
void	 heap_inside_name(const struct heap *, uint32_t inner, uint32_t object, struct buf *);

/* ---- slots of large objects ----------------------------------------------------- */

/*
 * Looking up many references of one object by scanning its slots each time would be quadratic, so slots of
 * large objects are indexed.  Initialise to zeros.
 */
struct link_index {
	/* Holders to how often they were asked for, then to their row in holders. */
	struct idmap	seen;
	/* u64: object << 32 | element, or position in slots; those of one holder are adjacent, in order. */
	struct scratch	keys;
	struct scratch	holders;	/* struct indexed */
	struct scratch	slots;		/* struct heap_slot: of holders other than arrays */
	uint64_t	nkeys, nholders, nslots;
};

/* Frees what it holds; an empty one too. */
void	link_index_free(struct link_index *);
/*
 * Whether it has the slots of a holder: of a large one that was asked for several times before.  False on
 * failure too.
 */
bool	link_index_has(struct link_index *, const struct heap *, uint32_t holder, struct err *);
/* Find the nth slot (from 0) that refers to the object, in a holder that the index has. */
bool	link_index_find(const struct link_index *, const struct heap *, uint32_t holder, uint32_t object,
    uint32_t nth, struct heap_slot *);
/* heap_link by the index, preferring a reference that counts. */
bool	link_index_link(struct link_index *, const struct heap *, uint32_t holder, uint32_t object,
    struct heap_slot *, struct err *);

#endif
