/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples: names, stacks, threads and samples of a profile being read.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "profile.h"

#define PROBES 64	/* threads crafted to collide become several, but cost no more than this */

void
samples_open(struct samples *s, struct store *st, struct work *w)
{
	const struct map *m = store_source(st);

	memset(s, 0, sizeof *s);
	s->st = st;
	s->work = w;
	s->most_decimals = WEIGHT_DECIMALS;
	s->source = (const char *)m->data;
	s->source_size = m->size;
}

void
samples_close(struct samples *s)
{
	SCRATCH_FREE(&s->names, &s->stacks, &s->threads, &s->events, &s->periods);
	texts_free(&s->own);
	texts_free(&s->event_text);
	texts_free(&s->state_text);
	sample_rows_free(&s->rows);
	label_sets_free(&s->labels);
	idmap_free(&s->by_name);
	idmap_free(&s->by_stack);
	idmap_free(&s->by_thread);
	idmap_free(&s->by_event);
}

/* ---- texts ---------------------------------------------------------------------------- */

bool
samples_has_text(const struct samples *s, struct str text)
{
	uintptr_t at = (uintptr_t)text.s, from = (uintptr_t)s->source;

	return at >= from && at - from <= s->source_size && text.n <= s->source_size - (at - from);
}

bool
samples_text(struct samples *s, struct text_pool *own, struct str text, uint64_t *ref, uint32_t *place,
    struct err *err)
{
	bool in_source = text.n > 0 && samples_has_text(s, text);

	*ref = in_source ? ref_make((uint64_t)(text.s - s->source), text.n) : 0;
	*place = 0;
	return in_source || text.n == 0 || texts_add(own, text, place, err);
}

struct str
samples_text_at(const struct samples *s, const struct text_pool *own, uint64_t ref, uint32_t place)
{
	return place == 0 ? store_text(s->st, ref) : str_of(texts_at(own, place));
}

struct str
samples_frame_name(const struct samples *s, uint32_t frame)
{
	const struct sample_name *name = &SCRATCH(s->names, struct sample_name)[frame - 1];

	assert(frame > 0 && frame <= s->nnames);
	return samples_text_at(s, &s->own, name->ref, name->own);
}

/* ---- frames and stacks -------------------------------------------------------------------- */

static struct str
samples_cut(struct str s)
{
	return s.n > REF_MAX ? (struct str){ s.s, REF_MAX } : s;
}

/* Extra parts of a frame key that keep frames of the same name distinct. */
enum beside { BESIDE_FILE = 1, BESIDE_MODULE, BESIDE_PLACE };

static uint32_t
frame_new(struct samples *s, uint64_t key, struct str text, struct str file, struct str module, char kind,
    struct err *err)
{
	struct sample_name new = { .kind = kind, .state = state_told(text) != NULL, .line = -1 };

	/* A frame and an action share 32 bits. */
	return samples_text(s, &s->own, text, &new.ref, &new.own, err) &&
	    samples_text(s, &s->own, file, &new.file, &new.file_own, err) &&
	    samples_text(s, &s->own, module, &new.module, &new.module_own, err) &&
	    make_add(&s->names, &s->nnames, &new, sizeof new, UINT32_MAX / 4, "different frames", err) &&
	    idmap_put(&s->by_name, key, (uint32_t)s->nnames, err) ? (uint32_t)s->nnames : 0;
}

/* Find or add a frame. Frames with equal hashes are treated as equal. */
uint32_t
samples_placed(struct samples *s, struct str text, struct str file, struct str module, char kind, struct err *err)
{
	uint64_t key;
	uint32_t id;

	text = samples_cut(text);
	file = samples_cut(file);
	module = samples_cut(module);
	key = idmap_hash_text(text, (unsigned char)kind);
	if (file.n > 0)
		key = idmap_hash_text(file, key + BESIDE_FILE);
	if (module.n > 0)
		key = idmap_hash_text(module, key + BESIDE_MODULE);
	id = idmap_get(&s->by_name, key);
	return id != 0 ? id : frame_new(s, key, text, file, module, kind, err);
}

uint64_t
samples_ahead(const struct samples *s, struct str text, char kind)
{
	uint64_t key = idmap_hash_text(samples_cut(text), (unsigned char)kind);

	idmap_ahead(&s->by_name, key);
	return key;
}

