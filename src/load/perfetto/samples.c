/*
 * samples: stacks that were sampled.  They are read when all calls are known, as frames of calls come first.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "perfetto.h"

enum { NAME_FUNCTION = 5, NAME_FRAME = 6, NAME_STACK = 7, NAME_PATH = 17, NAME_MAPPING = 19, FRAMES_MOST = 4096 };

/* A sample of a task. */
struct stack_taken {
	uint64_t	time, stack;	/* ns; iid of its callstack, 0: none */
	uint32_t	tid, state, event;	/* event: word */
	uint64_t	weight;
};

/* ---- names ----------------------------------------------------------------------------------------------- */

static const char *const counters[] = { [1] = "cpu-clock", "page-faults", "task-clock", "context-switches", "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "cpu-cycles", "instructions", "cache-references", "cache-misses",
	"branch-instructions", "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cpu-cycles" };

/* The event of a sequence, from {1 timebase {3 {1 tracepoint}, 4 counter, 10 name}} of its defaults; *period: 0: not told. */
static struct str
read_event_name(const struct perfetto *p, uint32_t state, uint64_t *period)
{
	struct str m = pf_bytes(p, pf_state(p, state)->perf_at, pf_state(p, state)->perf_n), name = STR("cpu-clock");
	struct proto_field f, t, n;
	bool bad = false;

	*period = 0;
	while (proto_next_whole(&m, &f, &bad))
		while (f.number == 1 && f.wire == PROTO_BYTES && proto_next_whole(&f.in, &t, &bad)) {
			if (t.number == 10 && t.in.n > 0)
				return t.in;
			if (t.number == 1 && t.wire == PROTO_VARINT)
				*period = t.value;
			if (t.number == 4 && t.wire == PROTO_VARINT && t.value < NELEM(counters) && counters[t.value] != NULL)
				name = str_of(counters[t.value]);
			while (t.number == 3 && t.wire == PROTO_BYTES && proto_next_whole(&t.in, &n, &bad))
				if (n.number == 1 && n.in.n > 0)
					name = n.in;
		}
	return name;
}

/* The event of a sequence as a word, and its period; looked for once in a state. */
static bool
perf_event(struct perfetto *p, uint32_t state, uint32_t *word, uint64_t *period, struct err *err)
{
	struct pf_state *s = &SCRATCH(p->states, struct pf_state)[state - 1];

	if (s->event == 0 && !marks_word_of(&p->marks, read_event_name(p, state, &s->period), &s->event, err))
		return false;
	*word = s->event;
	*period = s->period;
	return true;
}

/* ---- in order of time ------------------------------------------------------------------------------------- */

/* {2 pid, 3 tid, 4 callstack, 17 lost, 18 skipped, 19 of the producer} */
bool
pf_play_sample(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct str m = pf_bytes(p, r->at, r->n);
	struct stack_taken new = { .time = r->time, .state = r->a, .weight = 1 };
	struct proto_field f;
	uint64_t pid = 0, period;
	bool bad = false, none = false;

	while (proto_next_whole(&m, &f, &bad)) {
		switch (f.number) {
		case 2: pid = f.value; break;
		case 3: new.tid = (uint32_t)f.value; break;
		case 4: new.stack = f.value; break;
		case 17: p->count[PF_LOST_SAMPLES] += f.value; none = none || f.value != 0; break;
		case 18: p->count[PF_NO_STACK]++; break;
		case 19: none = true; break;
		default: break;
		}
	}
	if (bad || none) {
		p->count[PF_BAD_PACKETS] += bad;
		return true;
	}
	if (!perf_event(p, r->a, &new.event, &period, err))
		return false;
	new.weight = period > 0 && period < WEIGHT_MOST / 2 ? period : 1;
	return pf_task_in(p, new.tid, (uint32_t)pid, err) && pf_span_thread(p, new.tid, err) != 0 &&
	    make_add(&p->samples, &p->nsamples, &new, sizeof new, MAKE_MOST, "samples", err);
}

/* ---- stacks ------------------------------------------------------------------------------------------------- */

/* The path of a mapping {7 parts}: "/" and each part. */
static bool
mapping_path(struct perfetto *p, uint32_t state, uint64_t iid, struct buf *b)
{
	const struct pf_interned *mapping = pf_interned(p, state, NAME_MAPPING, iid);
	struct proto_field f;
	struct str m, part;
	uint64_t id;
	bool bad = false;

	buf_clear(b);
	if (mapping == NULL)
		return iid == 0;
	for (m = pf_bytes(p, mapping->at, mapping->n); b->n < PF_TEXT_MOST && proto_next_whole(&m, &f, &bad); )
		for (bool one = f.wire == PROTO_VARINT; b->n < PF_TEXT_MOST && f.number == 7 && (one || f.in.n > 0); one = false) {
			id = f.value;
			if (!one && !proto_varint(&f.in, &id))
				break;
			if (!pf_interned_text(p, state, NAME_PATH, id, &part))
				return true;
			if (part.n > 0 && part.s[0] != '/' && part.s[0] != '[')
				buf_chr(b, '/');
			buf_str(b, part);
			if (one)
				break;
		}
	return !bad;
}

