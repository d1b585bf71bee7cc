/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heapprofd: profiles of native memory.
 *
 * A dump records for each callstack how much was allocated and freed since the beginning.  The differences between two dumps become
 * samples of allocated and of freed memory.  The memory that is not freed in the last dump becomes samples of unreleased memory.  The number
 * of a callstack may name another callstack in a later dump, so the sums are kept by the frames of callstacks.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

enum { SIZE, FREED_SIZE, COUNT, FREED_COUNT, VALUES };

#define PACKET(F) F(1, strings, NONE) F(2, frames, NONE) F(3, callstacks, NONE) F(4, mappings, NONE) F(5, process_dumps, NONE) \
	F(6, continued, U64) F(7, index, U64)
#define DUMP(F) F(1, pid, U64) F(2, samples, NONE) F(3, from_startup, UNREAD) F(4, rejected, U64) F(5, stats, UNREAD) F(6, disconnected, U64) \
	F(7, overran, U64) F(8, corrupted, U64) F(9, time, I64) F(10, guardrail, U64) F(11, heap, BYTES) F(12, sampling_interval_bytes, UNREAD) \
	F(13, interval, U64) F(14, client_error, UNREAD) F(15, start_timestamp, UNREAD)
#define SAMPLE(F) F(1, stack, U64) F(2, size, U64) F(3, freed_size, U64) F(4, sampled, NONE) F(5, count, U64) F(6, freed_count, U64) \
	F(7, timestamp, NONE) F(8, most, U64) F(9, most_count, U64)
SHAPE(heap_packet, "profile_packet", PACKET)
SHAPE(heap_dump, "profile_packet.process_dumps", DUMP)
SHAPE(heap_sample, "profile_packet.process_dumps.samples", SAMPLE)

/* ProcessHeapSamples. */
struct dump {
	uint64_t	at;
	uint32_t	n;
	uint32_t	profile, state;	/* states that its callstacks are of, and those that are interned */
	uint32_t	sequence;
};

/* The sums so far of a callstack of a process, or its sums when a number first referred to it. */
struct sum {
	uint64_t	v[VALUES];
};

/* The sums of a callstack in one heap of a process. */
struct heap_kept {
	uint64_t	v[VALUES];
	uint64_t	time, stack;
	uint32_t	task, state, heap;	/* heap: word; 0: unknown */
	bool		java;
};

/* A dump while it is played. */
struct dump_played {
	const struct dump *of;
	uint64_t	time;
	uint32_t	pid, task, heap;
	bool		java, counted;	/* counted: samples at the maximum tell their number */
};

void
pf_heaps_close(struct pf_heaps *h)
{
	SCRATCH_FREE(&h->dumps, &h->sums, &h->totals, &h->starts);
	idmap_free(&h->by_sum);
	idmap_free(&h->by_total);
	idmap_free(&h->by_start);
	idmap_free(&h->by_seen);
}

/* ---- packets -------------------------------------------------------------------------------------------- */

/* The state that names of a profile belong to. */
static bool
profile_state(struct perfetto *p, struct pf_sequence *q, struct err *err)
{
	struct pf_state new = { .names = p->seq.nnames + 1, .profile = true, .valid = true };

	if (q->profile != 0)
		return true;
	if (!make_add(&p->seq.states, &p->seq.nstates, &new, sizeof new, MAKE_MOST, "states of sequences", err))
		return false;
	p->seq.nnames++;
	q->profile = (uint32_t)p->seq.nstates;
	return true;
}

/* {1 texts, 2 frames, 3 callstacks, 4 mappings, 5 dumps}, and its own fields. */
bool
pf_heap_told(struct perfetto *p, struct str m, uint32_t state, uint32_t sequence, struct err *err)
{
	static const uint8_t kinds[][2] = { { 1, NAME_OF_PROFILE }, { 2, NAME_FRAME }, { 3, NAME_STACK }, { 4, NAME_MAPPING } };
	struct pf_sequence *q = pf_sequence(p, sequence, err);
	struct pf_heaps *h = &p->heaps;
	struct heap_packet packet;

	if (q == NULL || !profile_state(p, q, err))
		return false;
	for (size_t i = 0; i < NELEM(kinds); i++)
		if (!pf_intern(p, pf_state(p, q->profile)->names, m, kinds[i][0], kinds[i][1], err))
			return false;
	(void)heap_packet_read(m, &packet, &p->unread);
	SHAPE_EACH(m, 5, in) {
		struct dump new = { .at = pf_offset(p, in.s), .n = (uint32_t)in.n, .profile = q->profile, .state = state, .sequence = sequence };

		if (!make_add(&h->dumps, &h->ndumps, &new, sizeof new, MAKE_MOST, "heap dumps", err))
			return false;
	}
	p->count[PF_HEAP_PACKETS] += packet.index != q->profile_next;
	q->profile_next = packet.index + 1;
	if (packet.continued == 0)
		q->profile = 0;
	return true;
}

