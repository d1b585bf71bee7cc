/*
 * Private to src/redact: the pieces of a dump, what is known of its names and classes, and where redacted bytes go.
 */
#ifndef REDACT_REDACT_H
#define REDACT_REDACT_H

#include "icecore/heap.h"
#include "icecore/limits.h"
#include "icecore/redact.h"

/* ---- walk.c: the one classifier: a dump as pieces that follow each other without a gap ------------------------ */

/* Kinds of pieces, by which part is masked, and how. */
enum masked {
	PIECE_NUMBERS,		/* nothing: header, ids, counts, references */
	PIECE_LOST,		/* unknown, damaged or cut */
	PIECE_STRING, PIECE_CLASS, PIECE_INSTANCE, PIECE_ARRAY
};

/* Bytes at .. body - 1 stay, those up to end are masked. */
struct dump_piece {
	enum masked	 kind;
	bool		 heap;		/* of a sub-record */
	uint8_t		 tag, type;	/* type: of elements */
	uint64_t	 at, body, end;
	uint64_t	 id;		/* of a string, or of the class of an instance */
	struct heap_record record;	/* of a sub-record */
};

struct dump_walk {
	const struct map *map;
	struct work	*work;
	const uint8_t	*d;
	uint64_t	 size, at, heap_end;	/* heap_end: where the sub-records end; 0: between records */
	uint64_t	 vain;			/* bytes that were no class when they were looked at */
	uint64_t	 lost;			/* bytes of pieces that are */
	bool		 heap, open;		/* a heap began; its segments have no end yet */
	bool		 cut, endless;		/* the heap claims more than the file has; nobody knew its length */
	uint64_t	 window, next;		/* of the file that is in memory; when to look again */
	unsigned	 id_size;
};

/* The offset of the time in the header; 0: it is none. */
uint64_t redact_time_at(const uint8_t *, uint64_t size);
bool	walk_begin(struct dump_walk *, const struct map *, struct work *, struct err *);
/* False at the end, or cancelled with err filled; *end tells. */
bool	walk_next(struct dump_walk *, struct dump_piece *, bool *end, struct err *);
/* At its end: that was not the end of a heap dump. */
bool	walk_is_cut(const struct dump_walk *);

/* ---- learn.c, layout.c: what strings are for, and where fields lie -------------------------------------------- */

enum use {
	USE_CLASS = 1, USE_FIELD = 2, USE_METHOD = 4, USE_SIGNATURE = 8, USE_FILE = 16, USE_HEAP = 32,
	USE_NAME = 63,		/* any of those */
	USE_THREAD = 64,
	USE_PLATFORM = 128	/* a class of the platform has that name, or a member or source file of one */
};

/* A class: its own fields, and the next one above it that has any, so many steps away. */
struct class_layout {
	uint64_t	super, name;	/* ids; name: of a string */
	uint32_t	field, fields;	/* from 0 */
	uint32_t	next, steps;	/* next from 1; 0: none */
	bool		dump, linked;
	bool		counts;		/* one of these fields is KEPT_COUNT */
};

/* Whether a field stays; of two answers the greater one. */
enum kept {
	KEPT_NOT,
	KEPT_COUNT,		/* a reference: what it refers to is counted by it */
	KEPT_COUNTED,		/* in objects that one of those refers to */
	KEPT_ALWAYS
};

struct field_layout {
	uint64_t	name;
	uint8_t		type, width, kept;	/* kept: enum kept */
};

struct words;

struct learned {
	struct idmap	 use;		/* id of a string to enum use */
	struct idmap	 word;		/* id of a string to 1 + number of the word it is */
	struct idmap	 class_of;	/* id of a class to its row, from 1 */
	struct idmap	 serial;	/* of a class, 1 when it is of the platform */
	struct idmap	 counted;	/* id of an object that a field refers to which is KEPT_COUNT: 1 */
	struct scratch	 classes, fields;	/* struct class_layout, struct field_layout */
	struct scratch	 own;		/* struct own_name; where names become letters */
	uint64_t	 nclasses, nfields, nown;
	struct idmap	 again;		/* hash of the name of a class to one more than how often its last part is made anew */
	struct words	*words;
	uint64_t	 lost;		/* bytes that are damaged or unknown */
	bool		 cut;		/* walk_is_cut */
};

/* The name of a class that is not of the platform. */
struct own_name {
	uint64_t	at;
	uint32_t	n;
};

#define LAYOUT_STEPS 1000u	/* classes above a class: no more are believed */

bool	learn(struct learned *, const struct map *, const struct redact_options *, struct work *, struct err *);
void	learned_free(struct learned *);
/* Finds the fields of classes that stay, and the next class above each. */
bool	layouts_finish(struct learned *, struct work *, struct err *);
/* The row of a class; NULL: there is none. */
struct class_layout *layout_of(const struct learned *, uint64_t id);
/* layout_of() if the class has a record; the next class above with fields, where those of an instance continue. */
struct class_layout *layout_first(const struct learned *, uint64_t id);
struct class_layout *layout_next(const struct learned *, const struct class_layout *);
/* A static field of the class of that id stays. */
bool	layout_keeps_static(const struct learned *, uint64_t class, uint64_t name);

/* Names of kept fields and of the classes that have them, each a word with a number. */
bool	words_open(struct words **, const char *const *keep, struct err *);
void	words_free(struct words *);
/* 1 + the number of a word; 0: it is none. */
uint32_t words_find(const struct words *, struct str);
bool	words_keep(const struct words *, uint32_t class, uint32_t field);	/* 1 + number; always */
/* The fields that stay of a class, and how: each is 1 + number; 0: no more. */
uint32_t words_field(const struct words *, uint32_t class, size_t i, enum kept *);

