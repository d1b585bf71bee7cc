/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU samples among Chrome trace events: profiles in chunks, complete profiles, and samples beside the events.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "chrome.h"

#define END_MOST (60 * (uint64_t)1000000000)	/* a later end comes from another clock */

struct profile {
	struct str	pid, tid, id;
	uint64_t	end;		/* from TIME_ZERO on; 0: unknown */
	bool		head;
};

enum { NODES, SAMPLES, DELTAS, START, END, MEMBERS };

struct piece {
	uint64_t	profile;	/* row + 1; sort key */
	struct json	event;
	struct json	at[MEMBERS];	/* thread of the profile, when it is known */
	uint8_t		kind;		/* enum chrome_piece */
};

/* ---- finding profiles ---------------------------------------------------------------- */

bool
chrome_samples_see(struct chrome_samples *c, enum chrome_piece kind, struct json event, struct str pid, struct str tid, struct str id,
    struct err *err)
{
	/* A complete profile has no id; each is assigned to its event's thread. */
	struct str key_id = kind == CHROME_WHOLE ? tid : id;
	uint64_t key = hash_bytes(key_id.s, key_id.n, hash_bytes(pid.s, pid.n, idmap_hash(kind == CHROME_WHOLE)));
	struct profile new = { .pid = pid, .tid = tid, .id = key_id }, *p;
	struct piece piece = { idmap_get(&c->by_id, key), event, .kind = (uint8_t)kind };

	if (piece.profile == 0) {
		if (!make_add(&c->profiles, &c->nprofiles, &new, sizeof new, MAKE_MOST, "profiles", err) ||
		    !idmap_put(&c->by_id, key, (uint32_t)c->nprofiles, err))
			return false;
		piece.profile = c->nprofiles;
	}
	assert(piece.profile <= c->nprofiles);
	p = &SCRATCH(c->profiles, struct profile)[piece.profile - 1];
	/* Chunks are written by another thread than the one they describe. */
	if (kind != CHROME_CHUNK) {
		p->tid = tid;
		p->head = true;
	}
	return make_add(&c->pieces, &c->npieces, &piece, sizeof piece, MAKE_MOST, "pieces of profiles", err);
}

void
chrome_samples_close(struct chrome_samples *c)
{
	SCRATCH_FREE(&c->profiles, &c->pieces, &c->sampled);
	idmap_free(&c->by_id);
}

/* ---- V8 profiles --------------------------------------------------------------------- */

/* The members are in args.data, or in its cpuProfile. */
static void
find_members(struct jload *l, struct piece *piece)
{
	static const char *const names[] = { "nodes", "samples", "timeDeltas", "startTime", "endTime", NULL },
	    *const args[] = { "args", NULL }, *const data[] = { "data", NULL }, *const profile[] = { "cpuProfile", NULL };
	struct json outer[MEMBERS], j;

	jload_members(l, piece->event, args, &j);
	jload_members(l, j, data, &j);
	jload_members(l, j, names, outer);
	jload_members(l, j, profile, &j);
	jload_members(l, j, names, piece->at);
	for (size_t i = DELTAS; i < MEMBERS; i++)
		if (outer[i].at < outer[i].size)
			piece->at[i] = outer[i];
}

/* A time that exists must be valid. */
static void
chrome_samples_read_time(struct jload *l, struct json j, uint64_t *time)
{
	l->no_number += j.at < j.size && !jload_time(l, jload_word(j), 3, time);
}

