/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events: track events in order of time.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "perfetto.h"

enum { NAME_CATEGORY = 1, NAME_EVENT = 2 };

/* Where an event belongs. */
struct event_place {
	uint64_t	key;		/* key of spans that are not calls */
	uint32_t	process, task;	/* rows; 0: none */
	bool		call;		/* the event is a call of the thread */
	enum pf_calls	calls;		/* kind of the call */
	struct str	track;		/* the name of its track; empty: it is called as its first event */
	uint64_t	uuid;		/* uuid of the track */
	bool		has_track;
};

/* A track event, with what an old one says in a message of its own. */
struct track_event {
	struct pf_track_event	is;
	struct pf_old_event old;
	const struct pf_row *row;
	struct event_place at;
	uint64_t	id;		/* id of an old track event */
	bool		has_id;
	uint32_t	args;		/* number of args; 0: none */
};

static bool
events_read(struct perfetto *p, const struct pf_row *r, struct track_event *e)
{
	const struct pf_old_event *old = &e->old;
	bool whole = pf_track_event_read(pf_bytes(p, r->at, r->n), &e->is, &p->unread);

	(void)pf_old_event_read(e->is.old, &e->old, &p->unread);
	e->has_id = old->has_id || old->has_local_id || old->has_global_id;
	e->id = pf_old_id(old);
	e->row = r;
	e->args = 0;
	return whole;
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* The name of an event, or what a translation table makes of it; empty: it has none. */
static struct str
events_name_of(struct perfetto *p, const struct track_event *e)
{
	uint64_t iid = e->is.name_iid != 0 ? e->is.name_iid : e->old.name_iid;
	struct str name = e->is.name;

	if (iid != 0 && !pf_interned_text(p, e->row->a, NAME_EVENT, iid, &name))
		p->count[PF_NO_NAME]++;
	return pf_translated(p, name);
}

/* The frame of a name; of interned ones once. */
static uint32_t
events_frame_of(struct perfetto *p, const struct track_event *e, struct err *err)
{
	uint64_t iid = e->is.name_iid != 0 ? e->is.name_iid : e->old.name_iid;
	struct pf_interned *name = iid == 0 ? NULL : pf_interned(p, e->row->a, NAME_EVENT, iid);
	uint32_t frame;

	if (name != NULL && name->frame != 0)
		return name->frame;
	frame = samples_frame(&p->l->samples, events_name_of(p, e), STR(""), 0, err);
	if (name != NULL)
		name->frame = frame;
	return frame;
}

/* The word of the categories, with commas between them. */
static bool
events_category_of(struct perfetto *p, const struct track_event *e, uint32_t *word, struct err *err)
{
	struct str one;
	const struct pf_some *all = &e->is.category_iids;

	if (all->n == 0)
		return marks_word_of(&p->marks, e->is.category, word, err);
	buf_clear(&p->text);
	for (unsigned i = 0; i < all->n; i++) {
		if (i > 0)
			buf_chr(&p->text, ',');
		if (pf_interned_text(p, e->row->a, NAME_CATEGORY, all->v[i], &one))
			buf_str(&p->text, one);
		else
			buf_printf(&p->text, "unknown(%llu)", (unsigned long long)all->v[i]);
	}
	return pf_text_word(p, word, err);
}

/* ---- where an event belongs ------------------------------------------------------------------------- */

static bool
place_of_track(struct perfetto *p, uint64_t uuid, struct event_place *at, bool *known, struct err *err)
{
	struct pf_track *t = pf_track(p, uuid, err);

	if (t == NULL)
		return false;
	if (!pf_track_scope(p, t, err))
		return false;
	*known = t->scope != PF_SCOPE_BAD;
	*at = (struct event_place){ .key = async_key('t', uuid), .process = pf_track_process(p, t), .task = t->task,
	    .call = t->scope == PF_SCOPE_THREAD && t->root && !t->is_counter, .calls = t->apart ?
	    PF_CALLS_APART : PF_CALLS_MERGED,
	    .track = pf_placed(p, t->name), .uuid = uuid, .has_track = true };
	return true;
}

/* Without a track an event is of the thread that its packets are of. */
static bool
place_of(struct perfetto *p, struct track_event *e, bool *known, struct err *err)
{
	const struct pf_state *s = pf_state(p, e->row->a);
	struct pf_task *t;
	uint32_t tid, pid;
	uint64_t uuid = e->is.has_track ? e->is.track : s->has_track ? s->track : 0;

	if (uuid != 0 || (e->is.has_track && e->is.type != 0 && !e->old.has_pid && !e->old.has_tid))
		return place_of_track(p, uuid, &e->at, known, err);
	tid = e->old.has_tid ? (uint32_t)e->old.tid : s->tid;
	pid = e->old.has_pid ? (uint32_t)e->old.pid : s->pid;
	if (tid == 0 || pid == 0)
		return place_of_track(p, 0, &e->at, known, err);
	if ((t = pf_task_in(p, tid, pid, err)) == NULL)
		return false;
	e->at = (struct event_place){ .process = t->process, .task = pf_task_row(p, t), .call = true,
	    .calls = PF_CALLS_MERGED };
	return true;
}

/* ---- calls and spans ------------------------------------------------------------------------------- */

static bool
about_of(struct perfetto *p, const struct track_event *e, struct pf_about *a, struct err *err)
{
	struct str name = events_name_of(p, e);

	*a = (struct pf_about){ .process = e->at.process, .task = e->at.task, .args = e->args };
	return events_category_of(p, e, &a->cat, err) &&
	    marks_word_of(&p->marks, e->at.track, &a->track, err) && marks_word_of(&p->marks, name.n > 0 ?
	    name : e->at.track, &a->name, err) && (!e->at.has_track || e->at.call ||
	    pf_nest(p, pf_track_known(p, e->at.uuid), a, err));
}

/* The thread of the event: of calls that of their kind.  0: failure. */
static uint32_t
thread_at(struct perfetto *p, const struct event_place *at, struct err *err)
{
	return at->call ? pf_call_thread(p, at->task, at->calls, err) :
	    pf_task_thread(p, pf_task_at(p, at->task), err);
}

static bool
events_take_call(struct perfetto *p, const struct track_event *e, char letter, struct err *err)
{
	struct span span = { .start = PF_TIME(e->row->time), .thread = thread_at(p, &e->at, err),
	    .cpu = SPAN_NO_CPU, .cpu_length = SPAN_NO_CPU, .args = e->args };
	uint64_t length = e->old.duration < INT64_MAX / 1000 ? e->old.duration * 1000 : 0;
	struct pf_about a;

	if (span.thread == 0)
		return false;
	if (e->row->b != 0)
		span.cpu = (uint64_t)SCRATCH(p->row.cpus, int64_t)[e->row->b - 1];
	if (letter == 'X' && e->row->b != 0)
		span.cpu_length = e->old.cpu_duration < INT64_MAX / 1000 ? e->old.cpu_duration * 1000 :
		    SPAN_NO_CPU;
	if ((letter != 'E' || events_name_of(p, e).n > 0) && (span.frame = events_frame_of(p, e, err)) == 0)
		return false;
	if (letter == 'E') {
		pf_call_ends(p, span.thread, e->row->time - p->first);
		return spans_in_end(&p->l->spans, &span, err);
	}
	span.end = letter == 'B' ? UINT64_MAX : num_add(span.start, length < PF_TIME_MOST ? length : 0);
	if (p->flow.arrows_in_calls && (!about_of(p, e, &a, err) ||
	    !pf_call_begins(p, &(struct flow_stop){ e->row->time - p->first, span.thread, span.frame,
	    a.name, a.cat }, span.end, err)))
		return false;
	if (letter == 'B')
		return spans_in_begin(&p->l->spans, &span, err);
	p->last = span.end - 1 > p->last ? span.end - 1 : p->last;
	return spans_in_add(&p->l->spans, &span, err);
}

/* The begin or end of a span, or an instant, on a track that does not belong to a thread. */
static bool
events_take_async(struct perfetto *p, const struct track_event *e, char letter, struct err *err)
{
	uint64_t time = e->row->time - p->first;
	struct pf_about a;

	if (letter == 'e')
		return (e->args == 0 || pf_async_end_args(p, e->at.key, e->args, err)) &&
		    pf_async_end(p, e->at.key, time, err);
	if (!about_of(p, e, &a, err))
		return false;
	if (letter == 'b' && e->old.phase == 'X') {
		uint64_t length = e->old.duration < PF_TIME_MOST / 1000 ? e->old.duration * 1000 : 0;

		p->last = e->row->time + length > p->last ? e->row->time + length : p->last;
		return pf_async_begin(p, e->at.key, time, &a, err) &&
		    pf_async_end(p, e->at.key, time + length, err);
	}
	if (letter == 'b')
		return pf_async_begin(p, e->at.key, time, &a, err);
	return pf_instant(p, time, &a, e->at.task != 0 ? 't' : e->at.process != 0 ? 'p' : 'g', err);
}

/* A state ends with the next one; one without a name only ends. */
static bool
events_take_state(struct perfetto *p, const struct track_event *e, struct err *err)
{
	uint64_t time = e->row->time - p->first, unopened = p->marks.no_begin;
	struct pf_about a;

	if (!pf_async_end(p, e->at.key, time, err))
		return false;
	p->marks.no_begin = unopened;
	if (events_name_of(p, e).n == 0)
		return true;
	return about_of(p, e, &a, err) && pf_async_begin(p, e->at.key, time, &a, err);
}

/* Asynchronous operations of old events nest by their ids. */
static uint64_t
old_key(const struct track_event *e, struct str name, uint32_t cat, char letter)
{
	uint64_t scope = is_one_of(letter, "STpF") ? idmap_hash_text(name, 1) : cat;

	return idmap_hash(e->id ^ idmap_hash(scope ^ (e->old.has_local_id ? (uint64_t)e->at.process << 32 :
	    0)));
}

static bool
take_old_async(struct perfetto *p, struct track_event *e, char letter, struct err *err)
{
	struct pf_about a;

	if (!e->has_id)
		return pf_count(p, PF_NO_TRACK);
	if (!about_of(p, e, &a, err))
		return false;
	e->at.key = old_key(e, marks_text(&p->marks, a.name), a.cat, letter);
	e->at.task = 0;
	letter = is_one_of(letter, "bS") ? 'b' : is_one_of(letter, "eF") ? 'e' : 'n';
	return events_take_async(p, e, letter, err);
}

/* The letter of trace events that says the same as a type. */
static char
events_letter_of(const struct track_event *e)
{
	if (e->old.phase > 32 && e->old.phase < 127)
		return (char)e->old.phase;
	return e->is.type == TYPE_BEGIN ? (e->at.call ? 'B' : 'b') : e->is.type == TYPE_END ?
	    (e->at.call ? 'E' : 'e') : e->is.type == TYPE_INSTANT ? 'i' : '\0';
}

/* Find the innermost call of the event's thread, or the innermost span of its track. */
static bool
flow_around(struct perfetto *p, const struct event_place *at, struct flow_stop *end, bool *has,
    struct err *err)
{
	uint64_t time = end->time;

	if (at->call) {
		*has = pf_call_around(p, end->thread, time, end);
		end->time = time;
		return true;
	}
	return pf_async_around(p, at->key, end, has, err);
}

/* Arrows from and to an event; those of its end are of the call or span that it ends. */
static bool
take_flows(struct perfetto *p, const struct track_event *e, char letter, struct err *err)
{
	struct flow_stop end = { .time = e->row->time - p->first };
	struct pf_about a;
	bool has;

	if (!about_of(p, e, &a, err))
		return false;
	end.name = a.name;
	end.cat = a.cat;
	if (e->at.task != 0 && (end.thread = thread_at(p, &e->at, err)) == 0)
		return false;
	if (end.thread != 0 && (letter == 'B' || letter == 'X') &&
	    (end.frame = events_frame_of(p, e, err)) == 0)
		return false;
	if (is_one_of(letter, "Ee") && !flow_around(p, &e->at, &end, &has, err))
		return false;
	return pf_flow_event(p, pf_bytes(p, e->row->at, e->row->n), &e->is, &e->old, &end, err);
}

/* An old event s, t or f, of the call around it, or of the next one. */
static bool
take_old_flow(struct perfetto *p, const struct track_event *e, char letter, struct err *err)
{
	struct flow_stop end = { .time = e->row->time - p->first };
	struct pf_about a;
	uint64_t key;
	bool has;

	if (!e->has_id)
		return pf_count(p, PF_NO_TRACK);
	if (!about_of(p, e, &a, err))
		return false;
	key = async_key('o', idmap_hash(e->id ^ idmap_hash((uint64_t)a.name << 32 | a.cat)));
	if (e->at.task != 0 && (end.thread = thread_at(p, &e->at, err)) == 0)
		return false;
	if (letter == 'f' && !e->old.encloses && e->at.call)
		return pf_call_awaits(p, end.thread, key, e->id, err);
	if (!flow_around(p, &e->at, &end, &has, err))
		return false;
	p->count[PF_NO_TRACK] += !has;
	return !has || flow_pass(&p->player.flows, &p->marks, key, e->id, &end, letter == 's' ? FLOW_START :
	    letter == 't' ? FLOW_STEP : FLOW_END, err);
}

/* A part of a profile of JavaScript; other events are counted. */
static bool
take_other(struct perfetto *p, const struct track_event *e, char letter, struct err *err)
{
	uint64_t key = idmap_hash(e->id ^ idmap_hash((uint64_t)e->at.process << 1 | 1));
	bool read = false;

	if (letter == 'P' && e->has_id && !pf_play_profile(p, e->row, events_name_of(p, e), key, e->at.task, &read,
	    err))
		return false;
	p->phases[(unsigned char)letter] += !read;
	return true;
}

bool
pf_play_event(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct track_event e;
	bool known = true;
	char letter;

	if (!events_read(p, r, &e))
		return pf_count(p, PF_BAD_PACKETS);
	if (!place_of(p, &e, &known, err))
		return false;
	if (!known)
		return pf_count(p, PF_NO_TRACK);
	if (e.is.args && !pf_args(p, r, &e.args, err))
		return false;
	if (e.is.type == TYPE_STATE)
		return events_take_state(p, &e, err);
	letter = events_letter_of(&e);
	if ((e.is.flows || e.is.ends || e.is.old_flows || e.is.old_ends || e.old.has_bind_id) &&
	    is_one_of(letter, "BXEiIRbenSTpF") && !take_flows(p, &e, letter, err))
		return false;
	switch (letter) {
	case 'B': case 'E': case 'X':
		return e.at.task != 0 ? events_take_call(p, &e, letter, err) :
		    events_take_async(p, &e, letter == 'E' ? 'e' : 'b', err);
	case 'b': case 'e': case 'n': case 'S': case 'T': case 'p': case 'F':
		return e.old.phase != 0 ? take_old_async(p, &e, letter, err) :
		    events_take_async(p, &e, letter, err);
	case 's': case 't': case 'f':
		return take_old_flow(p, &e, letter, err);
	case 'i': case 'I': case 'R':
		if (e.old.phase != 0 && (e.old.scope == 1 || e.old.scope == 2))
			e.at.task = 0;
		return events_take_async(p, &e, 'i', err) && (e.is.log.n == 0 || e.at.task == 0 ||
		    pf_play_message(p, r, e.is.log, e.at.process, e.at.task, err));
	case 'M':
		return pf_play_called(p, pf_bytes(p, r->at, r->n), events_name_of(p, &e), e.at.task,
		    e.at.process, err);
	case '\0':
		return pf_count(p, PF_NO_TYPE);
	default:
		return take_other(p, &e, letter, err);
	}
}

/* ---- counters ---------------------------------------------------------------------------------------- */

/* Each thread of a process has builtin counters, so the id of the thread is behind their names. */
static bool
counter_word(struct perfetto *p, struct pf_track *t, struct err *err)
{
	static const char *const builtin[] = { "counter", "thread_time", "thread_instruction_count" };

	buf_clear(&p->text);
	buf_str(&p->text, t->name.n > 0 ? pf_placed(p, t->name) : str_of(builtin[t->builtin]));
	if (t->builtin != 0 && t->scope == PF_SCOPE_THREAD)
		buf_printf(&p->text, " %u", (unsigned)pf_task_at(p, t->task)->tid);
	return pf_text_word(p, &t->word, err);
}

bool
pf_play_level(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct pf_track *t = pf_track(p, r->at, err);
	struct pf_about a = { .pid = 0 };
	double value;

	if (t == NULL)
		return false;
	if (!pf_track_scope(p, t, err))
		return false;
	if (t->scope == PF_SCOPE_BAD)
		return pf_count(p, PF_NO_TRACK);
	memcpy(&value, &r->n, 4);
	memcpy((char *)&value + 4, &r->a, 4);
	if (t->word == 0 && !counter_word(p, t, err))
		return false;
	a.process = pf_track_process(p, t);
	a.name = t->word;
	a.unit = pf_track_unit(p, t);
	a.counter = (uint32_t)(t - SCRATCH(p->who.tracks, struct pf_track)) + 1;
	return pf_level(p, r->time - p->first, &a, value, err);
}
