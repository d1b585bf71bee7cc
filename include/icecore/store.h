/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
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

/* Rebuilds columns of an index, in a store on top of its own: COL_NONE: the base columns, first of all. */
typedef bool store_rebuild(struct store *, column_id, struct work *, struct err *);

struct store_options {
	/* Index DIR; NULL: next to the source, otherwise the cache directory. */
	const char	*dir;
	bool		 memory_only;	/* --no-index */
	bool		 read_only;	/* --read-only: written to the cache directory, or nowhere */
	/* Use these bytes as the source instead of a file; path is only their name; or NULL. */
	const struct str *bytes;
	const int	*fd;		/* the source, open already; NULL: path is opened */
	unsigned	 dump;		/* --dump N, of a file that holds several; 0: the first */
	/* --as NAME: the loader that reads it, for load_open; NULL: by its content. */
	const char	*as;
	const struct ask_options *asks;	/* --path, --by and their like, for load_open; or NULL */
	/* Paths that a directory lists, too, for load_open; ends with NULL; or NULL. */
	const char *const *recent;
	/* store_digest is going to be asked for: it begins while the file is read. */
	bool		 digest;
	bool		 anew;		/* an existing index is not used, and is replaced */
	/* For load_open: the index is valid only if the hash of the whole file matches. */
	bool		 verify;
	struct work	*work;		/* checked while a pipe is read; or NULL */
	const struct intake_check *known;	/* checks the data of a pipe; or NULL */
	store_rebuild	*rebuild;	/* restores a damaged index; NULL: damaged columns are lost */
};

/* ---- opening and keeping ------------------------------------------------ */

/*
 * The index of the file at path ("-" or a pipe: memory only).
 *
 * Opens the source, finds NAME.icx and maps it if it belongs to this source.  Places: next to the file, in
 * --index DIR, or in $XDG_CACHE_HOME/icecore.  The cache comes first if the directory of the file is not
 * writable, and second if writing there fails.  Dump N other than the first has NAME.N.icx.  A stale,
 * unrelated or newer index is ignored and will be replaced, as is one whose directory is damaged.  Damaged
 * columns are rebuilt.
 */
bool	store_open(struct store **, const char *path,
	    const struct store_options *, struct err *) MUST_USE;
/* Stop keeping an index; info shows the reason. */
void	store_keep_none(struct store *, const char *why);
void	store_close(struct store *);
/*
 * Place of the index of path: the directory for it and for the unpacked copy, which may be missing; or an
 * index that is only read.
 */
void	store_places(const char *path, const struct store_options *,
    void (*each)(void *to, const char *place, bool written), void *to);
/* True if a file with the name of the index exists, whatever its content. */
bool	store_has_index(const char *path, const struct store_options *);
/*
 * Writes everything published since the last save: a new file that gets its name when it is complete, later
 * after the end of that file, which counts when its header is replaced.  If the program ends during a save,
 * the next opening finds all data saved before; if the machine does, the index may be void.  If there is no
 * place to write, or another process writes the index, that is not an error (see store_note); no space is
 * E_SYSTEM, and saving can be retried.
 */
bool	store_save(struct store *, struct err *) MUST_USE;
/*
 * Saves if there is enough new data, in bytes or in computing time, to be worth keeping after a crash.
 * Failures to save are reported by the next store_save.
 */
void	store_save_worth(struct store *, struct work *);
const char *store_path(const struct store *);	/* path of the source as it was given */
const char *store_index_path(const struct store *);	/* "" when in memory only */
const char *store_note(const struct store *);	/* reason for the missing index, or "" */

/*
 * The index was damaged, first at that byte, or, at STORE_COPY, the unpacked copy; damaged columns are
 * recomputed and saved.
 */
#define STORE_COPY UINT64_MAX
bool	store_damage(const struct store *, uint64_t *at);
bool	store_damage_text(const struct store *, struct buf *);	/* the same in words, which it appends */
/* The unpacked copy of an earlier run has changed. */
void	store_copy_damaged(struct store *);
/*
 * Something about the file was changed since its index was made, or may have been: perhaps its name or its
 * rights, perhaps a byte that no sample shows.  The caller compares all bytes and closes the store, or
 * confirms it; saving keeps that.
 */
bool	store_doubted(const struct store *);
void	store_confirm(struct store *);
/* Number of rebuilt columns. */
size_t	store_mended(const struct store *);
/* Verifies unused parts of the index until that time (os_now); false: all are verified. */
bool	store_verify(struct store *, uint64_t until, struct work *);

unsigned store_dump(const struct store *);	/* number of the dump in a file with several, from 1 */

/* The source file on disk. */
const struct map *store_file(const struct store *);
/*
 * The SHA-256 of the file on disk in hexadecimal digits; the index keeps it.  Waits for it, on the worker
 * or inline.  Fails as digest_take does.
 */
