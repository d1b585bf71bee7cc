/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hsperf: the counters that HotSpot publishes in /tmp/hsperfdata_USER/PID.
 *
 * The file is written by the process, so every offset is checked. It changes while it is read; values may be
 * from different moments.
 */
#include "config.h"

#include "icecore/bytes.h"
#include "record.h"

#define MAGIC 0xcafec0c0u
#define HEAD 32u
#define ENTRY 20u
#define ENTRIES_MOST 65536u

struct reader {
	const uint8_t	*data;
	size_t		 n;
	bool		 little;
};

struct entry {
	struct str	name, value;
	uint64_t	number;
};

/* Sums over the parts of the heap. */
struct heap_sums {
	uint64_t	used, all, largest;
	bool		divided;	/* generations have memory of their own */
};

static uint32_t
hsperf_u32(const struct reader *r, size_t at)
{
	return r->little ? le32(r->data + at) : be32(r->data + at);
}

static uint64_t
hsperf_u64(const struct reader *r, size_t at)
{
	return r->little ? le64(r->data + at) : be64(r->data + at);
}

/* Return the text at an offset, up to its NUL, of at most most bytes. */
static struct str
hsperf_text(const struct reader *r, size_t at, size_t most)
{
	struct str s = { (const char *)r->data + at, r->n - at < most ? r->n - at : most };
	const char *end = memchr(s.s, '\0', s.n);

	return str_head(s, end == NULL ? s.n : (size_t)(end - s.s));
}

/* Return the size of the entry; 0: damaged. */
static size_t
hsperf_entry(const struct reader *r, size_t at, struct entry *e)
{
	uint32_t size, name, count, data;
	uint8_t type;

	if (r->n - at < ENTRY)
		return 0;
	size = hsperf_u32(r, at);
	name = hsperf_u32(r, at + 4);
	count = hsperf_u32(r, at + 8);
	data = hsperf_u32(r, at + 16);
	type = r->data[at + 12];
	if (size < ENTRY || size > r->n - at || name >= size || data > size)
		return 0;
	*e = (struct entry){ .name = hsperf_text(r, at + name, size - name) };
	if (type == 'J' && count == 0 && size - data >= 8)
		e->number = hsperf_u64(r, at + data);
	else if (type == 'B')
		e->value = hsperf_text(r, at + data, size - data < count ? size - data : count);
	return size;
}

static void
hsperf_keep(const struct entry *e, struct jvm_counters *c, struct heap_sums *sums)
{
	static const struct str generation = { "sun.gc.generation.", 18 };

	if (str_eq(e->name, STR("sun.rt.javaCommand")))
		c->command = e->value;
	else if (str_eq(e->name, STR("java.property.java.vm.version")))
		c->version = e->value;
	else if (str_eq(e->name, STR("java.rt.vmArgs")))
		c->arguments = e->value;
	else if (str_eq(e->name, STR("java.threads.live")))
		c->threads = e->number;
	else if (str_eq(e->name, STR("sun.gc.policy.name")))
		sums->divided = e->value.n > 0 && memchr(e->value.s, ':', e->value.n) != NULL;
	else if (str_has_prefix(e->name, generation) && str_has_suffix(e->name, STR(".used")))
		sums->used = num_add(sums->used, e->number);
	else if (str_glob(STR("sun.gc.generation.?.maxCapacity"), e->name)) {
		sums->all = num_add(sums->all, e->number);
		sums->largest = e->number > sums->largest ? e->number : sums->largest;
	}
}

bool
hsperf_read(struct str bytes, struct jvm_counters *c)
{
	struct reader r = { (const uint8_t *)bytes.s, bytes.n, false };
	struct heap_sums sums = { .used = 0 };
	struct entry e;
	uint32_t at, n;
	size_t size;

	*c = (struct jvm_counters){ .used = 0 };
	if (r.n < HEAD || be32(r.data) != MAGIC || r.data[4] > 1 || r.data[5] != 2)
		return false;
	r.little = r.data[4] == 1;
	at = hsperf_u32(&r, 24);
	n = hsperf_u32(&r, 28);
	for (; n > 0 && n <= ENTRIES_MOST && at <= r.n; n--, at += (uint32_t)size) {
		size = hsperf_entry(&r, at, &e);
		if (size == 0)
			break;
		hsperf_keep(&e, c, &sums);
	}
	c->used = sums.used;
	/* Generations of G1 and later collectors share the heap: each may have all of it. */
	c->max = sums.divided ? sums.all : sums.largest;
	return n == 0;
}
