/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * genperfetto writes a Perfetto trace of any size, the same for the same options, or the same kernel events as systrace text.
 *
 * usage: genperfetto [-s seed] [-b bytes] [-n events] [-t threads] [-c cpus] [-k] [-x] -o out
 *
 *   -b  bytes at least (1000000)
 *   -n  events at least, instead of bytes
 *   -t  threads, of which twelve are a process (480)
 *   -k  kernel events alone: switches, wakeups, marks of calls and counters, frequencies; else track events, samples, memory and logs, too
 *   -x  the text of the kernel events, sorted by time; -b counts what the trace would have
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_TID 1000u
#define THREADS_MOST 100000u
#define CPUS_MOST 64u
#define STEP 100000000u			/* ns of a bundle */
#define STEPS_OF_NAMES 50		/* then writers clear their names */
#define STACKS 2000u
#define APPS 4u
#define APP_THREADS 4u
#define BOOT 100000000000u		/* ns, of the first event */
#define WALL 1700000000000000000u	/* ns, of boot */

enum kind { SWITCH, WAKING, BEGIN, END, COUNTER, FREQUENCY };

struct event {
	uint64_t	time;
	uint32_t	tid, other;	/* who runs; of a switch the next one, of a waking the woken one */
	uint32_t	value;		/* state, name or number */
	uint8_t		cpu, kind;
};

static const char *const names[] = { "Choreographer#doFrame", "traversal", "measure", "layout", "draw", "Record View#draw()", "inflate",
	"obtainView", "RV OnBindView", "binder transaction", "VerifyClass com.example.Feed",
	"monitor contention with owner worker-3 (312) at void com.example.Cache.put()", "HeapTaskDaemon", "DrawFrames", "eglSwapBuffers",
	"queueBuffer", "latchBuffer", "onMessageReceived", "deliverInputEvent",
	"Lock contention on thread suspend count lock (owner tid: 1200)", "JIT compiling", "decodeBitmap", "animation", "input" };
static const char *const categories[] = { "toplevel", "cc", "v8", "disabled-by-default-x", "input,benchmark", "app" };
static const char *const functions[] = { "main", "run", "loop", "poll", "dispatch", "handle", "parse", "decode", "read", "write", "copy",
	"hash", "find", "insert", "alloc", "release", "lock", "unlock", "compress", "render", "blend", "scale", "encode", "flush" };
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

static uint32_t nthreads = 480, ncpus = 8;
static char (*comm)[16];
static uint8_t *depth, *held, *sleeps;		/* by thread */
static uint32_t *slept, nslept, running[CPUS_MOST];
static struct event *events;
static size_t nevents, events_cap;
static uint64_t random_state, all_events;
static uint8_t *bytes;
static size_t nbytes, bytes_cap;

/* xorshift64* */
static uint32_t
below(uint32_t n)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (uint32_t)(random_state * 0x2545f4914f6cdd1du >> 32) % n;
}

static void *
grown(void *p, size_t *cap, size_t n, size_t size)
{
	if (n <= *cap)
		return p;
	*cap = n * 2;
	if ((p = realloc(p, *cap * size)) == NULL)
		abort();
	return p;
}

/* ---- messages --------------------------------------------------------------------------------------- */

static void
put_bytes(const void *p, size_t n)
{
	bytes = grown(bytes, &bytes_cap, nbytes + n, 1);
	memcpy(bytes + nbytes, p, n);
	nbytes += n;
}

static size_t
varint(uint64_t v, uint8_t *p)
{
	size_t n = 0;

	for (; v > 127; v >>= 7)
		p[n++] = (uint8_t)(v | 128);
	p[n++] = (uint8_t)v;
	return n;
}

static void
put_varint(uint64_t v)
{
	uint8_t p[10];

	put_bytes(p, varint(v, p));
}

static void
put_number(unsigned field, uint64_t v)
{
	put_varint(field << 3);
	put_varint(v);
}

static void
put_text(unsigned field, const char *text)
{
	put_varint(field << 3 | 2);
	put_varint(strlen(text));
	put_bytes(text, strlen(text));
}

static size_t
begin(unsigned field)
{
	put_varint(field << 3 | 2);
	put_bytes("", 1);
	return nbytes;
}