/* Dumps have times of a clock of their own. */
bool
pf_heap_rows(struct perfetto *p, struct err *err)
{
	for (uint64_t i = 0; i < p->heaps.ndumps; i++) {
		const struct dump *d = &SCRATCH(p->heaps.dumps, struct dump)[i];
		struct pf_row row = { .at = i, .a = d->profile, .b = PKT_PROFILE, .kind = PF_PACKET };
		struct heap_dump dump;
		int64_t time;

		(void)heap_dump_read(pf_bytes(p, d->at, d->n), &dump, NULL);
		if (!pf_clock_convert(&p->clocks, CLOCK_OF_COARSE, dump.time, &time)) {
			p->count[PF_NO_CLOCK] += p->clocks.snapshots > 0;
			p->count[PF_CLOCK_ASSUMED] += p->clocks.snapshots == 0;
			if (p->clocks.snapshots > 0)
				continue;
			time = dump.time;
		}
		row.time = time < 0 ? 0 : (uint64_t)time;
		if (!work_go(p->l->work, p->file.n, err) || !pf_row(p, &row, err))
			return false;
	}
	return true;
}

/* ---- sums ------------------------------------------------------------------------------------------------- */

/* The sum of a key, from zeros; NULL: failure. */
static struct sum *
heap_sum(struct idmap *by, struct scratch *rows, uint64_t *n, uint64_t key, struct err *err)
{
	struct sum new = { { 0 } };
	uint32_t at;

	if (!idmap_enter(by, key | 1, (uint32_t)*n + 1, &at, err) || (at > *n && !make_add(rows, n, &new, sizeof new, MAKE_MOST, "heap sums", err)))
		return NULL;
	return &SCRATCH(*rows, struct sum)[at - 1];
}

static struct heap_kept *
heap_total(struct pf_heaps *h, uint64_t key, const struct heap_kept *new, struct err *err)
{
	uint32_t at;

	if (!idmap_enter(&h->by_total, key | 1, (uint32_t)h->ntotals + 1, &at, err) ||
	    (at > h->ntotals && !make_add(&h->totals, &h->ntotals, new, sizeof *new, MAKE_MOST, "heap sums", err)))
		return NULL;
	return &SCRATCH(h->totals, struct heap_kept)[at - 1];
}

/* Samples of an event, "freed bytes of libc.malloc"; none where there is nothing. */
static bool
add_sample(struct perfetto *p, struct pf_sample *s, const char *what, uint32_t heap, uint64_t weight, enum pf_unit unit, struct err *err)
{
	if (weight == 0)
		return true;
	buf_clear(&p->text);
	buf_str(&p->text, str_of(what));
	buf_str(&p->text, heap != 0 ? STR(" of ") : STR(""));
	buf_str(&p->text, marks_text(&p->marks, heap));
	s->weight = weight < WEIGHT_MOST / 2 ? weight : WEIGHT_MOST / 2;
	s->unit = (uint8_t)unit;
	s->heap = true;
	return !p->text.bad ? marks_word_of(&p->marks, buf_view(&p->text), &s->event, err) && pf_sample(p, s, err) :
	    fail(err, E_SYSTEM, "out of memory (heap profile)");
}

/* Add the changes of a dump to a stack of a process. */
static bool
add_changes(struct perfetto *p, const struct dump_played *d, uint32_t state, uint64_t stack, uint64_t key, const uint64_t *change, struct err *err)
{
	struct pf_sample s = { .time = d->time, .stack = stack, .task = d->task, .state = state };
	struct heap_kept new = { .stack = stack, .task = d->task, .state = state, .heap = d->heap, .java = d->java }, *t;

	if ((t = heap_total(&p->heaps, idmap_hash(key ^ idmap_hash(d->heap + 1ull)), &new, err)) == NULL)
		return false;
	for (unsigned i = 0; i < VALUES; i++)
		t->v[i] = num_add(t->v[i], change[i]);
	t->time = d->time;
	return add_sample(p, &s, "allocated bytes", d->heap, change[SIZE], PF_BYTES, err) &&
	    add_sample(p, &s, "allocations", d->heap, change[COUNT], PF_ALLOCATIONS, err) &&
	    (d->java || (add_sample(p, &s, "freed bytes", d->heap, change[FREED_SIZE], PF_BYTES, err) &&
	    add_sample(p, &s, "frees", d->heap, change[FREED_COUNT], PF_ALLOCATIONS, err)));
}