uint32_t
samples_named(struct samples *s, uint64_t key, struct str text, char kind, struct err *err)
{
	uint32_t id = idmap_get(&s->by_name, key);

	return id != 0 ? id : frame_new(s, key, samples_cut(text), STR(""), STR(""), kind, err);
}

uint32_t
samples_frame(struct samples *s, struct str text, struct str file, char kind, struct err *err)
{
	return samples_placed(s, text, file, STR(""), kind, err);
}

uint32_t
samples_function(struct samples *s, struct str text, struct str module, char kind, struct err *err)
{
	return samples_placed(s, text, STR(""), module, kind, err);
}

void
samples_line(struct samples *s, uint32_t frame, uint64_t line)
{
	struct sample_name *n = &SCRATCH(s->names, struct sample_name)[frame - 1];

	assert(frame != 0 && frame <= s->nnames);
	if (n->line < 0 && line > 0 && line <= INT64_MAX)
		n->line = (int64_t)line;
}

uint32_t
samples_begun(struct samples *s, struct str text, struct str file, uint64_t line, uint64_t column, struct err *err)
{
	const uint64_t place[] = { line, column };
	uint64_t key;
	uint32_t id;

	if (line == 0)
		return samples_frame(s, text, file, 0, err);
	text = samples_cut(text);
	file = samples_cut(file);
	key = idmap_hash_text(file, idmap_hash_text(text, 0) + BESIDE_FILE);
	key = idmap_hash_text((struct str){ (const char *)place, sizeof place }, key + BESIDE_PLACE);
	if ((id = idmap_get(&s->by_name, key)) == 0 && (id = frame_new(s, key, text, file, STR(""), 0, err)) == 0)
		return 0;
	samples_line(s, id, line);
	return id;
}

static uint64_t
samples_stack_key(uint32_t parent, uint32_t frame)
{
	return (uint64_t)parent << 32 | frame;
}

void
samples_stack_ahead(const struct samples *s, uint32_t parent, uint32_t frame)
{
	const struct sample_stack *stack = SCRATCH(s->stacks, struct sample_stack);

	if (frame != 0)
		idmap_ahead(&s->by_stack, samples_stack_key(parent, frame));
	else if (s->nstacks > 0)
		__builtin_prefetch(&stack[stack[parent].child]);
}

/* Most stacks continue in only one way, so the first child is tried without a search. */
uint32_t
samples_stack(struct samples *s, uint32_t parent, uint32_t frame, struct err *err)
{
	struct sample_stack *stack = SCRATCH(s->stacks, struct sample_stack);
	uint64_t key = samples_stack_key(parent, frame);
	uint32_t id, first = s->nstacks == 0 ? 0 : stack[parent].child;

	assert(parent <= s->nstacks && frame != 0 && frame <= s->nnames);
	assert(first <= s->nstacks && (first == 0 || stack[first].parent == parent));
	if (first != 0 && stack[first].frame == frame)
		return first;
	if (first != 0 && (id = idmap_get(&s->by_stack, key)) != 0)
		return id;
	if (parent != 0 && SCRATCH(s->names, struct sample_name)[frame - 1].state)
		return parent;
	/* Row 0 is not a stack: its child is the first stack of one frame. */
	if (make_row(&s->stacks, s->nstacks + 1, sizeof *stack, UINT32_MAX, "different stacks", err) == NULL)
		return 0;
	id = (uint32_t)++s->nstacks;
	stack = SCRATCH(s->stacks, struct sample_stack);
	stack[id] = (struct sample_stack){ .parent = parent, .frame = frame };
	if (first == 0)
		stack[parent].child = id;
	return first == 0 || idmap_put(&s->by_stack, key, id, err) ? id : 0;
}

/* ---- threads and events --------------------------------------------------------------------- */

static uint64_t
samples_thread_key(uint32_t pid, uint32_t tid, struct str name)
{
	return idmap_hash_text(name, 0) ^ ((uint64_t)pid << 32 | tid);
}