/* Gives a message its length. */
static void
end(size_t at)
{
	uint8_t p[10];
	size_t n = varint(nbytes - at, p), was = nbytes - at;

	put_bytes(p, n - 1);
	memmove(bytes + at + n - 1, bytes + at, was);
	memcpy(bytes + at - 1, p, n);
}

static size_t
packet(uint64_t time, uint32_t sequence, uint32_t flags)
{
	size_t at = begin(1);

	if (time > 0)
		put_number(8, time);
	put_number(10, sequence);
	if (flags > 0)
		put_number(13, flags);
	return at;
}

static uint32_t
process_of(uint32_t tid)
{
	return tid - (tid - FIRST_TID) % 12;
}

static void
process_name(uint32_t process, char name[32])
{
	static const char *const first[] = { "system_server", "/system/bin/surfaceflinger", "com.android.systemui", "com.example.feed" };

	if (process < COUNT(first))
		snprintf(name, 32, "%s", first[process]);
	else
		snprintf(name, 32, "com.example.app%" PRIu32, process);
}

/* ---- the kernel -------------------------------------------------------------------------------------- */

static void
add_event(uint64_t time, uint32_t cpu, enum kind kind, uint32_t tid, uint32_t other, uint32_t value)
{
	events = grown(events, &events_cap, nevents + 1, sizeof *events);
	events[nevents++] = (struct event){ time, tid, other, value, (uint8_t)cpu, (uint8_t)kind };
}

/* The thread that runs next; 0: none. */
static uint32_t
next_thread(uint64_t time, uint32_t cpu)
{
	uint32_t at, next;

	if (nslept > 0 && below(10) < 8) {
		next = slept[at = below(nslept)];
		slept[at] = slept[--nslept];
		sleeps[next - FIRST_TID] = 0;
		add_event(time - 1 - below(1499), cpu, WAKING, running[cpu], next, 0);
		return next;
	}
	next = FIRST_TID + below(nthreads);
	return below(10) < 3 && !held[next - FIRST_TID] && !sleeps[next - FIRST_TID] ? next : 0;
}

static void
switch_thread(uint64_t time, uint32_t cpu)
{
	static const uint32_t states[] = { 1, 1, 1, 2, 0x100 };
	uint32_t was = running[cpu], state = was != 0 ? states[below(5)] : 0, next;

	if (was != 0)
		held[was - FIRST_TID] = 0;
	if (was != 0 && state != 0x100) {
		sleeps[was - FIRST_TID] = 1;
		slept[nslept++] = was;
	}
	next = next_thread(time, cpu);
	add_event(time, cpu, SWITCH, was, next, state);
	running[cpu] = next;
	if (next != 0)
		held[next - FIRST_TID] = 1;
}

/* The events of a thread that begins to run. */
static void
act(uint64_t time, uint32_t cpu)
{
	static const uint32_t frequencies[] = { 576000, 1190000, 1900000, 2800000 };
	uint32_t tid = running[cpu];
	uint8_t *d = tid != 0 ? &depth[tid - FIRST_TID] : NULL;

	if (tid != 0 && below(2) == 0) {
		if (*d < 6 && below(100) < 55)
			add_event(time + 500, cpu, BEGIN, tid, 0, (tid + (*d)++) % COUNT(names));
		else if (*d > 0) {
			add_event(time + 700, cpu, END, tid, 0, 0);
			--*d;
		}
	}
	if (below(100) == 0)
		add_event(time + 900, cpu, FREQUENCY, tid, cpu, frequencies[below(4)]);
	if (below(100) == 0)
		add_event(time + 950, cpu, COUNTER, FIRST_TID, 0, below(20));
}

static int
by_time(const void *x, const void *y)
{
	const struct event *a = x, *b = y;

	return a->time != b->time ? (a->time > b->time) - (a->time < b->time) : (a->kind > b->kind) - (a->kind < b->kind);
}

static void
run_cpu(uint64_t time, uint32_t cpu)
{
	uint64_t last = time + STEP - 2000;

	for (uint64_t t = time + 2000 + below(100000); t < last; t += 4000 + below(60000) + below(100000)) {
		switch_thread(t, cpu);
		act(t, cpu);
	}
}

static const char *
name_of(uint32_t tid, uint32_t cpu, char text[16])
{
	if (tid != 0)
		return comm[tid - FIRST_TID];
	snprintf(text, 16, "swapper/%" PRIu32, cpu);
	return text;
}