/* ---- in order of time --------------------------------------------------------------------------------------- */

/* If the sample has a maximum, that and the number of allocations then are the sums. */
static bool
play_stack_of(struct perfetto *p, const struct dump_played *d, struct str m, struct err *err)
{
	struct pf_heaps *h = &p->heaps;
	uint64_t told[VALUES], content, key, number;
	uint32_t state = d->of->profile, known = (uint32_t)h->by_seen.n, found;
	struct sum *before, *start;
	struct heap_sample s;

	(void)heap_sample_read(m, &s, &p->unread);
	if ((content = pf_stack_content(p, state, s.stack)) == 0)
		content = pf_stack_content(p, state = d->of->state, s.stack);
	if (content == 0) {
		p->count[PF_NO_STACK]++;
		return true;
	}
	key = idmap_hash(content ^ idmap_hash(d->pid + 1ull));
	number = idmap_hash(s.stack ^ idmap_hash(d->of->sequence + 1ull));
	if ((before = heap_sum(&h->by_sum, &h->sums, &h->nsums, key, err)) == NULL ||
	    (start = heap_sum(&h->by_start, &h->starts, &h->nstarts, number, err)) == NULL ||
	    !idmap_enter(&h->by_seen, idmap_hash(key ^ idmap_hash(number + d->heap)) | 1, 1, &found, err))
		return false;
	if (h->by_seen.n > known)
		*start = *before;
	memcpy(told, s.has_most ? (uint64_t[VALUES]){ s.most, 0, d->counted ? s.most_count : 0, 0 } :
	    (uint64_t[VALUES]){ s.size, s.freed_size, s.count, s.freed_count }, sizeof told);
	for (unsigned i = 0; i < VALUES; i++) {
		told[i] = num_add(told[i], start->v[i]);
		if (told[i] < before->v[i]) {
			p->count[PF_HEAP_FALLS]++;
			return true;
		}
	}
	for (unsigned i = 0; i < VALUES; i++) {
		uint64_t sum = told[i];

		told[i] -= before->v[i];
		before->v[i] = sum;
	}
	return add_changes(p, d, state, s.stack, key, told, err);
}

bool
pf_play_heap(struct perfetto *p, const struct pf_row *r, struct str none, struct err *err)
{
	const struct dump *of = &SCRATCH(p->heaps.dumps, struct dump)[r->at];
	struct dump_played d = { .of = of, .time = r->time };
	struct str m = pf_bytes(p, of->at, of->n), heap;
	struct heap_dump dump;
	struct pf_sample of_task;

	(void)none;
	(void)heap_dump_read(m, &dump, &p->unread);
	d.pid = (uint32_t)dump.pid;
	d.counted = dump.interval != 0;
	heap = str_head(dump.heap, PF_TEXT_MOST);
	p->count[PF_HEAP_DUMPS] += (dump.rejected | dump.disconnected | dump.overran | dump.corrupted | dump.guardrail) != 0;
	d.java = str_eq(heap, STR("com.android.art"));
	if ((heap.n > 0 && !marks_word_of(&p->marks, heap, &d.heap, err)) || !pf_sample_of(p, &of_task, d.pid, d.pid, err))
		return false;
	d.task = of_task.task;
	SHAPE_EACH(m, 2, in)
		if (!work_go(p->l->work, p->row.nrows, err) || !play_stack_of(p, &d, in, err))
			return false;
	return true;
}

bool
pf_heap_unreleased(struct perfetto *p, struct err *err)
{
	for (uint64_t i = 0; i < p->heaps.ntotals; i++) {
		const struct heap_kept t = SCRATCH(p->heaps.totals, struct heap_kept)[i];
		struct pf_sample s = { .time = t.time, .stack = t.stack, .task = t.task, .state = t.state };

		if (t.java)
			continue;
		if ((t.v[SIZE] > t.v[FREED_SIZE] && !add_sample(p, &s, "unreleased bytes", t.heap, t.v[SIZE] - t.v[FREED_SIZE], PF_BYTES, err)) ||
		    (t.v[COUNT] > t.v[FREED_COUNT] && !add_sample(p, &s, "unreleased allocations", t.heap, t.v[COUNT] - t.v[FREED_COUNT],
		    PF_ALLOCATIONS, err)))
			return false;
	}
	return true;
}
