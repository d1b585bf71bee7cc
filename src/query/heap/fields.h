/*
 * Private to src/query: fields of objects as columns.
 *
 * A path leads from an object to a value: "name", "friends.size",
 * "table[0].key".  A point in front of it says that a field is meant.
 */
#ifndef ICECORE_QUERY_FIELDS_H
#define ICECORE_QUERY_FIELDS_H

#include "heap.h"

/* ---- paths ------------------------------------------------------------------- */

/* Where the field of a path lies in the instances of a class. */
struct field_place {
	uint32_t	offset;		/* in the values of its record */
	uint8_t		type;		/* 0: the class has no such field */
};

struct path_step {
	struct str	 name;		/* empty: an element of an array */
	uint32_t	 index;
	struct idmap	 places;	/* by class: which of place */
	struct scratch	 place;		/* struct field_place; 0 is of no class */
	uint32_t	 nplaces;
	uint32_t	 class, at;	/* the last one asked for */
};

struct path {
	char			*text;		/* what the names point to */
	struct path_step	*step;
	size_t			 n;
	const struct column	*field, *fields, *super;	/* of the heap; looked up once */
	const struct column	*name, *type;
};

#define PATH_STRING (1u << 16)	/* characters of a String that are compared and shown */

/*
 * *path becomes NULL where text cannot be one.  quoted: names can have any
 * characters but . and [; else only those that no expression has.
 */
bool	path_read(struct path **, struct str text, bool quoted, struct err *);
void	path_free(struct path *);
/* Before anything is asked of it. */
void	path_attach(struct path *, const struct heap *);
/* Where the field of step at lies in instances of a class; type 0: they have none. */
bool	path_place(struct path *, size_t at, const struct heap *, uint32_t class,
	    struct field_place *, struct err *);
/* The value that it leads to from an object; empty where it leads nowhere.  Texts are kept in the buffer. */
bool	path_cell(struct path *, const struct heap *, uint32_t object, struct cell *,
	    struct buf *, struct err *);
/* The object that it leads to, or 0. */
bool	path_object(struct path *, const struct heap *, uint32_t object, uint32_t *to,
	    struct err *);
/* What every array or object has, whatever its fields. */
bool	path_name_is_common(struct str name);

/* ---- rows ---------------------------------------------------------------------- */

/*
 * The rows of a command, which have a column object or id, and the fields of these objects once
 * they are named; without such a column as they are.  Takes over in, also on failure.
 */
bool	fields_over(struct session *, const struct stage *, struct rows *in,
	    struct rows **out, struct err *);
/* Stands for all fields where columns are listed. */
extern const struct coldef field_column;
/* Its rows tell objects. */
bool	command_has_fields(const struct command *);
/* The column with the objects of such rows, or -1. */
int	fields_object(struct rows *);
/*
 * Names of fields as candidates, in columns name and what: of the first objects in a column,
 * or of what prefix leads to from there: "friends." gives "friends.size".  Takes over in.
 */
bool	field_names_open(struct session *, struct rows *in, size_t object, struct str prefix,
	    struct rows **out, struct err *);

#endif
