/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cut: the packets of a Perfetto trace.
 *
 * Packets are kept whole, except bundles of kernel events and lines of a log, which are selected one by one.  If the event of a
 * packet is dropped, its names, defaults and clears are kept.  Times relative to earlier packets are rewritten.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/facts.h"
#include "cut.h"

enum { FLAG_CLEARED = 1 };

/* Packets of rails and GPU counters also contain descriptions. */
static const struct { uint8_t packet, field[2]; } described[] = { { PKT_RAILS, { 1, 3 } }, { PKT_GPU, { 1, 3 } } };

/* ---- reading ------------------------------------------------------------------------------------- */

static uint32_t
clock_of(const struct pf_cut *c, const struct pf_packet *k, const struct pf_clocks *clocks)
{
	const struct pf_sequence *q;
	uint32_t clock = (uint32_t)pf_field(k, PKT_CLOCK)->value;
	uint32_t at = idmap_get(&c->p->seq.by_sequence, (uint64_t)(uint32_t)pf_field(k, PKT_SEQUENCE)->value + 1);

	if (clock == 0 && at != 0) {
		q = &SCRATCH(c->p->seq.sequences, struct pf_sequence)[at - 1];
		clock = q->state != 0 ? pf_state(c->p, q->state)->clock : 0;
	}
	return clock != 0 ? clock : clocks->trace;
}

bool
pf_cut_read(struct pf_cut *c, const struct pf_packet *k, struct err *err)
{
	struct perfetto *p = c->p;
	int64_t newest = p->newest;
	uint64_t skipped = p->count[PF_SKIPPED_STATE];

	p->row.nruns = p->row.nrows = p->row.ncpus = p->row.nlate = 0;
	p->row.run_goes_on = false;
	/* A packet without a time gets the newest time: this shows whether it has one. */
	p->newest = INT64_MIN;
	if (!pf_rows(p, k, err))
		return false;
	c->now = p->newest;
	p->newest = newest > c->now ? newest : c->now;
	c->late = p->row.nlate > 0;
	c->skipped = p->count[PF_SKIPPED_STATE] > skipped;
	if (c->late && !pf_clock_convert(&c->clocks, pf_clock_key((uint32_t)pf_field(k, PKT_SEQUENCE)->value, clock_of(c, k, &c->clocks)),
	    (int64_t)pf_field(k, PKT_TIME)->value, &c->now))
		c->now = INT64_MIN;
	return true;
}

const struct pf_row *
pf_cut_row(const struct pf_cut *c, enum pf_row_kind kind)
{
	const struct pf_row *row = SCRATCH(c->p->row.rows, struct pf_row);

	for (uint64_t i = 0; i < c->p->row.nrows; i++)
		if (row[i].kind == kind)
			return &row[i];
	return NULL;
}

/* ---- what a packet becomes ------------------------------------------------------------------------ */

/* Where a packet is: its events are in the part, or hold when it begins. */
enum pf_where { PF_OUTSIDE, PF_INSIDE, PF_HELD };

/* A packet whose time is unknown counts as inside. */
static enum pf_where
where(const struct pf_cut *c, const struct pf_packet *k, uint64_t *time)
{
	const struct pf_row *row = SCRATCH(c->p->row.rows, struct pf_row);
	const struct proto_field *event = pf_field(k, PKT_TRACK_EVENT);
	uint64_t at = pf_offset(c->p, event->number != 0 ? event->in.s : pf_field(k, PKT_FRAME)->in.s), above;
	bool some = false;

	if (c->skipped)
		return PF_OUTSIDE;
	*time = c->now >= 0 ? (uint64_t)c->now : 0;
	for (uint64_t i = 0; i < c->p->row.nrows; i++) {
		if (row[i].kind < PF_TRACK_EVENT || row[i].kind == PF_TOLD || pf_row_logged(&row[i]) || row[i].time == 0)
			continue;
		some = true;
		*time = row[i].time;
		if (pf_cut_has(c, *time))
			return PF_INSIDE;
	}
	if (!some && c->now < 0)
		return PF_INSIDE;
	if (!some && pf_cut_has(c, *time))
		return PF_INSIDE;
	if (*time >= c->from || (event->number == 0 && pf_field(k, PKT_FRAME)->number == 0) || !held_holds(&c->held, at, &above))
		return PF_OUTSIDE;
	*time = c->from - (above < c->from ? above : 0);
	return PF_HELD;
}

/* The clock of the packet is incremental: its time must be rewritten. */
static bool
is_incremental(const struct pf_cut *c, const struct pf_packet *k)
{
	const struct pf_clocks *clocks = c->late ? &c->clocks : &c->p->clocks;
	uint32_t at = idmap_get(&clocks->by_key, pf_clock_key((uint32_t)pf_field(k, PKT_SEQUENCE)->value, clock_of(c, k, clocks)));

	return at > 0 && SCRATCH(clocks->clocks, struct pf_clock)[at - 1].incremental;
}

