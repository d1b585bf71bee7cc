/*
 * chunk: a part of a recording, which is complete in itself: its types, its constants, its clock, its events.
 */
#ifndef LOAD_JFR_CHUNK_H
#define LOAD_JFR_CHUNK_H

#include <assert.h>

#include "icecore/make.h"
#include "in.h"

/* ---- types ---------------------------------------------------------------------------------- */

enum jfr_prim { JFR_STRUCT, JFR_INT, JFR_LONG, JFR_SHORT, JFR_CHAR, JFR_BYTE, JFR_FLOAT, JFR_DOUBLE, JFR_STRING };

/* Unit of a time in a field; JFR_NO_UNIT: the metadata names none. */
enum jfr_unit { JFR_NO_UNIT, JFR_TICKS, JFR_NS, JFR_US, JFR_MS, JFR_S };

/* A text of the metadata, kept by the chunk. */
struct jfr_word {
	uint32_t	at, n;
};

struct jfr_field {
	struct jfr_word	name;
	uint64_t	type;		/* its id */
	bool		pool, array;	/* a key of a constant; a count and as many values */
	uint8_t		unit;		/* enum jfr_unit */
};

struct jfr_type {
	uint64_t	id;
	struct jfr_word	name;
	uint32_t	field, nfields;	/* row of the first */
	uint32_t	constant, event;	/* row + 1 of what reads it as such; 0: not compiled so far */
	uint64_t	keys, nkeys;	/* keys of its constants below nkeys: their place in keys of the chunk */
	uint8_t		prim;
	bool		pooled;		/* constants of it came: nkeys stays what it is */
};

/* ---- steps ---------------------------------------------------------------------------------- */

#define JFR_SLOTS 13

/*
 * Content of a slot: a number, the key of a constant of that type, or the offset in the file of a text, an
 * array, or an array of keys.
 */
enum jfr_slot_kind { JFR_NOTHING, JFR_NUMBER, JFR_F32, JFR_F64, JFR_KEY, JFR_TEXT, JFR_ARRAY, JFR_KEYS };

struct jfr_slot {
	uint8_t		kind, unit;	/* enum jfr_slot_kind, enum jfr_unit */
	uint32_t	type;		/* row of that of a key or of the elements of an array */
};

/* Steps first .. first + n - 1. */
struct jfr_plan {
	uint32_t	first, n;
	bool		bad;		/* the type cannot be read: it has another one that is not there, or itself */
	uint8_t		numbers;	/* a value is so many compressed numbers, up to 8, and nothing else; or 0 */
	struct jfr_slot	slot[JFR_SLOTS];
};

/* Path of the field for slot i, with dots between the names; NULL: the slot stays empty. */
typedef const char *jfr_paths[JFR_SLOTS];

/* Roles of a constant, by the field that refers to it.  In a damaged file a constant may have several. */
enum jfr_use { JFR_AS_THREAD, JFR_AS_STACK, JFR_AS_CLASS, JFR_AS_KIND, JFR_AS_FRAME, JFR_AS_STATE, JFR_AS_EVENT, JFR_AS_METHOD,
	JFR_USES = JFR_AS_METHOD + 3 };

struct jfr_constant {
	uint64_t	at;		/* of its value in the file */
	uint32_t	type;		/* row */
	uint32_t	known[JFR_USES];	/* what it became; 0: not looked at so far */
};

/* ---- a chunk -------------------------------------------------------------------------------- */

#define JFR_HEADER 68
#define JFR_TICK 1024u		/* events between looks at the clock */
#define JFR_DEEPEST 32		/* elements of metadata and structures in each other */

