/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_pools: pools of connections and other objects: how many are in use, and how many threads wait, by the
 * fields of the pool.  A pool at rest is a note; one with nothing left for threads that wait is a warning,
 * however few bytes it has.
 *
 * The chunks of Netty's pool are counted for detect_owners.c.
 */
#include "config.h"

#include "owners.h"
#include "pools.h"

#define NODES 65535u	/* of a list of waiting threads */
#define PATH_MOST 8u	/* fields of a path */
#define LEAST 2u	/* objects of a pool that is reported at rest */
#define POOLS_MOST 64u	/* pools that are reported */

/*
 * Paths of fields, from the pool.  The last field is a number, an atomic number, a collection, an array, a
 * condition with waiting threads, or null for none; NULL: the pool has no such number.
 *
 * Sources: HikariCP 2.4 to 5.1, commons-pool 2.2 to 2.12 (and so DBCP 2, Jedis 3 to 5), Tomcat JDBC 7 to 10,
 * c3p0 0.9 and 0.10, Druid 1.1 and 1.2, HttpComponents Core 4.2 to 5.2.
 */
static const struct pool_rule {
	const char	*class, *used, *idle, *all, *limit, *waiting;
	const char	*state;		/* field of the elements of all: 1 for those in use */
	const char	*entry;		/* class of the elements of the pool */
} rules[] = {
	{ "com.zaxxer.hikari.pool.HikariPool", NULL, NULL, "connectionBag.sharedList.array",
	    "config.maxPoolSize", "connectionBag.waiters", "state",
	    "com.zaxxer.hikari.pool.PoolEntry" },
	{ "org.apache.commons.pool2.impl.GenericObjectPool", NULL, "idleObjects.count", "allObjects",
	    "maxTotal", "idleObjects.notEmpty", NULL,
	    "org.apache.commons.pool2.impl.DefaultPooledObject" },
	{ "org.apache.tomcat.jdbc.pool.ConnectionPool", "busy.items", "idle.items", "size",
	    "poolProperties.maxActive", "waitcount", NULL,
	    "org.apache.tomcat.jdbc.pool.PooledConnection" },
	{ "com.mchange.v2.resourcepool.BasicResourcePool", NULL, "unused", "managed", "max", "acquireWaiters",
	    NULL,
	    "com.mchange.v2.c3p0.impl.C3P0PooledConnection" },
	{ "com.alibaba.druid.pool.DruidDataSource", "activeCount", "poolingCount", NULL, "maxActive",
	    "notEmptyWaitThreadCount", NULL,
	    "com.alibaba.druid.pool.DruidConnectionHolder" },
	{ "org.apache.http.pool.AbstractConnPool", "leased", "available", NULL, "maxTotal", "pending", NULL,
	    "org.apache.http.pool.PoolEntry" },
	{ "org.apache.hc.core5.pool.StrictConnPool", "leased", "available", NULL, "maxTotal", "pending", NULL,
	    "org.apache.hc.core5.pool.PoolEntry" }
};

/* Numbers of Netty's chunks: netty-buffer 4.0 to 4.1. */
#define CHUNK "io.netty.buffer.PoolChunk"

struct object_pools {
	struct scratch	wants;		/* u8 by class: 1 + row of rules, WANT_CHUNK, or 0 */
	unsigned	known;		/* bits by row of rules: the heap has the class */
	uint32_t	n;
};

enum { WANT_CHUNK = 0x7f };

/* Fields that are numbers: those at the ends of the paths above, and what counts chunks. */
static const struct kept_field pool_numbers[] = {
	{ "com.zaxxer.hikari.HikariConfig", "maxPoolSize" },
	{ "com.zaxxer.hikari.HikariConfig", "maximumPoolSize" },
	{ "com.zaxxer.hikari.pool.PoolEntry", "state" },
	{ "java.util.concurrent.atomic.AtomicInteger", "value", "com.zaxxer.hikari.util.ConcurrentBag",
	    "waiters" },
	{ "org.apache.commons.pool2.impl.LinkedBlockingDeque", "count" },
	{ "org.apache.commons.pool2.impl.BaseGenericObjectPool", "maxTotal" },
	{ "java.util.concurrent.atomic.AtomicInteger", "value", "org.apache.tomcat.jdbc.pool.ConnectionPool",
	    "size" },
	{ "java.util.concurrent.atomic.AtomicInteger", "value", "org.apache.tomcat.jdbc.pool.ConnectionPool",
	    "waitcount" },
	{ "org.apache.tomcat.jdbc.pool.PoolProperties", "maxActive" },
	{ "com.mchange.v2.resourcepool.BasicResourcePool", "max" },
	{ "com.alibaba.druid.pool.DruidDataSource", "activeCount" },
	{ "com.alibaba.druid.pool.DruidDataSource", "poolingCount" },
	{ "com.alibaba.druid.pool.DruidDataSource", "notEmptyWaitThreadCount" },
	{ "com.alibaba.druid.pool.DruidAbstractDataSource", "maxActive" },
	{ "org.apache.http.pool.AbstractConnPool", "maxTotal" },
	{ "org.apache.hc.core5.pool.StrictConnPool", "maxTotal" },
	{ CHUNK, "freeBytes" }, { CHUNK, "chunkSize" },
	{ "java.util.concurrent.atomic.AtomicBoolean", "value", "io.grpc.internal.ManagedChannelImpl", "shutdown" }
};

