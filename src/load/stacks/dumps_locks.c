/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks of the open dump, and who holds them.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "dumps_in.h"

enum { SALT_KEY = 16, SALT_NO_KEY, SALT_HOLDS };

#define IN_LOCK(in, row) (&SCRATCH((in)->locks, struct in_lock)[(row) - 1])

/* ---- locks of threads --------------------------------------------------------------------- */

uint32_t
dumps_lock(struct dumps_in *in, struct str key, struct str class)
{
	uint64_t hash = key.n > 0 ? idmap_hash_text(key, SALT_KEY) : idmap_hash_text(class, SALT_NO_KEY);
	struct in_lock new = { .dump = (uint32_t)in->ndumps }, *lock;
	uint32_t row = idmap_get(&in->by[BY_LOCK], hash);

	dumps_tell_id(in, key);
	dumps_tell_name(in, class, "class");
	if (row != 0) {
		lock = IN_LOCK(in, row);
		if (lock->class.ref == 0 && lock->class.own == 0)
			lock->class = dumps_text(in, class);
		return row;
	}
	new.class = dumps_text(in, class);
	new.key = dumps_text(in, key);
	MAKE_PUT(in, locks, new, MAKE_MOST, "locks");
	in->bad = in->bad || !idmap_put(&in->by[BY_LOCK], hash, (uint32_t)in->nlocks, in->err);
	return in->bad ? 0 : (uint32_t)in->nlocks;
}

void
dumps_want(struct dumps_in *in, enum dump_want want, struct str key, struct str class)
{
	if (!in->in_thread || in->bad)
		return;
	assert(want != WANT_NOTHING && want < DUMP_WANTS);
	in->t.lock = dumps_lock(in, key, class);
	in->t.want = want;
}

void
dumps_want_not(struct dumps_in *in)
{
	in->t.lock = 0;
	in->t.want = WANT_NOTHING;
	in->t.owner_kind = OWNER_NONE;
}

/* Add a single hold for each lock, however often the stack names the lock. */
void
dumps_hold(struct dumps_in *in, struct str key, struct str class)
{
	struct in_hold new = { (uint32_t)in->nthreads + 1, 0 };

	if (!in->in_thread || in->bad || (new.lock = dumps_lock(in, key, class)) == 0 ||
	    IN_LOCK(in, new.lock)->last == new.thread)
		return;
	assert(new.lock <= in->nlocks && new.lock > in->before.locks);
	IN_LOCK(in, new.lock)->last = new.thread;
	MAKE_PUT(in, holds, new, MAKE_MOST, "locks that are held");
}

void
dumps_gave_up(struct dumps_in *in)
{
	struct in_hold *h = SCRATCH(in->holds, struct in_hold);
	uint64_t to = in->thread_holds;

	assert(in->thread_holds <= in->nholds);
	for (uint64_t i = to; in->t.lock != 0 && i < in->nholds; i++)
		if (h[i].lock != in->t.lock)
			h[to++] = h[i];
	in->nholds = in->t.lock != 0 ? to : in->nholds;
}

uint64_t
dumps_owner_key(enum dump_owner kind, struct str s)
{
	return idmap_hash_text(s, SALT_HOLDS + kind);
}

void
dumps_owner(struct dumps_in *in, enum dump_owner kind, struct str s)
{
	assert(kind != OWNER_NONE && kind <= OWNER_TID);
	if (kind == OWNER_NAME)
		dumps_tell(in, s, MEANT_WHO, "holder");
	else
		dumps_tell_id(in, s);
	in->t.owner_kind = kind;
	in->t.owner = dumps_owner_key(kind, s);
	in->owned = true;
}

/* ---- deadlocks that the dump reports --------------------------------------------------------- */

static struct in_report *
last_report(struct dumps_in *in)
{
	return in->bad || in->nreports == in->before.reports ? NULL :
	    &SCRATCH(in->reports, struct in_report)[in->nreports - 1];
}

void
dumps_report(struct dumps_in *in, uint32_t number, struct str name)
{
	struct in_report new = { .name = dumps_text(in, name).ref, .dump = (uint32_t)in->ndumps,
	    .number = number };

	dumps_tell(in, name, MEANT_WHO, "thread");
	if (in->in_dump)
		MAKE_PUT(in, reports, new, MAKE_MOST, "threads in deadlocks");
}

