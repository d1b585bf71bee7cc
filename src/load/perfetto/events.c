/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events: track events in order of time.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "perfetto.h"

enum { CATEGORIES_MOST = 8 };
enum { NAME_CATEGORY = 1, NAME_EVENT = 2 };

/* A track event, with what an old one says in a message of its own. */
struct track_event {
	uint64_t	type, name_iid;
	struct str	name, old, log;
	bool		has_name;
	uint64_t	category[CATEGORIES_MOST];
	struct str	category_text;
	unsigned	ncategories;
	/* legacy_event */
	uint64_t	phase, old_name, duration, cpu_duration, scope, id;
	uint32_t	pid, tid;
	bool		has_pid, has_tid, has_id, local_id;
	bool		flows;		/* it may have ids of flows */
	bool		encloses;	/* an old flow ends in the enclosing call, not in the next call */
	bool		has_args;
	uint32_t	args;		/* their number; 0: none */
};

/* {1 name, 2 phase, 3 duration, 6, 10, 11 ids, 12 in the call around it, 14 scope, 18 pid, 19 tid} */
static void
read_old(struct perfetto *p, struct str m, struct track_event *e)
{
	static const char *const names[] = { [7] = "id_scope", [9] = "", [13] = "flow_direction" };
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		switch (f.number) {
		case 1: e->old_name = f.value; break;
		case 2: e->phase = f.value; break;
		case 3: e->duration = f.value; break;
		case 4: e->cpu_duration = f.value; break;
		case 8: e->flows = true; break;
		case 6: case 10: case 11:
			e->id = f.value;
			e->has_id = true;
			e->local_id = f.number == 10;
			break;
		case 12: e->encloses = f.value != 0; break;
		case 14: e->scope = f.value; break;
		case 18: e->pid = (uint32_t)f.value; e->has_pid = true; break;
		case 19: e->tid = (uint32_t)f.value; e->has_tid = true; break;
		default: unread_add_named(&p->unread, STR("track_event.legacy_event"), names, NELEM(names), f.number); break;
		}
	}
}

