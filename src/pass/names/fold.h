/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fold: data shared by the steps of pass "names": facts about classes, labels of objects by their holders,
 * and the nodes under construction.
 */
#ifndef PASS_NAMES_FOLD_H
#define PASS_NAMES_FOLD_H

#include "icecore/make.h"
#include "icecore/heap_names.h"
#include "pass/heap/heap.h"
#include "pass/views/views.h"

#define FOLD_TICK 4096u

/* ---- classes: name_classes.c ------------------------------------------------------------------ */

/* Beyond those of enum class_kind, which a node has too. */
enum class_part {
	PART_COLLECTION = CLASS_KINDS,		/* a collection of java.util that a program has */
	PART_INNER = CLASS_KINDS << 1,		/* nodes, entries, views of a PART_COLLECTION */
	PART_ARRAY = CLASS_KINDS << 2,		/* an array of references */
	PART_STRING = CLASS_KINDS << 3,
	/* The map of thread locals of a thread, or of a class's values by ClassValue; its table and entries. */
	PART_LOCALS = CLASS_KINDS << 4,
	PART_ENTRY = CLASS_KINDS << 5,		/* an entry of such a map */
	PART_THREAD = CLASS_KINDS << 6,
	PART_LOADER = CLASS_KINDS << 7,
	PART_LINKS = CLASS_KINDS << 8,	/* fields show how the VM or Kotlin links objects, not their owners */
	PART_TABLE = CLASS_KINDS << 9,		/* an array of PART_INNER: how a hash map is built */
	/* the map of Netty's thread locals of a thread; its array has their values */
	PART_FAST = CLASS_KINDS << 10,
	PART_FAST_KEY = CLASS_KINDS << 11,	/* a thread local of Netty */
	PART_TITLED = CLASS_KINDS << 12,	/* each object has a name of its own: a function */
	PART_PLAIN = CLASS_KINDS << 13,	/* belongs to whoever holds it; with many fields it is a collection */
	PART_GLOBAL = CLASS_KINDS << 14,	/* has the global variables */
	PART_VALUE = CLASS_KINDS << 15		/* an entry of the map of a class's values by ClassValue */
};

#define PART_OF_COLLECTION (PART_COLLECTION | PART_INNER)

/* A field that refers, of a class or of one that it extends. */
struct name_field {
	uint32_t	at;		/* in the values of an instance */
	uint32_t	label;		/* text */
	uint32_t	class;		/* that declares it */
	uint8_t		strength;
};

struct name_class {
	uint32_t	text;		/* name of the class, in the form of names */
	uint32_t	parts;		/* or of enum class_kind and enum class_part */
	uint32_t	field, fields;	/* in the order of declaration */
	bool		known;		/* fields are */
};

/* ---- what holds an object: name_labels.c, name_holders.c --------------------------------------------- */

struct label {
	enum name_kind	kind;		/* NAME_ROOT: there is none */
	uint32_t	text, holder;	/* texts; 0: none */
	uint32_t	class;		/* class of holder; 0: none */
	uint32_t	declares;	/* class that declares the field */
	uint8_t		whose;		/* enum class_kind, of a root and an object with a title; 0: of the class */
};

/* ---- nodes: fold.c ------------------------------------------------------------------------------------- */

struct fold_node {
	uint32_t	up;		/* from 0 on, which is the root */
	uint32_t	label, holder, class;	/* texts */
	uint32_t	parts;		/* parts of the class, and PART_LOADER of the holder */
	uint8_t		kind, role, holder_whose;
	uint32_t	kids;
	uint32_t	count, folded, object;
	uint64_t	self, total, native, native_total, most;
};

