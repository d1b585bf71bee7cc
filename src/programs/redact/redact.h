/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/programs/redact: the pieces of a dump, its names and classes, and the output of redacted
 * bytes.
 */
#ifndef REDACT_REDACT_H
#define REDACT_REDACT_H

#include "icecore/chunk.h"
#include "icecore/heap.h"
#include "icecore/limits.h"
#include "icecore/name.h"
#include "icecore/redact.h"

/* A redaction, or a check of one. */
struct redaction {
	const struct map *in;
	const struct redact_options *o;
	struct keyed	*key;		/* NULL: unknown; then letters are those of the sink's peer */
	struct sink	*s;
	struct redacted	*result;
	struct work	*work;
	struct err	*err;
};

static inline struct str
map_text(const struct map *m)
{
	return (struct str){ (const char *)m->data, (size_t)m->size };
}

/* ---- walk.c: splits a dump into pieces without gaps ---------------------------------------------------- */

/* Kinds of pieces; they determine which part is masked, and how. */
enum masked {
	PIECE_NUMBERS,		/* not masked: header, ids, counts, references */
	PIECE_LOST,		/* unknown, damaged or truncated */
	PIECE_STRING, PIECE_CLASS, PIECE_INSTANCE, PIECE_ARRAY
};

/* Bytes at .. body - 1 are kept, those up to end are masked. */
struct dump_piece {
	enum masked	 kind;
	bool		 heap;		/* a sub-record */
	uint8_t		 tag, type;	/* type: of array elements */
	uint64_t	 at, body, end;
	uint64_t	 id;		/* id of a string, or of an instance's class */
	struct heap_record record;	/* for sub-records */
};

struct dump_walk {
	const struct map *map;
	struct work	*work;
	struct err	*err;
	const uint8_t	*d;
	uint64_t	 size, at, heap_end;	/* heap_end: end of the sub-records; 0: between records */
	uint64_t	 vain;			/* bytes already examined that contain no class */
	uint64_t	 lost;			/* bytes in lost pieces */
	bool		 heap, open;		/* a heap began; its segments have not ended */
	/* the heap claims more bytes than the file has; its length is unknown */
	bool		 cut, endless;
	uint64_t	 window, next;		/* bytes of the file kept in memory; position of the next check */
	unsigned	 id_size;
};

/* Return the offset of the time in the header; 0: none. */
uint64_t redact_time_at(const uint8_t *, uint64_t size);
bool	walk_begin(struct dump_walk *, const struct map *, struct work *, struct err *);
/* False at the end (*end is true), or when cancelled; then err is set. */
bool	walk_next(struct dump_walk *, struct dump_piece *, bool *end);
/* At the end of the walk: the heap dump is truncated. */
bool	walk_is_cut(const struct dump_walk *);

/* ---- learn.c, layout.c: uses of strings, and fields ---------------------------------------------------- */

enum use {
	USE_CLASS = 1, USE_FIELD = 2, USE_METHOD = 4, USE_SIGNATURE = 8, USE_FILE = 16, USE_HEAP = 32,
	USE_NAME = 63,		/* any of those */
	USE_THREAD = 64,
	USE_PLATFORM = 128	/* name, member or source file of a platform class */
};

/* A class: its own fields, and the distance to the next superclass with fields. */
struct class_layout {
	uint64_t	super, name;	/* ids; name: string id */
	uint32_t	field, fields;	/* index from 0, and count */
	uint32_t	next, steps;	/* next from 1; 0: none */
	bool		dump, linked;
	bool		counts;		/* has a KEPT_COUNT field */
};

/* Whether a field is kept; the greater value has precedence. */
enum kept {
	KEPT_NOT,
	KEPT_COUNT,		/* a reference whose object contains a counter */
	KEPT_COUNTED,		/* in objects that KEPT_COUNT fields refer to */
	KEPT_ALWAYS
};

struct field_layout {
	uint64_t	name;
	uint8_t		type, width, kept;	/* kept: enum kept */
};

