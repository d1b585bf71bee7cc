/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the loader of Ruby's heap dumps: the tables being read.
 */
#ifndef LOAD_RUBY_H
#define LOAD_RUBY_H

#include "heap_in.h"
#include "ids_in.h"
#include "ruby_line.h"

/* Types of objects, in object.type. */
#define RUBY_TYPES(T) \
	T(STRING) T(IMEMO) T(ARRAY) T(OBJECT) T(HASH) T(DATA) T(CLASS) T(SYMBOL) T(MODULE) T(ICLASS) T(STRUCT) \
	T(FLOAT) T(BIGNUM) T(REGEXP) T(MATCH) T(FILE) T(RATIONAL) T(COMPLEX) T(NODE)
#define RUBY_TYPE(name) TYPE_##name,
enum ruby_type { TYPE_OTHER, RUBY_TYPES(RUBY_TYPE) TYPES };

#define RUBY_TYPE_BITS 31u	/* bits of object.type */
#define RUBY_IS_CLASS 32u	/* a class of objects is named after it */
#define RUBY_IS_MARKED 64u	/* the collector found it alive */
#define RUBY_IS_OLD 128u

/* Objects of one class field, type, and kind of the type; they have one class. */
struct ruby_kind {
	uint64_t	addr;		/* the class field; 0: none, or of no meaning */
	struct str	sub;		/* imemo_type, struct, node_type, or the name of another type */
	uint32_t	class;		/* row of class_in, at last */
	uint32_t	object;		/* the class field as an object; 0: missing */
	uint8_t		type;
};

/* An object that is a class, a module or a link to one. */
struct ruby_class {
	uint64_t	addr, superclass;
	struct str	name, real_name;	/* as in the source; n is 0 without one */
	uint32_t	object;
	uint8_t		type;
	bool		singleton, escaped;
};

struct ruby_site {
	uint64_t	file, method;	/* refs */
	uint32_t	line;
};

struct ruby_shape {
	uint64_t	id, parent;	/* id first: rows are sorted by it */
	uint64_t	name;		/* ref */
	uint32_t	above;		/* row of the parent, from 1 */
};

struct ruby {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	struct str	 text;		/* the source */
	uint64_t	 from, to;	/* the lines of the wanted dump; to: also where a last line is cut */
	unsigned	 want, dumps;
	struct ids_in	 set;
	struct heap_ids	 ids;
	uint32_t	 n;		/* objects */
	/* By number - 1. */
	ARRAY(uint64_t)	 place, bytes;	/* place of the line; shallow size */
	ARRAY(uint32_t)	 kind, list, length;	/* row of kinds; references from the start of the line on, 0: none */
	ARRAY(uint32_t)	 site, born;	/* empty if no object has one */
	ARRAY(uint8_t)	 type;
	/* Tables and their maps, to the row + 1. */
	ARRAY(struct ruby_kind) kinds;
	ARRAY(struct ruby_class) classes;
	ARRAY(struct ruby_site) sites;
	ARRAY(struct ruby_shape) shapes;
	ARRAY(struct root_in) roots;
	ARRAY(struct class_in) named;
	uint64_t	 nkinds, nclasses, nsites, nshapes, nroots, nnamed;
	struct idmap	 kind_map, class_map, site_map, named_map;
	struct buf	 own;		/* texts that the source lacks */
	uint32_t	 singleton_class;	/* class of singleton classes; 0: none */
	uint64_t	 has;		/* bits of the members of all objects */
	uint32_t	 last;		/* kind of the last object */
	unsigned	 word;		/* bytes of an address */
	struct ruby_counts {
		uint64_t lines, bytes, controls, no_json, others, lost, cut, doubles, unsized;	/* lines */
		uint64_t links, found, references, missing, missing_classes, root_missing;
		uint64_t free_slots, zombies, shape_bytes, singletons, anonymous;
		bool	 rooted;	/* there was a line with roots */
	} count;
};

/* Ref of a text that the source lacks. */
uint64_t ruby_own(struct ruby *, struct str);
/* The references of an object, as in its line. */
struct str ruby_list(const struct ruby *, uint32_t object);

/* Names of classes: fills named, and class and object of the kinds.  ruby_classes.c */
bool	ruby_classes(struct ruby *);
/* The row of classes of the object at an address; NULL: it is none. */
struct ruby_class *ruby_class_at(const struct ruby *, uint64_t addr);

/* Lists of references, and roots without a line: ruby_graph.c */
bool	ruby_graph(struct ruby *);

/* Columns and facts: ruby_out.c */
bool	ruby_out(struct ruby *);

extern const struct heap_form ruby_form;	/* ruby_form.c */
extern const char *const ruby_types[TYPES];	/* "STRING" */

/* Member of struct loader: ruby_meant.c. */
bool	ruby_meant(const struct map *, meant_take, void *arg, uint64_t *lost, struct work *, struct err *);

#endif
