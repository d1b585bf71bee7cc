/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass: what the inspectors share, and their rules by family.
 *
 * Any class and any field may be missing, or have another type than it has on a phone: what is
 * not there gives no mark.
 */
#ifndef PASS_INSPECT_H
#define PASS_INSPECT_H

#include "icecore/kept.h"
#include "icecore/leak.h"
#include "pass/heap/heap.h"

/* Limit for chains of contexts and views: they may be cyclic in hostile files. */
#define INSPECT_HOPS 512u
#define INSPECT_CACHE 4096u
#define INSPECT_TEXT 80u		/* characters of a text in a label */

/* A field, and the class that declares it; NULL: any. */
struct inspect_field {
	const char	*class, *name;
};

#define FIELD(class, name) ((struct inspect_field){ class, name })

/* Which classes rules ask for. */
enum inspect_is {
	IS_OTHER, IS_ACTIVITY, IS_APPLICATION, IS_SERVICE, IS_WRAPPER, IS_DECOR_CONTEXT,
	IS_CONTEXT, IS_VIEW, IS_DECOR, IS_VIEW_ROOT, IS_DIALOG
};

/* How to describe a field of the object itself, or of the object at the end of a path of fields. */
struct inspect_part {
	enum inspect_how {
		PART_NONE,		/* behind the last */
		PART_TEXT,		/* text of the field, in quotes after yes */
		PART_OBJECT,		/* label of the object, after yes */
		PART_REF,		/* yes when it is not null, else no */
		/* yes when the Activity that the context is or wraps was destroyed; no field: of itself */
		PART_DESTROYED,
		PART_ALWAYS,		/* yes */
		/* Those below read numbers and flags, which kept_field lists. */
		PART_FLAG, PART_NUMBER,	/* yes when it is true, not 0; else no */
		PART_EQUALS,		/* yes when it is .value, else no */
		PART_VALUE		/* the number after yes */
	}			 how;
	const char		*yes, *no;	/* NULL: nothing */
	struct inspect_field	 field, path[4];	/* path ends with name NULL */
	bool			 alive;		/* yes of a flag says that the object has not ended */
	/* Unless the answer is yes, or not no, the parts behind it do not count. */
	enum { GATE_NONE, GATE_YES, GATE_NOT_NO } gate;
	int64_t			 value;
};

/* The first flag that the object has decides whether the object has ended. */
struct inspect_flags {
	enum finding_kind	 kind;		/* what it is then */
	struct inspect_part	 flag[5];	/* PART_NONE behind the last */
};

#define INSPECT_FLAG(class, name) { PART_FLAG, name " is true", name " is false", { class, name } }

/* Rules for a class and its subclasses; members may be NULL. */
struct inspect_row {
	const char			*class;
	enum inspect_is			 is;
	const struct inspect_flags	*flags;		/* decide whether it leaks, */
	void				(*rule)(struct inspector *, uint32_t object,
	    struct verdict *);	/* if flags do not */
	const struct inspect_part	*parts;		/* label: first the parts, then label() */
	void				(*label)(struct inspector *, uint32_t object, struct buf *);
};

/* A KeyedWeakReference of LeakCanary whose referent is there; times in ms, -1: unknown. */
struct watch {
	uint32_t	reference, referent;
	bool		retained;
	int64_t		watched_for, retained_for;
	char		why[64];
};

struct inspector {
	struct heap		 h;
	const struct inspect_row **row;		/* by class; NULL: none */
	bool			*watched_class;	/* by class: some of its objects are watched */
	const struct column	*super;
	const struct column	*class_loader, *loader_object;
	bool			 android;
	uint32_t		 record;	/* class of records of Activities, in a heap without values; 0: none */
	struct {
		struct inspect_field	field;
		uint32_t		class;
		uint8_t			type;		/* 0: it has no such field */
		uint64_t		at;		/* place of the value in the data */
	} cache[INSPECT_CACHE];
	int64_t			 dump_time;	/* time of the dump by LeakCanary's clock, ms; 0: not said */
	ARRAY(struct watch)	watches;
	uint64_t		 nwatches;
	struct idmap		 watch_of;	/* referent to 1 + which of watches */
	struct idmap		 running;	/* threads that live */
	struct idmap		 services;	/* that ActivityThread knows */
	bool			 running_made, services_made, services_known;
};

