/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chunk: a self-contained part of a recording: its types, constants, clock and events.
 */
#ifndef LOAD_JFR_CHUNK_H
#define LOAD_JFR_CHUNK_H

#include <assert.h>

#include "icecore/make.h"
#include "text.h"

/* ---- types ---------------------------------------------------------------------------------- */

enum jfr_prim { JFR_STRUCT, JFR_INT, JFR_LONG, JFR_SHORT, JFR_CHAR, JFR_BYTE, JFR_FLOAT, JFR_DOUBLE, JFR_STRING };

/* Unit of a time in a field; JFR_NO_UNIT: not stated in the metadata. */
enum jfr_unit { JFR_NO_UNIT, JFR_TICKS, JFR_NS, JFR_US, JFR_MS, JFR_S };

/* A text of the metadata, owned by the chunk. */
struct jfr_word {
	uint32_t	at, n;
};

struct jfr_field {
	struct jfr_word	name;
	uint64_t	type;		/* id of the type */
	bool		pool, array;	/* the value is a key of a constant; an array: a count and its values */
	uint8_t		unit;		/* enum jfr_unit */
};

struct jfr_type {
	uint64_t	id;
	struct jfr_word	name;
	uint32_t	field, nfields;	/* row of the first field */
	uint32_t	constant, event;	/* row + 1 of its plan; 0: not compiled yet */
	uint64_t	keys, nkeys;	/* keys of its constants below nkeys: index in keys of the chunk */
	uint8_t		prim;
	bool		pooled;		/* it has constants: nkeys must not change */
};

/* ---- steps ---------------------------------------------------------------------------------- */

#define JFR_SLOTS 13

/*
 * Content of a slot: a number, the key of a constant of that type, or the file offset of a text, an array, or an
 * array of keys.
 */
enum jfr_slot_kind { JFR_NOTHING, JFR_NUMBER, JFR_F32, JFR_F64, JFR_KEY, JFR_TEXT, JFR_ARRAY, JFR_KEYS };

struct jfr_slot {
	uint8_t		kind, unit;	/* enum jfr_slot_kind, enum jfr_unit */
	uint32_t	type;		/* row of the type of a key or of array elements */
};

/* Steps first .. first + n - 1. */
struct jfr_plan {
	uint32_t	first, n;
	bool		bad;		/* the type cannot be read: it refers to a missing type, or to itself */
	uint8_t		numbers;	/* a value consists only of this many compressed numbers, up to 8; or 0 */
	struct jfr_slot	slot[JFR_SLOTS];
};

/* Path of the field for slot i, with dots between the names; NULL: the slot stays empty. */
typedef const char *jfr_paths[JFR_SLOTS];

/* Roles of a constant, by the field that refers to it.  In a damaged file a constant may have several. */
enum jfr_use { JFR_AS_THREAD, JFR_AS_STACK, JFR_AS_CLASS, JFR_AS_KIND, JFR_AS_FRAME, JFR_AS_STATE, JFR_AS_EVENT, JFR_AS_METHOD,
	JFR_USES = JFR_AS_METHOD + 3, JFR_AS_TEXT = JFR_AS_THREAD /* only for jfr_meant */ };

struct jfr_constant {
	uint64_t	at;		/* of its value in the file */
	uint32_t	type;		/* row */
	uint32_t	known[JFR_USES];	/* id made from it; 0: not read yet */
};

/* ---- a chunk -------------------------------------------------------------------------------- */

#define JFR_HEADER 68
#define JFR_TICK 1024u		/* events between clock reads */
#define JFR_DEEPEST 32		/* maximum nesting of metadata elements and structures */

