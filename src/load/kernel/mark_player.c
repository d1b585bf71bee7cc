/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mark_player: marks become calls, async spans, counters and instants, as in Perfetto's trace processor.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "kernel.h"

static bool
player_instant(struct kernel_player *p, uint64_t time, struct str name, struct str track, uint32_t pid,
    uint32_t thread, struct err *err)
{
	struct mark_instant new = { .time = time, .thread = thread, .scope = thread != 0 ? 't' : 'p',
	    .letter = 'i' };

	return (new.process = p->host->process(p->arg, pid, err)) != 0 &&
	    marks_word_of(p->marks, name, &new.name, err) && marks_word_of(p->marks, track, &new.track, err) &&
	    marks_instant(p->marks, &new, err);
}

/*
 * The state of the screen belongs to no process.  A process that was killed for its memory is also an
 * instant.
 */
static bool
player_counter(struct kernel_player *p, uint64_t time, const struct user_mark *m, struct err *err)
{
	struct mark_counter new = { .name = 0 };
	uint32_t killed = (uint32_t)m->value;

	if (str_eq(m->name, STR("kill_one_process")) && killed != 0 &&
	    !player_instant(p, time, STR("mem.lmk"), STR(""), killed, 0, err))
		return false;
	new.process = p->host->process(p->arg, str_eq(m->name, STR("ScreenState")) ? 0 : m->pid, err);
	return new.process != 0 && marks_word_of(p->marks, m->name, &new.name, err) &&
	    counter_value(p->marks, time, &new, STR(""), (double)m->value, err);
}

static bool
player_async(struct kernel_player *p, uint64_t time, const struct user_mark *m, struct err *err)
{
	struct async_row new = { .is = { .start = time, .end = time } };
	uint64_t key = mark_key(m);
	uint32_t open = 0;

	assert(memchr("SFGH", m->letter, 4) != NULL);
	if (m->letter != 'S' && m->letter != 'G')
		return async_end(p->marks, key, time, err);
	/* Slices that begin with S do not nest. */
	if (m->letter == 'S' && !async_innermost(p->marks, key, &open, err))
		return false;
	if (open != 0)
		return true;
	return marks_word_of(p->marks, m->name, &new.is.name, err) &&
	    marks_word_of(p->marks, m->track, &new.is.track, err) &&
	    (new.is.process = p->host->process(p->arg, m->pid, err)) != 0 &&
	    async_begin(p->marks, key, &new, &new.is, 0, err);
}

/* The state of the device belongs to no process. */
static bool
player_mark(struct kernel_player *p, uint64_t time, const struct user_mark *m, struct err *err)
{
	bool of_device = m->letter == 'N' && str_eq(m->track, STR("DeviceStateChanged"));
	uint32_t thread = 0;

	return (m->letter != 'I' || p->host->thread(p->arg, m->pid, &thread, err)) &&
	    player_instant(p, time, m->name, m->track, of_device ? 0 : m->pid, thread, err);
}

bool
mark_play(struct kernel_player *p, uint64_t time, const struct user_mark *m, struct err *err)
{
	switch (m->letter) {
	case 'B': case 'E':
		return p->host->call(p->arg, time, m->letter, m->pid, m->name, err);
	case 'S': case 'F': case 'G': case 'H':
		return player_async(p, time, m, err);
	case MARK_SYNC:
		return true;
	default:
		break;
	}
	if (m->name.n > 0)
		return m->letter == 'C' ? player_counter(p, time, m, err) : player_mark(p, time, m, err);
	p->bad++;
	return true;
}