/* The text of a mark; false: the event is not a mark. */
static bool
mark_of(const struct event *e, char text[160])
{
	switch (e->kind) {
	case BEGIN: snprintf(text, 160, "B|%" PRIu32 "|%s\n", process_of(e->tid), names[e->value]); return true;
	case END: snprintf(text, 160, "E|%" PRIu32 "\n", process_of(e->tid)); return true;
	case COUNTER: snprintf(text, 160, "C|%" PRIu32 "|queue.depth|%" PRIu32 "\n", process_of(e->tid), e->value); return true;
	default: return false;
	}
}

/* ---- as a trace -------------------------------------------------------------------------------------- */

static void
put_event(const struct event *e)
{
	size_t at, in;
	char text[160];

	if (e->kind == SWITCH || e->kind == WAKING)
		return;
	at = begin(2);
	put_number(1, e->time);
	put_number(2, e->tid);
	in = begin(e->kind == FREQUENCY ? 11 : 3);
	if (mark_of(e, text))
		put_text(2, text);
	else {
		put_number(1, e->value);
		put_number(2, e->other);
	}
	end(in);
	end(at);
}

/* A column of compact events; row: the place of a name in the table, by its thread, for the columns that want it. */
static void
put_column(size_t from, size_t to, enum kind kind, unsigned field, const uint32_t *row)
{
	size_t at = begin(field);
	uint64_t last = 0;

	for (size_t i = from; i < to; i++) {
		const struct event *e = &events[i];

		if (e->kind != kind)
			continue;
		switch (field) {
		case 1: case 7: put_varint(e->time - last); last = e->time; break;
		case 2: put_varint(e->value); break;
		case 3: case 8: put_varint(e->other); break;
		case 4: case 10: put_varint(120); break;
		case 9: put_varint(e->cpu); break;
		case 6: case 11: put_varint(row[e->other != 0 ? e->other - FIRST_TID + 1 : 0]); break;
		default: put_varint(0); break;
		}
	}
	end(at);
}

static void
put_compact(size_t from, size_t to)
{
	static uint32_t *row;
	size_t at = begin(4);
	uint32_t nrows = 0;
	char text[16];

	if (row == NULL && (row = malloc((nthreads + 1) * sizeof *row)) == NULL)
		abort();
	memset(row, 0xff, (nthreads + 1) * sizeof *row);
	for (size_t i = from; i < to; i++) {
		uint32_t other = events[i].other, k = other != 0 ? other - FIRST_TID + 1 : 0;

		if ((events[i].kind == SWITCH || events[i].kind == WAKING) && row[k] == UINT32_MAX) {
			row[k] = nrows++;
			put_text(5, name_of(other, events[i].cpu, text));
		}
	}
	for (unsigned field = 1; field <= 12; field++)
		if (field != 5)
			put_column(from, to, field < 7 ? SWITCH : WAKING, field, row);
	end(at);
}

/* The events of a CPU, which are in order of time. */
static void
put_bundle(uint32_t cpu, size_t from, size_t to)
{
	size_t at = packet(0, 2, 0), in = begin(1);

	put_number(1, cpu);
	for (size_t i = from; i < to; i++)
		put_event(&events[i]);
	put_compact(from, to);
	end(in);
	end(at);
}

static void
put_clocks(uint64_t time)
{
	const uint64_t clock[5][2] = { { 6, time }, { 1, WALL + time }, { 3, time - 5000000000u }, { 4, time - 5000000000u },
	    { 5, time - 5000001000u } };
	size_t at = packet(time, 1, 0), in = begin(6), one;

	for (unsigned i = 0; i < 5; i++) {
		one = begin(1);
		put_number(1, clock[i][0]);
		put_number(2, clock[i][1]);
		end(one);
	}
	put_number(2, 6);
	end(in);
	end(at);
	at = packet(time, 1, 0);
	put_varint(36 << 3 | 2);
	put_bytes("\x10\x82\x47\x7a\x76\xb2\x8d\x42\xba\x81\xdc\x33\x32\x6d\x57\xa0\x79", 17);
	end(at);
}

