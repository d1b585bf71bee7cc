/*
 * inside: what the files of the store share, and nobody else sees.
 */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include <pthread.h>

#include "icecore/store.h"

#define NAME_SIZE 48		/* of a column or fact, with the closing NUL */
#define COLUMNS_MAX 4096
#define FACTS_MAX 4096
#define FACTS_COLUMN "store.facts"
#define INDEX_PAGE 4096		/* columns begin at multiples of this */

/* Where the bytes of a column are. */
enum place {
	PLACE_MEMORY,	/* in scratch */
	PLACE_NEW,	/* mapped from the index file that is being built */
	PLACE_MAPPED	/* mapped from a file that is done: an index, or one given up */
};

enum state {
	STATE_MADE,	/* writable, seen by nobody */
	STATE_PUBLISHED,
	STATE_GONE	/* found no more, but somebody may hold it */
};

struct entry {
	struct column	 column;	/* first: what callers hold */
	char		 name[NAME_SIZE];
	enum state	 state;
	enum place	 place;
	bool		 checked;	/* made here, or its hash was verified */
	bool		 hashed;	/* hash is known */
	uint64_t	 hash;
	uint64_t	 offset;	/* PLACE_NEW: in the file */
	uint64_t	 mapped;	/* bytes mapped for this column alone */
	struct scratch	 memory;	/* PLACE_MEMORY */
};

struct facts {
	struct fact	*fact;
	size_t		 n, cap;
};

struct store {
	char		*path, *base;	/* as given; its name without folders */
	struct map	 file, raw;
	bool		 unpacked;	/* raw is the source */

	struct map	 index;		/* of found */
	bool		 distrusted;	/* a column of it was damaged */
	struct file	 building;	/* the next index, as far as it is */
	uint64_t	 end;		/* of building */
	bool		 dirty;		/* something was published since the last save */

	pthread_mutex_t	 lock;		/* for all that follows */
	const char	*found;		/* the index that was read, or NULL */
	const char	*target;	/* where the next index goes, or NULL */
	const char	*note;
	struct entry	**entry;
	size_t		 nentries, cap;
	struct facts	 facts, pending;
	bool		 making;	/* maker has something unpublished */
	pthread_t	 maker;
	char		**kept;		/* strings that readers may hold, freed at the end */
	size_t		 nkept, kept_cap;
};

/* hash.c: 64 bits over bytes; any change within eight bytes changes it. */
uint64_t hash_bytes(const void *, uint64_t size, uint64_t seed);

/* place.c: where an index may lie. */
void	place_find(struct store *, const struct store_options *);
bool	place_begin(struct store *);	/* begins building; false: the note says why not */

/* index.c: the file. */
bool	index_load(struct store *, const char *path);
uint64_t index_bytes(const struct column *);
uint64_t index_page_up(uint64_t);	/* to whole pages of this machine */

/* column.c. */
bool	column_name_ok(struct str);
struct entry *column_add(struct store *, struct str name);	/* NULL: no memory */
void	column_free(struct entry *);
bool	column_intact(const struct entry *);	/* the hash agrees */

/* facts.c: facts to and from the bytes of FACTS_COLUMN. */
bool	facts_pack(const struct store *, struct buf *);
bool	facts_unpack(struct store *, struct str);
void	facts_publish(struct store *);
/* The caller is the thread that makes.  Under lock. */
void	store_making(struct store *);
/* A copy with a NUL behind it that lives as long as the store; NULL: no memory.  Under lock. */
char	*store_keep(struct store *, struct str);

#endif