struct words;

struct learned {
	struct idmap	 use;		/* string id to enum use */
	struct idmap	 word;		/* string id to 1 + number of its word */
	struct idmap	 class_of;	/* class id to its row, from 1 */
	struct idmap	 serial;	/* class serial number to 1 for platform classes */
	struct idmap	 counted;	/* id of an object that a KEPT_COUNT field refers to, to 1 */
	struct scratch	 classes, fields;	/* struct class_layout, struct field_layout */
	struct scratch	 own;		/* struct own_name; only if names are replaced */
	uint64_t	 nclasses, nfields, nown;
	struct idmap	 again;		/* hash of a class name to 1 + number of retries for its last part */
	struct words	*words;
	uint64_t	 lost;		/* damaged or unknown bytes */
	bool		 cut;		/* walk_is_cut */
};

/* The name of a class of the application. */
struct own_name {
	uint64_t	at;
	uint32_t	n;
};

#define LAYOUT_STEPS 1000u	/* maximum depth of superclasses */

bool	learn(struct learned *, const struct redaction *);
void	learned_free(struct learned *);
/* Find the kept fields of classes, and the next superclass with fields. */
bool	layouts_finish(struct learned *, struct work *, struct err *);
/* Return the row of a class; NULL: none. */
struct class_layout *layout_of(const struct learned *, uint64_t id);
/*
 * layout_of() if the class has a record; layout_next: the next superclass with fields, where an instance
 * continues.
 */
struct class_layout *layout_first(const struct learned *, uint64_t id);
struct class_layout *layout_next(const struct learned *, const struct class_layout *);
/* Return whether a static field of the class is kept. */
bool	layout_keeps_static(const struct learned *, uint64_t class, uint64_t name);

/* Names of kept fields and their classes, each a word with a number. */
bool	words_open(struct words **, const char *const *keep, struct err *);
void	words_free(struct words *);
/* Return 1 + the number of a word; 0: unknown. */
uint32_t words_find(const struct words *, struct str);

/* ---- names.c ------------------------------------------------------------------------------------------- */

#define NAME_MOST 65536u	/* maximum bytes of a name to replace; longer strings are texts */
#define NAME_AGAIN 255u

static inline char
name_dot(char c)
{
	return c == '/' ? '.' : c;
}

uint64_t name_hash(struct str);			/* hash of a class name, with dots or slashes */
struct keyed;
#define NAME_LETTER '\1'	/* stands for each letter that depends on the key */
/* Write the replacement of a name with these uses; it has the same length.  The key may be NULL. */
void	name_mask(struct keyed *, const struct learned *, enum redact_names, unsigned use, struct str,
    uint8_t *to);

/* ---- collide.c, mapping.c ------------------------------------------------------------------------------ */

/* Give different letters to classes with different names, and count classes that kept equal letters. */
bool	names_break(struct learned *, const struct redaction *);
/* Append the lines of a mapping file. */
bool	mapping_lines(const struct redaction *, const struct learned *, struct buf *);

/* ---- keyed.c: bytes derived from a value and the key --------------------------------------------------- */

struct keyed;
struct keyed_bytes {
	uint8_t		key[SHA256_BYTES], block[SHA256_BYTES];
	uint64_t	counter;
	unsigned	used;
};

bool	keyed_open(struct keyed **, const uint8_t *key, size_t n, struct err *);
void	keyed_free(struct keyed *);
/* The value in one call, or a long value in several. */
void	keyed_begin(struct keyed *, struct str what, const void *, size_t, struct keyed_bytes *);
void	keyed_sum(struct keyed *, struct str what);
void	keyed_add(struct keyed *, const void *, size_t);
void	keyed_end(struct keyed *, struct keyed_bytes *);
/* Then take bytes, or letters a to z. */
void	keyed_take(struct keyed_bytes *, uint8_t *, size_t);
void	keyed_letters(struct keyed_bytes *, uint8_t *, size_t);
/*
 * If most of the letters that replace a text are its own, each becomes the next one: a check without the key
 * knows a text that was not replaced.
 */
