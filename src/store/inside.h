/*
 * inside: what the files of the store share, and nobody else sees.
 */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "icecore/store.h"

#define NAME_SIZE 48		/* of a column or fact, with the closing NUL */
#define FACTS_MAX 4096
#define FACTS_COLUMN "store.facts"
#define INDEX_PAGE 4096		/* columns begin at multiples of this */

/* ---- the index file -------------------------------------------------------- */

struct index_header {
	char		magic[8];
	uint32_t	order, format, content, columns;
	uint64_t	source_size, source_mtime, source_inode, source_hash;
	uint64_t	dir_offset, dir_hash, file_size;
	uint64_t	stamp;		/* modification time the file was given, ns */
	uint64_t	hash;		/* of all before it */
};

struct index_dir {
	char		name[NAME_SIZE];
	uint32_t	type, zero;
	uint64_t	rows, offset, hash;
};

/* What lay under the name of an index when it was looked at. */
struct looked {
	bool			there;
	bool			sound;	/* nobody has written it since it was stamped */
	uint64_t		dev, ino;
	struct index_header	header;	/* right or not */
};

/* ---- columns --------------------------------------------------------------- */

/* Where the bytes of a column are. */
enum held_in {
	PLACE_MEMORY,	/* in scratch */
	PLACE_NEW,	/* mapped from the file that is being written */
	PLACE_MAPPED	/* mapped from a file that is done: an index, or one given up */
};

enum held_as {
	STATE_MADE,	/* writable, seen by nobody */
	STATE_PUBLISHED,
	STATE_GONE	/* found no more, but somebody may hold it */
};

struct held {
	struct column	 column;	/* first: what callers hold */
	enum held_as	 state;
	enum held_in	 place;
	uint64_t	 batch;		/* seen when that many were published */
	atomic_bool	 checked;	/* made here, or its hash was verified */
	bool		 trusted;	/* large, and of a sound index */
	bool		 hashed;	/* hash is known */
	bool		 stored;	/* lies at offset in the index that target names */
	uint64_t	 hash;
	uint64_t	 offset;	/* stored or PLACE_NEW: in the file */
	uint64_t	 mapped;	/* bytes mapped for this column alone */
	struct scratch	 memory;	/* PLACE_MEMORY */
};

struct facts {
	struct fact	*fact;
	size_t		 n, cap;
};

struct store {
	struct store	*below;		/* what it lies over, or NULL */
	bool		 masked[COL_COUNT];	/* not looked up below */
	_Atomic(struct held *) slot[COL_COUNT];	/* published ones */
	atomic_uint_fast64_t batch;	/* how often columns were published */
	uint64_t	 serial;
	struct str	 own;		/* text that is not of the source */
	char		*path, *base;	/* as given; its name without folders */
	unsigned	 dump;		/* of the file, from 1 */
	struct map	 file, raw;
	bool		 unpacked;	/* raw is the source */
	struct digest	*digest;	/* of file; or NULL */

	struct map	 index;		/* of found */
	struct looked	 seen;		/* at target, when it was last read or written */
	struct file	 building;	/* the index, locked to grow, or the next one, as far as it is */
	bool		 growing;	/* building is what seen tells of */
	atomic_bool	 grows;		/* what seen tells of is ours to append to */
	int		 replaced;	/* the locked file that building will take the place of, or -1 */
	uint64_t	 end;		/* of building */
	struct index_dir stored_facts;	/* where they lie in the index; rows 0: nowhere */
	bool		 dirty;		/* something was published since the last save */
	bool		 failed;	/* the last save */
	uint64_t	 unsaved;	/* bytes published since the last save */
	uint64_t	 since, spent;	/* ns: making began; making took since the last save */

	pthread_mutex_t	 lock;		/* for all that follows */
	bool		 distrusted;	/* a column of the index was damaged */
	const char	*found;		/* the index that was read, or NULL */
	const char	*target;	/* where the index goes, or NULL */
	const char	*note;
	struct held	**entry;
	size_t		 nentries, cap;
	struct facts	 facts, pending;
	bool		 making;	/* maker has something unpublished */
	pthread_t	 maker;
	char		**kept;		/* strings that readers may hold, freed at the end */
	size_t		 nkept, kept_cap;
};

/* hash.c: as hash_bytes with seed 0, of bytes mapped from a file, which leave resident memory again. */
uint64_t hash_mapped(const void *, uint64_t size);

/* place.c: where an index may lie. */
void	place_find(struct store *, const struct store_options *);
/* Makes building ready to be written to; false: the note says why not, and target is NULL. */
bool	place_begin(struct store *);
/* No index from here on. */
void	place_none(struct store *, const char *why);

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
/* Gives building the modification time that its header tells of. */
void	claim_stamp(struct store *);

/* index.c: the file. */
bool	index_load(struct store *, const char *path, struct looked *);
void	index_look(const char *path, struct looked *);	/* only at what lies there */
void	index_header(const struct store *, struct index_header *);	/* all but what the columns decide */
uint64_t index_header_hash(const struct index_header *);
bool	index_header_ok(const struct store *, const struct index_header *);
uint64_t index_bytes(const struct column *);
uint64_t index_page_up(uint64_t);	/* to whole pages of this machine */

/* column.c. */
struct held *column_add(struct store *, enum col);	/* NULL: no memory */
void	column_show(struct store *, struct held *);	/* from the next batch on.  Under lock, or before other threads see the store. */
void	column_free(struct held *);
uint64_t column_hash(const struct held *);
/* The hash agrees; otherwise nothing of its index counts that was not verified. */
bool	column_verify(struct store *, struct held *);

/* facts.c: facts to and from the bytes of FACTS_COLUMN. */
bool	facts_pack(const struct store *, struct buf *);
bool	facts_unpack(struct store *, struct str);
void	facts_publish(struct store *);
bool	name_ok(struct str);	/* of a fact, or of a column in the index */
/* The caller is the thread that makes.  Under lock. */
void	store_making(struct store *);
/* A copy with a NUL behind it that lives as long as the store; NULL: no memory.  Under lock. */
char	*store_keep(struct store *, struct str);

#endif
