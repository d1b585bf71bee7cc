/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chunk: a self-contained part of a recording: its types, constants, clock and events.
 */
#ifndef LOAD_JFR_CHUNK_H
#define LOAD_JFR_CHUNK_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "icecore/base.h"
#include "icecore/bytes.h"
#include "load/profile/profile.h"

/* ---- text -------------------------------------------------------------------------- */

/*
 * Strings of a recording at their place in the file.
 */

/* ---- in ---------------------------------------------------------------------------- */

/*
 * Numbers of a recording. Compressed numbers have 7 bits per byte, low bits first, and 8 bits in a
 * ninth byte.  Nothing is read after the end: a truncated value is 0, and bad is set.
 */

struct jfr_in {
	const uint8_t	*at, *end;
	bool		 bad;
};

#define JFR_NINTH 56	/* bits before the ninth byte */

static inline uint64_t
jfr_cut(struct jfr_in *in)
{
	in->bad = true;
	in->at = in->end;
	return 0;
}

static inline uint64_t
jfr_left(const struct jfr_in *in)
{
	return (uint64_t)(in->end - in->at);
}

static inline uint64_t
jfr_u64(struct jfr_in *in)
{
	const uint8_t *p = in->at;
	uint64_t v = 0;

	for (unsigned shift = 0; shift < JFR_NINTH; shift += 7) {
		if (p == in->end)
			return jfr_cut(in);
		v |= (uint64_t)(*p & 127) << shift;
		if (*p++ < 128) {
			in->at = p;
			return v;
		}
	}
	if (p == in->end)
		return jfr_cut(in);
	in->at = p + 1;
	return v | (uint64_t)*p << JFR_NINTH;
}

/* Skip n compressed numbers, one at a time. */
static inline void
jfr_skip_few(struct jfr_in *in, uint64_t n)
{
	const uint8_t *p = in->at;

	for (; n > 0 && !in->bad; n--) {
		const uint8_t *ninth = in->end - p > 9 ? p + 8 : NULL;

		if (ninth == NULL) {
			in->at = p;
			jfr_u64(in);
			p = in->at;
			continue;
		}
		while (*p > 127 && p < ninth)
			p++;
		p++;
	}
	in->at = p;
}

/*
 * Like jfr_skip_few, eight bytes at a time: each byte with a clear upper bit ends a number. The ninth byte of a
 * number is always its last, even with the upper bit set. So numbers with eight bytes before them are left to
 * jfr_skip_few.
 */
static inline void
jfr_skip(struct jfr_in *in, uint64_t n)
{
	unsigned before = 0;		/* bytes of an unfinished number */
	const uint8_t *p = in->at;
	uint64_t ends;

	while (n > 8 && in->end - p >= 8) {
		ends = ~le64(p) & UINT64_C(0x8080808080808080);
		if (ends == 0 || before + (unsigned)__builtin_ctzll(ends) / 8 >= 8)
			break;
		/* bits of ends, each the highest of a byte */
		n -= (unsigned)((ends >> 7) * UINT64_C(0x0101010101010101) >> 56);
		before = (unsigned)__builtin_clzll(ends) / 8;
		p += 8;
	}
	in->at = p - before;
	jfr_skip_few(in, n);
}

static inline const uint8_t *
jfr_bytes(struct jfr_in *in, uint64_t n)
{
	const uint8_t *p = in->at;

	if (n > jfr_left(in)) {
		jfr_cut(in);
		return in->end;
	}
	in->at += n;
	return p;
}

static inline unsigned
jfr_u8(struct jfr_in *in)
{
	return in->at < in->end ? *in->at++ : (unsigned)jfr_cut(in);
}

/* Read a count of elements.  Each element takes at least one byte, which limits the count. */
static inline uint64_t
jfr_count(struct jfr_in *in)
{
	uint64_t n = jfr_u64(in);

	return n > jfr_left(in) ? jfr_cut(in) : n;
}

enum jfr_text_kind { TEXT_NULL, TEXT_EMPTY, TEXT_CONSTANT, TEXT_UTF8, TEXT_UTF16, TEXT_LATIN1 };

/* A text at its place in the file.  The units of TEXT_UTF16 are compressed numbers. */
struct jfr_text {
	uint8_t		kind;
	uint64_t	key, units;	/* key: of a constant */
	struct jfr_in	body;		/* the text itself */
};