bool
pool_is_entry(const struct heap *h, uint32_t object)
{
	for (size_t i = 0; i < NELEM(rules); i++)
		if (object_is(h, object, rules[i].entry))
			return true;
	return false;
}

bool
pool_number(size_t *i, struct kept_field *f)
{
	if (*i < NELEM(pool_numbers)) {
		*f = pool_numbers[*i];
		return true;
	}
	*i -= NELEM(pool_numbers);
	return false;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* The threads that wait for a condition are linked. */
static int64_t
pools_waiters(const struct heap *h, uint32_t condition)
{
	uint32_t node = heap_field_object(h, condition, "firstWaiter");
	int64_t n = 0;

	for (; node != 0 && n < NODES; n++)
		node = heap_field_object(h, node, "nextWaiter");
	return n;
}

/* How many an object stands for. */
static bool
pools_count(struct finder *f, uint32_t object, int64_t *n)
{
	const struct heap *h = &f->h;
	struct collection c;
	struct heap_slot slot;

	*n = 0;
	if (object == 0)
		return true;
	if (heap_is_array(h, object)) {
		*n = heap_length(h, object);
		return true;
	}
	if (collection_size(f->collections, object, &c)) {
		*n = c.size > INT32_MAX ? INT32_MAX : (int64_t)c.size;
		return true;
	}
	if (heap_field(h, object, "firstWaiter", 0, &slot)) {
		*n = pools_waiters(h, object);
		return true;
	}
	return heap_field(h, object, "value", 0, &slot) && heap_number(slot.type, slot.bits, n);
}

/* Follow a path of fields; the object at its end, or the number, when it is one. */
static bool
pools_follow(const struct heap *h, uint32_t object, const char *path, struct heap_slot *slot)
{
	struct str left = str_of(path), name;
	char field[64];

	*slot = (struct heap_slot){ .type = HEAP_OBJECT, .object = object };
	for (unsigned i = 0; left.n > 0 && i < PATH_MOST; i++) {
		if (!str_divide(left, STR("."), &name, &left)) {
			name = left;
			left = STR("");
		}
		if (slot->type != HEAP_OBJECT || slot->object == 0 || name.n >= sizeof field)
			return false;
		memcpy(field, name.s, name.n);
		field[name.n] = '\0';
		if (!heap_field(h, slot->object, field, 0, slot))
			return false;
	}
	return true;
}

static bool
pools_number(struct finder *f, uint32_t pool, const char *path, int64_t *n)
{
	struct heap_slot slot;

	*n = 0;
	if (path == NULL)
		return true;
	if (!pools_follow(&f->h, pool, path, &slot) ||
	    !(slot.type == HEAP_OBJECT ? pools_count(f, slot.object, n) : heap_number(slot.type, slot.bits, n)))
		return false;
	/* Sums of them fit. */
	*n = *n > INT32_MAX ? INT32_MAX : *n < INT32_MIN ? INT32_MIN : *n;
	return true;
}

/* The element of an array that is in use after index *i; its number is counted in *i. */
static uint32_t
pools_used(const struct heap *h, uint32_t array, const char *state, uint32_t *i)
{
	struct heap_slot slot, in;
	int64_t n;

	for (uint32_t length = heap_length(h, array); *i < length; )
		if (heap_element(h, array, (*i)++, &slot) && slot.object != 0 &&
		    heap_field(h, slot.object, state, 0, &in) && heap_number(in.type, in.bits, &n) && n == 1)
			return slot.object;
	return 0;
}

static bool
pools_measure(struct finder *f, const struct pool_rule *r, uint32_t pool, struct pool_figures *p,
    uint32_t *used)
{
	int64_t busy, idle, all, limit, waiting;
	struct heap_slot slot;
	uint32_t at, i = 0;

	*used = 0;
	if (!pools_number(f, pool, r->used, &busy) || !pools_number(f, pool, r->idle, &idle) ||
	    !pools_number(f, pool, r->all, &all) || !pools_number(f, pool, r->limit, &limit) ||
	    !pools_number(f, pool, r->waiting, &waiting))
		return false;
	if (r->state != NULL && pools_follow(&f->h, pool, r->all, &slot) && slot.object != 0 &&
	    heap_is_array(&f->h, slot.object))
		for (; (at = pools_used(&f->h, slot.object, r->state, &i)) != 0; busy++)
			*used = at;
	else if (r->used == NULL)
		busy = all - idle;
	all = r->all == NULL ? busy + idle : all;
	*p = pool_figures_of((uint64_t)(busy < 0 ? 0 : busy), (uint64_t)(all < 0 ? 0 : all),
	    (uint64_t)(limit < 0 ? 0 : limit), (uint64_t)(waiting < 0 ? 0 : waiting));
	return true;
}

/* ---- the detector ------------------------------------------------------------------------------ */

static bool
pools_begin(struct finder *f, void *state)
{
	struct object_pools *s = state;

	for (size_t i = 0; i < NELEM(rules); i++)
		s->known |= class_find(&f->h, rules[i].class, 0) != 0 ? 1u << i : 0;
	return scratch_array(&s->wants, f->h.classes + 1ull, 1, f->err);
}

static bool
pools_wants(struct finder *f, void *state, uint32_t class)
{
	struct object_pools *s = state;

	for (size_t i = 0; i < NELEM(rules); i++)
		if (s->known >> i & 1 && class_named(&f->h, class, rules[i].class) != 0)
			s->wants.data[class] = (uint8_t)(i + 1);
	if (class_is(&f->h, class, CHUNK))
		s->wants.data[class] = WANT_CHUNK;
	return s->wants.data[class] != 0;
}

static void
pools_count_chunk(struct finder *f, uint32_t chunk)
{
	struct heap_slot slot;
	int64_t size, free;

	if (!heap_field(&f->h, chunk, "chunkSize", 0, &slot) || !heap_number(slot.type, slot.bits, &size) ||
	    size <= 0 ||
	    !heap_field(&f->h, chunk, "freeBytes", 0, &slot) || !heap_number(slot.type, slot.bits, &free))
		return;
	free = free < 0 ? 0 : free > size ? size : free;
	f->netty_all = num_add(f->netty_all, (uint64_t)size);
	f->netty_used = num_add(f->netty_used, (uint64_t)(size - free));
}

static bool
pools_object(struct finder *f, void *state, uint32_t object)
{
	struct object_pools *s = state;
	unsigned row = finder_wanted(f, &s->wants, object);
	struct pool_figures p;
	uint32_t used, node;
	bool full;

	if (row == WANT_CHUNK) {
		pools_count_chunk(f, object);
		return true;
	}
	if (s->n >= POOLS_MOST || !pools_measure(f, &rules[row - 1], object, &p, &used) ||
	    (p.all < LEAST && p.waiting == 0) || (node = names_of(&f->h, object)) == 0)
		return true;
	s->n++;
	f->pooled_used += p.used;
	f->pooled += p.all;
	full = p.waiting > 0 && p.used >= (p.limit > 0 && p.limit < p.all ? p.limit : p.all);
	return finding_add(f, &(struct finding){ .kind = FINDING_OBJECT_POOL,
	    .grade = 1 + (full ? SEVERITY_WARNING : SEVERITY_NOTE), .object = object, .other = used,
	    .number = pool_figures_pack(&p),
	    .owner = owners_teller(f->owners, node), .retained = heap_retained(&f->h, object),
	    .weight = num_add(heap_retained(&f->h, object), (uint64_t)p.waiting << 20) });
}

static void
pools_release(void *state)
{
	scratch_free(&((struct object_pools *)state)->wants);
}

const struct detector detector_pools = {
	.state_size = sizeof(struct object_pools), .begin = pools_begin, .wants = pools_wants,
	.object = pools_object, .release = pools_release
};