static uint32_t
add_thread(struct samples *s, uint32_t pid, uint32_t tid, struct str name, uint64_t key, struct err *err)
{
	struct sample_thread new = { .pid = pid, .tid = tid };

	return samples_text(s, &s->own, name, &new.ref, &new.own, err) &&
	    make_add(&s->threads, &s->nthreads, &new, sizeof new, MAKE_MOST, "threads", err) &&
	    idmap_put(&s->by_thread, key, (uint32_t)s->nthreads, err) ? (uint32_t)s->nthreads : 0;
}

uint32_t
samples_thread_new(struct samples *s, uint32_t pid, uint32_t tid, struct str name, struct err *err)
{
	name = samples_cut(name);
	return add_thread(s, pid, tid, name, samples_thread_key(pid, tid, name), err);
}

uint32_t
samples_thread(struct samples *s, uint32_t pid, uint32_t tid, struct str name, struct err *err)
{
	const struct sample_thread *t;
	struct thread_told told = { .pid = pid };
	uint64_t key;
	uint32_t id;

	/* Some formats have a place for the name alone: profilers write the id into it. */
	if (tid == 0 && frame_told(name, &told) && told.tid != 0) {
		pid = told.pid;
		tid = told.tid;
		name = told.name;
	}
	name = samples_cut(name);
	key = samples_thread_key(pid, tid, name);
	for (int i = 0; i < PROBES && (id = idmap_get(&s->by_thread, key)) != 0; i++, key++) {
		assert(id <= s->nthreads);
		t = &SCRATCH(s->threads, struct sample_thread)[id - 1];
		if (t->pid == pid && t->tid == tid &&
		    str_eq(samples_text_at(s, &s->own, t->ref, t->own), name))
			return id;
	}
	return add_thread(s, pid, tid, name, key, err);
}

uint32_t
samples_event(struct samples *s, struct str name, enum weight_type type, const char *unit,
    struct err *err)
{
	uint64_t key = idmap_hash_text(name, 0);
	struct sample_event new = { .type = type };
	uint32_t id = idmap_get(&s->by_event, key);

	if (id != 0)
		return id;
	return samples_text(s, &s->event_text, name, &new.ref, &new.own, err) &&
	    texts_add(&s->event_text, str_of(unit), &new.unit, err) &&
	    make_add(&s->events, &s->nevents, &new, sizeof new, MAKE_MOST, "events", err) &&
	    idmap_put(&s->by_event, key, (uint32_t)s->nevents, err) ? (uint32_t)s->nevents : 0;
}

void
samples_fill(struct samples *s, uint32_t event, enum sample_fills fills)
{
	assert(event <= s->nevents);
	if (event != 0)
		SCRATCH(s->events, struct sample_event)[event - 1].fills = (uint8_t)fills;
}

void
samples_apart(struct samples *s)
{
	idmap_free(&s->by_name);
}

struct str
samples_event_name(const struct samples *s, uint32_t event)
{
	const struct sample_event *e = &SCRATCH(s->events, struct sample_event)[event - 1];

	assert(event != 0 && event <= s->nevents);
	return samples_text_at(s, &s->event_text, e->ref, e->own);
}

void
samples_choose_heap(struct samples *s)
{
	uint64_t most = 0;

	for (uint32_t i = 1; i <= s->nevents; i++) {
		const struct sample_event *e = &SCRATCH(s->events, struct sample_event)[i - 1];

		if (e->weight > most && str_has_prefix(samples_event_name(s, i), STR("unreleased bytes"))) {
			most = e->weight;
			s->chosen = i;
			s->chosen_by = "unreleased memory";
		}
	}
}

uint32_t
samples_state(struct samples *s, struct str state, struct err *err)
{
	uint32_t place;

	return texts_place(&s->state_text, state, &place, err) ? place : 0;
}

/* ---- weights -------------------------------------------------------------------------------- */

static uint64_t
power(unsigned decimals)
{
	uint64_t power = 1;

	while (decimals-- > 0)
		power *= 10;
	return power;
}

static bool
can_scale(const struct samples *s, uint64_t factor)
{
	const struct sample_event *e = SCRATCH(s->events, struct sample_event);

	for (uint64_t i = 0; i < s->nevents; i++)
		if (e[i].weight > WEIGHT_MOST / factor || e[i].before > WEIGHT_MOST / factor)
			return false;
	return true;
}

void
samples_count_rows(struct samples *s)
{
	if (s->counts != COUNT_WEIGHT)
		return;
	assert(s->nevents == 1);
	SCRATCH(s->events, struct sample_event)->samples = s->nsamples;
	s->counts = COUNT_ONE;
}

