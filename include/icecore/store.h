/*
 * store: typed, flat columns, each with a handle (columns.h), in one mapped index file beside the
 * mapped source.  Ids are 32-bit and 1-based: id n is row n - 1; 0 is "none".
 *
 * A column is made once, by one loader or pass, and never changes after it
 * was published; readers on other threads see published columns only.
 */
#ifndef ICECORE_STORE_H
#define ICECORE_STORE_H

#include "icecore/column.h"
#include "icecore/os.h"

struct store;
struct intake_check;

/* Makes columns again that an index had, in a store over its own: COL_NONE: the base columns, first of all. */
typedef bool store_rebuild(struct store *, column_id, struct work *, struct err *);

struct store_options {
	const char	*dir;		/* --index DIR; NULL: beside the source, else the cache directory */
	bool		 memory_only;	/* --no-index */
	bool		 read_only;	/* --read-only: written to the cache directory, or nowhere */
	const struct str *bytes;	/* these are the source, which is no file: path is only what it is called; or NULL */
	const int	*fd;		/* the source, open already; NULL: path is opened */
	unsigned	 dump;		/* --dump N, of a file that holds several; 0: the first */
	const char	*as;		/* --as NAME: the loader that reads it, for load_open; NULL: by its content */
	const struct ask_options *asks;	/* --path, --by and their like, for load_open; or NULL */
	bool		 digest;	/* store_digest is going to be asked for: it begins while the file is read */
	bool		 anew;		/* an existing index is not used, and is replaced */
	bool		 verify;	/* for load_open: the index counts only if the whole file is what it was made from */
	struct work	*work;		/* checked while a pipe is read; or NULL */
	const struct intake_check *known;	/* asked of what a pipe gives; or NULL */
	store_rebuild	*rebuild;	/* for an index that is damaged; NULL: what was damaged is lost */
};

/* ---- opening and keeping ------------------------------------------------ */

/*
 * The index of the file at path ("-" or a pipe: memory only).  Opens the source,
 * finds NAME.icx (beside it, in --index DIR, or in $XDG_CACHE_HOME/icecore, which comes first where nothing can be
 * written beside it, and next when that fails; NAME.N.icx for dump N but the first), and maps it if it belongs to this
 * source; a stale, foreign
 * or newer index is ignored and will be replaced.  So is one whose directory is damaged; of its columns those that are
 * damaged are made again.
 */
bool	store_open(struct store **, const char *path,
	    const struct store_options *, struct err *) MUST_USE;
/* From now on no index is kept, and why; info says it. */
void	store_keep_none(struct store *, const char *why);
void	store_close(struct store *);
/*
 * Where the index of path is: the directory in which it and what path unpacks to are written, which may be missing; or an index
 * that is only read.
 */
void	store_places(const char *path, const struct store_options *, void (*each)(void *to, const char *place, bool written), void *to);
/* There is one of that name, whatever is in it. */
bool	store_has_index(const char *path, const struct store_options *);
/*
 * Writes everything published since the last save: a new file that takes its name when it is whole,
 * later after the end of that file, which counts when its header is replaced.  If the program ends on the
 * way, the next opening finds all that was saved before; if the machine does, the index may be void.  No place to write, or
 * another process that writes the index, is no error (see store_note); no space is E_SYSTEM, and it can be tried again.
 */
bool	store_save(struct store *, struct err *) MUST_USE;
/*
 * Saves if so much is new, in bytes or in the time it took, that it should survive whatever comes.
 * Failures to save are reported by the next store_save.
 */
void	store_save_worth(struct store *, struct work *);
const char *store_path(const struct store *);	/* of the source, as given */
const char *store_index_path(const struct store *);	/* "" when in memory only */
const char *store_note(const struct store *);	/* reason for the missing index, or "" */

/* The index was damaged, first at that byte, or, at STORE_COPY, what the file was unpacked to; what was is made again and saved. */
#define STORE_COPY UINT64_MAX
bool	store_damage(const struct store *, uint64_t *at);
bool	store_damage_text(const struct store *, struct buf *);	/* the same in words, which it appends */
/* The unpacked copy of an earlier run is not what it was. */
void	store_copy_damaged(struct store *);
/*
 * Something about the file was changed since its index was made, or may have been: perhaps its name or its rights, perhaps a byte that
 * no sample shows.  The caller compares all bytes and closes the store, or confirms it; saving keeps that.
 */
bool	store_doubted(const struct store *);
void	store_confirm(struct store *);
/* How many columns were made again. */
size_t	store_mended(const struct store *);
/* Verifies what nobody has used yet of the index, until that time (os_now); false: that is all. */
bool	store_verify(struct store *, uint64_t until, struct work *);

unsigned store_dump(const struct store *);	/* which is wanted of a file with several, from 1 */

/* The source file as it lies on disk. */
const struct map *store_file(const struct store *);
/*
 * The SHA-256 of the file on disk in hexadecimal digits; the index keeps it.  Waits for it, on the worker or inline.  Fails as
 * digest_take does.
 */
bool	store_digest(struct store *, struct work *, struct str *, struct err *) MUST_USE;
/* The bytes that loaders and passes read: the file, or what it unpacked to. */
const struct map *store_source(const struct store *);
/* A loader's input layer gives the unpacked bytes; the store owns the map from here on. */
void	store_set_source(struct store *, struct map *);
/* The source, what it unpacked to, or the index shrank or failed while it was mapped: nothing that was read counts. */
bool	store_lost(const struct store *);
/*
 * The path beside the index for what the file unpacks to, the same for all dumps (caller frees), whose directory may be missing;
 * NULL: memory only.  other: the same beside the path that the index has when the first one fails; NULL: there is none.
 */
