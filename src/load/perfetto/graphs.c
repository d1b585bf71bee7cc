/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graphs: Java heap graphs, from their packets, and facts about their processes.
 *
 * A graph is the packets of a sequence up to one that is not continued.  graph_load.c reads the chosen one
 * when all other packets are known.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "icecore/facts.h"
#include "graph.h"
#include "play.h"

enum { NAMED_MOST = 32 };	/* graphs that are named in a sentence */

#define HEAD(F) F(1, pid, U64) F(2, objects, FLAG) F(4, names, NONE) F(5, continued, U64) F(6, index, U64) \
	F(7, roots, NONE) F(8, places, NONE) F(9, types, NONE) F(10, allocated, U64)
#define ART(F) F(1, pid, U64) F(2, uid, U64) F(3, process, BYTES) F(4, package, BYTES) F(5, allocation, U64) \
	F(6, free, U64) F(7, until_limit, U64) F(8, stack, UNREAD) F(9, message, BYTES)
#define STATS(F) F(1, pid, U64) F(4, anon, U64) F(7, swap, U64) F(10, score, U64) F(24, dmabuf, U64)
#define PACKAGE(F) F(1, name, BYTES) F(2, uid, U64)
SHAPE(graph_head, "heap_graph", HEAD)
SHAPE(graph_art, "art_process_metadata", ART)
SHAPE(graph_stats, "process_stats", STATS)
SHAPE(graph_package, "packages_list", PACKAGE)

void
pf_graphs_close(struct pf_graphs *g)
{
	SCRATCH_FREE(&g->graphs, &g->parts, &g->arts);
}

/* ---- packets ------------------------------------------------------------------------------------------- */

static struct pf_graph *
graph_at(const struct perfetto *p, uint32_t row)
{
	return &SCRATCH(p->graph.graphs, struct pf_graph)[row - 1];
}

static bool
graph_add(struct perfetto *p, uint32_t row, struct str m, struct err *err)
{
	struct pf_graph_part new = { .in = pf_place(p, m), .graph = row };

	return PF_ADD(p->graph, parts, new, "packets of heap graphs", err);
}

bool
pf_graph_packet(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	const struct pf_packet *k = now->k;
	struct pf_sequence *q = pf_sequence(p, now->sequence, err);
	struct graph_head head;
	struct pf_graph *g;

	p->count[PF_BAD_PACKETS] += !graph_head_read(m, &head, &p->unread);
	/* A redacted copy keeps nothing of a graph. */
	if (q == NULL || (!head.has_pid && !head.objects))
		return q != NULL;
	head.pid = head.pid != 0 ? head.pid : pf_field(k, PKT_PID)->value;
	if (q->graph == 0) {
		struct pf_graph new = { .time = (int64_t)pf_field(k, PKT_TIME)->value, .pid = (uint32_t)head.pid,
		    .uid = (uint32_t)pf_field(k, PKT_UID)->value,
		    .clock = (uint32_t)pf_field(k, PKT_CLOCK)->value, .sequence = now->sequence };

		if (!PF_ADD(p->graph, graphs, new, "heap graphs", err))
			return false;
		q->graph = (uint32_t)p->graph.ngraphs;
	}
	g = graph_at(p, q->graph);
	g->packets++;
	g->gaps += head.index != g->next;
	g->next = head.index + 1;
	if ((uint32_t)head.pid != g->pid)
		return pf_count(p, PF_BAD_PACKETS);
	g->some |= head.objects;
	g->allocated = head.has_allocated ? head.allocated : g->allocated;
	if (!graph_add(p, q->graph, m, err))
		return false;
	if (head.continued == 0) {
		g->ended = true;
		q->graph = 0;
	}
	return true;
}

