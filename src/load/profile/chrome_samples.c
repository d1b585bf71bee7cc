/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU samples among Chrome trace events: profiles in chunks, complete profiles, and samples outside the events.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "chrome.h"

#define END_MOST (60 * (uint64_t)1000000000)	/* a later end comes from another clock */

struct cpu_profile {
	struct str	pid, tid, id;
	uint64_t	end;		/* from TIME_ZERO on; 0: unknown */
	uint32_t	thread;		/* 0: that of the ids */
	bool		head;
};

/* The members of a V8 profile, which are in args.data or in its cpuProfile. */
#define V8(W, V, O) V(nodes) V(samples) V(timeDeltas) W(startTime) W(endTime) V(cpuProfile)
#define EVENT(W, V, O) V(args)
#define ARGS(W, V, O) V(data)
#define FRAME(W, V, O) W(name) W(parent)
#define SAMPLE(W, V, O) W(pid) W(tid) W(ts) W(name) W(sf) W(weight)

JLOAD_SHAPE(v8, V8)
JLOAD_SHAPE(v8_event, EVENT)
JLOAD_SHAPE(v8_args, ARGS)
JLOAD_SHAPE(top_frame, FRAME)
JLOAD_SHAPE(top_sample, SAMPLE)

enum chrome_piece { CHROME_HEAD, CHROME_CHUNK, CHROME_WHOLE };

struct piece {
	uint64_t	profile;	/* row + 1; sort key */
	struct json	event;
	struct v8	is;		/* when the thread of the profile is known */
	uint8_t		kind;		/* enum chrome_piece: the first event of a profile, a following one,
					 * or a complete one */
	bool		bare;		/* event is args.data alone */
};

/* An instant with a stack: names from the outermost one on, or a frame of "stackFrames". */
struct instant_stack {
	struct str	pid, tid, frame;	/* frame empty: names */
	uint64_t	time, offset;
	struct json	names;
};

static struct cpu_profile *
profile_at(const struct chrome_samples *c, uint64_t number)
{
	assert(number != 0 && number <= c->nprofiles);
	return &SCRATCH(c->profiles, struct cpu_profile)[number - 1];
}

/* ---- finding profiles ---------------------------------------------------------------- */

/* Chunks are written by another thread than the one they describe, so new names it only if the piece is none. */
static void
chrome_samples_add_piece(struct chrome_samples *c, uint64_t key, struct piece piece, const struct cpu_profile *new)
{
	piece.profile = idmap_get(&c->by_id, key);
	if (piece.profile == 0) {
		INTO_ROW(&c->l->to, c->profiles, c->nprofiles, *new, "profiles");
		into_map(&c->l->to, &c->by_id, key, (uint32_t)c->nprofiles);
		piece.profile = c->nprofiles;
	}
	INTO_ROW(&c->l->to, c->pieces, c->npieces, piece, "pieces of profiles");
	if (piece.kind == CHROME_CHUNK || c->l->to.bad)
		return;
	profile_at(c, piece.profile)->tid = new->tid;
	profile_at(c, piece.profile)->thread = new->thread;
	profile_at(c, piece.profile)->head = true;
}

static void
chrome_samples_add_event(struct chrome_samples *c, enum chrome_piece kind, const struct chrome_event *e)
{
	/* A complete profile has no id; each is assigned to its event's thread. */
	struct str id = kind == CHROME_WHOLE ? e->is.tid : e->is.id;
	uint64_t key = hash_bytes(id.s, id.n, hash_bytes(e->is.pid.s, e->is.pid.n, idmap_hash(kind == CHROME_WHOLE)));
	struct cpu_profile new = { .pid = e->is.pid, .tid = e->is.tid, .id = id };

	chrome_samples_add_piece(c, key, (struct piece){ .event = e->json, .kind = (uint8_t)kind }, &new);
}

void
chrome_samples_data(struct chrome_samples *c, bool head, uint64_t key, uint32_t thread, struct json data)
{
	struct cpu_profile new = { .thread = thread };
	struct piece piece = { .event = data, .kind = head ? CHROME_HEAD : CHROME_CHUNK, .bare = true };

	chrome_samples_add_piece(c, key, piece, &new);
}

bool
chrome_samples_see(struct chrome_samples *c, const struct chrome_event *e)
{
	static const char *const names[] = { [CHROME_HEAD] = "Profile", [CHROME_CHUNK] = "ProfileChunk",
	    [CHROME_WHOLE] = "CpuProfile" };

	for (enum chrome_piece kind = CHROME_HEAD; kind <= CHROME_WHOLE; kind++)
		if (str_eq(e->is.name, str_of(names[kind]))) {
			chrome_samples_add_event(c, kind, e);
			return true;
		}
	return false;
}

bool
chrome_samples_instant(struct chrome_samples *c, const struct chrome_event *e)
{
	struct instant_stack new = { .pid = e->is.pid, .tid = e->is.tid, .frame = jload_word(e->is.sf),
	    .time = e->time, .offset = e->json.at, .names = e->is.stack };

	if (!is_one_of(e->letter, "iI") || (new.frame.n == 0 && json_items(new.names).base == NULL))
		return false;
	INTO_ROW(&c->l->to, c->instants, c->ninstants, new, "stacks of instants");
	return true;
}