/* Take a text without reading it; false: truncated or invalid. */
bool	jfr_text_take(struct jfr_in *, struct jfr_text *);
/* Append it in UTF-8; nothing for a constant. */
void	jfr_text_add(const struct jfr_text *, struct buf *);
/* Append a text at its place in the file, in UTF-8; *key: not 0 if it is a constant. */
void	jfr_text_read(struct jfr_in *, struct buf *, uint64_t *key);
/* Make the name of a class readable and the same in all runs: a/B$$Lambda$88+0x7f99/1790 is a.B$$Lambda. */
void	jfr_text_class(struct str symbol, struct buf *);

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
	bool		pooled;		/* the type has constants: nkeys must not change */
	uint8_t		kept;		/* its constants are kept for later chunks: their kind; 0: no */
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
enum jfr_use { JFR_AS_THREAD, JFR_AS_STACK, JFR_AS_CLASS, JFR_AS_KIND, JFR_AS_FRAME, JFR_AS_STATE,
    JFR_AS_EVENT, JFR_AS_METHOD,
	JFR_USES = JFR_AS_METHOD + 3, JFR_AS_TEXT = JFR_AS_THREAD /* only for jfr_meant */ };

struct jfr_constant {
	uint64_t	at;		/* offset of the value in the file */
	uint32_t	type;		/* row */
	uint32_t	known[JFR_USES];	/* id made from it; 0: not read yet */
};

/* ---- a chunk -------------------------------------------------------------------------------- */

#define JFR_HEADER 68
#define JFR_TICK 1024u		/* events between clock reads */
#define JFR_DEEPEST 32		/* maximum nesting of metadata elements and structures */

