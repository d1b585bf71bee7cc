/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * treefloor FILE: what an index of dominators costs a program that does nothing else.  One thread reads a HotSpot dump with ids of
 * 8 bytes, makes lists of references, numbers the objects depth first, finds dominators by Lengauer and Tarjan's algorithm, and adds
 * up retained sizes.  It checks nothing and writes nothing.  Prints the objects, the reachable ones, and the seconds of the
 * processor, user and system.  It trusts the file: use it on generated dumps only.
 */
#include "config.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARENA (UINT64_C(6) << 30)
#define AHEAD 16		/* records whose objects are looked up together */
#define UNSEEN (UINT32_C(1) << 31)
#define LAST (UINT32_C(1) << 31)	/* the end of a list of references */
#define CLASS_SLOTS (1u << 17)

struct class {
	uint64_t	 id, super;
	uint32_t	 size, fields, first, refs;
	const uint8_t	*field;
	bool		 met;
};

struct segment { const uint8_t *p, *end; };
struct edge { uint32_t to, from; };
struct frame { uint32_t at, number; bool kept; };
struct node { uint32_t up, best, semi, idom; };

static const uint8_t widths[12] = { [2] = 8, [4] = 1, [5] = 2, [6] = 4, [7] = 8, [8] = 1, [9] = 2, [10] = 4, [11] = 8 };
static const uint8_t root_sizes[256] = {
	[0xff] = 8, [1] = 16, [2] = 16, [3] = 16, [4] = 12, [5] = 8, [6] = 12, [7] = 8, [8] = 16
};

static char *arena;
static uint64_t used;

static struct segment *segments;
static size_t nsegments;
static uint64_t base, nwords, *bits, *roots;
static uint32_t *rank, nroots, objects;
static struct class *classes;
static uint32_t nclasses, *slots, *offsets;

static uint32_t *edges, *start, *size;
static uint8_t *degree;		/* 2 bits an object: references to it, up to 2 */
static uint64_t nedges;

static uint32_t *number, *order, *parent, reached;
static uint64_t *folded;	/* nodes of the search that no edge beside the tree touches, nor anything below them */
static struct edge *beside;
static uint64_t nbeside;
static struct frame *stack;
static struct node *nodes;
static uint32_t *trail;

static void *
take(uint64_t bytes)
{
	void *p = arena + used;

	used += (bytes + 4095) & ~UINT64_C(4095);
	if (used > ARENA)
		abort();
	return p;
}

static void *
pages(uint64_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		abort();
	madvise(p, bytes, MADV_NOHUGEPAGE);
	return p;
}

static uint64_t
get64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return __builtin_bswap64(v);
}

static uint32_t
get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return __builtin_bswap32(v);
}

static uint32_t
get16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

/* ---- objects by id: a bit for each 8 bytes of addresses, and ranks --------------------- */

static void
mark(uint64_t id)
{
	bits[(id - base) >> 9] |= UINT64_C(1) << ((id - base) >> 3 & 63);
}

static void
prefetch(uint64_t id)
{
	uint64_t word = (id - base) >> 9;

	if (word < nwords) {
		__builtin_prefetch(&bits[word]);
		__builtin_prefetch(&rank[word]);
	}
}

/* 0: no object */
static uint32_t
object_of(uint64_t id)
{
	uint64_t word = (id - base) >> 9, bit = UINT64_C(1) << ((id - base) >> 3 & 63);

	if (word >= nwords || (bits[word] & bit) == 0)
		return 0;
	return rank[word] + (uint32_t)__builtin_popcountll(bits[word] & (bit - 1)) + 1;
}

/* ---- classes ----------------------------------------------------------------------- */

static uint32_t *
slot_of(uint64_t id)
{
	uint64_t h = id * UINT64_C(0x9e3779b97f4a7c15) >> 40;

	while (slots[h & (CLASS_SLOTS - 1)] != 0 && classes[slots[h & (CLASS_SLOTS - 1)]].id != id)
		h++;
	return &slots[h & (CLASS_SLOTS - 1)];
}