/* Read all nodes first: samples may come before their nodes. */
static bool
chrome_samples_read_profile(struct chrome_samples *c, uint32_t number, struct cpu_nodes *nodes, struct cpu_samples *samples, struct err *err)
{
	struct profile *p = &SCRATCH(c->profiles, struct profile)[number - 1];
	struct piece *piece = SCRATCH(c->pieces, struct piece);
	uint64_t n = c->npieces, first = make_place(piece, n, sizeof *piece, number);

	assert(first == 0 || SCRATCH(c->pieces, struct piece)[first - 1].profile < number);
	samples->n = 0;
	samples->clock = TIME_ZERO;
	for (uint64_t i = first; i < n && piece[i].profile == number; i++) {
		find_members(nodes->l, &piece[i]);
		if (piece[i].kind != CHROME_CHUNK)
			chrome_samples_read_time(nodes->l, piece[i].at[START], &samples->clock);
		if (!cpu_nodes_read(nodes, piece[i].at[NODES], err))
			return false;
	}
	for (uint64_t i = first; i < n && piece[i].profile == number; i++) {
		chrome_samples_read_time(nodes->l, piece[i].at[END], &p->end);
		if (!cpu_nodes_join(nodes, piece[i].at[NODES], err) ||
		    !cpu_samples_read(samples, nodes->l, piece[i].at[SAMPLES], piece[i].at[DELTAS], err))
			return false;
	}
	c->no_head += !p->head;
	return true;
}

/* Profiles of one thread overlap, so each gets an event of its own. */
static uint32_t
event_of(struct chrome_samples *c, struct jload *l, const struct profile *p, uint32_t thread, struct err *err)
{
	uint8_t *sampled = &SCRATCH(c->sampled, uint8_t)[thread];
	struct str name = STR("cpu-samples");

	if (*sampled) {
		buf_clear(&l->name);
		buf_str(&l->name, name);
		buf_chr(&l->name, ' ');
		buf_str(&l->name, scan_unescape(p->id, &l->text));
		if (l->name.bad || l->text.bad)
			return fail(err, E_SYSTEM, "out of memory (name)");
		name = buf_view(&l->name);
	}
	*sampled = 1;
	return samples_event(&l->samples, name, WEIGHT_TIME, "ns", err);
}

static bool
load_profile(struct chrome_samples *c, struct cpu_nodes *nodes, uint32_t number, struct cpu_samples *samples, struct err *err)
{
	struct profile *p = &SCRATCH(c->profiles, struct profile)[number - 1];
	struct sample s = { .thread = spans_in_thread(&nodes->l->spans, p->pid, p->tid, err) };

	cpu_nodes_begin(nodes);
	return s.thread != 0 && chrome_samples_read_profile(c, number, nodes, samples, err) && (samples->n == 0 ||
	    ((s.event = event_of(c, nodes->l, p, s.thread, err)) != 0 &&
	    cpu_samples_add(samples, nodes, &s, true, p->end, END_MOST, err)));
}

static bool
load_profiles(struct chrome_samples *c, struct jload *l, struct err *err)
{
	struct cpu_nodes nodes = { .l = l };
	struct cpu_samples samples = { .n = 0 };
	bool ok = make_sort(&c->pieces, c->npieces, sizeof(struct piece), l->work, err) &&
	    scratch_array(&c->sampled, l->spans.nthreads + 1, sizeof(uint8_t), err);

	for (uint32_t i = 1; ok && i <= c->nprofiles; i++)
		ok = work_go(l->work, l->doc.size, err) && load_profile(c, &nodes, i, &samples, err);
	cpu_nodes_close(&nodes);
	cpu_samples_close(&samples);
	return ok;
}

/* ---- samples beside the events ---------------------------------------------------------- */

struct top {
	struct chrome_samples	*c;
	struct jload		*l;
	struct cpu_nodes	 nodes;
};

/* Ids are numbers in some places and texts in others. Hashing their characters makes them equal. */
static uint64_t
chrome_samples_id_of(struct str s)
{
	return hash_bytes(s.s, s.n, 0);
}

/* Read the names of the frames or, in a second pass, their parents. */
static bool
chrome_samples_read_frames(struct top *t, bool parents, struct err *err)
{
	static const char *const names[] = { "name", "parent", NULL };
	struct json j = t->c->frames, at[2];
	struct str id;
	uint32_t frame;

	if (!scan_open(&j, '{'))
		return true;
	while (scan_member(&j, &id)) {
		if (!work_go(t->l->work, j.at, err))
			return false;
		jload_members(t->l, j, names, at);
		if (parents && at[1].at < at[1].size)
			cpu_nodes_parent(&t->nodes, chrome_samples_id_of(id), chrome_samples_id_of(jload_word(at[1])));
		else if (!parents && ((frame = samples_frame(&t->l->samples, scan_unescape(jload_word(at[0]), &t->l->text), STR(""), 0,
		    err)) == 0 || !cpu_nodes_add(&t->nodes, chrome_samples_id_of(id), frame, err)))
			return false;
		if (!scan_skip(&j))
			break;
	}
	t->l->cut |= j.bad;
	return true;
}