/* A track event without times that are differences; one that begins at another time lasts as long less. */
static void
put_track_event(struct pf_cut *c, struct str m, uint64_t clipped)
{
	const struct pf_row *row = pf_cut_row(c, PF_TRACK_EVENT);
	struct str rest = m, from;
	struct proto_field f, o;
	struct msg old;
	bool bad = false;

	buf_clear(&c->event);
	for (from = rest; proto_next_whole(&rest, &f, &bad); from = rest) {
		if (f.number == EVENT_DELTA || f.number == EVENT_TIME)
			continue;
		if (f.number == EVENT_CPU_DELTA) {
			if (row != NULL && row->b != 0)
				proto_put_number(&c->event, EVENT_CPU, (uint64_t)SCRATCH(c->p->row.cpus, int64_t)[row->b - 1] / 1000);
			continue;
		}
		if (f.number != EVENT_OLD || f.wire != PROTO_BYTES || !msg_read(f.in, &old) || old.v[OLD_PHASE] != 'X') {
			buf_add(&c->event, from.s, from.n - rest.n);
			continue;
		}
		buf_clear(&c->part);
		for (struct str in = f.in, one = in; proto_next_whole(&in, &o, &bad); one = in)
			if (o.number != OLD_DURATION)
				buf_add(&c->part, one.s, one.n - in.n);
		proto_put_number(&c->part, OLD_DURATION, old.v[OLD_DURATION] - (clipped + 999) / 1000);
		proto_put_bytes(&c->event, EVENT_OLD, buf_view(&c->part));
	}
	proto_put_bytes(&c->packet, PKT_TRACK_EVENT, buf_view(&c->event));
}

/* {1 line}: those that are in the part. */
static void
put_log(struct pf_cut *c, struct str m, bool *some)
{
	const struct pf_row *row = SCRATCH(c->p->row.rows, struct pf_row);
	struct str rest = m, from;
	struct proto_field f;
	bool bad = false, keep;

	buf_clear(&c->part);
	for (from = rest; proto_next_whole(&rest, &f, &bad); from = rest) {
		keep = f.number != 1;
		for (uint64_t i = 0; f.number == 1 && i < c->p->row.nrows; i++)
			keep |= pf_row_logged(&row[i]) && row[i].at == pf_offset(c->p, f.in.s) && pf_cut_has(c, row[i].time);
		if (keep)
			buf_add(&c->part, from.s, from.n - rest.n);
		*some |= keep;
		c->s->told->kept += keep && f.number == 1;
		c->s->told->left_out += !keep;
	}
	if (*some)
		proto_put_bytes(&c->packet, PKT_LOG, buf_view(&c->part));
}

/* Keep the descriptions in a packet outside the part; *some: there are any. */
static void
put_described(struct pf_cut *c, const struct proto_field *packet, bool *some)
{
	struct str rest = packet->in, from;
	struct proto_field f;
	bool bad = false, any = false;

	buf_clear(&c->part);
	for (size_t i = 0; i < NELEM(described); i++)
		for (from = rest; described[i].packet == packet->number && proto_next_whole(&rest, &f, &bad); from = rest)
			if (f.number == described[i].field[0] || f.number == described[i].field[1]) {
				buf_add(&c->part, from.s, from.n - rest.n);
				any |= f.number == described[i].field[0];
			}
	if (any)
		proto_put_bytes(&c->packet, packet->number, buf_view(&c->part));
	*some |= any;
}

/* Write a new time of the packet. */
static void
put_time(struct pf_cut *c, uint64_t time)
{
	uint32_t trace = c->late ? c->clocks.trace : c->p->clocks.trace;

	proto_put_number(&c->packet, PKT_TIME, time);
	proto_put_number(&c->packet, PKT_CLOCK, trace != 0 ? trace : CLOCK_OF_BOOTTIME);
}

static bool
put_packet(struct pf_cut *c, struct err *err)
{
	if (c->packet.bad || c->event.bad || c->part.bad)
		return fail(err, E_SYSTEM, "out of memory (packets)");
	buf_clear(&c->part);
	proto_put_bytes(&c->part, 1, buf_view(&c->packet));
	return c->part.bad ? fail(err, E_SYSTEM, "out of memory (packets)") : slice_put(c->s, buf_view(&c->part), err);
}

/* Place and new time of a packet. */
struct pf_put {
	enum pf_where	where;
	uint64_t	time, clipped;
	bool		timed;		/* the time is rewritten */
};

/* Copy an event; *some: it is kept. */
static bool
cut_event(struct pf_cut *c, const struct pf_packet *k, const struct proto_field *f, struct str raw, const struct pf_put *put, bool *some,
    struct err *err)
{
	bool any = false;

	if (f->number == PKT_FTRACE && f->wire == PROTO_BYTES && !c->skipped) {
		if (!pf_bundle_cut(c, f->in, (uint32_t)pf_field(k, PKT_SEQUENCE)->value, &any, err))
			return false;
		if (any)
			proto_put_bytes(&c->packet, PKT_FTRACE, buf_view(&c->part));
	} else if (f->number == PKT_LOG && f->wire == PROTO_BYTES && !c->skipped)
		put_log(c, f->in, &any);
	else {
		any = put->where != PF_OUTSIDE;
		c->s->told->kept += put->where == PF_INSIDE;
		c->s->told->moved += put->where == PF_HELD;
		c->s->told->left_out += !any;
		if (any && put->timed && f->number == PKT_TRACK_EVENT && f->wire == PROTO_BYTES)
			put_track_event(c, f->in, put->clipped);
		else if (any)
			buf_str(&c->packet, raw);
		else if (!c->skipped)
			put_described(c, f, &any);
	}
	*some |= any;
	return true;
}

