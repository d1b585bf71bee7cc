/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads: threads of a profile, made from constants.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

/* Name of all unnamed virtual threads: there may be millions. */
#define VIRTUAL STR("(virtual threads)")

static uint32_t
no_thread(struct jfr *j)
{
	if (j->no_thread == 0)
		j->no_thread = INTO_ID(&j->to, samples_thread(&j->s, 0, 0, STR(""), j->to.err));
	return j->no_thread;
}

/* Get the Java name, otherwise the system's, into j->text. Overwrites the slots of the chunk. */
static void
threads_thread_name(struct jfr *j, const struct jfr_plan *plan)
{
	static const uint8_t names[] = { THREAD_JAVA_NAME, THREAD_OS_NAME };
	uint64_t value[] = { j->c.slot[THREAD_JAVA_NAME], j->c.slot[THREAD_OS_NAME] };

	buf_clear(&j->text);
	for (size_t i = 0; i < NELEM(names) && j->text.n == 0; i++)
		jfr_slot_text(&j->c, plan->slot[names[i]], value[i], &j->text);
}

static uint32_t
new_thread(struct jfr *j, const struct jfr_constant *k)
{
	const struct jfr_plan *plan = jfr_constant_value(&j->c, k);
	uint64_t tid;
	bool virtual;

	if (plan == NULL)
		return no_thread(j);
	tid = plan->slot[THREAD_OS_ID].kind == JFR_NUMBER ? j->c.slot[THREAD_OS_ID] : 0;
	virtual = plan->slot[THREAD_VIRTUAL].kind == JFR_NUMBER && j->c.slot[THREAD_VIRTUAL] != 0;
	threads_thread_name(j, plan);
	return INTO_ID(&j->to, samples_thread(&j->s, j->writer.pid, (uint32_t)tid,
	    virtual && tid == 0 && j->text.n == 0 ? VIRTUAL : buf_view(&j->text), j->to.err));
}

uint32_t
jfr_thread_of(struct jfr *j, uint32_t type, uint64_t key)
{
	struct jfr_constant *k = jfr_constant_find(&j->c, type, key);

	if (k == NULL)
		return no_thread(j);
	if (k->known[JFR_AS_THREAD] == 0)
		k->known[JFR_AS_THREAD] = new_thread(j, k);
	assert(k->known[JFR_AS_THREAD] <= j->s.nthreads);
	return k->known[JFR_AS_THREAD];
}