/* The frame {2 function, 3 mapping, 4 address in it}; *found: all that it refers to is there. */
static uint32_t
samples_frame_of(struct perfetto *p, uint32_t state, uint64_t iid, bool *found, struct err *err)
{
	struct pf_interned *told = pf_interned(p, state, NAME_FRAME, iid);
	uint64_t v[5] = { 0 };
	struct proto_field f;
	struct str m, name = STR(""), base, rest, part;
	char text[320];
	bool bad = false, kernel;

	*found = false;
	if (told == NULL)
		return 0;
	if (told->frame != 0) {
		*found = true;
		return told->frame;
	}
	for (m = pf_bytes(p, told->at, told->n); proto_next_whole(&m, &f, &bad); )
		if (f.number < NELEM(v) && f.wire == PROTO_VARINT)
			v[f.number] = f.value;
	if (bad || (v[2] != 0 && !pf_interned_text(p, state, NAME_FUNCTION, v[2], &name)) || !mapping_path(p, state, v[3], &p->text))
		return 0;
	if (p->text.bad) {
		fail(err, E_SYSTEM, "out of memory (frames)");
		return 0;
	}
	base = rest = buf_view(&p->text);
	while (str_split(&rest, '/', &part))
		base = part;
	kernel = str_has_prefix(buf_view(&p->text), STR("/kernel")) || str_has_prefix(buf_view(&p->text), STR("[kernel"));
	if (name.n == 0) {
		snprintf(text, sizeof text, "%.*s+0x%llx", (int)str_head(base, 256).n, base.n > 0 ? base.s : "", (unsigned long long)v[4]);
		name = str_of(text);
	}
	*found = true;
	told = pf_interned(p, state, NAME_FRAME, iid);
	told->frame = samples_function(&p->l->samples, name, base, kernel ? 'k' : 0, err);
	return told->frame;
}

/* How many frames a callstack has. */
static uint64_t
count_frames(struct str m)
{
	struct proto_field f;
	uint64_t n = 0, id;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		if (f.number == 2) {
			n += f.wire == PROTO_VARINT;
			while (f.wire == PROTO_BYTES && f.in.n > 0 && proto_varint(&f.in, &id))
				n++;
		}
	return n;
}

/* The stack of frames of a callstack, without the first ones; 0: it cannot be read, or failure. */
static uint32_t
stack_of_frames(struct perfetto *p, uint32_t state, struct str m, uint64_t skip, struct err *err)
{
	struct proto_field f;
	uint32_t stack = 0, frame;
	uint64_t id;
	bool bad = false, found;

	while (proto_next_whole(&m, &f, &bad))
		for (bool one = f.wire == PROTO_VARINT; f.number == 2 && (one || f.in.n > 0); ) {
			id = f.value;
			if (!one && !proto_varint(&f.in, &id))
				break;
			if (skip > 0)
				skip--;
			else if ((frame = samples_frame_of(p, state, id, &found, err)) == 0 ||
			    (stack = samples_stack(&p->l->samples, stack, frame, err)) == 0)
				return 0;
			if (one)
				break;
		}
	return stack;
}

/* The stack of a callstack {2 frames, outermost first}, of which the innermost ones are kept; 0 without err: it cannot be read. */
static uint32_t
stack_of(struct perfetto *p, uint32_t state, uint64_t iid, struct err *err)
{
	struct pf_interned *told = pf_interned(p, state, NAME_STACK, iid);
	struct str m;
	uint64_t n;

	if (told == NULL || told->frame != 0 || told->bad)
		return told == NULL ? 0 : told->frame;
	m = pf_bytes(p, told->at, told->n);
	n = count_frames(m);
	p->count[PF_CUT_STACKS] += n > FRAMES_MOST;
	told->frame = stack_of_frames(p, state, m, n > FRAMES_MOST ? n - FRAMES_MOST : 0, err);
	told->bad = told->frame == 0;
	return told->frame;
}

bool
pf_samples_load(struct perfetto *p, const uint32_t *place, struct err *err)
{
	struct samples *s = &p->l->samples;

	s->times = true;
	for (uint64_t i = 0; i < p->nsamples; i++) {
		const struct stack_taken *from = &SCRATCH(p->samples, struct stack_taken)[i];
		struct sample new = { .time = PF_TIME(from->time), .weight = from->weight, .offset = 0, .count = 1 };
		uint32_t thread = pf_span_thread(p, from->tid, err);

		if (thread == 0 || (i % 256 == 0 && !work_go(p->l->work, i, err)))
			return false;
		err->kind = E_NONE;
		new.thread = place[thread - 1];
		new.stack = from->stack == 0 ? 0 : stack_of(p, from->state, from->stack, err);
		new.event = err->kind != E_NONE ? 0 : samples_event(s, marks_text(&p->marks, from->event), WEIGHT_COUNT, "samples", err);
		p->count[PF_NO_STACK] += new.stack == 0 && from->stack != 0;
		if (new.event == 0 || !samples_add(s, &new, err))
			return false;
	}
	return true;
}
