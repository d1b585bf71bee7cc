/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heapprofd: profiles of native memory.
 *
 * A dump records for each callstack how much was allocated and freed since the beginning.  The differences
 * between two dumps become samples of allocated and of freed memory.  The memory that is not freed in the
 * last dump becomes samples of unreleased memory.  The number of a callstack may name another callstack in
 * a later dump, so the sums are kept by the frames of callstacks.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

enum { SIZE, FREED_SIZE, COUNT, FREED_COUNT, VALUES };

#define SAMPLE(F) F(1, stack, U64) F(2, size, U64) F(3, freed_size, U64) F(4, sampled, NONE) F(5, count, U64) F(6, \
    freed_count, U64) \
	F(7, timestamp, NONE) F(8, most, U64) F(9, most_count, U64)
SHAPE(heap_packet, "profile_packet", FIELDS_PROFILE)
SHAPE(heap_dump, "profile_packet.process_dumps", FIELDS_DUMP)
SHAPE(heap_sample, "profile_packet.process_dumps.samples", SAMPLE)

/* ProcessHeapSamples. */
struct dump {
	struct pf_place	in;
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

/* ---- packets ------------------------------------------------------------------------------------------- */

/* The state that names of a profile belong to. */
static bool
profile_state(struct perfetto *p, struct pf_sequence *q, struct err *err)
{
	struct pf_state new = { .names = p->seq.nnames + 1, .profile = true, .valid = true };

	if (q->profile != 0)
		return true;
	if (!PF_ADD(p->seq, states, new, "states of sequences", err))
		return false;
	p->seq.nnames++;
	q->profile = (uint32_t)p->seq.nstates;
	return true;
}

/* {1 texts, 2 frames, 3 callstacks, 4 mappings, 5 dumps}, and its own fields. */
bool
pf_heap_packet(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	static const uint8_t kinds[][2] = { { 1, NAME_OF_PROFILE }, { 2, NAME_FRAME }, { 3, NAME_STACK },
	    { 4, NAME_MAPPING } };
	struct pf_sequence *q = pf_sequence(p, now->sequence, err);
	struct pf_heaps *h = &p->heaps;
	struct heap_packet packet;

	if (q == NULL || !profile_state(p, q, err))
		return false;
	for (size_t i = 0; i < NELEM(kinds); i++)
		if (!pf_intern(p, pf_state(p, q->profile)->names, m, kinds[i][0], kinds[i][1], err))
			return false;
	(void)heap_packet_read(m, &packet, &p->unread);
	SHAPE_EACH(m, 5, in) {
		struct dump new = { .in = pf_place(p, in), .profile = q->profile, .state = now->state,
		    .sequence = now->sequence };

		if (!PF_ADD(*h, dumps, new, "heap dumps", err))
			return false;
	}
	p->count[PF_HEAP_PACKETS] += packet.index != q->profile_next;
	q->profile_next = packet.index + 1;
	if (packet.continued == 0)
		q->profile = 0;
	return true;
}

/* Return the number of a dump among those of a process and a heap, from 1; 0: failure. */
static uint32_t
heap_number(struct idmap *by, const struct heap_dump *d, struct err *err)
{
	uint64_t of = idmap_hash_text(d->heap, d->pid) | 1, at = idmap_hash(of ^ idmap_hash(d->time)) | 1;
	uint32_t n = idmap_get(by, of), found;

	/* A dump may be in several packets. */
	if (!idmap_enter(by, at, n + 1, &found, err) || !idmap_put(by, of, found > n ? found : n, err))
		return 0;
	return found;
}

/* The dump that is wanted, if any, and those before it. */
static bool
heap_wanted(struct perfetto *p, struct idmap *by, const struct heap_dump *d, bool *wanted, struct err *err)
{
	uint32_t number = heap_number(by, d, err);

	p->heaps.most = number > p->heaps.most ? number : p->heaps.most;
	*wanted = p->heaps.wanted == 0 || number <= p->heaps.wanted;
	return number > 0;
}

static bool
heap_has_wanted(const struct perfetto *p, struct err *err)
{
	unsigned want = p->heaps.wanted;

	if (want > 0 && p->heaps.most == 0)
		return fail(err, E_USAGE, "--dump %u: not a heap dump; of profiles all dumps are read together", want);
	if (want > p->heaps.most)
		return fail(err, E_USAGE, "--dump %u: this profile has only %u heap dumps of a process", want,
		    p->heaps.most);
	return p->heaps.most < 2 || fact_set(p->l->st, FACT_DUMPS, p->heaps.most, err);
}

/* Dumps have times of a clock of their own. */
static bool
heap_row(struct perfetto *p, struct idmap *by, uint64_t i, struct err *err)
{
	const struct dump *d = &SCRATCH(p->heaps.dumps, struct dump)[i];
	struct pf_row row = { .at = i, .a = d->profile, .b = PKT_PROFILE, .kind = PF_PACKET };
	struct heap_dump dump;
	int64_t time;
	bool wanted;

	(void)heap_dump_read(pf_placed(p, d->in), &dump, NULL);
	if (!heap_wanted(p, by, &dump, &wanted, err))
		return false;
	if (!wanted)
		return true;
	if (!pf_clock_convert(&p->clocks, CLOCK_OF_COARSE, dump.time, &time)) {
		p->count[PF_NO_CLOCK] += p->clocks.snapshots > 0;
		p->count[PF_CLOCK_ASSUMED] += p->clocks.snapshots == 0;
		if (p->clocks.snapshots > 0)
			return true;
		time = dump.time;
	}
	row.time = time < 0 ? 0 : (uint64_t)time;
	return work_go(p->l->work, p->file.n, err) && pf_row(p, &row, err);
}

bool
pf_heap_rows(struct perfetto *p, struct err *err)
{
	struct idmap by = IDMAP_INIT;
	bool ok = true;

	/* Beside heap graphs --dump is the number of one of them. */
	p->heaps.wanted = p->graph.chosen != 0 ? 0 : (uint32_t)fact_value(p->l->st, FACT_DUMP);
	for (uint64_t i = 0; ok && i < p->heaps.ndumps; i++)
		ok = heap_row(p, &by, i, err);
	idmap_free(&by);
	return ok && heap_has_wanted(p, err);
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

/* The sum of a key, from zeros; NULL: failure. */
static struct sum *
heap_sum(struct idmap *by, struct scratch *rows, uint64_t *n, uint64_t key, struct err *err)
{
	struct sum new = { { 0 } };

	return pf_entry(by, key | 1, rows, n, &new, sizeof new, "heap sums", err);
}

/* Samples of an event, "freed bytes of libc.malloc"; none where there is nothing. */
static bool
add_sample(struct perfetto *p, struct pf_sample *s, const char *what, uint32_t heap, uint64_t weight,
    enum pf_unit unit, struct err *err)
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
	return pf_text_word(p, &s->event, err) && pf_sample(p, s, err);
}

/* Add the changes of a dump to a stack of a process. */
static bool
add_changes(struct perfetto *p, const struct dump_played *d, uint32_t state, uint64_t stack, uint64_t key,
    const uint64_t *change, struct err *err)
{
	struct pf_sample s = { .time = d->time, .stack = stack, .task = d->task, .state = state };
	struct heap_kept new = { .stack = stack, .task = d->task, .state = state, .heap = d->heap,
	    .java = d->java }, *t;

	if ((t = PF_ENTRY(p->heaps, by_total, idmap_hash(key ^ idmap_hash(d->heap + 1ull)) | 1, totals, new,
	    "heap sums", err)) == NULL)
		return false;
	for (unsigned i = 0; i < VALUES; i++)
		t->v[i] = num_add(t->v[i], change[i]);
	t->time = d->time;
	return add_sample(p, &s, "allocated bytes", d->heap, change[SIZE], PF_BYTES, err) &&
	    add_sample(p, &s, "allocations", d->heap, change[COUNT], PF_ALLOCATIONS, err) &&
	    (d->java || (add_sample(p, &s, "freed bytes", d->heap, change[FREED_SIZE], PF_BYTES, err) &&
	    add_sample(p, &s, "frees", d->heap, change[FREED_COUNT], PF_ALLOCATIONS, err)));
}

/* ---- in order of time ---------------------------------------------------------------------------------- */

/* If the sample has a maximum, that and the number of allocations then are the sums. */
static bool
play_stack_of(struct perfetto *p, const struct dump_played *d, struct str m, struct err *err)
{
	struct pf_heaps *h = &p->heaps;
	uint64_t now[VALUES], content, key, number;
	uint32_t state = d->of->profile, known = (uint32_t)h->by_seen.n, found;
	struct sum *before, *start;
	struct heap_sample s;

	(void)heap_sample_read(m, &s, &p->unread);
	if ((content = pf_stack_content(p, state, s.stack)) == 0)
		content = pf_stack_content(p, state = d->of->state, s.stack);
	if (content == 0)
		return pf_count(p, PF_NO_STACK);
	key = idmap_hash(content ^ idmap_hash(d->pid + 1ull));
	number = idmap_hash(s.stack ^ idmap_hash(d->of->sequence + 1ull));
	if ((before = heap_sum(&h->by_sum, &h->sums, &h->nsums, key, err)) == NULL ||
	    (start = heap_sum(&h->by_start, &h->starts, &h->nstarts, number, err)) == NULL ||
	    !idmap_enter(&h->by_seen, idmap_hash(key ^ idmap_hash(number + d->heap)) | 1, 1, &found, err))
		return false;
	if (h->by_seen.n > known)
		*start = *before;
	memcpy(now, s.has_most ? (uint64_t[VALUES]){ s.most, 0, d->counted ? s.most_count : 0, 0 } :
	    (uint64_t[VALUES]){ s.size, s.freed_size, s.count, s.freed_count }, sizeof now);
	for (unsigned i = 0; i < VALUES; i++) {
		now[i] = num_add(now[i], start->v[i]);
		if (now[i] < before->v[i])
			return pf_count(p, PF_HEAP_FALLS);
	}
	for (unsigned i = 0; i < VALUES; i++) {
		uint64_t sum = now[i];

		now[i] -= before->v[i];
		before->v[i] = sum;
	}
	return add_changes(p, d, state, s.stack, key, now, err);
}

bool
pf_play_heap(struct perfetto *p, const struct pf_row *r, struct str none, struct err *err)
{
	const struct dump *of = &SCRATCH(p->heaps.dumps, struct dump)[r->at];
	struct dump_played d = { .of = of, .time = r->time };
	struct str m = pf_placed(p, of->in), heap;
	struct heap_dump dump;
	struct pf_sample of_task;

	(void)none;
	(void)heap_dump_read(m, &dump, &p->unread);
	d.pid = (uint32_t)dump.pid;
	d.counted = dump.interval != 0;
	heap = str_head(dump.heap, PF_TEXT_MOST);
	p->count[PF_HEAP_DUMPS] += (dump.rejected | dump.disconnected | dump.overran | dump.corrupted |
	    dump.guardrail) != 0;
	d.java = str_eq(heap, STR("com.android.art"));
	if ((heap.n > 0 && !marks_word_of(&p->marks, heap, &d.heap, err)) ||
	    !pf_sample_of(p, &of_task, d.pid, d.pid, err))
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
		if ((t.v[SIZE] > t.v[FREED_SIZE] &&
		    !add_sample(p, &s, "unreleased bytes", t.heap, t.v[SIZE] - t.v[FREED_SIZE], PF_BYTES,
		    err)) || (t.v[COUNT] > t.v[FREED_COUNT] &&
		    !add_sample(p, &s, "unreleased allocations", t.heap, t.v[COUNT] - t.v[FREED_COUNT],
		    PF_ALLOCATIONS, err)))
			return false;
	}
	return true;
}
