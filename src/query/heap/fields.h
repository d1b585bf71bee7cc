/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: fields of objects as columns.
 *
 * A path describes the fields from an object to a value: "name", "friends.size", "table[0].key".  A point
 * before it marks a field.
 */
#ifndef ICECORE_QUERY_FIELDS_H
#define ICECORE_QUERY_FIELDS_H

#include "heap.h"

/* ---- paths ------------------------------------------------------------------- */

/* Offset of the field of a path in the instances of a class. */
struct field_place {
	uint32_t	offset;		/* in the values of its record */
	uint8_t		type;		/* 0: the class has no such field */
};

struct path_step {
	struct str	 name;		/* empty: an element of an array */
	uint32_t	 index;
	struct idmap	 places;	/* by class: which of place */
	ARRAY(struct field_place)	place;		/* 0 is of no class */
	uint32_t	 nplaces;
	uint32_t	 class, at;	/* the last one asked for */
};

struct path {
	char			*text;		/* what the names point to */
	struct path_step	*step;
	size_t			 n;
	const struct column	*field, *fields, *super;	/* columns of the heap, looked up once */
	const struct column	*name, *type;
};

#define PATH_STRING (1u << 16)	/* characters of a String that are compared and shown */

/*
 * *path becomes NULL where text cannot be one.  quoted: names can have any
 * characters but . and [; else only those that no expression has.
 */
bool	path_read(struct path **, struct str text, bool quoted, struct err *);
void	path_free(struct path *);
/* Bind a path to a heap, before any other function except path_read. */
void	path_attach(struct path *, const struct heap *);
/* Find the place of the field of step at in instances of a class; type 0: no such field. */
bool	path_place(struct path *, size_t at, const struct heap *, uint32_t class,
	    struct field_place *, struct err *);
/*
 * Read the value at the end of a path from an object; empty if the path ends early. The buffer keeps texts.
 */
bool	path_cell(struct path *, const struct heap *, uint32_t object, struct cell *,
	    struct buf *, struct err *);
/* Find the object at the end of the path, or 0. */
bool	path_object(struct path *, const struct heap *, uint32_t object, uint32_t *to,
	    struct err *);
/* Return whether name is "class" or "length", which objects and arrays have besides their fields. */
bool	path_name_is_common(struct str name);

#endif