struct jfr_chunk {
	const uint8_t	*data;		/* the whole file of size bytes */
	uint64_t	 size, begin, end;
	uint64_t	 start_ns, duration, start_ticks, frequency;	/* duration: ns; 0: unknown */
	unsigned	 major, minor;
	bool		 unfinished, no_clock, short_of;	/* missing bytes: the header claims more than the file has */
	struct scratch	 metas, checkpoints;	/* u64: positions of these events */
	uint64_t	 nmetas, ncheckpoints;
	uint64_t	 nevents;
	struct scratch	 types, fields, steps, plans, constants, keys, notes, words;
	uint64_t	 ntypes, nfields, nsteps, nplans, nconstants, nkeys, nnotes, nwords;
	struct buf	 text;		/* total of words */
	struct idmap	 type_of;	/* id to row + 1 */
	struct idmap	 constant_of;	/* type and key to row + 1, for keys too large for keys */
	uint32_t	 string;	/* row + 1 of java.lang.String; 0: missing */
	bool		 native_c;	/* written by async-profiler: frames of type Native are C functions */
	uint32_t	 pid;		/* 0: unknown; also the next two */
	uint32_t	 processors;	/* processors that the process may use, */
	uint32_t	 of_machine;	/* and those of the machine */
	uint64_t	 slot[JFR_SLOTS];	/* slots of the value read last */
	struct {
		uint64_t	left;
		uint32_t	first;
	}		 loop[JFR_DEEPEST + 1];
};

static inline struct jfr_type *
jfr_type(const struct jfr_chunk *c, uint32_t row)
{
	assert(row < c->ntypes);
	return &SCRATCH(c->types, struct jfr_type)[row];
}

static inline struct str
jfr_word(const struct jfr_chunk *c, struct jfr_word w)
{
	return (struct str){ c->text.s + w.at, w.n };
}

/* Return the reading position for an offset, up to the end of the chunk. */
static inline struct jfr_in
jfr_at(const struct jfr_chunk *c, uint64_t at)
{
	assert(at <= c->end);
	return (struct jfr_in){ c->data + at, c->data + c->end, false };
}

/* ---- chunk.c: positions of events ------------------------------------------------------------- */

struct jfr_event {
	uint64_t	begin, type;
	struct jfr_in	body;
};

/* Return whether a valid chunk header is at that place. */
bool	jfr_chunk_is(const uint8_t *data, uint64_t size, uint64_t at);
/* Return the start of the next chunk after at; size: none. */
uint64_t jfr_chunk_find(const uint8_t *data, uint64_t size, uint64_t at);
/*
 * Read the header and find all events; *next: where to continue, *lost: bytes of the chunk outside of complete
 * events.
 */
bool	jfr_chunk_open(struct jfr_chunk *, uint64_t at, uint64_t *next, uint64_t *lost, struct work *, struct err *);
/* Read the event at *at and advance *at; false: no more. */
bool	jfr_chunk_event(const struct jfr_chunk *, uint64_t *at, struct jfr_event *);
void	jfr_chunk_close(struct jfr_chunk *);
/* Nanoseconds since 1970, and the duration of ticks, rounded towards 0. */
uint64_t jfr_chunk_time(const struct jfr_chunk *, uint64_t ticks);
uint64_t jfr_chunk_length(const struct jfr_chunk *, uint64_t ticks);

/* ---- metadata.c ------------------------------------------------------------------------------- */

enum jfr_tag { JFR_TAG_OTHER, JFR_TAG_CLASS, JFR_TAG_FIELD, JFR_TAG_ANNOTATION };

/* An element of the metadata.  Numbers of words count those of its event. */
struct jfr_element {
	enum jfr_tag	tag, parent;
	uint64_t	word;		/* number of the word of its tag */
	struct jfr_word	name;		/* attributes that are used */
	uint64_t	id, type;
	struct jfr_in	attributes;	/* their count; then each as two numbers of words */
};

typedef void (*jfr_element_take)(void *arg, const struct jfr_element *);

/* Read the words and elements of a metadata event once more; words are then those of the chunk.  *read is false: unreadable. */
bool	jfr_metadata_each(struct jfr_chunk *, struct jfr_in *, jfr_element_take, void *arg, bool *read, struct err *);

/* Read the types of all metadata events; *found: at least one is readable, lost: number of unreadable ones. */
bool	jfr_metadata_read(struct jfr_chunk *, bool *found, uint64_t *lost, struct err *);

/* ---- steps.c ----------------------------------------------------------------------------------- */

/* Return the row of a type by its id; UINT32_MAX: none. */
uint32_t jfr_type_row(const struct jfr_chunk *, uint64_t id);
/* Return the row of a type by its name, the last one if there are several. */
uint32_t jfr_type_named(const struct jfr_chunk *, struct str name);
/*
 * Compile a plan that reads values of a type. paths NULL: slot 0 is its first field, recursively. *row: row of the
 * plan, from 1.
 */