struct folding {
	struct store		*st;
	struct work		*work;
	struct err		*err;
	struct heap		 h;
	struct text_pool	 texts;
	struct buf		 name;
	ARRAY(struct name_class)	classes;
	ARRAY(struct name_field)	fields;
	uint64_t		 nfields;
	/* Holders with many fields and threads: holder and object to row + 1. */
	struct idmap		 labels;
	struct idmap		 listed;	/* holders of which all labels are there */
	ARRAY(struct label_row)	label_rows;
	ARRAY(struct label_met)	met_labels;
	uint64_t		 nlabels;
	struct idmap		 roots;		/* objects to rows of root.* */
	struct scratch		 inside;	/* a bit by object: it is part of a collection, or an array */
	ARRAY(struct above)	above;		/* cache of name_holders.c */
	struct idmap		 keys;		/* keys of thread locals to 1 + row of key_labels */
	struct idmap		 fast_keys;	/* thread locals of Netty: 1 + index to the object */
	bool			 fast_known;	/* fast_keys is filled */
	struct link_index	 links;		/* references in Netty's tables */
	ARRAY(struct label)	key_labels;
	uint64_t		 nkeys;
	struct idmap		 hubs;		/* objects with many referrers to 1 + row of hub_rows */
	ARRAY(struct hub)	hub_rows;	/* the best referrers: name_holders.c */
	uint64_t		 nhubs;
	struct scratch	nodes;
	ARRAY(uint32_t)	of, path;	/* by object, 1 + its node (of) */
	struct idmap		 by_key;
	ARRAY(struct title)	titles;		/* cache of name_titles.c */
	uint64_t		 n;
	ARRAY(struct met)	met;		/* cache of fold.c */
	uint32_t		 several;	/* the last object that no single reference keeps */
};

bool	name_classes(struct folding *);
/* The fields that refer; false: no memory. */
bool	name_fields(struct folding *, uint32_t class, const struct name_field **, uint32_t *n);

static inline const struct name_class *
name_class(const struct folding *f, uint32_t object)
{
	uint32_t class = heap_class(&f->h, object);

	return &f->classes.at[class <= f->h.classes ? class : 0];
}

/* The array of Netty's thread locals of a thread. */
static inline bool
is_fast_table(const struct folding *f, uint32_t array)
{
	uint32_t up = (name_class(f, array)->parts & PART_ARRAY) ? heap_above(&f->h, array) : 0;

	return up != 0 && (name_class(f, up)->parts & PART_FAST);
}

static inline bool
name_text(struct folding *f, struct str s, uint32_t *text)
{
	return texts_number(&f->texts, s, text, f->err);
}

/* An object of a heap without records, by its class, or its title; parts as of a class.  name_titles.c */
struct title {
	uint32_t	object, text, parts;
};

/* False: no memory. */
bool	title_find(struct folding *, uint32_t object, struct title *);
/* A plain object with so many references that they cannot be its fields. */
bool	title_is_wide(const struct folding *, uint32_t object);
/* The holder of a label: the title, for a plain object the field that refers to it. */
bool	title_label(struct folding *, uint32_t owner, struct label *);
/* The owner of a global variable. */
bool	title_global(struct folding *, uint32_t object, struct str name, struct label *);
/* Parts of a class or a title in a language. */
uint32_t title_parts(const struct heap_language *, struct str name);

/* Locals of threads, which are held by no field. */
bool	name_locals(struct folding *);
/* Label the reference from holder to object; if there are several, by the least name. */
bool	label_find(struct folding *, uint32_t holder, uint32_t object, struct label *);
/* Like label_find(), with a cache of recent labels. */
bool	label_met(struct folding *, uint32_t holder, uint32_t object, struct label *);
/* Whether holder is among the first that refer to object. */
bool	label_refers(const struct folding *, uint32_t holder, uint32_t object);
/* up dominates object without a direct reference: find the object below up on the path; *below 0: none. */
bool	label_below(struct folding *, uint32_t object, uint32_t up, uint32_t *below);
/* The best of what holds an object of which no reference is the only one. */
bool	label_shared(struct folding *, uint32_t object, struct label *);
/* Label the value of a thread local, or of a ClassValue, by the holder of its key: name_keys.c. */
bool	label_entry(struct folding *, uint32_t entry, struct label *);
/* Label a value of Netty's FastThreadLocal: its index in the table identifies the key. */
bool	label_fast_local(struct folding *, uint32_t table, uint32_t object, struct label *);

/* ---- what an object is part of: name_parts.c ------------------------------------------------------ */

/*
 * Whether an object is part of the collection, array or text that dominates it, as its tables and entries
 * are, and not what was put into it.  collection: up is a collection, or a part of one.  False: no memory.
 */
bool	part_find(struct folding *, uint32_t object, uint32_t up, bool collection, bool *part);

bool	fold_objects(struct folding *);
/* Memory outside the heap, at the nodes whose objects have it: direct buffers, and what Android registers. */
void	fold_native(struct folding *);
void	fold_sum(struct folding *);
/* The columns of objects, when the nodes have their numbers in to: names_of.c. */
bool	names_of_put(struct folding *, const uint32_t *to);

#endif