/* The time must be rewritten if the event is moved to the start of the part, or is relative to earlier packets. */
static void
put_of(struct pf_cut *c, const struct pf_packet *k, struct pf_put *put)
{
	struct proto_field f;
	struct str m = pf_field(k, PKT_TRACK_EVENT)->in;
	const struct pf_row *row = pf_cut_row(c, PF_TRACK_EVENT);
	uint64_t was = row != NULL ? row->time : 0;
	bool bad = false;

	*put = (struct pf_put){ .time = 0 };
	put->where = where(c, k, &put->time);
	put->timed = put->where == PF_HELD || (!c->skipped && c->now >= 0 && is_incremental(c, k));
	while (proto_next_whole(&m, &f, &bad))
		put->timed |= f.number == EVENT_DELTA && c->p->row.nrows > 0;
	put->clipped = put->where == PF_HELD && row != NULL && put->time > was ? put->time - was : 0;
}

static bool
cut_packet(struct perfetto *p, const struct pf_packet *k, struct err *err)
{
	struct pf_cut *c = pf_cut_of(p);
	struct str rest = k->body, from;
	const struct pf_kind *kind;
	struct proto_field f;
	struct pf_put put;
	bool bad = false, some = false;

	if (!pf_cut_read(c, k, err))
		return false;
	put_of(c, k, &put);
	buf_clear(&c->packet);
	for (from = rest; proto_next_whole(&rest, &f, &bad); from = rest) {
		struct str raw = { from.s, from.n - rest.n };

		if (put.timed && (f.number == PKT_TIME || f.number == PKT_CLOCK))
			continue;
		kind = pf_kind(f.number);
		if (kind != NULL && (kind->kept || kind->name == NULL)) {
			some |= kind->kept || (f.number == PKT_FLAGS && (f.value & FLAG_CLEARED) != 0);
			buf_str(&c->packet, raw);
		} else if (!cut_event(c, k, &f, raw, &put, &some, err))
			return false;
	}
	if (put.timed)
		put_time(c, put.time);
	return !some || put_packet(c, err);
}

/* ---- the trace --------------------------------------------------------------------------------------- */

/* Packets that could not be read, in the words of the reader. */
static uint64_t
damaged(const struct perfetto *p)
{
	return p->count[PF_BAD_PACKETS] + p->count[PF_CUT] + p->count[PF_BAD_FRAMING] + p->count[PF_RESYNCS] + p->count[PF_BAD_ZLIB];
}

static bool
pf_cut_first(struct pf_cut *c, struct err *err)
{
	struct perfetto *p;
	uint64_t start;
	bool ok;

	if (!pf_open(&c->p, &c->l, c->s->st, c->s->work, err))
		return false;
	p = c->p;
	work_start_bytes(c->s->work, "packets before", p->file.n);
	ok = pf_packets(p, pf_hold, err) && held_settle(&c->held, c->s->work, err);
	start = p->preserve ? 0 : p->started;
	start = p->ftrace_start > start ? p->ftrace_start : start;
	c->kernel_from = c->from > start ? (start > 0 ? start : 1) : 0;
	c->clocks = p->clocks;
	p->clocks = (struct pf_clocks){ .nclocks = 0 };
	pf_close(p);
	c->p = NULL;
	memset(c->last, 0, sizeof c->last);
	return ok;
}

static bool
pf_cut_second(struct pf_cut *c, struct err *err)
{
	bool ok;

	if (!pf_open(&c->p, &c->l, c->s->st, c->s->work, err))
		return false;
	work_start_bytes(c->s->work, "packets", c->p->file.n);
	ok = pf_packets(c->p, cut_packet, err);
	c->s->told->damaged += damaged(c->p);
	pf_close(c->p);
	return ok;
}

bool
pf_slice(const struct slicing *s, struct err *err)
{
	uint64_t first = fact_value(s->st, FACT_CLOCK_START);
	struct pf_cut *c = mem_array(1, sizeof *c);
	bool ok;

	if (c == NULL)
		return fail(err, E_SYSTEM, "out of memory (packets)");
	c->s = s;
	c->from = s->from == 0 ? 0 : num_add(first, s->from);
	c->to = num_add(first, s->to);
	c->held = HOLDS_INIT;
	ok = pf_cut_first(c, err) && pf_cut_second(c, err);
	held_close(&c->held);
	pf_clocks_close(&c->clocks);
	buf_free(&c->packet);
	buf_free(&c->part);
	buf_free(&c->event);
	for (unsigned i = 0; i < COMPACT_COLUMNS; i++)
		buf_free(&c->column[i]);
	free(c);
	return ok;
}