struct jfr_chunk {
	struct into	*to;		/* for its error and progress */
	const uint8_t	*data;		/* the whole file of size bytes */
	uint64_t	 size, begin, end;
	uint64_t	 start_ns, duration, start_ticks, frequency;	/* duration: ns; 0: unknown */
	unsigned	 major, minor;
	bool		 unfinished, no_clock, short_of;	/* missing bytes: the header claims more
								 * than the file has */
	struct scratch	 metas, checkpoints;	/* u64: positions of these events */
	uint64_t	 nmetas, ncheckpoints;
	uint64_t	 nevents;
	struct scratch	 types, fields, steps, plans, constants, keys, notes, words;
	uint64_t	 ntypes, nfields, nsteps, nplans, nconstants, nkeys, nnotes, nwords;
	struct buf	 text;		/* total of words */
	struct idmap	 type_of;	/* id to row + 1 */
	struct idmap	 constant_of;	/* type and key to row + 1, for keys too large for keys */
	uint32_t	 string;	/* row + 1 of java.lang.String; 0: missing */
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

/* The file begins as a recording of a version that can be read. */
bool	jfr_check_head(const uint8_t *data, uint64_t size, struct err *);
/* Return whether a valid chunk header is at that place. */
bool	jfr_chunk_is(const uint8_t *data, uint64_t size, uint64_t at);
/* Return the start of the next chunk after at; size: none. */
uint64_t jfr_chunk_find(const uint8_t *data, uint64_t size, uint64_t at);
/*
 * Read the header and find all events; *next: where to continue, *lost: bytes of the chunk outside of complete
 * events.
 */
void	jfr_chunk_open(struct jfr_chunk *, uint64_t at, uint64_t *next, uint64_t *lost);
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

/*
 * Read the words and elements of a metadata event once more; words are then those of the chunk. False:
 * unreadable.
 */
bool	jfr_metadata_each(struct jfr_chunk *, struct jfr_in *, jfr_element_take, void *arg);

/* Read the types of all metadata events; *lost counts unreadable events.  False: all are unreadable. */
bool	jfr_metadata_read(struct jfr_chunk *, uint64_t *lost);

/* ---- steps.c ----------------------------------------------------------------------------------- */

/* Return the row of a type by its id; UINT32_MAX: none. */
uint32_t jfr_type_row(const struct jfr_chunk *, uint64_t id);
/* Return the row of a type by its name, the last one if there are several. */
uint32_t jfr_type_named(const struct jfr_chunk *, struct str name);
/*
 * Compile a plan that reads values of a type, and return its row from 1; 0: failed. paths NULL: slot 0 is its first
 * field, recursively.
 */
uint32_t jfr_steps_make(struct jfr_chunk *, uint32_t type, const jfr_paths *);
struct jfr_plan *jfr_steps_of(const struct jfr_chunk *, uint32_t row);
/* Read a value into the slots of the chunk; false: truncated or invalid. */
bool	jfr_steps_run(struct jfr_chunk *, const struct jfr_plan *, struct jfr_in *);

/* A field of a value, of a type that structure owner has, inside root, the type of the value.  All are rows. */
struct jfr_asked {
	uint32_t		 root, owner, type;	/* type: of the field; UINT32_MAX: none */
	const struct jfr_field	*field;		/* NULL: the value is not a structure */
};

/*
 * For plans that report the bytes of fields. A field gets a number when its plan is compiled; 0: its bytes
 * are not reported.
 */
struct jfr_telling {
	uint16_t (*ask)(void *arg, const struct jfr_asked *);
	/*
	 * Takes the bytes of a field, or of a few adjacent ones with that number; packed: they are
	 * compressed numbers. False: stop.
	 */
	bool	(*tell)(void *arg, uint16_t told, bool packed, struct jfr_in);
	void	*arg;
};

uint32_t jfr_steps_make_told(struct jfr_chunk *, uint32_t type, const struct jfr_telling *);
bool	jfr_steps_tell(struct jfr_chunk *, const struct jfr_plan *, const struct jfr_telling *, struct jfr_in *);

/* ---- constants.c ------------------------------------------------------------------------------- */

/* Return the plan that reads values of a type that constants have, directly or in arrays; otherwise NULL. */
const struct jfr_plan *jfr_constant_element(const struct jfr_chunk *, uint32_t type);
/* Takes the constants of a checkpoint: n of a type, and then each, which it reads. */
struct jfr_pool_take {
	void	(*pool)(struct jfr_chunk *, void *arg, uint32_t type, uint64_t n);
	void	(*constant)(struct jfr_chunk *, void *arg, uint32_t type, uint64_t key, struct jfr_in *);
	void	*arg;
};

/* Read the checkpoint at that place; *in is bad, or where it ends. */
void	jfr_checkpoint_each(struct jfr_chunk *, uint64_t at, const struct jfr_pool_take *, struct jfr_in *);
/* Whether its pools fill the checkpoint at that place: otherwise one of them is not what its bytes are read as. */
bool	jfr_checkpoint_whole(struct jfr_chunk *, uint64_t at);
/*
 * A recorder may write the states of threads and the kinds of frames only once: constants that are kept for later
 * chunks.
 */
struct jfr_kept {
	struct scratch	rows;		/* struct kept_constant (constants.c) */
	uint64_t	n;
};

/*
 * Read the constants of all checkpoints; lost: number of checkpoints not read completely; kept: where to keep
 * constants, or NULL.
 */
void	jfr_constants_read(struct jfr_chunk *, struct jfr_kept *, uint64_t *lost);
/* Add the kept constants of types of which the chunk has no constants. */
void	jfr_constants_carry(struct jfr_chunk *, const struct jfr_kept *);
/*
 * NULL: no constant with that key. Key 0 means none for threads, stacks, classes and methods, whatever it contains.
 */
struct jfr_constant *jfr_constant_find(const struct jfr_chunk *, uint32_t type, uint64_t key);
/* Like jfr_constant_find, for texts, which may have key 0: the first cause of a collection. */
struct jfr_constant *jfr_constant_any(const struct jfr_chunk *, uint32_t type, uint64_t key);
/* Read its value into the slots, with the fields given for its type (constants.c); NULL: unreadable. */
const struct jfr_plan *jfr_constant_value(struct jfr_chunk *, const struct jfr_constant *);

enum { THREAD_OS_NAME, THREAD_OS_ID, THREAD_JAVA_NAME, THREAD_VIRTUAL };
enum { CLASS_NAME };
enum { OLD_CLASS };
enum { METHOD_CLASS, METHOD_NAME };
enum { STACK_TRUNCATED, STACK_FRAMES };
enum { FRAME_METHOD, FRAME_LINE, FRAME_KIND };

/* Append the text of a constant: its first field, recursively; nothing if there is none. */
void	jfr_constant_text(struct jfr_chunk *, uint32_t type, uint64_t key, struct buf *);
/* Return whether a constant of the type with that name has that text. */
bool	jfr_constant_says(struct jfr_chunk *, struct str type, struct str text);
/* Append the text of a slot, whatever its kind. */
void	jfr_slot_text(struct jfr_chunk *, struct jfr_slot, uint64_t value, struct buf *);
#endif