/* Steps over entries of head bytes, the type last, and a value. */
static const uint8_t *
skip_values(const uint8_t *p, unsigned head, bool values, void (*each)(uint64_t))
{
	unsigned n = get16(p);

	for (p += 2; n > 0; n--) {
		p += head;
		if (values) {
			if (each != NULL && p[-1] == 2)
				each(get64(p));
			p += widths[p[-1]];
		}
	}
	return p;
}

static const uint8_t *
class_read(const uint8_t *p)
{
	struct class *c = &classes[++nclasses];
	const uint8_t *q = skip_values(p + 65, 3, true, NULL);

	q = skip_values(q, 9, true, NULL);
	*c = (struct class){ .id = get64(p + 1), .super = get64(p + 13), .size = get32(p + 61), .fields = get16(q), .field = q + 2 };
	*slot_of(c->id) = nclasses;
	mark(c->id);
	return skip_values(q, 9, false, NULL);
}

/* Offsets of the references in an instance of each class. */
static void
classes_lay_out(void)
{
	uint32_t n = 0, at;
	unsigned type;

	for (uint32_t i = 1; i <= nclasses; i++) {
		at = 0;
		classes[i].first = n;
		for (uint32_t k = i; k != 0; k = classes[k].super != 0 ? *slot_of(classes[k].super) : 0)
			for (uint32_t f = 0; f < classes[k].fields; f++) {
				type = classes[k].field[9 * f + 8];
				if (type == 2)
					offsets[n++] = at;
				at += widths[type];
			}
		classes[i].refs = n - classes[i].first;
	}
}

/* ---- the first walk: which objects there are ------------------------------------------- */

static const uint8_t *
skip_object(const uint8_t *p)
{
	switch (*p) {
	case 0x21:
		return p + 25 + get32(p + 21);
	case 0x22:
		return p + 25 + UINT64_C(8) * get32(p + 13);
	case 0x23:
		return p + 18 + (uint64_t)get32(p + 13) * widths[p[17]];
	}
	return NULL;
}

static void
walk_objects(struct segment s)
{
	const uint8_t *next;

	while (s.p < s.end)
		if ((next = skip_object(s.p)) != NULL) {
			mark(get64(s.p + 1));
			s.p = next;
		} else if (*s.p == 0x20) {
			s.p = class_read(s.p);
		} else {
			roots[nroots++] = get64(s.p + 1);
			s.p += 1 + root_sizes[*s.p];
		}
}

static void
rank_objects(void)
{
	for (uint64_t i = 0; i < nwords; i++) {
		rank[i] = objects;
		objects += (uint32_t)__builtin_popcountll(bits[i]);
	}
}

/* ---- the second walk: references in file order, sizes, how often each object is referred to ---- */

static void
refer(uint32_t to)
{
	unsigned shift = ((to - 1) & 3) * 2;

	if ((degree[(to - 1) >> 2] >> shift & 3) < 2)
		degree[(to - 1) >> 2] += (uint8_t)(1u << shift);
}

static void
edge_add(uint64_t id)
{
	uint32_t to = id == 0 ? 0 : object_of(id);

	if (to != 0) {
		edges[nedges++] = to;
		refer(to);
	}
}

static const uint8_t *
record_prefetch(const uint8_t *p)
{
	const struct class *c;
	uint32_t n;

	prefetch(get64(p + 1));
	if (*p == 0x21) {
		c = &classes[*slot_of(get64(p + 13))];
		for (uint32_t i = 0; i < c->refs && i < AHEAD; i++)
			prefetch(get64(p + 25 + offsets[c->first + i]));
	} else if (*p == 0x22) {
		n = get32(p + 13);
		for (uint32_t i = 0; i < n && i < AHEAD; i++)
			prefetch(get64(p + 25 + UINT64_C(8) * i));
	} else if (*p == 0x20) {
		p = skip_values(p + 65, 3, true, NULL);
		return skip_values(skip_values(p, 9, true, NULL), 9, false, NULL);
	}
	return skip_object(p);
}

