/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * edges: heaps in other formats than HPROF.  Belongs to layer load.
 *
 * Their loaders make the columns of classes, roots, objects and lists that pass "objects" makes of an HPROF
 * file (src/load/heap/heap_in.h).  Names of references and texts of strings stay in the source: a loader with
 * a struct heap_form reads them on demand.  Such a heap has no records: heap_read()
 * fails, so passes over values of fields find nothing, and SHAPE_VALUES is missing.
 */
#ifndef ICECORE_EDGES_H
#define ICECORE_EDGES_H

#include "icecore/heap.h"
#include "icecore/shape.h"

enum edge_kind {
	EDGE_FIELD,		/* .name */
	EDGE_ELEMENT,		/* [index] */
	EDGE_VARIABLE,		/* ->name, captured by a function */
	EDGE_INTERNAL,		/* {name} of the runtime, or {index} without a name */
	EDGE_PLAIN,		/* nothing is known but the target */
	EDGE_STATIC		/* a field of a class, in its Class object */
};

/* A reference as it is shown. */
struct heap_edge {
	enum edge_kind		 kind;
	enum heap_strength	 strength;
	/* As in the source: see decode of struct heap_form.  Lives as long as the store. */
	struct str		 name;
	uint64_t		 index;
	uint32_t		 class;		/* class that declares the field; 0: unknown */
	uint32_t		 object;	/* target; 0: null or missing */
	uint8_t			 type;		/* enum heap_type of other values; 0: a reference */
	uint64_t		 bits;		/* such a value; the address of a missing target */
	uint64_t		 at;		/* offset of the reference in the source */
};

/* Going through the references of an object, in the order of the file. */
struct edge_walk {
	const struct store	*st;
	const struct heap_ids	*ids;
	uint32_t		 object;
	uint32_t		 class, row;	/* from here on the form's own, zero at first */
	uint64_t		 at, end, left, index, special;
	struct shape_numbers	 in[2];
};

/*
 * Classes of a language as a person sees them who looks for a leak: globs of their names, NULL-terminated.  Those
 * that no glob fits are of the program.
 */
struct heap_language {
	const char *const	*runtime;
	const char *const	*libraries;
	const char *const	*collections;	/* the program put in what they hold */
	const char *const	*parts;		/* parts of what holds them, as the variables of a closure are */
	const char *const	*texts;		/* their objects own what they hold */
	/* Objects with titles: globs of these are of titles, too.  NULL: none. */
	const char *const	*titled;
	const char *const	*plain;		/* their holder names their fields; NULL: none */
	const char *const	*globals;	/* with the global variables; NULL: none */
	const char *const	*known;		/* global variables of the runtime, beside its functions */
	/* Classes, or fields with their holders, that keep functions.  NULL: not known. */
	const char *const	*listeners;
	const char *const	*timers;
	const char *const	*promises;	/* results that functions wait for; NULL: none */
	const char *const	*detached;	/* elements that were taken out of their page; NULL: none */
};

struct heap_form {
	/* Sets the walk before the first reference; false: the source is not what it was. */
	bool	(*begin)(struct edge_walk *);
	bool	(*next)(struct edge_walk *, struct heap_edge *);	/* false at the end */
	/* Appends a name of a reference as UTF-8; NULL: names are UTF-8 in the source. */
	void	(*decode)(struct str name, struct buf *);
	/*
	 * Appends the text of an object that is a string, at most max characters; *chars: how many it has.
	 * False: it is none, or its text is not in the file.
	 */
	bool	(*text)(const struct store *, uint32_t object, size_t max, struct buf *, uint64_t *chars);
	/* The text in the source, still escaped; equal texts have equal bytes.  s NULL: there is none. */
	struct str (*raw)(const struct store *, uint32_t object);
	/* Appends the own name of an object, such as that of a function; or NULL. */
	void	(*tell)(const struct store *, uint32_t object, struct buf *);
	/*
	 * Appends the name that a person gives an object of a class with titles, such as a function or what it
	 * captured.  by: an object that refers to it; 0: none.  May be NULL.
	 */
	void	(*title)(const struct store *, uint32_t object, uint32_t by, struct buf *);
	struct str (*kind)(const struct store *, uint32_t object);	/* its kind in the source, "STRING"; or NULL */
	/* Row of part.* of the object; 0: none. */
	uint64_t (*part)(const struct store *, uint32_t object);
	const char	*lacks;		/* "a V8 heap snapshot has no values of fields": for messages */
	const struct heap_language *language;	/* NULL: Java */
	/* Class objects have classes of their own, which extend heap.class_class and follow it. */
	bool		own_classes;
};

#endif
