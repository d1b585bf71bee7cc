/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * summary: a heap and its findings in one line.
 */
#include "config.h"

#include "icecore/columns_content.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "findings.h"

static void
summary_add_number(struct buf *b, int (*show)(char *, size_t, uint64_t), uint64_t n)
{
	char text[NUM_TEXT];

	show(text, sizeof text, n);
	buf_str(b, str_of(text));
}

/* ---- bytes ------------------------------------------------------------------------- */

bool
heap_told(const struct heap *h, struct buf *b)
{
	static const struct {
		enum fact_id	 fact;
		const char	*what;
		bool		 always;
	} parts[] = {
		{ FACT_LIVE_BYTES, "Heap ", .always = true }, { FACT_DIRECT_BYTES, ", direct buffers ", .always = true },
		{ FACT_ZLIB_BYTES, ", zlib about " },
		{ FACT_REGISTERED_BYTES, ", native allocations " },	/* only Android has them */
		{ FACT_MAPPED_BYTES, ", mapped files ", .always = true }, { FACT_FINALIZABLE_BYTES, ", behind finalizers ", .always = true }
	};
	uint64_t n;

	if (heap_column(h, COL_EACH_DIRECT_OBJECT) == NULL)
		return false;
	for (size_t i = 0; i < NELEM(parts); i++) {
		n = heap_fact(h->st, parts[i].fact, h->refs, h->sizes);
		if (n == 0 && !parts[i].always)
			continue;
		buf_str(b, str_of(parts[i].what));
		summary_add_number(b, num_show_size, n);
	}
	return true;
}

/* ---- findings ---------------------------------------------------------------------- */

static uint64_t
summary_weight_of(const struct name_node *n)
{
	return num_add(n->total, n->native_total);
}

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
		if (most[at - 1] != 0 && summary_weight_of(&other) >= summary_weight_of(&n))
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
	summary_add_number(b, num_show_count, n);
	buf_str(b, n == 1 ? STR(" virtual thread has") : STR(" virtual threads have"));
	buf_str(b, STR(" no stack in the dump: objects held only by their local variables count as unreachable."));
}

static void
add_none(const struct heap *h, struct buf *b)
{
	uint32_t most[LARGEST];
	struct name_node n;

	if (h->objects == 0) {
		buf_str(b, STR("The dump has no objects."));
		return;
	}
	buf_str(b, STR("No accumulation point."));
	heap_largest(h, most);
	for (size_t i = 0; i < LARGEST && most[i] != 0; i++) {
		buf_str(b, i == 0 ? STR(" The largest: ") : i + 1 < LARGEST && most[i + 1] != 0 ? STR(", ") : STR(" and "));
		names_get(h, most[i], &n);
		owner_add(&n, b);
		buf_str(b, STR(" ("));
		summary_add_number(b, num_show_size, summary_weight_of(&n));
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
			buf_str(b, STR(", "));
		begun = true;
		summary_add_number(b, num_show_count, count[s]);
		buf_printf(b, " %s%s", severity_names[s], count[s] == 1 ? "" : "s");
	}
	if (f->n == 0)
		add_none(f->heap, b);
}
