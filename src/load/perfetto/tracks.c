/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tracks: what track events are of.  A track is described one or more times, before or after its events.
 * Its scope is that of the first of its parents that has one.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

enum { PARENTS_MOST = 100, TRACKS_MOST = 10000000, NEST_MOST = 8 };

struct pf_track *
pf_track_known(const struct perfetto *p, uint64_t uuid)
{
	uint32_t at = idmap_get(&p->who.by_track, idmap_hash(uuid) | 1);

	return at == 0 ? NULL : &SCRATCH(p->who.tracks, struct pf_track)[at - 1];
}

struct pf_track *
pf_track(struct perfetto *p, uint64_t uuid, struct err *err)
{
	struct pf_track new = { .uuid = uuid };
	uint32_t at;

	if (!idmap_enter(&p->who.by_track, idmap_hash(uuid) | 1, (uint32_t)p->who.ntracks + 1, &at, err) ||
	    (at > p->who.ntracks && !make_add(&p->who.tracks, &p->who.ntracks, &new, sizeof new,
	    TRACKS_MOST, "tracks", err)))
		return NULL;
	return &SCRATCH(p->who.tracks, struct pf_track)[at - 1];
}

struct str
pf_track_unit(const struct perfetto *p, const struct pf_track *t)
{
	static const char *const units[] = { "", "ns", "", "bytes" };

	return t->unit_name.n > 0 ? pf_placed(p, t->unit_name) : str_of(units[t->builtin == 1 ? 1 : t->unit]);
}

static void
take_counter(struct perfetto *p, struct str in, struct pf_track *t)
{
	struct pf_counter_in c;

	(void)pf_counter_in_read(in, &c, &p->unread);
	t->is_counter = true;
	t->builtin = c.builtin < 3 ? (uint8_t)c.builtin : 0;
	t->unit = c.unit < 4 ? (uint8_t)c.unit : 0;
	t->unit_name = pf_place(p, str_head(c.unit_name, UINT8_MAX));
	t->multiplier = (double)c.multiplier;
	t->incremental = c.incremental != 0;
}

/* The ids of a thread count before those of a process. */
static void
take_owner(struct perfetto *p, const struct pf_track_in *in, struct pf_track *t)
{
	struct pf_process_in process;
	struct pf_thread_in thread;

	(void)pf_process_in_read(in->process, &process, &p->unread);
	(void)pf_thread_in_read(in->thread, &thread, NULL);
	t->has_tid = thread.has_tid;
	t->tid = (uint32_t)thread.tid;
	t->has_pid = thread.has_pid || process.has_pid;
	t->pid = (uint32_t)(thread.has_pid ? thread.pid : process.pid);
}

bool
pf_track_described(struct perfetto *p, struct str m, uint32_t sequence, struct err *err)
{
	struct pf_track new, *t;
	struct pf_track_in in;

	if (!pf_track_in_read(m, &in, &p->unread))
		return pf_count(p, PF_BAD_PACKETS);
	new = (struct pf_track){ .uuid = in.uuid, .parent = in.parent,
	    .name = pf_place(p, str_head(in.name, UINT16_MAX)), .is_state = in.state,
	    .apart = in.apart != 0 };
	take_owner(p, &in, &new);
	if (in.has_counter)
		take_counter(p, in.counter, &new);
	if (in.thread.n > 0 && !pf_thread_described(p, in.thread, sequence, err))
		return false;
	if ((t = pf_track_known(p, new.uuid)) == NULL) {
		if ((t = pf_track(p, new.uuid, err)) == NULL)
			return false;
		*t = new;
		return true;
	}
	if (t->parent != new.parent || t->pid != new.pid || t->tid != new.tid ||
	    t->is_counter != new.is_counter) {
		return pf_count(p, PF_CONFLICT);
	}
	if (t->name.n == 0)
		t->name = new.name;
	return true;
}

/* Whether a track has few parents, and no cycle of them. */
static bool
has_root(const struct perfetto *p, const struct pf_track *t)
{
	for (unsigned i = 0; i <= PARENTS_MOST; i++)
		if (t->parent == 0 || (t = pf_track_known(p, t->parent)) == NULL)
			return true;
	return false;
}

/*
 * The thread of a description.  Another description of the same thread is of a later one, which has the id
 * again.
 */
