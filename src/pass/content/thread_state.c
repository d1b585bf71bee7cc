/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thread_state: what Thread objects say of themselves: their state, and whether they are daemons.
 */
#include "config.h"

#include "icecore/content.h"
#include "pass/heap/heap.h"

static bool
thread_state_number_of(const struct heap_slot *slot, const struct heap *h, int64_t *n)
{
	unsigned width;

	if (slot->type <= HEAP_OBJECT)
		return false;
	width = heap_width(slot->type, h->id_size);
	*n = (int64_t)(slot->bits << (64 - 8 * width)) >> (64 - 8 * width);
	return true;
}

/* Newer JDKs keep it in a separate object. */
static bool
thread_number(const struct heap *h, uint32_t object, const char *name, int64_t *n)
{
	uint32_t holder = heap_field_object(h, object, "holder");
	struct heap_slot slot;

	if (object != 0 && heap_field(h, object, name, 0, &slot))
		return thread_state_number_of(&slot, h, n);
	return holder != 0 && heap_field(h, holder, name, 0, &slot) && thread_state_number_of(&slot, h, n);
}

/* ---- virtual threads ------------------------------------------------------------------------------ */

/*
 * Names of the states in java.lang.VirtualThread, whose numbers differ from JDK to JDK; now: those of JDK 24.
 */
static const struct {
	const char	*constant, *name;
	uint8_t		 now;
} virtual_states[] = {
	{ "NEW", "new", 0 }, { "STARTED", "runnable", 1 }, { "RUNNABLE", "runnable", 2 },
	{ "RUNNING", "runnable", 2 },
	{ "PARKING", "waiting", 3 }, { "PARKED", "waiting", 4 }, { "PINNED", "waiting", 5 },
	{ "TIMED_PARKING", "timed waiting", 6 }, { "TIMED_PARKED", "timed waiting", 7 },
	{ "TIMED_PINNED", "timed waiting", 8 },
	{ "UNPARKED", "runnable", 9 }, { "YIELDING", "runnable", 10 }, { "YIELDED", "runnable", 11 },
	{ "BLOCKING", "blocked", 12 }, { "BLOCKED", "blocked", 13 }, { "UNBLOCKED", "runnable", 14 },
	{ "WAITING", "waiting", 15 }, { "WAIT", "waiting", 16 },
	{ "TIMED_WAITING", "timed waiting", 17 }, { "TIMED_WAIT", "timed waiting", 18 },
	{ "TERMINATED", "terminated", 99 }
};

#define SUSPENDED 0x100	/* beside the state */

/* The constants of the JDK in the dump decide, unless their values were masked. */
static const char *
virtual_state(const struct heap *h, uint32_t class, int64_t state)
{
	struct heap_slot slot;
	int64_t n;
	bool known = heap_static(h, class, STR("PARKED"), &slot) && thread_state_number_of(&slot, h, &n) &&
	    n != 0;

	state &= ~(int64_t)SUSPENDED;
	for (size_t i = 0; i < NELEM(virtual_states); i++) {
		n = virtual_states[i].now;
		if (known && !(heap_static(h, class, str_of(virtual_states[i].constant), &slot) &&
		    thread_state_number_of(&slot, h, &n)))
			continue;
		if (n == state)
			return virtual_states[i].name;
	}
	return NULL;
}

uint32_t
heap_thread_virtual(const struct heap *h, uint32_t object)
{
	return object == 0 ? 0 : class_named(h, heap_class(h, object), "java.lang.VirtualThread");
}

/* ---- all ------------------------------------------------------------------------------------------- */

/* The bits are those of JVM TI; java.lang.Thread.getState reads them so. */
const char *
heap_thread_state(const struct heap *h, uint32_t object)
{
	static const struct {
		uint32_t	 bit;
		const char	*name;
	} states[] = {
		{ 0x4, "runnable" }, { 0x400, "blocked" }, { 0x10, "waiting" },
		{ 0x20, "timed waiting" }, { 0x2, "terminated" }, { 0x1, "runnable" }
	};
	uint32_t class = heap_thread_virtual(h, object);
	struct heap_slot slot;
	size_t i = 0;
	int64_t bits;

	if (class != 0 && heap_field(h, object, "state", class, &slot) &&
	    thread_state_number_of(&slot, h, &bits))
		return virtual_state(h, class, bits);
	if (class != 0)
		return NULL;
	if (!thread_number(h, object, "threadStatus", &bits))
		return NULL;
	while (i < NELEM(states) && ((uint64_t)bits & states[i].bit) == 0)
		i++;
	return i < NELEM(states) ? states[i].name : "new";
}

bool
heap_thread_alive(const struct heap *h, uint32_t object)
{
	const char *state = heap_thread_state(h, object);

	return state == NULL || !(str_is(str_of(state), "new") || str_is(str_of(state), "terminated"));
}

bool
heap_thread_daemon(const struct heap *h, uint32_t object, bool *daemon)
{
	int64_t n = heap_thread_virtual(h, object) != 0;
	bool known = n != 0 || thread_number(h, object, "daemon", &n);

	*daemon = n != 0;
	return known;
}