void	letters_apart(const char *text, char *letters, size_t n);
/* Replace a number of a type, of at most 8 bytes that are not all 0. */
void	keyed_value(struct keyed *, unsigned type, const uint8_t *from, unsigned n, uint8_t *to);

/* ---- sink.c, gzip.c: output of redacted bytes ---------------------------------------------------------- */

#define SINK_BLOCK CHUNK_OF(1u << 20)

struct sink {
	uint8_t		*room;
	size_t		 n, cap;	/* bytes in room, which has several blocks */
	uint64_t	 at;		/* bytes already passed on */
	/* Write whole blocks; last: the rest, which may be empty. */
	bool		(*put)(struct sink *, const uint8_t *, size_t, bool last);
	int		 fd;
	struct work	*work;
	struct err	*err;
	struct gzip	*gzip;
	const struct map *peer;		/* file to compare with instead of writing */
};

/* size: total bytes to expect. */
bool	sink_begin(struct sink *, int fd, uint64_t size, struct work *, struct err *);
/* level: gzip level; comment: of the second member; NULL: no comments. */
bool	sink_begin_gzip(struct sink *, int fd, uint64_t size, unsigned level, const char *comment,
    struct work *, struct err *);
bool	sink_begin_peer(struct sink *, const struct map *, uint64_t size, struct work *, struct err *);
/* Return room for n bytes, at most a block, to fill; NULL with err. */
uint8_t	*sink_take(struct sink *, size_t n);
/* Copy bytes, any number. */
bool	sink_put(struct sink *, struct str bytes);
bool	sink_end(struct sink *);
void	sink_free(struct sink *);
bool	gzip_open(struct gzip **, unsigned level, const char *comment, size_t blocks, struct err *);
bool	gzip_put(struct sink *, const uint8_t *, size_t, bool last);
void	gzip_free(struct gzip *);
/* Check that the file is exactly what gzip_put writes for a dump of that size. */
bool	gzip_check(const struct map *, uint64_t size, const char *comment, struct work *, struct err *);

/* ---- kinds of files other than heap dumps -------------------------------------------------------------- */

struct left;
struct redact_kind {
	bool		(*is)(const struct map *);
	/* Writes the file without what is private, and counts damaged bytes as unknown. */
	bool		(*mask)(const struct redaction *);
	/* Only counts the bytes that are damaged. */
	bool		(*damage)(const struct redaction *, uint64_t *lost);
	bool		(*left)(const struct redaction *, struct left *);
};

/* ---- output.c: where files may be written -------------------------------------------------------------- */

struct output_path {
	const char	*what, *path;	/* path: NULL: none; - is standard input or output */
	bool		 made;		/* the file is written */
};

bool	output_is_std(const char *path);
/*
 * Check that files to be made differ from the others, and replace no existing file without force and no
 * device or pipe; E_USAGE.
 */
bool	output_check(const struct output_path *, size_t n, bool force, struct err *);
/*
 * A sink into an open file, packed if the path says so; bytes: that are to come; comment: as of
 * sink_begin_gzip.
 */
bool	output_sink(struct sink *, const char *path, int fd, uint64_t bytes, unsigned level,
    const char *comment, struct work *, struct err *);
bool	output_size(int fd, uint64_t *bytes, struct err *);

/* ---- mask.c, sought.c ---------------------------------------------------------------------------------- */

/*
 * loose: compare without the key: copy replacement values from the peer, which must differ from the
 * original values.
 */
bool	mask(const struct redaction *, const struct learned *, bool loose);
/*
 * No line of the words file occurs in the dump, or in its compressed file if it has a size; E_INPUT names
 * the word.
 */
bool	sought_missing(const struct map *, const struct map *packed, const char *words, struct work *,
    struct err *);

#endif
