/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * summary: a heap and its findings in one line.
 */
#include "config.h"

#include "icecore/columns_content.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "findings.h"

/* ---- bytes ------------------------------------------------------------------------- */

bool
heap_told(const struct heap *h, struct buf *b)
{
	static const struct {
		enum fact_id	 fact;
		const char	*what;
		bool		 always;
	} parts[] = {
		{ FACT_LIVE_BYTES, "Heap ", .always = true },
		{ FACT_DIRECT_BYTES, ", direct buffers ", .always = true },
		{ FACT_ZLIB_BYTES, ", zlib about " },
		{ FACT_REGISTERED_BYTES, ", native allocations " },	/* only Android has them */
		{ FACT_MAPPED_BYTES, ", mapped files ", .always = true },
		{ FACT_FINALIZABLE_BYTES, ", behind finalizers ", .always = true }
	};
	uint64_t n;

	if (heap_column(h, COL_EACH_DIRECT_OBJECT) == NULL)
		return false;
	for (size_t i = 0; i < NELEM(parts); i++) {
		n = heap_fact(h->st, parts[i].fact, h->refs, h->sizes);
		if (n == 0 && !parts[i].always)
			continue;
		buf_text(b, parts[i].what);
		buf_num(b, num_show_size, n);
	}
	return true;
}

/* ---- findings ---------------------------------------------------------------------- */

/* Keeps the heaviest, the first the first. */
static void
summary_keep(const struct heap *h, uint32_t most[LARGEST], uint32_t id)
{
	struct name_node n, other;
	size_t at;

	names_get(h, id, &n);
	for (at = LARGEST; at > 0; at--) {
		if (most[at - 1] != 0)
			names_get(h, most[at - 1], &other);
		if (most[at - 1] != 0 && name_weight(&other) >= name_weight(&n))
			break;
		if (at < LARGEST)
			most[at] = most[at - 1];
		most[at - 1] = id;
	}
}

void
owner_add(const struct name_node *n, struct buf *b)
{
	size_t at = b->n;

	name_add(n, b);
	if (b->n == at)
		buf_str(b, n->class);
}

/* Statics and locals are owners; their common holders, the classes and the threads, are not. */
void
heap_largest(const struct heap *h, uint32_t most[LARGEST])
{
	uint32_t nodes = names_count(h);
	struct name_node n;

	for (size_t i = 0; i < LARGEST; i++)
		most[i] = 0;
	for (uint64_t id = 2; id <= nodes; ) {
		names_get(h, (uint32_t)id, &n);
		if (n.role == ROLE_CLASS || n.role == ROLE_THREADS || n.size == 0) {
			id++;
			continue;
		}
		summary_keep(h, most, (uint32_t)id);
		id += n.size;
	}
}

/* Virtual threads without a stack in the dump: the search does not see objects held by them. */
static void
add_stackless(const struct heap *h, struct buf *b)
{
	uint64_t n = fact_value(h->st, FACT_STACKLESS_THREADS);

	if (n == 0)
		return;
	buf_chr(b, ' ');
	buf_num(b, num_show_count, n);
	buf_text(b, n == 1 ? " virtual thread has" : " virtual threads have");
	buf_text(b, " no stack in the dump: objects held only by their local variables count as unreachable.");
}

static void
add_none(const struct heap *h, struct buf *b)
{
	uint32_t most[LARGEST];
	struct name_node n;

	if (h->objects == 0) {
		buf_text(b, "The dump has no objects.");
		return;
	}
	buf_text(b, "No accumulation point.");
	heap_largest(h, most);
	for (size_t i = 0; i < LARGEST && most[i] != 0; i++) {
		buf_text(b, i == 0 ? " The largest: " : i + 1 < LARGEST && most[i + 1] != 0 ? ", " : " and ");
		names_get(h, most[i], &n);
		owner_add(&n, b);
		buf_text(b, " (");
		buf_num(b, num_show_size, name_weight(&n));
		buf_chr(b, ')');
	}
	if (most[0] != 0)
		buf_chr(b, '.');
	add_stackless(h, b);
}

void
findings_told(const struct findings *f, struct buf *b)
{
	uint64_t count[SEVERITIES] = { 0 };
	struct finding one;
	bool begun = false;

	for (uint64_t i = 0; i < f->n; i++) {
		finding_get(f, i, &one);
		count[finding_severity(&one)]++;
	}
	for (int s = SEVERITIES - 1; s >= 0; s--) {
		if (count[s] == 0)
			continue;
		if (begun)
			buf_text(b, ", ");
		begun = true;
		buf_num(b, num_show_count, count[s]);
		buf_printf(b, " %s%s", severity_names[s], count[s] == 1 ? "" : "s");
	}
	if (f->n == 0)
		add_none(f->heap, b);
}