/* ---- names.c ------------------------------------------------------------------------------------------------- */

#define NAME_MOST 65536u	/* bytes of a name that becomes letters; a longer one is a text */
#define NAME_AGAIN 255u

static inline char
name_dot(char c)
{
	return c == '/' ? '.' : c;
}

bool	name_is_platform(struct str);		/* of a class, or in a signature of one */
uint64_t name_hash(struct str);			/* of a class, with dots or slashes */
struct keyed;
/* Writes what replaces a name with those uses: as many bytes as the name has. */
void	name_mask(struct keyed *, const struct learned *, enum redact_names, unsigned use, struct str, uint8_t *to);

/* ---- collide.c, mapping.c --------------------------------------------------------------------------------------- */

/* Classes with different names get different letters; *collided: those for which there were none. */
bool	names_break(struct learned *, const struct map *, struct keyed *, enum redact_names, uint64_t *collided, struct work *, struct err *);
/* Appends the lines of a mapping file. */
bool	mapping_lines(const struct map *, const struct learned *, struct keyed *, enum redact_names, struct buf *, struct work *, struct err *);

/* ---- keyed.c: bytes that depend on a value and the key --------------------------------------------------------- */

struct keyed;
struct keyed_bytes {
	uint8_t		key[SHA256_BYTES], block[SHA256_BYTES];
	uint64_t	counter;
	unsigned	used;
};

bool	keyed_open(struct keyed **, const uint8_t *key, size_t n, struct err *);
void	keyed_free(struct keyed *);
/* The value in one piece; or, of a long one, in several. */
void	keyed_begin(struct keyed *, struct str what, const void *, size_t, struct keyed_bytes *);
void	keyed_sum(struct keyed *, struct str what);
void	keyed_add(struct keyed *, const void *, size_t);
void	keyed_end(struct keyed *, struct keyed_bytes *);
/* Then so many bytes, or letters a to z. */
void	keyed_take(struct keyed_bytes *, uint8_t *, size_t);
void	keyed_letters(struct keyed_bytes *, uint8_t *, size_t);
/* For a number of a type, of at most 8 bytes that are not all 0. */
void	keyed_value(struct keyed *, unsigned type, const uint8_t *from, unsigned n, uint8_t *to);

/* ---- sink.c, gzip.c: where redacted bytes go --------------------------------------------------------------------- */

#define SINK_BLOCK (1u << 20)

struct sink {
	uint8_t		*room;
	size_t		 n, cap;	/* bytes in room; several blocks */
	uint64_t	 at;		/* bytes that went out of it */
	/* Takes whole blocks; last: all that is left, which may be nothing. */
	bool		(*put)(struct sink *, const uint8_t *, size_t, bool last, struct err *);
	int		 fd;
	struct work	*work;
	struct gzip	*gzip;
	const struct map *peer;		/* compared with, instead of written */
};

/* size: bytes that are to come. */
bool	sink_begin(struct sink *, int fd, uint64_t size, struct work *, struct err *);
/* level: of gzip; comment: of its second member; NULL: none has one. */
bool	sink_begin_gzip(struct sink *, int fd, uint64_t size, unsigned level, const char *comment, struct work *, struct err *);
bool	sink_begin_peer(struct sink *, const struct map *, uint64_t size, struct work *, struct err *);
/* Room for n bytes, at most a block, to be filled; NULL with err. */
uint8_t	*sink_take(struct sink *, size_t n, struct err *);
bool	sink_end(struct sink *, struct err *);
void	sink_free(struct sink *);
bool	gzip_open(struct gzip **, unsigned level, const char *comment, size_t blocks, struct err *);
bool	gzip_put(struct sink *, const uint8_t *, size_t, bool last, struct err *);
void	gzip_free(struct gzip *);
/* The file is what gzip_put makes of a dump of that size: the same members, and not a byte more. */
bool	gzip_check(const struct map *, uint64_t size, const char *comment, struct work *, struct err *);

/* ---- output.c: where files may be written ------------------------------------------------------------------------ */

struct output_path {
	const char	*what, *path;	/* path: NULL: none; - is standard input or output */
	bool		 made;		/* it is written */
};

bool	output_is_std(const char *path);
/* What is made replaces no other of these, nothing that is there unless by force, and no device or pipe; E_USAGE. */
bool	output_check(const struct output_path *, size_t n, bool force, struct err *);
/* A sink into an open file, packed if the path says so; bytes: that are to come; comment: as of sink_begin_gzip. */
bool	output_sink(struct sink *, const char *path, int fd, uint64_t bytes, unsigned level, const char *comment, struct work *, struct err *);
bool	output_size(int fd, uint64_t *bytes, struct err *);

/* ---- mask.c, sought.c ---------------------------------------------------------------------------------------------- */

/* loose: what stands for values is taken from the peer, and has to differ from them. */
bool	mask(const struct map *, const struct learned *, const struct redact_options *, struct keyed *, struct sink *,
	    bool loose, struct redacted *, struct work *, struct err *);
/* No line of the file of words stands in the dump, nor in what it was packed in, if that has a size; E_INPUT names the one that does. */
bool	sought_missing(const struct map *, const struct map *packed, const char *words, struct work *, struct err *);

#endif
