/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gentrace writes a method trace of any size, the same for the same options.
 *
 * usage: gentrace [-s seed] [-n records] [-t threads] [-m methods] [-d depth]
 *                 [-r rare] [-v 1|2|3] [-c dual|wall|thread-cpu] [-x open]
 *                 [-S] [-w] [-f facts.tsv] -o out.trace
 *
 *   -d  depth the threads wander around (24)
 *   -r  a method calls its first callee, and another only once in so many times:
 *       fewer distinct stacks, as in real traces (0: all callees often)
 *   -x  frames open on every thread before the start: exits without enter
 *   -S  streaming container instead of the text section
 *   -w  starts the wall clock near 2^32 us, so that it wraps
 *   -f  writes the facts counted while generating, tab separated
 *
 * Integers only, so every machine writes the same bytes.  The regular
 * container names the methods before the records that use them: it is
 * generated twice, first to count and then to write, so memory stays small.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MAX 4096
#define PID 4242
#define LINE_MAX_BYTES 256

enum action { ENTER, EXIT, UNROLL, ACTIONS };

struct options {
	uint64_t	 seed, records;
	uint32_t	 threads, methods, rare;
	int		 depth, version, open;
	bool		 stream, wrap;
	const char	*clock, *out, *facts;
};

struct thread {
	uint32_t	*stack;		/* method of each open frame */
	int		 depth, target, deepest;
	int		 before;	/* frames open since before the start */
	int		 unroll;	/* frames still to unroll */
	uint64_t	 wall, cpu;
	uint64_t	 records, actions[ACTIONS];
	bool		 told;		/* streaming: its name is written */
};

struct gen {
	const struct options	*o;
	struct thread		*thread;
	uint8_t			*used;	/* by method */
	uint64_t		 random, now, base;
	uint32_t		 current;
	FILE			*f;	/* NULL: only count */
};

static const char *const packages[] = {
	"java.lang", "java.util", "java.util.concurrent", "android.os",
	"android.view", "android.app", "android.content.res", "androidx.core.view",
	"androidx.recyclerview.widget", "kotlin.collections",
	"kotlinx.coroutines.internal", "okhttp3.internal.http",
	"com.example.icy.data", "com.example.icy.ui", "com.example.icy.net",
	"sun.misc"
};
static const char *const nouns[] = {
	"Handler", "View", "Layout", "Adapter", "Cache", "Map", "Loader",
	"Parser", "Queue", "Task", "Store", "Binder", "Window", "Bitmap",
	"Stream", "Buffer"
};
static const char *const verbs[] = {
	"run", "get", "put", "measure", "draw", "dispatch", "onBind", "read",
	"write", "decode", "invoke", "<init>", "access$000", "compute",
	"lambda$start$0", "next"
};
static const char *const signatures[] = {
	"()V", "(I)V", "(Ljava/lang/Object;)Z", "()Ljava/lang/String;",
	"(Landroid/view/View;II)V", "([BII)I", "(J)J",
	"(Ljava/util/Map;Ljava/lang/Object;)Ljava/lang/Object;"
};

static void
die(const char *what)
{
	fprintf(stderr, "gentrace: %s\n", what);
	exit(1);
}

static uint64_t
mix(uint64_t z)
{
	z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdULL;
	z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53ULL;
	return z ^ (z >> 33);
}