static uint32_t
instance_edges(const uint8_t *p)
{
	struct class *c = &classes[*slot_of(get64(p + 13))];

	for (uint32_t i = 0; i < c->refs; i++)
		edge_add(get64(p + 25 + offsets[c->first + i]));
	if (!c->met) {
		c->met = true;
		edge_add(c->id);
		edge_add(c->id);
		nedges--;
	}
	return (c->size + 16 + 7) / 8;
}

static uint32_t
array_edges(const uint8_t *p)
{
	uint32_t n = get32(p + 13);

	for (uint32_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			prefetch(get64(p + 25 + UINT64_C(8) * (i + AHEAD)));
		edge_add(get64(p + 25 + UINT64_C(8) * i));
	}
	return (16 + 4 * n + 7) / 8;
}

static uint32_t
class_edges(const uint8_t *p)
{
	for (unsigned i = 0; i < 4; i++)
		edge_add(get64(p + 13 + 8 * i));
	skip_values(skip_values(p + 65, 3, true, NULL), 9, true, edge_add);
	return 13;
}

static void
record_edges(const uint8_t *p)
{
	uint32_t me = object_of(get64(p + 1)), bytes;
	uint64_t first = nedges;

	if (*p == 0x21)
		bytes = instance_edges(p);
	else if (*p == 0x22)
		bytes = array_edges(p);
	else if (*p == 0x23)
		bytes = (uint32_t)((16 + (uint64_t)get32(p + 13) * widths[p[17]] + 7) / 8);
	else
		bytes = class_edges(p);
	size[me - 1] = bytes;
	if (nedges > first) {
		start[me - 1] = (uint32_t)first + 1;
		edges[nedges - 1] |= LAST;
	}
}

static void
walk_edges(struct segment s)
{
	const uint8_t *record[AHEAD];
	size_t n;

	while (s.p < s.end) {
		for (n = 0; n < AHEAD && s.p < s.end;)
			if (*s.p >= 0x20 && *s.p <= 0x23) {
				record[n] = s.p;
				s.p = record_prefetch(record[n++]);
			} else {
				s.p += 1 + root_sizes[*s.p];
			}
		for (size_t i = 0; i < n; i++)
			record_edges(record[i]);
	}
}

/* ---- depth first ------------------------------------------------------------------------- */

static void
visit(uint32_t object, uint32_t from)
{
	order[++reached] = object;
	parent[reached] = from;
	number[object - 1] = reached;
}

static void
fold(uint32_t n)
{
	folded[n >> 6] |= UINT64_C(1) << (n & 63);
}

/* number before an object is met: UNSEEN, 4 if it refers to others, the references to it up to 2. */
static void
search(uint32_t root)
{
	uint64_t depth = 0;
	struct frame *f;
	uint32_t to, was;

	if ((number[root - 1] & UNSEEN) == 0) {
		beside[nbeside++] = (struct edge){ number[root - 1], 0 };
		return;
	}
	visit(root, 0);
	stack[depth++] = (struct frame){ start[root - 1], reached, true };
	while (depth > 0) {
		f = &stack[depth - 1];
		if (f->at == 0) {
			depth--;
			if (!f->kept)
				fold(f->number);
			else if (depth > 0)
				stack[depth - 1].kept = true;
			continue;
		}
		to = edges[f->at - 1];
		f->at = (to & LAST) != 0 ? 0 : f->at + 1;
		to &= ~LAST;
		was = number[to - 1];
		if ((was & UNSEEN) == 0) {
			f->kept = true;
			beside[nbeside++] = (struct edge){ was, f->number };
			continue;
		}
		visit(to, f->number);
		if ((was & 7) == 1)
			fold(reached);
		else
			stack[depth++] = (struct frame){ start[to - 1], reached, (was & 3) != 1 };
	}
}

/* ---- dominators of what is not folded ------------------------------------------------------ */