void
dumps_report_lock(struct dumps_in *in, struct str key, struct str class)
{
	if (last_report(in) != NULL)
		last_report(in)->lock = dumps_lock(in, key, class);
}

void
dumps_report_holder(struct dumps_in *in, struct str name)
{
	struct in_report *report = last_report(in);

	dumps_tell(in, name, MEANT_WHO, "holder");
	if (report == NULL)
		return;
	report->holder = dumps_text(in, name).ref;
	if (report->lock != 0 && name.n > 0) {
		IN_LOCK(in, report->lock)->reported = dumps_owner_key(OWNER_NAME, name);
		in->owned = true;
	}
}

/* ---- the holder of each lock ------------------------------------------------------------------- */

static uint64_t
thread_key(const struct dumps_in *in, const struct in_thread *t, enum dump_owner kind)
{
	char digits[24];

	if (kind == OWNER_NAME)
		return t->name_key;
	if (kind == OWNER_ID)
		return dumps_owner_key(kind, dumps_str(in, t->id));
	return dumps_owner_key(kind, (struct str){ digits,
	    (size_t)snprintf(digits, sizeof digits, "%ju", (uintmax_t)t->tid) });
}

static uint64_t
hold_key(uint64_t who, uint32_t lock)
{
	return idmap_hash(who + lock) + 1;
}

static void
enter_first(struct dumps_in *in, uint64_t key, uint32_t row)
{
	uint32_t found;

	in->bad = in->bad || !idmap_enter(&in->by[BY_WHO], key, row, &found, in->err);
}

/* The first thread of each name and id, and the first that holds a certain lock. */
static void
enter_threads(struct dumps_in *in, uint64_t from)
{
	const struct in_hold *h = SCRATCH(in->holds, struct in_hold);

	idmap_clear(&in->by[BY_WHO]);
	for (uint64_t i = from + 1; i <= in->nthreads; i++)
		for (enum dump_owner kind = OWNER_NAME; kind <= OWNER_TID; kind++)
			enter_first(in, thread_key(in, dumps_row(in, i), kind), (uint32_t)i);
	for (uint64_t i = in->before.holds; i < in->nholds; i++)
		for (enum dump_owner kind = OWNER_NAME; kind <= OWNER_TID; kind++)
			enter_first(in, hold_key(thread_key(in, dumps_row(in, h[i].thread), kind), h[i].lock),
			    h[i].thread);
}

/* Threads that wait for a lock do not hold it, although a frame may say so. */
static void
count_holders(struct dumps_in *in)
{
	const struct in_hold *h = SCRATCH(in->holds, struct in_hold);
	struct in_lock *lock;

	for (uint64_t i = in->before.holds; i < in->nholds; i++) {
		lock = IN_LOCK(in, h[i].lock);
		if (dumps_row(in, h[i].thread)->lock == h[i].lock)
			continue;
		lock->first = lock->holders == 0 ? h[i].thread : lock->first;
		lock->holders++;
	}
}

static void
resolve_thread(struct dumps_in *in, struct in_thread *t)
{
	const struct in_lock *lock;
	uint64_t who;

	if ((t->want != WANT_LOCK && t->want != WANT_INIT) || t->lock == 0)
		return;
	assert(t->lock <= in->nlocks);
	lock = IN_LOCK(in, t->lock);
	who = t->owner_kind != OWNER_NONE ? t->owner : t->want == WANT_LOCK ? lock->reported : 0;
	if (who != 0) {
		t->holder = idmap_get(&in->by[BY_WHO], hold_key(who, t->lock));
		t->holder = t->holder != 0 ? t->holder : idmap_get(&in->by[BY_WHO], who);
		t->how = t->holder != 0 ? HOW_TOLD : HOW_OUTSIDE;
		in->count[DROP_OUTSIDE] += t->holder == 0;
		return;
	}
	t->holder = lock->first;
	t->how = t->holder != 0 ? HOW_FOUND : HOW_UNKNOWN;
	in->count[DROP_AMBIGUOUS] += lock->holders > 1;
}

void
dumps_resolve(struct dumps_in *in)
{
	uint64_t from = dumps_dump(in)->first;

	assert(from <= in->nthreads);
	count_holders(in);
	if (in->owned)
		enter_threads(in, from);
	for (uint64_t i = from + 1; i <= in->nthreads && !in->bad; i++)
		resolve_thread(in, dumps_row(in, i));
}