bool
samples_decimals(struct samples *s, unsigned decimals, struct err *err)
{
	struct sample_event *e = SCRATCH(s->events, struct sample_event);
	uint64_t factor;

	assert(decimals <= s->most_decimals);
	if (decimals <= s->decimals)
		return true;
	samples_count_rows(s);
	factor = power(decimals - s->decimals);
	if (!can_scale(s, factor))
		return true;
	for (uint64_t i = 0; i < s->nsamples; i++) {
		if (i % 65536 == 0 && s->work != NULL && atomic_load(&s->work->cancel))
			return fail_cancel(err);
		if (!narrow_set(&s->rows.weight, i, narrow_get(&s->rows.weight, i) * factor, err) ||
		    !narrow_set(&s->rows.before, i, narrow_get(&s->rows.before, i) * factor, err))
			return false;
	}
	for (uint64_t i = 0; i < s->nevents; i++) {
		e[i].weight *= factor;
		e[i].before *= factor;
	}
	assert(decimals > s->decimals);
	s->decimals = decimals;
	return true;
}

uint64_t
samples_whole(const struct samples *s, uint64_t v)
{
	uint64_t factor = power(s->decimals);

	return v > WEIGHT_MOST / factor ? WEIGHT_MOST : v * factor;
}

static uint64_t
add_digit(uint64_t v, char digit)
{
	unsigned d = (unsigned char)digit - (unsigned)'0';

	return v > (WEIGHT_MOST - 9) / 10 ? WEIGHT_MOST : v * 10 + d;
}

bool
samples_weight(struct samples *s, struct str digits, uint64_t *weight, struct err *err)
{
	struct str whole = str_until(digits, '.'), part = str_after(digits, whole.n + (whole.n < digits.n));
	unsigned decimals;
	uint64_t v = 0;

	while (part.n > 0 && part.s[part.n - 1] == '0')
		part.n--;
	decimals = part.n > s->most_decimals ? s->most_decimals : (unsigned)part.n;
	if (!samples_decimals(s, decimals, err))
		return false;
	for (size_t k = 0; k < whole.n; k++)
		v = add_digit(v, whole.s[k]);
	for (unsigned i = 0; i < s->decimals; i++)
		v = add_digit(v, i < part.n ? part.s[i] : '0');
	if (part.n > s->decimals) {
		s->rounded++;
		v += v < WEIGHT_MOST && part.s[s->decimals] >= '5';
	}
	*weight = v;
	return true;
}

/* Add a weight to a sum, clipped to the room that the sum has.  Return the part that was added. */
static uint64_t
take_weight(struct samples *s, uint64_t weight, uint64_t *sum)
{
	uint64_t room = WEIGHT_MOST - *sum;

	assert(*sum <= WEIGHT_MOST);
	if (weight > room || weight == WEIGHT_MOST) {
		s->saturated++;
		weight = room;
	}
	*sum += weight;
	assert(*sum <= WEIGHT_MOST);
	return weight;
}

bool
samples_add(struct samples *s, const struct sample *sample, struct err *err)
{
	struct sample row = *sample;
	struct sample_event *e;
	uint32_t frame;

	if (row.stack == 0 && s->no_frame == 0) {
		frame = samples_frame(s, STR(""), STR(""), 0, err);
		s->no_frame = frame == 0 ? 0 : samples_stack(s, 0, frame, err);
		if (s->no_frame == 0)
			return false;
	}
	if (row.stack == 0)
		row.stack = s->no_frame;
	assert(row.stack <= s->nstacks);
	assert(row.thread != 0 && row.thread <= s->nthreads);
	assert(row.event != 0 && row.event <= s->nevents);
	e = &SCRATCH(s->events, struct sample_event)[row.event - 1];
	row.weight = take_weight(s, row.weight, &e->weight);
	row.before = take_weight(s, row.before, &e->before);
	row.count = s->counts == COUNT_WEIGHT ? row.weight : row.count < WEIGHT_MOST - e->samples ? row.count :
	    WEIGHT_MOST - e->samples;
	e->samples += s->counts == COUNT_ONE ? 1 : row.count;
	return sample_rows_set(&s->rows, s->nsamples++, &row, err);
}