static uint32_t
eval(uint32_t v, uint32_t floor)
{
	uint32_t x = v, n = 0;
	struct node *above, *at;

	for (; nodes[x].up >= floor; x = nodes[x].up)
		trail[n++] = x;
	for (above = &nodes[x]; n > 0; above = at) {
		at = &nodes[trail[--n]];
		if (nodes[above->best].semi < nodes[at->best].semi)
			at->best = above->best;
		at->up = above->up;
	}
	return nodes[v].best;
}

static void
dominate(uint32_t core, const uint32_t *from, const uint32_t *source, uint32_t *bucket)
{
	uint32_t up, semi, x, next, best;

	for (uint32_t w = core; w > 0; w--) {
		up = semi = nodes[w].up;
		for (uint32_t i = from[w]; i < from[w + 1]; i++) {
			x = source[i] > w ? nodes[eval(source[i], w + 1)].semi : source[i];
			if (x < semi)
				semi = x;
		}
		nodes[w].semi = semi;
		nodes[w].idom = up;
		if (semi != up) {
			nodes[w].idom = bucket[semi];
			bucket[semi] = w;
		}
		for (x = bucket[up]; x != 0; x = next) {
			next = nodes[x].idom;
			best = eval(x, w);
			nodes[x].idom = nodes[best].semi < up ? best : up;
		}
		bucket[up] = 0;
	}
	for (uint32_t w = 1; w <= core; w++)
		if (nodes[w].idom != nodes[w].semi)
			nodes[w].idom = nodes[nodes[w].idom].idom;
}

static uint32_t *ranks;		/* nodes of the core before each word of folded */

static uint32_t
core_of(uint32_t n)
{
	return n == 0 ? 0 : ranks[n >> 6] + (uint32_t)__builtin_popcountll(~folded[n >> 6] & ((UINT64_C(1) << (n & 63)) - 1)) + 1;
}

static void
dominators(void)
{
	uint32_t core = 0, *of, *bucket, *from, *source;

	folded[0] |= 1;
	of = take(UINT64_C(4) * (reached + 1));
	ranks = take(UINT64_C(4) * (reached / 64 + 2));
	for (uint32_t i = 0; i <= reached; i++) {
		if ((i & 63) == 0)
			ranks[i >> 6] = core;
		if ((folded[i >> 6] >> (i & 63) & 1) == 0)
			of[++core] = i;
	}
	nodes = take(UINT64_C(16) * (core + 1));
	bucket = take(UINT64_C(4) * (core + 1));
	from = take(UINT64_C(4) * (core + 3));
	source = take(4 * nbeside + 64);
	trail = pages(UINT64_C(4) * core + 4096);
	memset(bucket, 0, sizeof *bucket * (core + 1));
	memset(from, 0, sizeof *from * (core + 3));
	for (uint64_t i = 0; i < nbeside; i++) {
		beside[i] = (struct edge){ core_of(beside[i].to), core_of(beside[i].from) };
		from[beside[i].to]++;
	}
	for (uint32_t i = 1; i <= core + 1; i++)
		from[i] += from[i - 1];
	for (uint64_t i = nbeside; i-- > 0;)
		source[--from[beside[i].to]] = beside[i].from;
	for (uint32_t i = 0; i <= core; i++)
		nodes[i] = (struct node){ i == 0 ? 0 : core_of(parent[of[i]]), i, i, 0 };
	dominate(core, from, source, bucket);
	for (uint32_t i = 1; i <= core; i++)
		parent[of[i]] = of[nodes[i].idom];
}

/* Retained sizes, added up against the order of the search, then both back by object. */
static uint64_t
retain(void)
{
	uint32_t *retained = take(UINT64_C(4) * (reached + 1));

	retained[0] = 0;
	for (uint32_t i = 1; i <= reached; i++)
		retained[i] = size[order[i] - 1];
	for (uint32_t i = reached; i > 0; i--)
		retained[parent[i]] += retained[i];
	for (uint32_t i = 1; i <= reached; i++) {
		start[order[i] - 1] = order[parent[i]];
		size[order[i] - 1] = retained[i];
	}
	return UINT64_C(8) * retained[0];
}