/* The id of the sequence follows the message, so the process decides. */
bool
pf_graph_cut(struct perfetto *p, struct str m, struct err *err)
{
	uint32_t row = (uint32_t)p->graph.ngraphs;
	struct graph_head head;
	struct pf_graph new;

	(void)graph_head_read(m, &head, NULL);
	while (row > 0 && (graph_at(p, row)->ended || graph_at(p, row)->pid != (uint32_t)head.pid))
		row--;
	new = (struct pf_graph){ .pid = (uint32_t)head.pid };
	if (row == 0 && !PF_ADD(p->graph, graphs, new, "heap graphs", err))
		return false;
	row = row != 0 ? row : (uint32_t)p->graph.ngraphs;
	graph_at(p, row)->some |= head.objects;
	return graph_add(p, row, m, err);
}

bool
pf_graph_art(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct pf_place new = pf_place(p, m);

	(void)now;
	return PF_ADD(p->graph, arts, new, "packets about processes", err);
}

/* The row of the n-th graph with objects; 0: there are fewer. */
static uint32_t
graph_nth(const struct perfetto *p, uint64_t n)
{
	uint32_t row = 0;

	while (n > 0 && row < p->graph.ngraphs)
		n -= graph_at(p, ++row)->some;
	return n == 0 ? row : 0;
}

bool
pf_graph_choose(struct perfetto *p, struct err *err)
{
	uint64_t want = fact_value(p->l->st, FACT_DUMP);
	struct pf_graph *g;

	while (graph_nth(p, p->graph.full + 1ull) != 0)
		p->graph.full++;
	if (p->graph.full == 0)
		return true;
	if (want > p->graph.full)
		return fail(err, E_USAGE, "--dump %" PRIu64 ": this trace has only %u heap graphs", want,
		    p->graph.full);
	p->graph.chosen = graph_nth(p, want == 0 ? 1 : want);
	g = graph_at(p, p->graph.chosen);
	if (g->clock != 0)
		(void)pf_clock_convert(&p->clocks, pf_clock_key(g->sequence, g->clock), g->time, &g->time);
	p->count[PF_HEAP_PACKETS] += g->gaps;
	return true;
}

bool
pf_graph_incomplete(const struct perfetto *p)
{
	const struct pf_graph *g = p->graph.chosen == 0 ? NULL : graph_at(p, p->graph.chosen);

	return g != NULL && (g->gaps > 0 || !g->ended);
}

/* The scan nearest to the graph counts. */
void
pf_graph_scanned(struct perfetto *p, uint64_t time, struct str m)
{
	const struct pf_graph *g = p->graph.chosen == 0 ? NULL : graph_at(p, p->graph.chosen);
	uint64_t at, off;
	struct graph_stats s;

	if (g == NULL || !graph_stats_read(m, &s, NULL) || (uint32_t)s.pid != g->pid)
		return;
	at = g->time < 0 ? 0 : (uint64_t)g->time;
	off = time > at ? time - at : at - time;
	if (p->graph.scan.n > 0 && off >= p->graph.scan_off)
		return;
	p->graph.scan = pf_place(p, m);
	p->graph.scan_off = off;
}

/* ---- the process --------------------------------------------------------------------------------------- */

static struct graph_art
art_of(const struct perfetto *p, uint32_t pid)
{
	struct graph_art art;

	for (uint64_t i = p->graph.narts; i-- > 0; ) {
		(void)graph_art_read(pf_placed(p, SCRATCH(p->graph.arts, struct pf_place)[i]), &art, NULL);
		if ((uint32_t)art.pid == pid)
			return art;
	}
	return (struct graph_art){ .process = STR("") };
}

static const struct pf_process *
process_of(const struct perfetto *p, uint32_t pid)
{
	uint32_t row = idmap_get(&p->who.by_pid, (uint64_t)pid + 1);

	return row == 0 ? NULL : pf_process_at(p, row);
}

static struct str
graph_process_name(const struct perfetto *p, uint32_t pid)
{
	const struct pf_process *r = process_of(p, pid);

	return r != NULL && r->word != 0 ? marks_text(&p->marks, r->word) : art_of(p, pid).process;
}

static uint64_t
uid_of(const struct perfetto *p, const struct pf_graph *g)
{
	const struct pf_process *r = process_of(p, g->pid);
	struct str digits = r == NULL ? STR("") : marks_text(&p->marks, r->uid);
	uint64_t uid;

	return str_number(&digits, &uid) ? uid : g->uid;
}