static uint64_t
next(struct gen *g)
{
	uint64_t z = (g->random += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static uint32_t
below(struct gen *g, uint32_t n)
{
	return n ? (uint32_t)((next(g) >> 11) % n) : 0;
}

/* 0 .. n-1, small numbers often, large ones rarely. */
static uint32_t
skewed(struct gen *g, uint32_t n)
{
	uint32_t k = 0;

	while (k + 1 < n && (next(g) & 7) > 2)
		k++;
	return k;
}

static uint32_t
method_id(uint32_t k)
{
	return (k + 1) << 2;
}

static size_t
method_line(char line[LINE_MAX_BYTES], uint32_t k)
{
	uint64_t h = mix(k + 77);
	const char *noun = nouns[(h >> 8) & 15];

	return (size_t)snprintf(line, LINE_MAX_BYTES,
	    "0x%x\t%s.%s%u\t%s\t%s\t%s%u.java\n", method_id(k),
	    packages[h & 15], noun, k / 8, verbs[(h >> 16) & 15],
	    signatures[(h >> 24) & 7], noun, k / 8);
}

static uint32_t
thread_tid(const struct options *o, uint32_t k)
{
	return o->version == 1 ? k + 1 : PID + k;
}

static size_t
thread_name(char line[LINE_MAX_BYTES], uint32_t k)
{
	static const char *const first[] = { "main", "RenderThread",
	    "HeapTaskDaemon", "Jit thread pool worker thread 0" };
	int n;

	if (k < 4)
		n = snprintf(line, LINE_MAX_BYTES, "%s", first[k]);
	else if (k % 3 == 0)
		n = snprintf(line, LINE_MAX_BYTES, "Binder:%d_%X", PID, k / 3);
	else if (k % 3 == 1)
		n = snprintf(line, LINE_MAX_BYTES, "OkHttp Dispatcher");
	else
		n = snprintf(line, LINE_MAX_BYTES,
		    "DefaultDispatcher-worker-%u", k / 3);
	return (size_t)n;
}

static uint8_t *
le(uint8_t *p, uint64_t v, int bytes)
{
	for (; bytes > 0; bytes--, v >>= 8)
		*p++ = (uint8_t)v;
	return p;
}

static bool
has_wall(const struct options *o)
{
	return strcmp(o->clock, "thread-cpu") != 0;
}

static bool
has_cpu(const struct options *o)
{
	return strcmp(o->clock, "wall") != 0;
}

static int
record_size(const struct options *o)
{
	return (o->version == 1 ? 5 : 6) + 4 * has_wall(o) + 4 * has_cpu(o);
}

static void
put(struct gen *g, const void *p, size_t n)
{
	if (fwrite(p, 1, n, g->f) != n)
		die("cannot write");
}

static void
put_record(struct gen *g, uint32_t method, enum action action)
{
	const struct options *o = g->o;
	const struct thread *t = &g->thread[g->current];
	uint8_t b[16], *p = b;

	p = le(p, thread_tid(o, g->current), o->version == 1 ? 1 : 2);
	p = le(p, method_id(method) | action, 4);
	if (has_cpu(o))
		p = le(p, t->cpu, 4);
	if (has_wall(o))
		p = le(p, g->now, 4);
	put(g, b, (size_t)(p - b));
}

/* Streaming: a method and a thread are declared before their first record. */
static void
put_packets(struct gen *g, uint32_t method)
{
	struct thread *t = &g->thread[g->current];
	char line[LINE_MAX_BYTES];
	uint8_t head[7] = { 0 };
	size_t n;

	if (!g->used[method]) {
		n = method_line(line, method);
		head[2] = 1;
		le(head + 3, n, 2);
		put(g, head, 5);
		put(g, line, n);
	}
	if (!t->told) {
		n = thread_name(line, g->current);
		head[2] = 2;
		le(head + 3, thread_tid(g->o, g->current), 2);
		le(head + 5, n, 2);
		put(g, head, 7);
		put(g, line, n);
		t->told = true;
	}
}

static void
reset(struct gen *g)
{
	const struct options *o = g->o;

	g->random = mix(o->seed + 0x1234567);
	g->now = g->base = o->wrap ? 0xffff0000ULL : 0;
	g->current = 0;
	memset(g->used, 0, o->methods);
	for (uint32_t k = 0; k < o->threads; k++) {
		struct thread *t = &g->thread[k];
		uint32_t *stack = t->stack;

		if (stack == NULL)
			stack = calloc(DEPTH_MAX, sizeof *stack);
		if (stack == NULL)
			die("no memory");
		*t = (struct thread){ .stack = stack, .depth = o->open,
		    .before = o->open, .wall = g->now };
		t->target = o->depth / 2 + (int)below(g, (uint32_t)o->depth);
		for (int i = 0; i < o->open; i++)
			stack[i] = (uint32_t)(mix((uint64_t)k << 20 |
			    (uint64_t)i) % o->methods);
	}
}

/* Most steps are short, a few are waits, in which the cpu clock nearly stands. */
static void
advance(struct gen *g, struct thread *t, bool first)
{
	uint32_t r = below(g, 1000), step;

	if (r < 700)
		step = below(g, 3);
	else if (r < 950)
		step = below(g, 40);
	else if (r < 995)
		step = below(g, 900);
	else
		step = below(g, 20000);
	g->now = first ? g->base : g->now + step;
	t->cpu += r < 950 ? step : step / 16;
	if (g->now < t->wall)
		g->now = t->wall;
	t->wall = g->now;
}

static enum action
choose(struct gen *g, struct thread *t)
{
	uint32_t depth = (uint32_t)g->o->depth;

	if ((next(g) & 63) == 0) {
		bool dive = below(g, 200) == 0;

		t->target = 2 + (int)below(g, depth * 2);
		if (dive)
			t->target = DEPTH_MAX / 2;
	}
	if (t->unroll > 0 && t->depth > 0) {
		t->unroll--;
		return UNROLL;
	}
	if (t->depth == 0)
		return ENTER;
	if (t->depth >= DEPTH_MAX)
		return EXIT;
	if (below(g, 100) < (t->depth < t->target ? 60u : 40u))
		return ENTER;
	if (t->depth > 3 && below(g, 500) == 0) {
		t->unroll = (int)below(g, 5);
		return UNROLL;
	}
	return EXIT;
}

static uint32_t
enter(struct gen *g, struct thread *t)
{
	uint64_t from = 1000000 + g->current;
	uint32_t method, callee = 0;

	if (t->depth > 0)
		from = t->stack[t->depth - 1];
	if (g->o->rare == 0 || below(g, g->o->rare) == 0)
		callee = skewed(g, 24);
	method = (uint32_t)(mix(from * 64 + callee) % g->o->methods);
	if (t->target > g->o->depth * 4)	/* deep recursion of two methods */
		method = (uint32_t)(mix((uint64_t)g->current * 2 +
		    (t->depth & 1)) % g->o->methods);
	t->stack[t->depth++] = method;
	if (t->depth - t->before > t->deepest)
		t->deepest = t->depth - t->before;
	return method;
}

static uint32_t
leave(struct thread *t)
{
	uint32_t method = t->stack[--t->depth];

	if (t->depth < t->before)
		t->before = t->depth;
	return method;
}

static void
generate(struct gen *g)
{
	const struct options *o = g->o;

	reset(g);
	for (uint64_t i = 0; i < o->records; i++) {
		struct thread *t;
		enum action action;
		uint32_t method;

		if ((next(g) & 31) == 0)
			g->current = (next(g) & 1) ? 0 : skewed(g, o->threads);
		t = &g->thread[g->current];
		advance(g, t, i == 0);
		action = choose(g, t);
		method = action == ENTER ? enter(g, t) : leave(t);
		t->records++;
		t->actions[action]++;
		if (g->f != NULL && o->stream)
			put_packets(g, method);
		g->used[method] = 1;
		if (g->f != NULL)
			put_record(g, method, action);
	}
}

static void
put_header(struct gen *g)
{
	const struct options *o = g->o;
	uint8_t head[32] = "SLOW";

	le(head + 4, (uint64_t)o->version | (o->stream ? 0xf0 : 0), 2);
	le(head + 6, 32, 2);
	le(head + 8, 123456789, 8);
	if (o->version == 3 || o->stream)
		le(head + 16, (uint64_t)record_size(o), 2);
	put(g, head, sizeof head);
}

static void
put_version(struct gen *g)
{
	const struct options *o = g->o;

	fprintf(g->f, "*version\n%d\ndata-file-overflow=false\nclock=%s\n"
	    "elapsed-time-usec=%llu\n", o->version, o->clock,
	    (unsigned long long)(g->now - g->base + 10));
	if (!o->stream)
		fprintf(g->f, "num-method-calls=%llu\n",
		    (unsigned long long)o->records);
	fprintf(g->f, "clock-call-overhead-nsec=100\nvm=%s\n",
	    o->version == 1 && !o->stream ? "dalvik" : "art");
	if (o->version != 1 || o->stream)
		fprintf(g->f, "pid=%d\n", PID);
}

static void
write_regular(struct gen *g, FILE *f)
{
	const struct options *o = g->o;
	char line[LINE_MAX_BYTES];

	generate(g);
	g->f = f;
	put_version(g);
	fprintf(f, "*threads\n");
	for (uint32_t k = o->threads; k-- > 0;) {
		thread_name(line, k);
		fprintf(f, "%u\t%s\n", thread_tid(o, k), line);
	}
	fprintf(f, "*methods\n");
	for (uint32_t k = 0; k < o->methods; k++)
		if (g->used[k])
			put(g, line, method_line(line, k));
	fprintf(f, "*end\n");
	put_header(g);
	generate(g);
}

static void
write_stream(struct gen *g, FILE *f)
{
	uint8_t head[7] = { 0, 0, 3 };
	long at, end;

	g->f = f;
	put_header(g);
	generate(g);
	if ((at = ftell(f)) < 0)
		die("cannot seek");
	put(g, head, sizeof head);
	put_version(g);
	fprintf(f, "*end\n");
	if ((end = ftell(f)) < 0 || fseek(f, at, SEEK_SET) != 0)
		die("cannot seek");
	le(head + 3, (uint64_t)(end - at) - sizeof head, 4);
	put(g, head, sizeof head);
}

static void
write_facts(const struct gen *g)
{
	const struct options *o = g->o;
	uint64_t actions[ACTIONS] = { 0 }, threads = 0, methods = 0, open = 0;
	uint64_t synthetic = 0;
	int deepest = 0;
	FILE *f;

	if ((f = fopen(o->facts, "w")) == NULL)
		die("cannot write the facts");
	for (uint32_t k = 0; k < o->methods; k++)
		methods += g->used[k];
	for (uint32_t k = 0; k < o->threads; k++) {
		const struct thread *t = &g->thread[k];

		for (int a = 0; a < ACTIONS; a++)
			actions[a] += t->actions[a];
		if (t->deepest > deepest)
			deepest = t->deepest;
		if (t->records == 0)
			continue;
		threads++;
		open += (uint64_t)(t->depth - t->before);
		synthetic += (uint64_t)(o->open - t->before);
	}
#define FACT(name, value) \
	fprintf(f, "%s\t%llu\n", name, (unsigned long long)(value))
	FACT("records", o->records);
	FACT("enters", actions[ENTER]);
	FACT("exits", actions[EXIT]);
	FACT("unrolls", actions[UNROLL]);
	FACT("threads_seen", threads);
	FACT("methods_seen", methods);
	FACT("max_depth", deepest);
	FACT("synthetic", synthetic);
	FACT("open", open);
	FACT("last_wall", has_wall(o) ? g->now : 0);
#undef FACT
	if (fclose(f) != 0)
		die("cannot write the facts");
}

static bool
parse_options(struct options *o, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "s:n:t:m:d:r:v:c:x:o:f:Sw")) != -1)
		switch (c) {
		case 's': o->seed = strtoull(optarg, NULL, 0); break;
		case 'n': o->records = strtoull(optarg, NULL, 0); break;
		case 't': o->threads = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'm': o->methods = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'd': o->depth = atoi(optarg); break;
		case 'r': o->rare = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'v': o->version = atoi(optarg); break;
		case 'c': o->clock = optarg; break;
		case 'x': o->open = atoi(optarg); break;
		case 'o': o->out = optarg; break;
		case 'f': o->facts = optarg; break;
		case 'S': o->stream = true; break;
		case 'w': o->wrap = true; break;
		default: return false;
		}
	/* Versions 1 and 2 have one clock. */
	if (o->version < 3 && strcmp(o->clock, "dual") == 0)
		o->clock = o->version == 1 ? "thread-cpu" : "wall";
	return optind == argc && o->out != NULL && o->methods >= 16 &&
	    o->threads >= 1 && o->threads <= (o->version == 1 ? 200 : 60000) &&
	    o->version >= 1 && o->version <= 3 &&
	    o->depth >= 1 && o->depth <= DEPTH_MAX / 8 &&
	    o->open >= 0 && o->open <= o->depth;
}

int
main(int argc, char **argv)
{
	struct options o = { .seed = 1, .records = 100000, .threads = 12,
	    .methods = 4000, .depth = 24, .version = 3, .clock = "dual" };
	struct gen g = { .o = &o };
	FILE *f;

	if (!parse_options(&o, argc, argv)) {
		fprintf(stderr, "usage: see the head of gentrace.c\n");
		return 2;
	}
	g.thread = calloc(o.threads, sizeof *g.thread);
	g.used = calloc(o.methods, 1);
	if (g.thread == NULL || g.used == NULL)
		die("no memory");
	if ((f = fopen(o.out, "wb")) == NULL)
		die("cannot create the output file");
	if (o.stream)
		write_stream(&g, f);
	else
		write_regular(&g, f);
	if (fclose(f) != 0)
		die("cannot write");
	if (o.facts != NULL)
		write_facts(&g);
	for (uint32_t k = 0; k < o.threads; k++)
		free(g.thread[k].stack);
	free(g.thread);
	free(g.used);
	return 0;
}
