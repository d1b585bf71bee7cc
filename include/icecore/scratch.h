/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch: big arrays while they are built, and 64-bit ids to small numbers. */
#ifndef ICECORE_SCRATCH_H
#define ICECORE_SCRATCH_H

#include <string.h>

#include "icecore/base.h"

/* ---- scratch: big arrays while they are built -------------------------- */

/*
 * A growing array of zeroed bytes.  It is anonymous memory as long as all scratch
 * together stays within the budget, above it an unlinked temporary file that
 * the kernel may write out and drop.  One that is all zeros is empty, as SCRATCH_INIT is.
 */
struct scratch {
	uint8_t	*data;
	size_t	 size;		/* bytes usable */
	int	 fd;		/* -1 while anonymous */
};

#define SCRATCH_INIT ((struct scratch){ NULL, 0, -1 })

/* A local one, freed at the end of its block. */
#define OWN_SCRATCH CLOSED_BY(scratch_free) struct scratch

/*
 * A scratch whose elements have a type: a.at[i].  Functions that do not know the type get &a.raw.
 * array_grow and array_add do what scratch_array and scratch_add do, without the size.
 */
#define ARRAY(type) union { struct scratch raw; type *at; }
#define ARRAY_INIT { SCRATCH_INIT }
/* A local one, freed at the end of its block. */
#define OWN_ARRAY(type) CLOSED_BY(array_free) ARRAY(type)
#define array_grow(a, n, err) scratch_array(&(a)->raw, n, sizeof *(a)->at, err)
#define array_add(a, n, item, err) scratch_add(&(a)->raw, n, 1 ? (item) : (a)->at, sizeof *(a)->at, err)
void	array_free(void *array);
void	array_free_all(void *const *);		/* NULL ends them */

/* At least size bytes (at least doubled when grown); data may move. */
bool	scratch_grow(struct scratch *, size_t size, struct err *) MUST_USE;
void	scratch_free(struct scratch *);
/* Releases the kept memory of freed arrays; for the end of a piece of work. */
void	scratch_settle(void);
/* Read-only until it is freed; those below 64 KiB, which share their pages, stay as they are. */
void	scratch_seal(struct scratch *);
void	scratch_budget(uint64_t bytes);		/* --memory */
/*
 * The budget for an input of that size with that many objects: the largest of 64 MiB, a quarter of the
 * input and 16 bytes an object.  Only raises the budget, and only while scratch_budget was not called.
 * Does resident_source, too.
 */
void	scratch_budget_input(uint64_t bytes, uint64_t objects);
void	scratch_budget_rows(uint64_t rows);	/* the same for a trace: 16 bytes a record */
/* Array access without casts: scratch_need(&s, n, uint32_t, err), then SCRATCH(s, uint32_t)[i]. */
#define SCRATCH(s, type) ((type *)(void *)(s).data)
bool	scratch_array(struct scratch *, uint64_t n, size_t size, struct err *) MUST_USE;

/* Appends a copy of item, of size bytes, to the *n items, and counts it. */
static inline bool
scratch_add(struct scratch *s, uint64_t *n, const void *item, size_t size, struct err *err)
{
	if ((*n + 1) * size > s->size && !scratch_array(s, *n + 1, size, err))
		return false;
	memcpy(s->data + *n * size, item, size);
	++*n;
	return true;
}

/* Frees each argument, a struct scratch or an ARRAY: SCRATCH_FREE(&a, &b). */
#define SCRATCH_FREE(...) array_free_all((void *const []){ __VA_ARGS__, NULL })
/* Bits in an array of u64. */
static inline bool
has_bit(const struct scratch *bits, uint32_t i)
{
	return SCRATCH(*bits, uint64_t)[i / 64] >> (i % 64) & 1;
}

static inline void
set_bit(const struct scratch *bits, uint32_t i)
{
	SCRATCH(*bits, uint64_t)[i / 64] |= (uint64_t)1 << (i % 64);
}

/*
 * All of the new memory at data will be written soon: where --jobs allows a second thread, it makes the
 * pages meanwhile; else they are made at once.  A wish.
 */
#define AHEAD_MIN (16u << 20)		/* less is not worth it */
void	os_ahead(void *data, size_t size);

/* ---- idmap: 64-bit ids to small numbers ---------------------------------- */

struct idmap {
	struct scratch	 slots;
	uint64_t	 cap, n;
};

#define IDMAP_INIT ((struct idmap){ SCRATCH_INIT, 0, 0 })
#define OWN_IDMAP CLOSED_BY(idmap_free) struct idmap

/* 0: no such key. */
uint32_t idmap_get(const struct idmap *, uint64_t key);
/* The key will be asked for soon: its place is fetched meanwhile. */
void	idmap_ahead(const struct idmap *, uint64_t key);
/* Sets or replaces; value 0 is not allowed. */
bool	idmap_put(struct idmap *, uint64_t key, uint32_t value, struct err *) MUST_USE;
/* Look up a key: *found gets its value.  A missing key is added with this value, which is not 0. */
bool	idmap_enter(struct idmap *, uint64_t key, uint32_t value, uint32_t *found, struct err *) MUST_USE;
/* Empties it.  Its memory stays for as many again, unless it had much more than it needed. */
void	idmap_clear(struct idmap *);
void	idmap_free(struct idmap *);
/* Hash of a key, seeded, so that a file cannot provoke collisions. */
uint64_t idmap_hash(uint64_t key);
/*
 * Seeded 64-bit hash used in place of the text: no file can provoke two equal ones.  salt: further
 * distinction.
 */
uint64_t idmap_hash_text(struct str, uint64_t salt);
/*
 * The hash of a text whose bytes are replaced first, so that names that are spelt differently have the same
 * hash.
 */
uint64_t idmap_hash_as(struct str, char (*as)(char), uint64_t salt);

#endif
