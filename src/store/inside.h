/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inside: what the files of the store share, and nobody else sees.
 */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "icecore/store.h"

/* Raise this whenever a loader or pass makes anything else than before: older indexes are then replaced. */
#define STORE_CONTENT 115u
#define NAME_SIZE 48		/* size of the name of a column, with the closing NUL */
#define FACTS_MAX 4096
#define FACTS_COLUMN "store.facts"
#define INDEX_PAGE 4096		/* columns begin at multiples of this */

/* ---- the index file -------------------------------------------------------- */

struct index_header {
	char		magic[8];
	uint32_t	order, format, content, columns;
	uint64_t	source_size, source_mtime, source_inode, source_hash, source_ctime;
	uint64_t	dir_offset, dir_hash, file_size;
	uint64_t	hash;		/* hash of all before it */
};

/* The last one is followed by the sums of the chunks, column by column. */
struct index_dir {
	char		name[NAME_SIZE];
	uint32_t	type, zero;
	uint64_t	rows, offset;
};

/* The file with the name of an index, when it was examined. */
struct looked {
	bool			there;
	uint64_t		dev, ino;
	struct index_header	header;	/* right or not */
};

/* ---- columns --------------------------------------------------------------- */

/* Place of the bytes of a column. */
enum held_in {
	PLACE_MEMORY,	/* in scratch */
	PLACE_NEW,	/* mapped from the file that is being written */
	PLACE_MAPPED	/* mapped from a file that is done: an index, or one given up */
};

enum held_as {
	STATE_MADE,	/* writable, seen by nobody */
	STATE_PUBLISHED,
	STATE_GONE	/* could not be made */
};

struct held {
	struct column	 column;	/* first: what callers hold */
	enum held_as	 state;
	enum held_in	 place;
	uint64_t	 batch;		/* seen when that many were published */
	bool		 stored;	/* is at offset in the index that target names */
	uint64_t	*sums;		/* sums of the chunks; NULL: not known yet */
	atomic_uchar	*chunk;		/* guarded: which were verified */
	atomic_uint_fast64_t unknown;	/* how many were not */
	struct store	*store;		/* guarded: the owner of its values */
	uint64_t	 offset;	/* in the file: stored, PLACE_NEW, or of an index */
	uint64_t	 mapped;	/* bytes mapped for this column alone */
	struct scratch	 memory;	/* PLACE_MEMORY */
};

struct facts {
	struct fact	*fact;
	size_t		 n, cap;
};

/* Facts in the index; at 0: none. */
struct stored_facts {
	uint64_t	 at, size, hash;
};

/* Each is a path or NULL, except the note. */
struct index_places {
	const char	*found;		/* the index that was read */
	const char	*target;	/* where the index goes */
	const char	*next;		/* where it goes when that fails */
	const char	*note;		/* why there is none */
};

struct held_list {
	struct held	**at;
	size_t		 n, cap;
};

/* Strings that readers may use; freed at the end. */
struct kept_texts {
	char		**text;
	size_t		 n, cap;
};

struct store {
	struct store	*below;		/* the store below it, or NULL */
	const struct store *beside;	/* store that describes this one, or NULL */
	struct store	*owned;		/* the same, if it is closed with this one, or NULL */
	bool		 masked[COL_COUNT];	/* not looked up below */
	_Atomic(struct held *) slot[COL_COUNT];	/* published ones */
	atomic_uint_fast64_t batch;	/* how often columns were published */
	uint64_t	 serial;
	struct str	 own;		/* text that is not of the source */
	char		*path, *base;	/* path as given; name without folders */
	unsigned	 dump;		/* number of the dump in the file, from 1 */
	struct map	 file, raw;
	bool		 unpacked;	/* raw is the source */
	struct digest	*digest;	/* digest of file; or NULL */

	struct map	 index;		/* index file at at.found */
	struct looked	 seen;		/* at target, when it was last read or written */
	struct file	 building;	/* the index, locked to grow, or the next one, as far as it is */
	uint64_t	 refused;	/* mem_refused when it was opened */
	bool		 growing;	/* building is described by seen */
	atomic_bool	 grows;		/* the file described by seen may be appended to */
	int		 replaced;	/* the locked file that building will take the place of, or -1 */
	uint64_t	 end;		/* end of building, where the next bytes go */
	struct stored_facts stored_facts;
	atomic_bool	 dirty;		/* something was published since the last save, or mended, by any thread */
	bool		 failed;	/* the last save */
	uint64_t	 unsaved;	/* bytes published since the last save */
	uint64_t	 since, spent;	/* ns: making began; making took since the last save */