/* The version of the kernel, and all processes and threads. */
static void
put_head(void)
{
	size_t at = packet(0, 1, 0), in = begin(45), one = begin(1);
	char name[32];

	put_text(1, "Linux");
	put_text(3, "5.15.100-android14");
	put_text(4, "aarch64");
	end(one);
	end(in);
	end(at);
	at = packet(BOOT, 2, 0);
	in = begin(2);
	for (uint32_t i = 0; i < nthreads; i += 12) {
		one = begin(1);
		put_number(1, FIRST_TID + i);
		put_number(2, 1);
		process_name(i / 12, name);
		put_text(3, name);
		end(one);
	}
	for (uint32_t i = 0; i < nthreads; i++) {
		one = begin(2);
		put_number(1, FIRST_TID + i);
		put_text(2, comm[i]);
		put_number(3, process_of(FIRST_TID + i));
		end(one);
	}
	end(in);
	end(at);
}

/* ---- apps and samples ---------------------------------------------------------------------------------- */

static struct app {
	uint32_t	pid, known_names, known_categories, open[APP_THREADS], flows;
} apps[APPS];

/* A descriptor of a track: 3 of a process, 4 of a thread, 8 of a counter. */
static void
put_track(uint32_t sequence, uint64_t time, uint64_t uuid, const struct app *a, unsigned what, uint32_t tid, const char *name)
{
	size_t at = packet(time, sequence, 2), in = begin(60), one;

	put_number(1, uuid);
	if (what != 3)
		put_number(5, 500 + a->pid);
	if (what == 0 || what == 8)
		put_text(2, name);
	if (what != 0) {
		one = begin(what);
		put_number(what == 8 ? 3 : 1, what == 8 ? 1 : a->pid);
		if (what == 4)
			put_number(2, tid);
		if (what != 8)
			put_text(what == 3 ? 6 : 5, name);
		end(one);
	}
	end(in);
	end(at);
}

static void
clear_app(struct app *a, uint32_t sequence, uint64_t time)
{
	size_t at = packet(0, sequence, 1), in = begin(59), one;
	char name[32];

	put_number(58, 6);
	one = begin(11);
	put_number(11, 1000 + a->pid);
	end(one);
	end(in);
	end(at);
	a->known_names = a->known_categories = 0;
	process_name(sequence - 10, name);
	put_track(sequence, time, 500 + a->pid, a, 3, 0, name);
	for (uint32_t i = 0; i < APP_THREADS; i++)
		put_track(sequence, time, 1000 + a->pid + i, a, 4, a->pid + i, comm[a->pid + i - FIRST_TID]);
	put_track(sequence, time, 900000 + a->pid, a, 8, 0, "frame time");
	put_track(sequence, time, 950000 + a->pid, a, 0, 0, "requests");
}

static void
put_interned(struct app *a, uint32_t name, uint32_t category)
{
	size_t at, one;

	if ((a->known_names >> name & 1) != 0 && (a->known_categories >> category & 1) != 0)
		return;
	at = begin(12);
	one = begin(2);
	put_number(1, name + 1);
	put_text(2, names[name]);
	end(one);
	one = begin(1);
	put_number(1, category + 1);
	put_text(2, categories[category]);
	end(one);
	end(at);
	a->known_names |= 1u << name;
	a->known_categories |= 1u << category;
}

static void
put_flow(unsigned field, uint64_t id)
{
	put_varint(field << 3 | 1);
	put_bytes(&id, sizeof id);
}

static void
put_begin(struct app *a, uint32_t sequence, uint32_t thread)
{
	uint32_t name = below(COUNT(names)), category = below(COUNT(categories)), r = below(100);
	size_t at = begin(11), one;

	put_number(9, 1);
	put_number(3, category + 1);
	put_number(10, name + 1);
	if (thread > 0)
		put_number(11, 1000 + a->pid + thread);
	if (r < 20) {
		one = begin(4);
		put_text(10, "n");
		put_number(4, below(1000));
		end(one);
	}
	if (r % 20 == 0)
		put_flow(47, (uint64_t)sequence << 32 | ++a->flows);
	else if (a->flows > 0 && r % 20 == 1)
		put_flow(48, (uint64_t)sequence << 32 | a->flows);
	end(at);
	a->open[thread]++;
	put_interned(a, name, category);
}

static void
put_track_event(struct app *a, uint32_t sequence, uint64_t time)
{
	uint32_t thread = below(APP_THREADS), r = below(1000);
	size_t at = packet(time, sequence, 2), in;

	if (a->open[thread] < 8 && r < 500)
		put_begin(a, sequence, thread);
	else {
		in = begin(11);
		if (a->open[thread] > 0 && r < 970) {
			a->open[thread]--;
			put_number(9, 2);
			if (thread > 0)
				put_number(11, 1000 + a->pid + thread);
		} else if (r < 985) {
			put_number(9, 4);
			put_number(11, 900000 + a->pid);
			put_number(30, 4000000 + below(36000000));
		} else {
			put_number(9, 3);
			put_text(22, "app");
			put_text(23, "tick");
			put_number(11, 950000 + a->pid);
		}
		end(in);
	}
	end(at);
	all_events++;
}