bool	jfr_steps_make(struct jfr_chunk *, uint32_t type, const jfr_paths *, uint32_t *row, struct err *);
struct jfr_plan *jfr_steps_of(const struct jfr_chunk *, uint32_t row);
/* Read a value into the slots of the chunk; false: truncated or invalid. */
bool	jfr_steps_run(struct jfr_chunk *, const struct jfr_plan *, struct jfr_in *);

/* A field of a value, of a type that structure owner has, inside root, the type of the value.  All are rows. */
struct jfr_asked {
	uint32_t		 root, owner, type;	/* type: of the field; UINT32_MAX: none */
	const struct jfr_field	*field;		/* NULL: the value is not a structure */
};

/* For plans that report the bytes of fields.  A field gets a number when its plan is compiled; 0: its bytes are not reported. */
struct jfr_telling {
	bool	(*ask)(void *arg, const struct jfr_asked *, uint16_t *told, struct err *);
	/* Takes the bytes of a field, or of a few adjacent ones with that number; packed: they are compressed numbers.  False: stop. */
	bool	(*tell)(void *arg, uint16_t told, bool packed, struct jfr_in);
	void	*arg;
};

bool	jfr_steps_make_told(struct jfr_chunk *, uint32_t type, const struct jfr_telling *, uint32_t *row, struct err *);
bool	jfr_steps_tell(struct jfr_chunk *, const struct jfr_plan *, const struct jfr_telling *, struct jfr_in *);

/* ---- constants.c ------------------------------------------------------------------------------- */

/* Return the plan that reads values of a type that constants have, directly or in arrays; otherwise NULL. */
const struct jfr_plan *jfr_constant_element(const struct jfr_chunk *, uint32_t type);
/* Takes the constants of a checkpoint: n of a type, and then each, which it reads. */
struct jfr_pool_take {
	bool	(*pool)(struct jfr_chunk *, void *arg, uint32_t type, uint64_t n, struct err *);
	bool	(*constant)(struct jfr_chunk *, void *arg, uint32_t type, uint64_t key, struct jfr_in *, struct err *);
	void	*arg;
};

/* Read the checkpoint at that place; *in is bad, or where it ends. */
bool	jfr_checkpoint_each(struct jfr_chunk *, uint64_t at, const struct jfr_pool_take *, struct jfr_in *, struct work *, struct err *);
/* Read the constants of all checkpoints; lost: number of checkpoints not read completely. */
bool	jfr_constants_read(struct jfr_chunk *, uint64_t *lost, struct work *, struct err *);
/*
 * NULL: no constant with that key. Key 0 means none for threads, stacks, classes and methods, whatever it contains.
 */
struct jfr_constant *jfr_constant_find(const struct jfr_chunk *, uint32_t type, uint64_t key);
/* Like jfr_constant_find, for texts, which may have key 0: the first cause of a collection. */
struct jfr_constant *jfr_constant_any(const struct jfr_chunk *, uint32_t type, uint64_t key);
/* Read its value into the slots, with the fields given for its type (constants.c); NULL: unreadable. */
const struct jfr_plan *jfr_constant_value(struct jfr_chunk *, const struct jfr_constant *);

/* ---- text.c ------------------------------------------------------------------------------------ */

enum { THREAD_OS_NAME, THREAD_OS_ID, THREAD_JAVA_NAME, THREAD_VIRTUAL };
enum { CLASS_NAME };
enum { OLD_CLASS };
enum { METHOD_CLASS, METHOD_NAME };
enum { STACK_TRUNCATED, STACK_FRAMES };
enum { FRAME_METHOD, FRAME_LINE, FRAME_KIND };

/* Append the text of a constant: its first field, recursively; nothing if there is none. */
void	jfr_text_constant(struct jfr_chunk *, uint32_t type, uint64_t key, struct buf *);
/* Return whether a constant of the type with that name has that text. */
bool	jfr_constant_says(struct jfr_chunk *, struct str type, struct str text);
/* Append the text of a slot, whatever its kind. */
void	jfr_text_slot(struct jfr_chunk *, struct jfr_slot, uint64_t value, struct buf *);
/* Make the name of a class readable and the same in all runs: a/B$$Lambda$88+0x7f99/1790 is a.B$$Lambda. */
void	jfr_text_class(struct str symbol, struct buf *);

#endif
