/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * content: what an object of a heap dump holds, in a few words, as lists of objects show it.  Belongs to
 * layer pass.
 *
 * Facts: the fields of the classes of the JDK, of Android and of AndroidX, by version.
 */
#ifndef ICECORE_CONTENT_H
#define ICECORE_CONTENT_H

#include "icecore/collection.h"

/* Classes with a short content, looked up when their first object is met. */
struct contents;

/* Needs pass "objects". */
bool	 contents_open(struct contents **, const struct heap *, struct err *);
void	 contents_close(struct contents *);	/* NULL is fine */

/*
 * Append, raw: for a String its text, for a collection its size and first elements, for other objects a value
 * or their first fields; nothing if there is nothing to show.  Strings of at most two references are read.
 */
void	 content_add(struct contents *, uint32_t object, struct buf *);
/* A class name without package, "java.lang.String" as "String", for places that show only the name. */
void	 class_simple_add(const struct heap *, uint32_t class, struct buf *);
/* The state of a Thread object, "waiting"; NULL: unknown. */
const char *heap_thread_state(const struct heap *, uint32_t object);
/* java.lang.VirtualThread, which it is; 0: it is none. */
uint32_t heap_thread_virtual(const struct heap *, uint32_t object);
/* True if a thread was started and has not ended, or if that is unknown. */
bool	 heap_thread_alive(const struct heap *, uint32_t object);
/* Set *daemon to true for a thread for which the VM does not wait; false: unknown. */
bool	 heap_thread_daemon(const struct heap *, uint32_t object, bool *daemon);

/* ---- wasted bytes: those that could be shared or saved --------------------------------- */

enum wasted_kind {
	/*
	 * Objects of one class whose fields have the same values, up to 64 bytes: boxed numbers, for
	 * example.
	 */
	WASTED_OBJECTS,
	WASTED_SPARSE,	/* reference arrays of at least 16 elements with at most a quarter not null */
	WASTED_TAILS	/* arrays of numbers that end in zeros: 64 bytes and half of the array, or more */
};

struct wasted {
	uint64_t	waste;		/* bytes */
	uint32_t	object;		/* the first copy */
	uint32_t	copies;		/* number of equal objects */
	/* Elements that are not null; of primitive arrays: elements before the trailing zeros. */
	uint32_t	used;
};

/*
 * Reachable objects by ascending number; equal ones grouped by the first.  Reads all of them.  False: stopped
 * by add, or cancelled.
 */
bool	 heap_wasted(const struct heap *, enum wasted_kind, bool (*add)(void *to, const struct wasted *),
    void *to, struct work *, struct err *) MUST_USE;

#endif