void
chrome_samples_close(struct chrome_samples *c)
{
	SCRATCH_FREE(&c->profiles, &c->pieces, &c->sampled, &c->instants);
	idmap_free(&c->by_id);
}

/* ---- V8 profiles --------------------------------------------------------------------- */

static void
find_members(struct jload *l, struct piece *piece)
{
	struct v8 outer = v8_read(l, piece->bare ? piece->event :
	    v8_args_read(l, v8_event_read(l, piece->event).args).data);

	piece->is = v8_read(l, outer.cpuProfile);
	if (json_is(outer.timeDeltas))
		piece->is.timeDeltas = outer.timeDeltas;
	if (outer.has_startTime)
		piece->is.startTime = outer.startTime;
	if (outer.has_endTime)
		piece->is.endTime = outer.endTime;
	piece->is.has_startTime |= outer.has_startTime;
	piece->is.has_endTime |= outer.has_endTime;
}

/* Read all nodes first: samples may come before their nodes. */
static void
chrome_samples_read_profile(struct chrome_samples *c, uint32_t number, struct cpu_samples *samples)
{
	struct jload *l = c->l;
	struct cpu_profile *p = profile_at(c, number);
	struct piece *piece = SCRATCH(c->pieces, struct piece);
	uint64_t n = c->npieces, first = make_place(piece, n, sizeof *piece, number);

	assert(first == 0 || piece[first - 1].profile < number);
	samples->n = 0;
	samples->clock = TIME_ZERO;
	for (uint64_t i = first; i < n && piece[i].profile == number; i++) {
		find_members(l, &piece[i]);
		/* A time that exists must be valid. */
		if (piece[i].kind != CHROME_CHUNK && piece[i].is.has_startTime)
			l->no_number += !jload_time(l, piece[i].is.startTime, 3, &samples->clock);
		cpu_nodes_read(&c->nodes, piece[i].is.nodes);
	}
	for (uint64_t i = first; i < n && piece[i].profile == number; i++) {
		l->no_number += piece[i].is.has_endTime && !jload_time(l, piece[i].is.endTime, 3, &p->end);
		cpu_nodes_join(&c->nodes, piece[i].is.nodes);
		cpu_samples_read(samples, l, piece[i].is.samples, piece[i].is.timeDeltas);
	}
	c->no_head += !p->head;
}

/* Profiles of one thread overlap, so each gets an event of its own. */
static uint32_t
event_of(struct chrome_samples *c, const struct cpu_profile *p, uint32_t number, uint32_t thread)
{
	uint8_t *sampled = &SCRATCH(c->sampled, uint8_t)[thread];
	struct buf *b = &c->l->name;
	struct str name = STR("cpu-samples");

	if (*sampled) {
		buf_clear(b);
		buf_str(b, name);
		buf_chr(b, ' ');
		if (p->id.n > 0)
			buf_str(b, jload_text(c->l, p->id));
		else
			buf_printf(b, "%u", number);
		name = into_made(&c->l->to, b);
	}
	*sampled = 1;
	return into_event(&c->l->to, name, WEIGHT_TIME, "ns");
}

static uint32_t
chrome_samples_find_thread(struct chrome_samples *c, struct str pid, struct str tid)
{
	return INTO_ID(&c->l->to, spans_in_thread(&c->l->spans, pid, tid, c->l->to.err));
}

static void
load_profiles(struct chrome_samples *c, const uint32_t *place)
{
	struct into *to = &c->l->to;
	struct cpu_samples samples = { .n = 0 };

	INTO(to, make_sort(&c->pieces, c->npieces, sizeof(struct piece), c->l->work, to->err) &&
	    scratch_array(&c->sampled, c->l->spans.nthreads + 1, sizeof(uint8_t), to->err));
	for (uint32_t i = 1; i <= c->nprofiles && into_go(to, c->l->doc.size); i++) {
		struct cpu_profile *p = profile_at(c, i);
		struct sample s = { .thread = p->thread == 0 ? chrome_samples_find_thread(c, p->pid, p->tid) :
		    place[p->thread - 1] };

		cpu_nodes_begin(&c->nodes);
		chrome_samples_read_profile(c, i, &samples);
		if (samples.n == 0 || to->bad)
			continue;
		s.event = event_of(c, p, i, s.thread);
		samples_fill(&c->l->samples, s.event, FILLS_ALL);
		cpu_samples_add(&samples, &c->nodes, &s, true, p->end, END_MOST);
	}
	cpu_nodes_close(&c->nodes);
	scratch_free(&samples.rows);
}

/* ---- samples outside the events ---------------------------------------------------------- */

/* Ids are numbers in some places and texts in others. Hashing their characters makes them equal. */
static uint64_t
chrome_samples_id_of(struct str s)
{
	return hash_bytes(s.s, s.n, 0);
}