/* ---- reading: inspect_fields.c ---------------------------------------------------- */

/* 0: there is no such object. */
static inline uint32_t
inspect_class(const struct inspector *in, uint32_t object)
{
	return object == 0 || object > in->h.objects ? 0 : heap_class(&in->h, object);
}

/* Return the row of a class, an empty one if it has none. */
const struct inspect_row *inspect_row_of(const struct inspector *, uint32_t class);
enum inspect_is inspect_is(const struct inspector *, uint32_t object);
/* Return whether the class or one of its superclasses has that name. */
bool	 inspect_named(const struct inspector *, uint32_t object, const char *class);

/* -1: there is no such field, or of another type. */
int	 field_flag(struct inspector *, uint32_t object, struct inspect_field);
bool	 field_number(struct inspector *, uint32_t object, struct inspect_field, int64_t *);
/* -1: there is no such field; 0: null; 1: it refers to an object, which may be missing. */
int	 field_ref(struct inspector *, uint32_t object, struct inspect_field);
/* The object it refers to; 0: none. */
uint32_t field_object(struct inspector *, uint32_t object, struct inspect_field);
/* name "text", after a comma if the label has begun; nothing if there is no text. */
void	 label_text(struct inspector *, uint32_t object, struct inspect_field,
	    const char *name, struct buf *);
/* how and the label of the object, after a comma likewise; nothing of 0. */
void	 label_object(struct inspector *, uint32_t object, const char *how, struct buf *);
void	 label_sep(struct buf *);
/* Whether the name of an enum constant is one of those; which; -1: none. */
int	 field_enum(struct inspector *, uint32_t object, struct inspect_field,
	    const char *const *names, size_t n);

static inline void
verdict_not(struct verdict *v, const char *why)
{
	v->mark = LEAK_NOT;
	v->why = why;
}

static inline void
verdict_yes(struct verdict *v, enum finding_kind kind, const char *why)
{
	v->mark = LEAK_YES;
	v->kind = kind;
	v->why = why;
}

/* ---- rows: inspect_rows.c -------------------------------------------------------------- */

/* Append the texts of the parts up to PART_NONE. */
void	 label_parts(struct inspector *, uint32_t object, const struct inspect_part *, struct buf *);
/* Leave v unchanged if the object has none of the flags. */
void	 inspect_flags(struct inspector *, uint32_t object, const struct inspect_flags *, struct verdict *);

/* The *ith flag or number that parts up to PART_NONE ask for; NULL, or false: *i is less by all of them. */
bool	 inspect_part_number(const struct inspect_part *, size_t *i, struct kept_field *);

/* ---- rules: inspect_android.c _view.c _parts.c, LeakCanary: _watch.c ---- */

/*
 * Return whether the Activity that a context is or wraps was destroyed: 1 or 0; -1: no Activity, or unknown.
 */
int	 inspect_destroyed(struct inspector *, uint32_t context);
bool	 inspect_watches_open(struct inspector *, struct err *);
/* Return LeakCanary's record of the object; NULL: LeakCanary does not watch it. */
const struct watch *inspect_watch(const struct inspector *, uint32_t object);
/* said: the caller already shows that the object is retained, and for how long. */
void	 label_watch(struct inspector *, const struct watch *, bool said, struct buf *);

extern const struct inspect_flags inspect_dialog;	/* inspect_view.c */
/* The *ith flag or number that a part of the table asks for; false: *i is less by all of them. */
bool	 inspect_number(size_t *i, struct kept_field *);

/* The *ith flag or number of resources, as inspect_number: detect_resources.c. */
bool	 resource_number(size_t *i, struct kept_field *);

typedef void inspect_rule(struct inspector *, uint32_t object, struct verdict *);
typedef void inspect_text(struct inspector *, uint32_t object, struct buf *);

inspect_rule	inspect_activity, inspect_service, inspect_context;
inspect_rule	inspect_androidx_fragment, inspect_lifecycle;
inspect_rule	inspect_view, inspect_editor, inspect_recomposer;
inspect_rule	inspect_loader, inspect_class_object, inspect_thread, inspect_entry;

inspect_text	label_wrapper, label_view, label_bitmap, label_reference;

#endif