static bool
scope_thread(struct perfetto *p, struct pf_track *t, uint32_t track, struct err *err)
{
	struct pf_task *task = pf_task_in(p, t->tid, t->pid, err);

	if (task != NULL && task->track != 0 && task->track != track && t->tid != 0)
		task = pf_task_new(p, t->tid, err) == NULL ? NULL : pf_task_in(p, t->tid, t->pid, err);
	if (task == NULL)
		return false;
	task->track = track;
	t->scope = PF_SCOPE_THREAD;
	t->task = pf_task_row(p, task);
	t->root = true;
	return true;
}

static bool
scope_process(struct perfetto *p, struct pf_track *t, uint32_t track, struct err *err)
{
	uint32_t process = pf_process(p, t->pid, err);

	if (process != 0 && pf_process_at(p, process)->track != 0 &&
	    pf_process_at(p, process)->track != track)
		process = pf_process_new(p, t->pid, err);
	if (process == 0)
		return false;
	pf_process_at(p, process)->track = track;
	t->scope = PF_SCOPE_PROCESS;
	t->process = process;
	t->root = true;
	return true;
}

bool
pf_track_scope(struct perfetto *p, struct pf_track *t, struct err *err)
{
	uint32_t track = (uint32_t)(t - SCRATCH(p->who.tracks, struct pf_track)) + 1;
	struct pf_track *up;

	if (t->scope != PF_SCOPE_UNKNOWN)
		return true;
	if (!has_root(p, t)) {
		t->scope = PF_SCOPE_BAD;
		return true;
	}
	up = t->parent == 0 ? NULL : pf_track_known(p, t->parent);
	if (up != NULL && !pf_track_scope(p, up, err))
		return false;
	if (t->has_tid)
		return scope_thread(p, t, track, err);
	if (t->has_pid)
		return scope_process(p, t, track, err);
	t->scope = up == NULL ? PF_SCOPE_GLOBAL : up->scope;
	t->process = up == NULL ? 0 : up->process;
	t->task = up == NULL ? 0 : up->task;
	return true;
}

uint32_t
pf_track_process(const struct perfetto *p, const struct pf_track *t)
{
	return t->scope == PF_SCOPE_THREAD ? pf_task_at(p, t->task)->process : t->process;
}

/* ---- tracks of slices below other tracks ----------------------------------------------------- */

/* The word of "above / name"; of the name, if nothing is above. */
static bool
join_path(struct perfetto *p, uint32_t above, const struct pf_track *t, uint32_t *path, struct err *err)
{
	struct str name = pf_placed(p, t->name);

	buf_clear(&p->text);
	buf_str(&p->text, marks_text(&p->marks, above));
	buf_str(&p->text, above != 0 && name.n > 0 ? STR(" / ") : STR(""));
	buf_str(&p->text, name);
	return pf_text_word(p, path, err);
}

/* Tracks above a track are those with names, up to that of the thread or process; of many the nearest. */
static bool
nest_track(struct perfetto *p, struct pf_track *t, const struct pf_about *a, struct err *err)
{
	const struct pf_track *above[NEST_MOST], *up = t;
	struct mark_span like = { .track = 0 };
	uint32_t series, n = 0, path;

	if (!pf_async_ids(p, a, &like.thread, &like.process, err))
		return false;
	while (n < NEST_MOST && !up->root && up->parent != 0 &&
	    (up = pf_track_known(p, up->parent)) != NULL && !up->root)
		if (up->name.n > 0 && !up->is_counter)
			above[n++] = up;
	for (; n > 0; n--) {
		like.cat = t->above;
		if (!marks_word_of(&p->marks, pf_placed(p, above[n - 1]->name), &like.name, err) ||
		    !join_path(p, t->above, above[n - 1], &path, err) ||
		    !marks_track(&p->marks, &like, &series, err))
			return false;
		if (t->up != 0)
			marks_nest(&p->marks, series, t->up - 1);
		t->up = series + 1;
		t->above = path;
	}
	t->nested = true;
	return t->root || join_path(p, t->above, t, &t->path, err);
}

bool
pf_nest(struct perfetto *p, struct pf_track *t, struct pf_about *a, struct err *err)
{
	if (!t->nested && !nest_track(p, t, a, err))
		return false;
	a->up = t->up;
	a->above = t->above;
	a->path = t->path;
	return true;
}