bool	store_digest(struct store *, struct work *, struct str *, struct err *) MUST_USE;
/* The bytes that loaders and passes read: the file, or its unpacked content. */
const struct map *store_source(const struct store *);
/* A loader's input layer gives the unpacked bytes; the store owns the map from here on. */
void	store_set_source(struct store *, struct map *);
/*
 * The source, its unpacked copy, or the index shrank or failed while it was mapped: all data read so far is
 * invalid.
 */
bool	store_lost(const struct store *);
/*
 * Path of the unpacked copy, next to the index, the same for all dumps (caller frees); its directory may be
 * missing; NULL: memory only.  other: the fallback, next to the second path of the index; NULL: none.
 */
char	*store_unpacked_path(const struct store *, bool other);
/* The endings of both, ".icx" for example, then NULL. */
extern const char *const store_endings[];

/* ---- one over another ----------------------------------------------------- */

/*
 * A store in memory on top of another one, which must live longer and whose source it shares.  Columns it
 * lacks are looked up below, except the masked ones (COL_NONE ends them; a family masks all its choices).
 * Saving it saves the stores below.
 */
bool	store_over(struct store **, struct store *below, const column_id *masked, struct err *) MUST_USE;
struct store *store_below(const struct store *);	/* NULL: it is of a file */
/*
 * The store of no file, without columns and facts: queries are opened over it to check them and to find the
 * columns they read.
 */
struct store *store_blank(void);
bool	store_is_blank(const struct store *);
/*
 * Another store that describes this one, as a recording does a heap dump; it must outlive this one.  NULL:
 * none.
 */
void	store_put_beside(struct store *, const struct store *);
void	store_own_beside(struct store *, struct store *beside);	/* the same; it is closed with this one */
const struct store *store_beside(const struct store *);
/* Return a number that no other store of this process ever has; 0 for NULL. */
uint64_t store_serial(const struct store *);
/* Changes whenever a column is added or removed, in it or in a store below. */
uint64_t store_version(const struct store *);
/* Closes a store and the stores below it, down to bottom, which stays; NULL: all of them. */
void	store_close_pile(struct store *, const struct store *bottom);
/* The store that a column belongs to, whether it is there or is still to be made: this one or one below. */
struct store *store_of(struct store *, column_id);

/* ---- columns ------------------------------------------------------------ */

/* NULL if it is missing (so far).  Two loads and no lock. */
const struct column *store_column(const struct store *, column_id);
/*
 * New zeroed column, writable until store_publish; NULL with err filled on failure.  If it was published
 * before, it stays and the call fails.
 */
void	*store_make(struct store *, column_id, enum column_type,
	    uint64_t rows, struct err *);
/* The same, for rows that are written in no order, page by page. */
void	*store_make_scattered(struct store *, column_id, enum column_type, uint64_t rows, struct err *);
/*
 * Write rows of a column that is not published; of many pieces far from each other that is faster than
 * through memory.
 */
void	store_put(struct store *, column_id, uint64_t row, const void *values, uint64_t n);
/*
 * Move the unpublished columns of a store over this one into this one, as if they were made here, for
 * store_publish.
 */
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

/* ---- strings: text in the source ----------------------------------- */

/*
 * A ref is a piece of the source: 40 bits of offset, 24 bits of length.
 * Longer pieces are cut to REF_MAX bytes.  Ref 0 is the empty string.
 */
#define REF_MAX ((1u << 24) - 1)
uint64_t	ref_make(uint64_t offset, uint64_t length);
/* The bytes; empty if the ref is outside the source. */
struct str	store_text(const struct store *, uint64_t ref);
/*
 * A loader makes texts that the source lacks as the column heap.text; their refs are offsets from store_own_at
 * of its store on.  A store on top of another may have its own text, which lives as long as the store and is set once,
 * before anything is published.  Its refs are offsets from store_own_at on, for this store and for those on top of
 * it.
 */
uint64_t	store_own_at(const struct store *);
void		store_own_text(struct store *, struct str);
/* The same; the store owns the map from here on. */
void		store_own_map(struct store *, struct map *);
struct str	store_own(const struct store *);	/* the text; empty: none */

/* ---- facts: single values about the file as a whole ----------------- */

/*
 * Named single values, shown by `info` in the order they were set, and kept in the index.  Names of repairs
 * begin with "repair.", names of losses with "loss.": a loss above zero makes the exit status 3.
 */
#define FACT_NAME_SIZE 80		/* bytes of the name of a fact, with the closing NUL */
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
/* True if a loss.* fact is above 0.  The thread that makes facts also sees those not yet published. */
bool		store_damaged(const struct store *);
/* The number of repairs.  One of bytes counts once; a time is what repairs that are counted have cost. */
uint64_t	store_repairs(const struct store *);

/* ---- hash: 64 bits over bytes ----------------------------------------------- */

/* Against accidents, not against forgers. */
uint64_t	hash_bytes(const void *, uint64_t size, uint64_t seed);
/* Hash a whole map, on several processors; label: of the progress.  False: cancelled, or out of memory. */
bool	hash_map(const struct map *, const char *label, struct work *, uint64_t *hash, struct err *) MUST_USE;

#endif