static bool
events_read(struct perfetto *p, struct str m, struct track_event *e)
{
	static const char *const names[] = { [5] = "task_execution", [8] = "thread_instruction_count", [20] = "thread_instruction_count",
	    [24] = "cc_scheduler_state", "chrome_user_event", "chrome_keyed_service", "chrome_legacy_ipc", "chrome_histogram_sample",
	    "chrome_latency_info", [32] = "chrome_frame_reporter", "source_location", "source_location", "chrome_message_pump",
	    [38] = "chrome_mojo_event_info", "chrome_application_state_info", "chrome_renderer_scheduler_state", "chrome_window_handle_event_info",
	    [43] = "chrome_content_settings_event_info", [49] = "chrome_active_processes", "screenshot", [52] = "correlation_id", "correlation_id",
	    "correlation_id", "callstack", "callstack", "callstack_weight" };
	struct proto_field f;
	bool bad = false;

	memset(e, 0, sizeof *e);
	while (proto_next_whole(&m, &f, &bad)) {
		switch (f.number) {
		case 3:
			for (bool one = f.wire == PROTO_VARINT; e->ncategories < CATEGORIES_MOST && (one || f.in.n > 0); one = false) {
				uint64_t iid = f.value;

				if (f.wire != PROTO_VARINT && !proto_varint(&f.in, &iid))
					break;
				e->category[e->ncategories++] = iid;
			}
			break;
		case 4: e->has_args = true; break;
		case 6: e->old = f.in; break;
		case 36: case 42: case 47: case 48: e->flows = true; break;
		case 9: e->type = f.value; break;
		case 10: e->name_iid = f.value; break;
		case 21: e->log = f.in; break;
		case 22: e->category_text = f.in; break;
		case 23: e->name = f.in; e->has_name = true; break;
		/* event_rows.c reads these. */
		case 1: case 2: case 11: case 12: case 16: case 17: case 30: case 31: case 44: case 45: case 46: break;
		default: unread_add_named(&p->unread, STR("track_event"), names, NELEM(names), f.number); break;
		}
	}
	read_old(p, e->old, e);
	return !bad;
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* The unchanged name of an event; empty: it has none. */
static struct str
events_name_of(struct perfetto *p, uint32_t state, const struct track_event *e)
{
	uint64_t iid = e->name_iid != 0 ? e->name_iid : e->old_name;
	struct str name = e->name;

	if (iid != 0 && !pf_interned_text(p, state, NAME_EVENT, iid, &name))
		p->count[PF_NO_NAME]++;
	return name;
}

/* The frame of a name; of interned ones once. */
static uint32_t
events_frame_of(struct perfetto *p, uint32_t state, const struct track_event *e, struct err *err)
{
	uint64_t iid = e->name_iid != 0 ? e->name_iid : e->old_name;
	struct pf_interned *name = iid == 0 ? NULL : pf_interned(p, state, NAME_EVENT, iid);
	uint32_t frame;

	if (name != NULL && name->frame != 0)
		return name->frame;
	frame = samples_frame(&p->l->samples, events_name_of(p, state, e), STR(""), 0, err);
	if (name != NULL)
		name->frame = frame;
	return frame;
}

/* The word of the categories, with commas between them. */
static bool
events_category_of(struct perfetto *p, uint32_t state, const struct track_event *e, uint32_t *word, struct err *err)
{
	struct str one;

	if (e->ncategories == 0)
		return marks_word_of(&p->marks, e->category_text, word, err);
	buf_clear(&p->text);
	for (unsigned i = 0; i < e->ncategories; i++) {
		if (i > 0)
			buf_chr(&p->text, ',');
		if (pf_interned_text(p, state, NAME_CATEGORY, e->category[i], &one))
			buf_str(&p->text, one);
		else
			buf_printf(&p->text, "unknown(%llu)", (unsigned long long)e->category[i]);
	}
	return !p->text.bad ? marks_word_of(&p->marks, buf_view(&p->text), word, err) : fail(err, E_SYSTEM, "out of memory (categories)");
}

/* ---- where an event belongs ------------------------------------------------------------------------- */

struct event_place {
	uint64_t	key;		/* of spans that are not calls */
	uint32_t	process, task;	/* rows; 0: none */
	bool		call;		/* it is a call of the thread */
	enum pf_calls	calls;		/* which kind, then */
	struct str	track;		/* the name of its track; empty: it is called as its first event */
	uint64_t	uuid;		/* its track */
	bool		has_track;
};

static bool
place_of_track(struct perfetto *p, uint64_t uuid, struct event_place *at, bool *known, struct err *err)
{
	struct pf_track *t = pf_track(p, uuid, err);

	if (t == NULL)
		return false;
	if (!pf_track_scope(p, t, err))
		return false;
	*known = t->scope != PF_SCOPE_BAD;
	*at = (struct event_place){ .key = pf_key('t', uuid), .process = pf_track_process(p, t), .task = t->task,
	    .call = t->scope == PF_SCOPE_THREAD && t->root && !t->is_counter, .calls = t->apart ? PF_CALLS_APART : PF_CALLS_MERGED,
	    .track = pf_bytes(p, t->name_at, t->name_n), .uuid = uuid, .has_track = true };
	return true;
}

/* Without a track an event is of the thread that its packets are of. */
static bool
place_of(struct perfetto *p, const struct pf_row *r, const struct track_event *e, struct event_place *at, bool *known, struct err *err)
{
	const struct pf_state *s = pf_state(p, r->a);
	struct proto_field f;
	struct str m = pf_bytes(p, r->at, r->n);
	struct pf_task *t;
	uint32_t tid, pid;
	uint64_t uuid = s->track;
	bool has = s->has_track, global = false, bad = false;

	while (r->flags != 0 && proto_next_whole(&m, &f, &bad))
		if (f.number == 11 && f.wire == PROTO_VARINT) {
			uuid = f.value;
			has = true;
			global = uuid == 0 && e->type != 0 && !e->has_pid && !e->has_tid;
		}
	if ((has && uuid != 0) || global)
		return place_of_track(p, uuid, at, known, err);
	tid = e->has_tid ? e->tid : s->tid;
	pid = e->has_pid ? e->pid : s->pid;
	if (tid == 0 || pid == 0)
		return place_of_track(p, 0, at, known, err);
	if ((t = pf_task_in(p, tid, pid, err)) == NULL)
		return false;
	*at = (struct event_place){ .process = t->process, .task = pf_task_row(p, t), .call = true, .calls = PF_CALLS_MERGED };
	return true;
}

/* ---- calls and spans ------------------------------------------------------------------------------- */

static bool
about_of(struct perfetto *p, const struct pf_row *r, const struct track_event *e, const struct event_place *at, struct pf_about *a, struct err *err)
{
	struct str name = events_name_of(p, r->a, e);

	*a = (struct pf_about){ .process = at->process, .task = at->task, .args = e->args };
	return events_category_of(p, r->a, e, &a->cat, err) && marks_word_of(&p->marks, at->track, &a->track, err) &&
	    marks_word_of(&p->marks, name.n > 0 ? name : at->track, &a->name, err) &&
	    (!at->has_track || at->call || pf_nest(p, pf_track_known(p, at->uuid), a, err));
}

/* The thread of the event: of calls that of their kind.  0: failure. */
static uint32_t
thread_at(struct perfetto *p, const struct event_place *at, struct err *err)
{
	return at->call ? pf_call_thread(p, at->task, at->calls, err) : pf_task_thread(p, pf_task_at(p, at->task), err);
}

static bool
events_take_call(struct perfetto *p, const struct pf_row *r, const struct track_event *e, const struct event_place *at, char letter, struct err *err)
{
	struct span span = { .start = PF_TIME(r->time), .thread = thread_at(p, at, err), .cpu = SPAN_NO_CPU,
	    .cpu_length = SPAN_NO_CPU, .args = e->args };
	uint64_t length = e->duration < INT64_MAX / 1000 ? e->duration * 1000 : 0;
	struct pf_about a;

	if (span.thread == 0)
		return false;
	if (r->b != 0)
		span.cpu = (uint64_t)SCRATCH(p->row.cpus, int64_t)[r->b - 1];
	if (letter == 'X' && r->b != 0)
		span.cpu_length = e->cpu_duration < INT64_MAX / 1000 ? e->cpu_duration * 1000 : SPAN_NO_CPU;
	if (letter == 'E') {
		pf_call_ends(p, span.thread, r->time - p->first);
		return spans_in_end(&p->l->spans, &span, err);
	}
	if ((span.frame = events_frame_of(p, r->a, e, err)) == 0)
		return false;
	span.end = letter == 'B' ? UINT64_MAX : num_add(span.start, length < PF_TIME_MOST ? length : 0);
	if (p->flow.arrows_in_calls && (!about_of(p, r, e, at, &a, err) || !pf_call_begins(p, &(struct pf_flow_end){ r->time - p->first, span.thread,
	    span.frame, a.name, a.cat }, span.end, err)))
		return false;
	if (letter == 'B')
		return spans_in_begin(&p->l->spans, &span, err);
	p->last = span.end - 1 > p->last ? span.end - 1 : p->last;
	return spans_in_add(&p->l->spans, &span, err);
}

/* The begin or end of a span, or an instant, on a track that does not belong to a thread. */
static bool
events_take_async(struct perfetto *p, const struct pf_row *r, const struct track_event *e, const struct event_place *at, char letter, struct err *err)
{
	uint64_t time = r->time - p->first;
	struct pf_about a;

	if (letter == 'e')
		return (e->args == 0 || pf_async_end_args(p, at->key, e->args, err)) && pf_async_end(p, at->key, time, err);
	if (!about_of(p, r, e, at, &a, err))
		return false;
	if (letter == 'b' && e->phase == 'X') {
		uint64_t length = e->duration < PF_TIME_MOST / 1000 ? e->duration * 1000 : 0;

		p->last = r->time + length > p->last ? r->time + length : p->last;
		return pf_async_begin(p, at->key, time, &a, err) && pf_async_end(p, at->key, time + length, err);
	}
	if (letter == 'b')
		return pf_async_begin(p, at->key, time, &a, err);
	return pf_instant(p, time, &a, at->task != 0 ? 't' : at->process != 0 ? 'p' : 'g', err);
}

/* A state ends with the next one; one without a name only ends. */
static bool
events_take_state(struct perfetto *p, const struct pf_row *r, const struct track_event *e, const struct event_place *at, struct err *err)
{
	uint64_t time = r->time - p->first, unopened = p->marks.no_begin;
	struct pf_about a;

	if (!pf_async_end(p, at->key, time, err))
		return false;
	p->marks.no_begin = unopened;
	if (events_name_of(p, r->a, e).n == 0)
		return true;
	return about_of(p, r, e, at, &a, err) && pf_async_begin(p, at->key, time, &a, err);
}

/* Asynchronous operations of old events nest by their ids. */
static uint64_t
old_key(const struct track_event *e, const struct event_place *at, struct str name, uint32_t cat, char letter)
{
	uint64_t scope = is_one_of(letter, "STpF") ? idmap_hash_text(name, 1) : cat;

	return idmap_hash(e->id ^ idmap_hash(scope ^ (e->local_id ? (uint64_t)at->process << 32 : 0)));
}

static bool
take_old_async(struct perfetto *p, const struct pf_row *r, const struct track_event *e, struct event_place *at, char letter, struct err *err)
{
	struct pf_about a;

	if (!e->has_id) {
		p->count[PF_NO_TRACK]++;
		return true;
	}
	if (!about_of(p, r, e, at, &a, err))
		return false;
	at->key = old_key(e, at, marks_text(&p->marks, a.name), a.cat, letter);
	at->task = 0;
	letter = is_one_of(letter, "bS") ? 'b' : is_one_of(letter, "eF") ? 'e' : 'n';
	return events_take_async(p, r, e, at, letter, err);
}

/* The letter of trace events that says the same as a type. */
static char
events_letter_of(const struct track_event *e, bool call)
{
	if (e->phase > 32 && e->phase < 127)
		return (char)e->phase;
	return e->type == TYPE_BEGIN ? (call ? 'B' : 'b') : e->type == TYPE_END ? (call ? 'E' : 'e') : e->type == TYPE_INSTANT ? 'i' : '\0';
}

/* Find the innermost call of the event's thread, or the innermost span of its track. */
static bool
flow_around(struct perfetto *p, const struct event_place *at, struct pf_flow_end *end, bool *has, struct err *err)
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
take_flows(struct perfetto *p, const struct pf_row *r, const struct track_event *e, const struct event_place *at, char letter, struct err *err)
{
	struct pf_flow_end end = { .time = r->time - p->first };
	struct pf_about a;
	bool has;

	if (!about_of(p, r, e, at, &a, err))
		return false;
	end.name = a.name;
	end.cat = a.cat;
	if (at->task != 0 && (end.thread = thread_at(p, at, err)) == 0)
		return false;
	if (end.thread != 0 && (letter == 'B' || letter == 'X') && (end.frame = events_frame_of(p, r->a, e, err)) == 0)
		return false;
	if (is_one_of(letter, "Ee") && !flow_around(p, at, &end, &has, err))
		return false;
	return pf_flow_event(p, pf_bytes(p, r->at, r->n), &end, err);
}

/* An old event s, t or f, of the call around it, or of the next one. */
static bool
take_old_flow(struct perfetto *p, const struct pf_row *r, const struct track_event *e, const struct event_place *at, char letter, struct err *err)
{
	struct pf_flow_end end = { .time = r->time - p->first };
	struct pf_about a;
	uint64_t key;
	bool has;

	if (!e->has_id) {
		p->count[PF_NO_TRACK]++;
		return true;
	}
	if (!about_of(p, r, e, at, &a, err))
		return false;
	key = pf_key('o', idmap_hash(e->id ^ idmap_hash((uint64_t)a.name << 32 | a.cat)));
	if (at->task != 0 && (end.thread = thread_at(p, at, err)) == 0)
		return false;
	if (letter == 'f' && !e->encloses && at->call)
		return pf_call_awaits(p, end.thread, key, e->id, err);
	if (!flow_around(p, at, &end, &has, err))
		return false;
	p->count[PF_NO_TRACK] += !has;
	return !has || pf_flow(p, key, e->id, &end, letter == 's' ? PF_FLOW_START : letter == 't' ? PF_FLOW_STEP : PF_FLOW_END, err);
}

bool
pf_play_event(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct track_event e;
	struct event_place at;
	bool known = true;
	char letter;

	if (!events_read(p, pf_bytes(p, r->at, r->n), &e)) {
		p->count[PF_BAD_PACKETS]++;
		return true;
	}
	if (!place_of(p, r, &e, &at, &known, err))
		return false;
	if (!known) {
		p->count[PF_NO_TRACK]++;
		return true;
	}
	if (e.has_args && !pf_args(p, r, &e.args, err))
		return false;
	if (e.type == TYPE_STATE)
		return events_take_state(p, r, &e, &at, err);
	letter = events_letter_of(&e, at.call);
	if (e.flows && is_one_of(letter, "BXEiIRbenSTpF") && !take_flows(p, r, &e, &at, letter, err))
		return false;
	switch (letter) {
	case 'B': case 'E': case 'X':
		return at.task != 0 ? events_take_call(p, r, &e, &at, letter, err) : events_take_async(p, r, &e, &at, letter == 'E' ?
		    'e' : 'b', err);
	case 'b': case 'e': case 'n': case 'S': case 'T': case 'p': case 'F':
		return e.phase != 0 ? take_old_async(p, r, &e, &at, letter, err) : events_take_async(p, r, &e, &at, letter, err);
	case 's': case 't': case 'f':
		return take_old_flow(p, r, &e, &at, letter, err);
	case 'i': case 'I': case 'R':
		if (e.phase != 0 && (e.scope == 1 || e.scope == 2))
			at.task = 0;
		return events_take_async(p, r, &e, &at, 'i', err) &&
		    (e.log.n == 0 || at.task == 0 || pf_play_message(p, r, e.log, at.process, at.task, err));
	case 'M':
		return pf_play_called(p, pf_bytes(p, r->at, r->n), events_name_of(p, r->a, &e), at.task, at.process, err);
	case '\0':
		p->count[PF_NO_TYPE]++;
		return true;
	default:
		p->phases[(unsigned char)letter]++;
		return true;
	}
}

/* ---- counters ---------------------------------------------------------------------------------------- */

/* Each thread of a process has builtin counters, so the id of the thread is behind their names. */
static bool
counter_word(struct perfetto *p, struct pf_track *t, struct err *err)
{
	static const char *const builtin[] = { "counter", "thread_time", "thread_instruction_count" };

	buf_clear(&p->text);
	buf_str(&p->text, t->name_n > 0 ? pf_bytes(p, t->name_at, t->name_n) : str_of(builtin[t->builtin]));
	if (t->builtin != 0 && t->scope == PF_SCOPE_THREAD)
		buf_printf(&p->text, " %u", (unsigned)pf_task_at(p, t->task)->tid);
	return !p->text.bad ? marks_word_of(&p->marks, buf_view(&p->text), &t->word, err) : fail(err, E_SYSTEM, "out of memory (counters)");
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
	if (t->scope == PF_SCOPE_BAD) {
		p->count[PF_NO_TRACK]++;
		return true;
	}
	memcpy(&value, &r->n, 4);
	memcpy((char *)&value + 4, &r->a, 4);
	if (t->word == 0 && !counter_word(p, t, err))
		return false;
	a.process = pf_track_process(p, t);
	a.name = t->word;
	a.unit = pf_track_unit(p, t);
	return pf_level(p, r->time - p->first, &a, value, err);
}