/* The package whose user is that of the process, or that the runtime names. */
struct str
pf_graph_package(const struct perfetto *p)
{
	const struct pf_graph *g = graph_at(p, p->graph.chosen);
	struct str package = art_of(p, g->pid).package;
	uint64_t uid = uid_of(p, g);
	struct graph_package one;

	SHAPE_EACH(pf_placed(p, p->recorded.list), 1, in)
		if (graph_package_read(in, &one, NULL) && one.uid == uid && uid != 0)
			package = one.name;
	return package;
}

/* ---- facts --------------------------------------------------------------------------------------------- */

/* "1: pid 10 com.example, 2: pid 11 com.example:remote" */
static void
name_graphs(struct perfetto *p)
{
	struct buf *b = &p->text;

	buf_clear(b);
	for (uint32_t i = 1; i <= p->graph.full && i <= NAMED_MOST; i++) {
		uint32_t pid = graph_at(p, graph_nth(p, i))->pid;
		struct str name = str_head(graph_process_name(p, pid), 256);

		buf_printf(b, "%s%u: pid %u%s", i > 1 ? ", " : "", i, pid, name.n > 0 ? " " : "");
		buf_str(b, name);
	}
	if (p->graph.full > NAMED_MOST)
		buf_text(b, ", ...");
}

static bool
out_of_memory_facts(struct perfetto *p, const struct graph_art *art, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_OOM_ALLOCATION, art->allocation, MAKE_ANY }, { FACT_OOM_FREE, art->free, MAKE_ANY },
		{ FACT_OOM_UNTIL_LIMIT, art->until_limit, MAKE_ANY },
		{ FACT_OOM_MESSAGE, .text = str_head(art->message, PF_TEXT_MOST), .how = MAKE_ANY }
	};

	return make_facts(p->l->st, facts, NELEM(facts), err);
}

bool
pf_graph_facts(struct perfetto *p, struct err *err)
{
	const struct pf_graph *g = graph_at(p, p->graph.chosen);
	struct graph_art art = art_of(p, g->pid);
	struct graph_stats scan;
	int64_t real = g->time;
	char score[24] = "";

	(void)graph_stats_read(pf_placed(p, p->graph.scan), &scan, NULL);
	(void)pf_clock_realtime(&p->clocks, g->time, &real);
	name_graphs(p);
	if (scan.has_score)
		snprintf(score, sizeof score, "%" PRId64, (int64_t)scan.score);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("Perfetto trace with a Java heap graph") },
		{ FACT_DUMPS, p->graph.full > 1 ? p->graph.full : 0, MAKE_ANY },
		{ FACT_HEAP_GRAPHS, .text = p->graph.full > 1 ? buf_view(&p->text) : STR(""), .how = MAKE_ANY },
		{ FACT_PID, g->pid }, { FACT_PROCESS, .text = graph_process_name(p, g->pid), .how = MAKE_ANY },
		{ FACT_PACKAGE, .text = pf_graph_package(p), .how = MAKE_ANY }, { FACT_UID, uid_of(p, g), MAKE_ANY },
		{ FACT_TAKEN_AT, (uint64_t)g->time }, { FACT_HEAP_DUMPED_MS, (uint64_t)real / 1000000 },
		{ FACT_HEAP_PACKETS, g->packets }, { FACT_HEAP_ALLOCATED, g->allocated, MAKE_ANY },
		{ FACT_OOM_SCORE, .text = str_of(score), .how = MAKE_ANY },
		{ FACT_RSS_ANON, scan.anon * 1024, MAKE_ANY }, { FACT_SWAP, scan.swap * 1024, MAKE_ANY },
		{ FACT_DMABUF, scan.dmabuf * 1024, MAKE_ANY }, { FACT_LOSS_NO_END, !g->ended, MAKE_ANY }
	};

	return make_facts(p->l->st, facts, NELEM(facts), err) && out_of_memory_facts(p, &art, err);
}