	store_rebuild	*rebuild;	/* rebuilds a column; or NULL */
	pthread_mutex_t	 mending;	/* for what follows */
	struct store	*anew;		/* on top of this one: its rebuilt columns; or NULL */

	pthread_mutex_t	 lock;		/* for all that follows */
	uint64_t	 damage;	/* where the index is damaged first, if it is void or columns were mended */
	size_t		 mended;
	bool		 voided;
	bool		 copy_damaged;	/* the unpacked copy */
	bool		 doubted;	/* the index that was found is of a file that had another ctime */
	struct index_places at;
	struct held_list entries;
	struct facts	 facts, pending;
	bool		 making;	/* maker has something unpublished */
	pthread_t	 maker;
	struct kept_texts kept;
};

/* place.c: possible places of an index. */
void	place_find(struct store *, const struct store_options *);
/* Makes building ready to be written to; false: the note says why not, and target is NULL. */
bool	place_begin(struct store *);
/* The place of a new index has failed: the next one is target.  False: there is none. */
bool	place_next(struct store *);
/* No index from here on. */
void	store_keep_none(struct store *, const char *why);

/* claim.c: the right to write an index. */
enum claim {
	CLAIM_OURS,
	CLAIM_FREE,	/* there is no index to grow, or none to replace */
	CLAIM_BUSY	/* another process has it, or has changed it */
};
enum claim claim_growth(struct store *);	/* CLAIM_OURS: building is the index */
enum claim claim_name(struct store *);		/* CLAIM_OURS: what has the name may be replaced */
/* building is written no more: its columns stay mapped. */
void	claim_end(struct store *);
/* Cuts off what was not saved, which nobody has mapped any more. */
void	claim_cut(struct store *);

/* index.c: the file. */
bool	index_load(struct store *, const char *path, struct looked *);
void	index_look(const char *path, struct looked *);	/* only at the file found there */
/* all except the parts that the columns decide */
void	index_header(const struct store *, struct index_header *);
uint64_t index_header_hash(const struct index_header *);
bool	index_header_ok(const struct store *, const struct index_header *);
uint64_t index_page_up(uint64_t);	/* to whole pages of this machine */

static inline uint64_t
index_bytes(const struct column *c)
{
	return c->rows * column_width(c->type);
}

/* column.c. */
struct held *column_find_made(const struct store *, column_id);	/* one that is still being made; NULL: none */
struct held *column_add(struct store *, column_id);	/* NULL: no memory */
/* from the next batch on.  Under lock, or before other threads see the store. */
void	column_show(struct store *, struct held *);
void	column_free(struct held *);

/* chunks.c: pieces of a column that are verified one by one. */
#define CHUNK (1u << 18)	/* bytes; so much is read for one value */
uint64_t chunks_of(uint64_t bytes);
bool	chunks_sum(struct held *);	/* computes sums; false: no memory */
/* Return whether a chunk of these values has its sum. */
bool	chunks_fit(const struct held *, const void *values, uint64_t chunk);
void	chunks_open(const struct held *);	/* nobody guards its bytes from here on */
void	chunks_open_one(const struct held *, uint64_t chunk);
/* Drop a chunk that was read from resident memory; no effect if it does not begin on a page. */
void	chunks_release(const struct held *, uint64_t chunk);
bool	chunks_guard(struct store *, struct held *, const uint64_t *sums);	/* the same */

/* facts.c: facts to and from the bytes of FACTS_COLUMN. */
bool	facts_pack(const struct store *, struct buf *);
bool	facts_unpack(struct store *, struct str);
bool	facts_publish(struct store *);	/* whether that changes any */
bool	facts_take(struct store *, const struct store *from, struct err *);	/* what is not published there yet */
/* Return whether the name of a fact, or of a column in the index, is right and fits with its NUL. */
bool	name_ok(struct str, size_t size);
/* The caller is the thread that makes.  Under lock. */
void	store_making(struct store *);
/* A copy with a NUL behind it that lives as long as the store; NULL: no memory.  Under lock. */
char	*store_keep(struct store *, struct str);

#endif