struct jfr_chunk {
	const uint8_t	*data;		/* of the whole file, of size bytes */
	uint64_t	 size, begin, end;
	uint64_t	 start_ns, duration, start_ticks, frequency;	/* duration: ns; 0: not told */
	unsigned	 major, minor;
	bool		 unfinished, no_clock, short_of;	/* short_of: it should be longer than the file is */
	struct scratch	 metas, checkpoints;	/* u64: where these events begin */
	uint64_t	 nmetas, ncheckpoints;
	uint64_t	 nevents;
	struct scratch	 types, fields, steps, plans, constants, keys, notes, words;
	uint64_t	 ntypes, nfields, nsteps, nplans, nconstants, nkeys, nnotes, nwords;
	struct buf	 text;		/* of all words */
	struct idmap	 type_of;	/* id to row + 1 */
	struct idmap	 constant_of;	/* type and key to row + 1, of larger keys than keys has */
	uint32_t	 string;	/* row + 1 of java.lang.String; 0: it has none */
	bool		 native_c;	/* async-profiler wrote it: frames that are Native are functions of C */
	uint32_t	 pid;		/* 0: unknown; as those below */
	uint32_t	 processors;	/* that the process may use, */
	uint32_t	 of_machine;	/* and all there are */
	uint64_t	 slot[JFR_SLOTS];	/* of the value that was read last */
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

/* From a place of the file to the end of the chunk. */
static inline struct jfr_in
jfr_at(const struct jfr_chunk *c, uint64_t at)
{
	assert(at <= c->end);
	return (struct jfr_in){ c->data + at, c->data + c->end, false };
}

/* ---- chunk.c: where events are ---------------------------------------------------------------- */

struct jfr_event {
	uint64_t	begin, type;
	struct jfr_in	body;
};

/* Whether the header of a chunk that can be read stands there. */
bool	jfr_chunk_is(const uint8_t *data, uint64_t size, uint64_t at);
/* Where the next one begins, behind at; size: there is none. */
uint64_t jfr_chunk_find(const uint8_t *data, uint64_t size, uint64_t at);
/* The header, and a walk over all events; *next: where to go on, *lost: bytes of the chunk that are no whole events. */
bool	jfr_chunk_open(struct jfr_chunk *, uint64_t at, uint64_t *next, uint64_t *lost, struct work *, struct err *);
/* The event that begins at *at, which becomes that of the next one; false: there is none. */
bool	jfr_chunk_event(const struct jfr_chunk *, uint64_t *at, struct jfr_event *);
void	jfr_chunk_close(struct jfr_chunk *);
/* Nanoseconds since 1970, and those that ticks last, rounded towards 0. */
uint64_t jfr_chunk_time(const struct jfr_chunk *, uint64_t ticks);
uint64_t jfr_chunk_length(const struct jfr_chunk *, uint64_t ticks);

/* ---- metadata.c ------------------------------------------------------------------------------- */

/* The types of all metadata events; *found: there is one that can be read, lost: those that cannot. */
bool	jfr_metadata_read(struct jfr_chunk *, bool *found, uint64_t *lost, struct err *);

/* ---- steps.c ----------------------------------------------------------------------------------- */

/* Row of a type by its id; UINT32_MAX: there is none. */
uint32_t jfr_type_row(const struct jfr_chunk *, uint64_t id);
/* Row of a type by its name, the last one if there are several. */
uint32_t jfr_type_named(const struct jfr_chunk *, struct str name);
/* What reads values of a type; paths NULL: slot 0 is its first field, or the first of that.  *row: of the plan, from 1. */
bool	jfr_steps_make(struct jfr_chunk *, uint32_t type, const jfr_paths *, uint32_t *row, struct err *);
struct jfr_plan *jfr_steps_of(const struct jfr_chunk *, uint32_t row);
/* Reads a value into the slots of the chunk; false: it is cut or makes no sense. */
bool	jfr_steps_run(struct jfr_chunk *, const struct jfr_plan *, struct jfr_in *);

/* ---- constants.c ------------------------------------------------------------------------------- */

/* Plan that reads values of a type that constants have, directly or in arrays; otherwise NULL. */
const struct jfr_plan *jfr_constant_element(const struct jfr_chunk *, uint32_t type);
/* Read the constants of all checkpoints; lost: checkpoints that could not be read to their end. */
bool	jfr_constants_read(struct jfr_chunk *, uint64_t *lost, struct work *, struct err *);
/* NULL: there is none with that key; of threads, stacks, classes and methods 0 means nothing, whatever there is. */
struct jfr_constant *jfr_constant_find(const struct jfr_chunk *, uint32_t type, uint64_t key);
/* Like jfr_constant_find, for texts, which may have key 0: the first cause of a collection. */
struct jfr_constant *jfr_constant_any(const struct jfr_chunk *, uint32_t type, uint64_t key);
/* Reads its value into the slots by what its type has of these (constants.c); NULL: it cannot be read. */
const struct jfr_plan *jfr_constant_value(struct jfr_chunk *, const struct jfr_constant *);

/* ---- text.c ------------------------------------------------------------------------------------ */

enum { THREAD_OS_NAME, THREAD_OS_ID, THREAD_JAVA_NAME, THREAD_VIRTUAL };
enum { CLASS_NAME };
enum { OLD_CLASS };
enum { METHOD_CLASS, METHOD_NAME };
enum { STACK_TRUNCATED, STACK_FRAMES };
enum { FRAME_METHOD, FRAME_LINE, FRAME_KIND };

/* Appends a text as it stands there, in UTF-8; *key: not 0 when it is a constant. */
void	jfr_text_read(struct jfr_in *, struct buf *, uint64_t *key);
/* Appends the text of a constant: its first field, or the first of what that means; nothing when there is none. */
void	jfr_text_constant(struct jfr_chunk *, uint32_t type, uint64_t key, struct buf *);
/* A constant of the type of that name has that text. */
bool	jfr_constant_says(struct jfr_chunk *, struct str type, struct str text);
/* Appends the text of a slot, whatever it is. */
void	jfr_text_slot(struct jfr_chunk *, struct jfr_slot, uint64_t value, struct buf *);
/* The name of a class as people write it, without what differs from run to run: a/B$$Lambda$88+0x7f99/1790 is a.B$$Lambda. */
void	jfr_text_class(struct str symbol, struct buf *);

#endif