/* ---- the program --------------------------------------------------------------------------- */

/* Segments, and the range of addresses from the first object of each. */
static void
find_segments(const uint8_t *data, uint64_t bytes)
{
	uint64_t low = UINT64_MAX, high = 0, id;
	uint32_t length;

	for (const uint8_t *p = data + strlen((const char *)data) + 13; p + 9 <= data + bytes; p += 9 + length) {
		length = get32(p + 5);
		if (*p != 0x0c && *p != 0x1c)
			continue;
		segments[nsegments++] = (struct segment){ p + 9, p + 9 + length };
		if (p[9] < 0x21 || p[9] > 0x23)
			continue;
		id = get64(p + 10);
		low = id < low ? id : low;
		high = id > high ? id : high;
	}
	base = (low - (UINT64_C(1) << 29)) & ~UINT64_C(511);
	nwords = ((high + (UINT64_C(1) << 29) - base) >> 9) + 1;
}

static void
index_references(const uint8_t *data, uint64_t bytes)
{
	uint64_t before;

	find_segments(data, bytes);
	bits = pages(8 * nwords);
	rank = pages(4 * nwords);
	for (size_t i = 0; i < nsegments; i++)
		walk_objects(segments[i]);
	rank_objects();
	classes_lay_out();
	start = take(UINT64_C(4) * objects);
	size = take(UINT64_C(4) * objects);
	degree = take(objects / 4 + 64);
	before = used;
	edges = take(bytes / 8);
	for (size_t i = 0; i < nsegments; i++)
		walk_edges(segments[i]);
	used = before + ((4 * nedges + 4095) & ~UINT64_C(4095));
}

static void
index_search(void)
{
	uint64_t before;
	uint32_t object;

	for (uint32_t i = 0; i < nroots; i++)
		if ((object = object_of(roots[i])) != 0)
			refer(object);
	number = take(UINT64_C(4) * objects);
	for (uint32_t i = 0; i < objects; i++)
		number[i] = UNSEEN | (degree[i >> 2] >> (i & 3) * 2 & 3) | (start[i] != 0 ? 4 : 0);
	order = take(UINT64_C(4) * objects + 8);
	parent = take(UINT64_C(4) * objects + 8);
	folded = take(objects / 8 + 64);
	before = used;
	beside = take(8 * nedges + 65536);
	for (uint32_t i = 0; i < nroots; i++)
		if ((object = object_of(roots[i])) != 0)
			search(object);
	used = before + ((8 * nbeside + 4095) & ~UINT64_C(4095));
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int
main(int argc, char **argv)
{
	struct rusage ru;
	struct stat sb;
	const uint8_t *data;
	uint64_t all;
	int fd;

	if (argc != 2 || (fd = open(argv[1], O_RDONLY)) == -1 || fstat(fd, &sb) != 0 || sb.st_size < 64 ||
	    (data = mmap(NULL, (size_t)sb.st_size, PROT_READ, MAP_SHARED, fd, 0)) == MAP_FAILED) {
		fprintf(stderr, "treefloor: cannot read the file\n");
		return 1;
	}
	arena = pages(ARENA);
	segments = pages(sizeof *segments << 20);
	classes = pages(sizeof *classes << 16);
	slots = pages(sizeof *slots * CLASS_SLOTS);
	offsets = pages(sizeof *offsets << 21);
	roots = pages(sizeof *roots << 22);
	stack = pages(UINT64_C(1) << 32);
	index_references(data, (uint64_t)sb.st_size);
	munmap((void *)(uintptr_t)data, (size_t)sb.st_size);
	index_search();
	dominators();
	all = retain();
	getrusage(RUSAGE_SELF, &ru);
	printf("%u %u %.6f %.6f\n", objects, reached, seconds(ru.ru_utime), seconds(ru.ru_stime));
	fprintf(stderr, "treefloor: %llu bytes are reachable\n", (unsigned long long)all);
	return 0;
}