static void
put_apps(uint64_t time, uint64_t step)
{
	for (uint32_t i = 0; i < APPS; i++) {
		uint64_t t = time;

		if (step % STEPS_OF_NAMES == 0)
			clear_app(&apps[i], 10 + i, time);
		for (unsigned k = 0; k < 150; k++)
			put_track_event(&apps[i], 10 + i, t += 200000 + below(450000));
	}
}

static void
put_functions(uint64_t time)
{
	size_t at = packet(0, 20, 1), in = begin(59), a = begin(12), b = begin(1);

	put_number(2, 100);
	put_number(4, 1);
	end(b);
	end(a);
	end(in);
	end(at);
	at = packet(time, 20, 2);
	in = begin(12);
	for (uint32_t i = 0; i < COUNT(functions); i++) {
		a = begin(5);
		put_number(1, i + 1);
		put_text(2, functions[i]);
		end(a);
		a = begin(6);
		put_number(1, i + 1);
		put_number(2, i + 1);
		put_number(4, 0x1000 + 64 * i);
		end(a);
	}
	end(in);
	end(at);
}

static void
put_samples(uint64_t time, uint64_t step)
{
	static uint8_t known[STACKS];
	size_t at, in, one;

	if (step % STEPS_OF_NAMES == 0) {
		memset(known, 0, sizeof known);
		put_functions(time);
	}
	for (unsigned i = 0; i < 80; i++) {
		uint32_t tid = FIRST_TID + below(nthreads), stack = below(STACKS), frames = 3 + stack % 9;

		at = packet(time + i * (STEP / 80), 20, 2);
		in = begin(66);
		put_number(1, below(ncpus));
		put_number(2, process_of(tid));
		put_number(3, tid);
		put_number(4, stack + 1);
		put_number(5, 2);
		put_number(6, step);
		end(in);
		if (!known[stack]) {
			in = begin(12);
			one = begin(7);
			put_number(1, stack + 1);
			for (uint32_t f = 0; f < frames; f++)
				put_number(2, (f < 3 ? f : (stack * 7 + f * f * (stack % 11 + 1)) % COUNT(functions)) + 1);
			end(one);
			end(in);
			known[stack] = 1;
		}
		end(at);
	}
	all_events += 80;
}

static void
put_memory(uint64_t time, uint64_t step)
{
	size_t at = packet(time, 3, 0), in = begin(7), one = begin(1);
	char text[64];

	put_number(1, 2);
	put_number(2, 180000 + below(40000));
	end(one);
	end(in);
	end(at);
	at = packet(time, 3, 0);
	in = begin(39);
	one = begin(1);
	put_number(1, 0);
	put_number(2, FIRST_TID + 36);
	put_number(3, FIRST_TID + 36);
	put_number(5, WALL + time);
	put_text(6, "Feed");
	put_number(7, 4);
	snprintf(text, sizeof text, "loaded %" PRIu64 " items", step);
	put_text(8, text);
	end(one);
	end(in);
	end(at);
}

/* ---- as text ------------------------------------------------------------------------------------------- */

static void
print_event(FILE *f, const struct event *e)
{
	char from[16], to[16], text[160];

	fprintf(f, "%16s-%-5" PRIu32 " (%5" PRIu32 ") [%03u] d..3 %5" PRIu64 ".%06" PRIu64 ": ", name_of(e->tid, e->cpu, from), e->tid,
	    e->tid != 0 ? process_of(e->tid) : 0, e->cpu, e->time / 1000000000, e->time / 1000 % 1000000);
	if (mark_of(e, text))
		fprintf(f, "tracing_mark_write: %s", text);
	else if (e->kind == SWITCH)
		fprintf(f, "sched_switch: prev_comm=%s prev_pid=%" PRIu32 " prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%" PRIu32
		    " next_prio=120\n", name_of(e->tid, e->cpu, from), e->tid, e->value == 1 ? "S" : e->value == 2 ? "D" : e->value == 0 ? "R" : "R+",
		    name_of(e->other, e->cpu, to), e->other);
	else if (e->kind == WAKING)
		fprintf(f, "sched_waking: comm=%s pid=%" PRIu32 " prio=120 target_cpu=%03u\n", name_of(e->other, e->cpu, to), e->other, e->cpu);
	else
		fprintf(f, "cpu_frequency: state=%" PRIu32 " cpu_id=%" PRIu32 "\n", e->value, e->other);
}

