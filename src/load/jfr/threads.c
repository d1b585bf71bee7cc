/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads: threads of a profile, made from constants.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

#define VIRTUAL STR("(virtual threads)")	/* one for all unnamed threads: there may be millions */

static uint32_t
no_thread(struct jfr *j, struct err *err)
{
	if (j->no_thread == 0)
		j->no_thread = samples_thread(&j->s, 0, 0, STR(""), err);
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
		jfr_text_slot(&j->c, plan->slot[names[i]], value[i], &j->text);
}

static uint32_t
new_thread(struct jfr *j, const struct jfr_constant *k, struct err *err)
{
	const struct jfr_plan *plan = jfr_constant_value(&j->c, k);
	uint64_t tid;
	bool virtual;

	if (plan == NULL)
		return no_thread(j, err);
	tid = plan->slot[THREAD_OS_ID].kind == JFR_NUMBER ? j->c.slot[THREAD_OS_ID] : 0;
	virtual = plan->slot[THREAD_VIRTUAL].kind == JFR_NUMBER && j->c.slot[THREAD_VIRTUAL] != 0;
	threads_thread_name(j, plan);
	return samples_thread(&j->s, j->c.pid, (uint32_t)tid,
	    virtual && tid == 0 && j->text.n == 0 ? VIRTUAL : buf_view(&j->text), err);
}

bool
jfr_thread_of(struct jfr *j, uint32_t type, uint64_t key, uint32_t *thread, struct err *err)
{
	struct jfr_constant *k = jfr_constant_find(&j->c, type, key);

	*thread = 0;
	if (k == NULL)
		*thread = no_thread(j, err);
	else if ((*thread = k->known[JFR_AS_THREAD]) == 0)
		*thread = k->known[JFR_AS_THREAD] = new_thread(j, k, err);
	assert(*thread <= j->s.nthreads);
	return *thread != 0;
}