/* Without a process id, any process with such a thread is used. */
static uint32_t
top_thread(struct top *t, const struct json *ids, struct err *err)
{
	return ids[0].at == ids[0].size ? spans_in_any(&t->l->spans, jload_word(ids[1]), err) :
	    spans_in_thread(&t->l->spans, jload_word(ids[0]), jload_word(ids[1]), err);
}

/* A sample without a weight counts as 1. */
static bool
chrome_samples_read_weight(struct jload *l, struct json j, uint64_t *weight, struct err *err)
{
	struct str word = jload_word(j);
	uint64_t v = j.at == j.size ? 1 : 0;

	if (str_digits(word) > 0 && memchr(word.s, 'e', word.n) == NULL && memchr(word.s, 'E', word.n) == NULL)
		return samples_weight(&l->samples, word, weight, err);
	jload_number(l, j, 0, &v);
	*weight = samples_whole(&l->samples, v);
	return true;
}

static bool
read_top_sample(void *arg, struct json j, struct err *err)
{
	static const char *const names[] = { "pid", "tid", "ts", "name", "sf", "weight", NULL };
	struct top *t = arg;
	struct sample s = { .time = TIME_ZERO, .offset = j.at };
	struct json at[6];

	jload_members(t->l, j, names, at);
	chrome_samples_read_time(t->l, at[2], &s.time);
	if (!chrome_samples_read_weight(t->l, at[5], &s.weight, err))
		return false;
	s.thread = top_thread(t, at, err);
	if (s.thread == 0 || !cpu_nodes_stack(&t->nodes, chrome_samples_id_of(jload_word(at[4])), &s.stack, err))
		return false;
	s.event = samples_event(&t->l->samples, scan_unescape(jload_word(at[3]), &t->l->text), WEIGHT_COUNT, "samples", err);
	t->l->no_node += s.stack == 0 && at[4].at < at[4].size;
	return s.event != 0 && samples_add(&t->l->samples, &s, err);
}

static bool
see_top_thread(void *arg, struct json j, struct err *err)
{
	static const char *const names[] = { "pid", "tid", NULL };
	struct top *t = arg;
	struct json at[2];

	jload_members(t->l, j, names, at);
	return top_thread(t, at, err) != 0;
}

static bool
chrome_samples_load_top(struct top *t, struct err *err)
{
	bool ok = chrome_samples_read_frames(t, false, err) && chrome_samples_read_frames(t, true, err) && jload_each(t->l,
	    t->c->top, read_top_sample, t, err);

	cpu_nodes_close(&t->nodes);
	return ok;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Samples need frames: without them there are no stacks. */
static bool
has_top(const struct chrome_samples *c)
{
	return c->top.at < c->top.size && c->frames.at < c->frames.size;
}

bool
chrome_samples_threads(struct chrome_samples *c, struct jload *l, struct err *err)
{
	const struct profile *p = SCRATCH(c->profiles, struct profile);
	struct top top = { .c = c, .l = l };

	for (uint64_t i = 0; i < c->nprofiles; i++)
		if (spans_in_thread(&l->spans, p[i].pid, p[i].tid, err) == 0)
			return false;
	return !has_top(c) || jload_each(l, c->top, see_top_thread, &top, err);
}

bool
chrome_samples_load(struct chrome_samples *c, struct jload *l, struct err *err)
{
	struct top top = { .c = c, .l = l, .nodes = { .l = l } };

	if (!load_profiles(c, l, err))
		return false;
	l->samples.times = true;
	return !has_top(c) || chrome_samples_load_top(&top, err);
}