static void
make_threads(void)
{
	static const char *const kinds[] = { "RenderThread", "binder", "worker", "HeapTaskDaemon", "Jit thread pool" };
	char name[32];

	comm = calloc(nthreads, sizeof *comm);
	depth = calloc(nthreads, 1);
	held = calloc(nthreads, 1);
	sleeps = calloc(nthreads, 1);
	slept = calloc(nthreads, sizeof *slept);
	if (comm == NULL || depth == NULL || held == NULL || sleeps == NULL || slept == NULL)
		abort();
	for (uint32_t i = 0; i < nthreads; i++) {
		process_name(i / 12, name);
		if (i % 12 == 0)
			snprintf(comm[i], sizeof *comm, "%s", name + (strlen(name) > 15 ? strlen(name) - 15 : 0));
		else if (i % 5 == 1 || i % 5 == 2)
			snprintf(comm[i], sizeof *comm, "%s-%" PRIu32, kinds[i % 5], i % 12);
		else
			snprintf(comm[i], sizeof *comm, "%s", kinds[i % 5]);
	}
	for (uint32_t i = 0; i < APPS; i++)
		apps[i].pid = FIRST_TID + i * 12;
}

static void
make_step(uint64_t time, bool text, FILE *f)
{
	size_t from;

	nevents = 0;
	for (uint32_t cpu = 0; cpu < ncpus; cpu++) {
		from = nevents;
		run_cpu(time, cpu);
		qsort(events + from, nevents - from, sizeof *events, by_time);
		put_bundle(cpu, from, nevents);
	}
	all_events += nevents;
	if (!text)
		return;
	qsort(events, nevents, sizeof *events, by_time);
	for (size_t i = 0; i < nevents; i++)
		print_event(f, &events[i]);
}

static bool
generate(FILE *f, uint64_t most_bytes, uint64_t most_events, bool kernel, bool text)
{
	uint64_t written = 0, time = BOOT;

	if (text)
		fputs("# tracer: nop\n#\n", f);
	put_clocks(time);
	put_head();
	for (uint64_t step = 0; most_events > 0 ? all_events < most_events : written < most_bytes; step++, time += STEP) {
		make_step(time, text, f);
		if (!kernel) {
			put_apps(time, step);
			put_samples(time, step);
			if (step % 10 == 9)
				put_memory(time, step);
		}
		if (step % 100 == 99)
			put_clocks(time);
		written += nbytes;
		if (!text && fwrite(bytes, 1, nbytes, f) != nbytes)
			return false;
		nbytes = 0;
	}
	return true;
}

int
main(int argc, char **argv)
{
	uint64_t most_bytes = 1000000, most_events = 0;
	const char *out = NULL;
	bool kernel = false, text = false;
	FILE *f;
	int c;

	random_state = 1;
	while ((c = getopt(argc, argv, "s:b:n:t:c:kxo:")) != -1)
		switch (c) {
		case 's': random_state = strtoull(optarg, NULL, 0) * 2 + 1; break;
		case 'b': most_bytes = strtoull(optarg, NULL, 0); break;
		case 'n': most_events = strtoull(optarg, NULL, 0); break;
		case 't': nthreads = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'c': ncpus = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'k': kernel = true; break;
		case 'x': text = kernel = true; break;
		case 'o': out = optarg; break;
		default: return 2;
		}
	if (out == NULL || nthreads < 12 * APPS || nthreads > THREADS_MOST || ncpus == 0 || ncpus > CPUS_MOST || (f = fopen(out, "wb")) == NULL) {
		fprintf(stderr, "usage: genperfetto [-s seed] [-b bytes] [-n events] [-t threads] [-c cpus] [-k] [-x] -o out\n");
		return 2;
	}
	make_threads();
	if (!generate(f, most_bytes, most_events, kernel, text) || fclose(f) != 0)
		return 1;
	fprintf(stderr, "%" PRIu64 " events\n", all_events);
	return 0;
}