char	*store_unpacked_path(const struct store *, bool other);
/* The endings of both, ".icx" for example, then NULL. */
extern const char *const store_endings[];

/* ---- one over another ----------------------------------------------------- */

/*
 * A store in memory over another one, which must live longer and whose source it shares: what it does not
 * have itself is looked up below, but for the masked columns (COL_NONE ends them; a family is all its choices).
 * Saving it saves what is below.
 */
bool	store_over(struct store **, struct store *below, const column_id *masked, struct err *) MUST_USE;
struct store *store_below(const struct store *);	/* NULL: it is of a file */
/* The store of no file, without columns and facts: queries are opened over it to see whether they are right, and what they read. */
struct store *store_blank(void);
bool	store_is_blank(const struct store *);
/* Another store that describes this one, as a recording does a heap dump; it must outlive this one.  NULL: there is none. */
void	store_put_beside(struct store *, const struct store *);
const struct store *store_beside(const struct store *);
/* Return a number that no other store of this process ever has; 0 for NULL. */
uint64_t store_serial(const struct store *);
/* Another one whenever a column has come or gone, in it or in what it lies over. */
uint64_t store_version(const struct store *);
/* Closes a store and what it lies over, down to bottom, which stays; NULL: all of it. */
void	store_close_pile(struct store *, const struct store *bottom);
/* The store that a column belongs to, whether it is there or is still to be made: this one or one below. */
struct store *store_of(struct store *, column_id);

/* ---- columns ------------------------------------------------------------ */

/* NULL if it is missing (so far).  Two loads and no lock. */
const struct column *store_column(const struct store *, column_id);
/*
 * New zeroed column, writable until store_publish; NULL with err filled on failure.
 * Where it was published before, it stays and the call fails.
 */
void	*store_make(struct store *, column_id, enum column_type,
	    uint64_t rows, struct err *);
/* Move the unpublished columns of a store over this one into this one, as if they were made here, for store_publish. */
bool	store_take(struct store *, struct store *over, struct err *) MUST_USE;
/* Fewer rows than made. */
void	store_trim(struct store *, column_id, uint64_t rows);
/* All columns made since the last publish become visible at once, or are dropped. */
void	store_publish(struct store *);
void	store_discard(struct store *);

/* Copies values into a new column of the narrowest unsigned type that holds them. */
bool	store_pack(struct store *, column_id, const uint64_t *, uint64_t rows,
	    struct err *) MUST_USE;

/* The value of a column for an id, from 1; 0 if the column or the row does not exist. */
static inline uint64_t
store_cell(const struct store *st, column_id col, uint64_t id)
{
	return column_get(store_column(st, col), id - 1);
}

/* ---- strings: text that lies in the source ------------------------------ */

/*
 * A ref is a piece of the source: 40 bits of offset, 24 bits of length.
 * Longer pieces are cut to REF_MAX bytes.  Ref 0 is the empty string.
 */
#define REF_MAX ((1u << 24) - 1)
uint64_t	ref_make(uint64_t offset, uint64_t length);
/* The bytes; empty when the ref does not lie within the source. */
struct str	store_text(const struct store *, uint64_t ref);
/*
 * A store over another may have text of its own, which stays as long as the store and is given once, before anything is
 * published: refs to it are those of offsets from store_own_at on, for this store and for those over it.
 */
uint64_t	store_own_at(const struct store *);
void		store_own_text(struct store *, struct str);
void		store_own_map(struct store *, struct map *);	/* the same; the store owns the map from here on */
struct str	store_own(const struct store *);	/* it; empty: the store has none */

/* ---- facts: what is known about the file as a whole ---------------------- */

/*
 * Named single values, shown by `info` in the order they were set and kept in
 * the index.  Names of repairs begin with "repair.", of what could not be
 * read with "loss.": a loss above zero makes the exit status 3.
 */
enum fact_type { FACT_TEXT, FACT_COUNT, FACT_BYTES, FACT_TIME /* ns */ };

struct fact {
	const char	*name;
	enum fact_type	 type;
	uint64_t	 value;
	struct str	 text;	/* raw bytes for FACT_TEXT */
};

/* Sets or replaces; visible to other threads after store_publish. */
bool	store_fact(struct store *, const char *name, enum fact_type, uint64_t, struct err *) MUST_USE;
bool	store_fact_text(struct store *, const char *name, struct str, struct err *) MUST_USE;
/* 0 or the empty text without such a fact. */
uint64_t	store_fact_get(const struct store *, const char *name);
struct str	store_fact_str(const struct store *, const char *name);
size_t		store_nfacts(const struct store *);
bool		store_fact_at(const struct store *, size_t, struct fact *);
/* Some loss.* fact is above 0, for the thread that makes also one that is not yet published. */
bool		store_damaged(const struct store *);

/* ---- hash: 64 bits over bytes ----------------------------------------------- */

/* Against accidents, not against forgers. */
uint64_t	hash_bytes(const void *, uint64_t size, uint64_t seed);
/* Hash a whole map, on several processors; label: of the progress.  False: cancelled, or out of memory. */
bool	hash_map(const struct map *, const char *label, struct work *, uint64_t *hash, struct err *) MUST_USE;

#endif