/* Read the names of the frames or, in a second pass, their parents. */
static void
read_frames(struct chrome_samples *c, bool parents)
{
	struct json j = c->frames;
	struct str id;

	if (!scan_open(&j, '{'))
		return;
	while (scan_member(&j, &id) && into_go(&c->l->to, j.at)) {
		struct top_frame at = top_frame_read(c->l, j);

		if (!parents)
			cpu_nodes_add(&c->nodes, chrome_samples_id_of(id),
			    into_frame(&c->l->to, jload_text(c->l, at.name)), 0);
		else if (at.has_parent)
			cpu_nodes_parent(&c->nodes, chrome_samples_id_of(id), chrome_samples_id_of(at.parent));
		if (!scan_skip(&j))
			break;
	}
	c->l->cut |= j.bad;
}

/* Without a process id, any process with such a thread is used; without a thread id, the main thread. */
static uint32_t
top_thread(struct chrome_samples *c, const struct top_sample *at)
{
	return at->has_pid ? chrome_samples_find_thread(c, at->pid, at->has_tid ? at->tid : at->pid) :
	    INTO_ID(&c->l->to, spans_in_any(&c->l->spans, at->tid, c->l->to.err));
}

/* A sample without a weight counts as 1. */
static uint64_t
chrome_samples_read_weight(struct jload *l, const struct top_sample *at)
{
	uint64_t v = !at->has_weight;

	if (jload_is_weight(at->weight)) {
		INTO(&l->to, samples_weight(&l->samples, at->weight, &v, l->to.err));
		return v;
	}
	if (at->has_weight)
		jload_number(l, at->weight, 0, &v);
	return samples_whole(&l->samples, v);
}

static void
chrome_samples_read_samples(struct chrome_samples *c)
{
	JLOAD_EACH(c->l, c->top, item) {
		struct top_sample at = top_sample_read(c->l, item);
		struct sample s = { .time = TIME_ZERO, .offset = item.at };

		c->l->no_number += at.has_ts && !jload_time(c->l, at.ts, 3, &s.time);
		s.weight = chrome_samples_read_weight(c->l, &at);
		s.thread = top_thread(c, &at);
		s.stack = cpu_nodes_stack(&c->nodes, chrome_samples_id_of(at.sf));
		s.event = into_event(&c->l->to, jload_text(c->l, at.name), WEIGHT_COUNT, "samples");
		samples_fill(&c->l->samples, s.event, FILLS_ALL);
		c->l->no_node += s.stack == 0 && at.has_sf;
		into_sample(&c->l->to, &s);
	}
}

/* ---- stacks of instants ------------------------------------------------------------------- */

static uint32_t
stack_of_names(struct chrome_samples *c, struct json names)
{
	struct json rest = json_items(names);
	struct str word;
	uint32_t stack = 0;

	while (json_next_word(&rest, &word))
		stack = into_stack(&c->l->to, stack, into_frame(&c->l->to, jload_text(c->l, word)));
	return stack;
}

static void
load_instants(struct chrome_samples *c)
{
	struct sample s = { .weight = samples_whole(&c->l->samples, 1) };

	for (uint64_t i = 0; i < c->ninstants && into_go(&c->l->to, c->l->doc.size); i++) {
		const struct instant_stack *at = &SCRATCH(c->instants, struct instant_stack)[i];

		if (at->frame.n > 0 && !json_is(c->frames)) {
			c->no_frames++;
			continue;
		}
		s.time = at->time;
		s.offset = at->offset;
		s.thread = chrome_samples_find_thread(c, at->pid, at->tid);
		s.stack = at->frame.n == 0 ? stack_of_names(c, at->names) :
		    cpu_nodes_stack(&c->nodes, chrome_samples_id_of(at->frame));
		s.event = into_event(&c->l->to, STR("instants"), WEIGHT_COUNT, "samples");
		c->l->no_node += s.stack == 0 && at->frame.n > 0;
		into_sample(&c->l->to, &s);
	}
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Samples need frames: without them there are no stacks. */
static bool
has_top(const struct chrome_samples *c)
{
	return json_is(c->top) && json_is(c->frames);
}

bool
chrome_samples_any(const struct chrome_samples *c)
{
	struct json top = json_items(c->top);

	return c->nprofiles > 0 || c->ninstants > 0 || (has_top(c) && top.base != NULL && scan_item(&top));
}

void
chrome_samples_threads(struct chrome_samples *c)
{
	for (uint64_t i = 1; i <= c->nprofiles; i++)
		chrome_samples_find_thread(c, profile_at(c, i)->pid, profile_at(c, i)->tid);
	if (has_top(c))
		JLOAD_EACH(c->l, c->top, item) {
			struct top_sample at = top_sample_read(c->l, item);

			top_thread(c, &at);
		}
}

void
chrome_samples_load(struct chrome_samples *c, const uint32_t *place)
{
	load_profiles(c, place);
	c->l->samples.times = true;
	if (json_is(c->frames)) {
		read_frames(c, false);
		read_frames(c, true);
	}
	if (has_top(c))
		chrome_samples_read_samples(c);
	load_instants(c);
	cpu_nodes_close(&c->nodes);
}
