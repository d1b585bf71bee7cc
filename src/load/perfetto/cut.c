/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cut: the packets of a Perfetto trace.
 *
 * Packets are kept whole, except bundles of kernel events and lines of a log, which are selected one by
 * one.  If the event of a packet is dropped, its names, defaults and clears are kept.  Times relative to
 * earlier packets are rewritten.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/facts.h"
#include "cut.h"

/* ---- what a packet becomes ------------------------------------------------------------------------ */

/* Where a packet is: its events are in the part, or hold when it begins. */
enum pf_where { PF_OUTSIDE, PF_INSIDE, PF_ACTIVE };

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
		if (row[i].kind < PF_TRACK_EVENT || row[i].kind == PF_DESCRIBED || pf_row_logged(&row[i]) ||
		    row[i].time == 0)
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
	if (*time >= c->from || (event->number == 0 && pf_field(k, PKT_FRAME)->number == 0) ||
	    !active_is(&c->active, at, &above))
		return PF_OUTSIDE;
	*time = c->from - (above < c->from ? above : 0);
	return PF_ACTIVE;
}

/* The clock of the packet is incremental: its time must be rewritten. */
static bool
is_incremental(const struct pf_cut *c, const struct pf_packet *k)
{
	const struct pf_clocks *clocks = c->late ? &c->clocks : &c->p->clocks;
	uint32_t at = idmap_get(&clocks->by_key, pf_clock_key((uint32_t)pf_field(k, PKT_SEQUENCE)->value,
	    pf_cut_clock(c, k, clocks)));

	return at > 0 && SCRATCH(clocks->clocks, struct pf_clock)[at - 1].incremental;
}

/* A track event without times that are differences; one that begins at another time lasts as long less. */
static void
put_track_event(struct pf_cut *c, struct str m, uint64_t clipped)
{
	const struct pf_row *row = pf_cut_row(c, PF_TRACK_EVENT);
	struct pf_old_event old;

	buf_clear(&c->event);
	PROTO_EACH(m, w) {
		if (w.f.number == EVENT_DELTA || w.f.number == EVENT_TIME)
			continue;
		if (w.f.number == EVENT_CPU_DELTA) {
			if (row != NULL && row->b != 0)
				proto_put_number(&c->event, EVENT_CPU,
				    (uint64_t)SCRATCH(c->p->row.cpus, int64_t)[row->b - 1] / 1000);
			continue;
		}
		if (w.f.number != EVENT_OLD || w.f.wire != PROTO_BYTES ||
		    !pf_old_event_read(w.f.in, &old, NULL) || old.phase != 'X') {
			buf_str(&c->event, w.raw);
			continue;
		}
		buf_clear(&c->part);
		PROTO_EACH(w.f.in, in)
			if (in.f.number != OLD_DURATION)
				buf_str(&c->part, in.raw);
		proto_put_number(&c->part, OLD_DURATION, old.duration - (clipped + 999) / 1000);
		proto_put_bytes(&c->event, EVENT_OLD, buf_view(&c->part));
	}
	proto_put_bytes(&c->packet, PKT_TRACK_EVENT, buf_view(&c->event));
}

/* Lines of a log that are in the part. */
static void
put_log(struct pf_cut *c, struct str m, bool *some)
{
	const struct pf_row *row = SCRATCH(c->p->row.rows, struct pf_row);

	buf_clear(&c->part);
	PROTO_EACH(m, w) {
		bool line = w.f.number == 1, keep = !line;

		for (uint64_t i = 0; line && i < c->p->row.nrows; i++)
			keep |= pf_row_logged(&row[i]) && row[i].at == pf_offset(c->p, w.f.in.s) &&
			    pf_cut_has(c, row[i].time);
		if (keep)
			buf_str(&c->part, w.raw);
		*some |= keep;
		c->s->counts->kept += keep && line;
		c->s->counts->left_out += !keep;
	}
	if (*some)
		proto_put_bytes(&c->packet, PKT_LOG, buf_view(&c->part));
}

/* Keep the descriptions in a packet outside the part, and their session or GPU; *some: there are any. */
static void
put_described(struct pf_cut *c, const struct proto_field *packet, bool *some)
{
	bool any = false;

	if (packet->number != PKT_RAILS && packet->number != PKT_GPU)
		return;
	buf_clear(&c->part);
	PROTO_EACH(packet->in, w)
		if (w.f.number == 1 || w.f.number == 3) {
			buf_str(&c->part, w.raw);
			any |= w.f.number == 1;
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
	return c->part.bad ? fail(err, E_SYSTEM, "out of memory (packets)") :
	    slice_put(c->s, buf_view(&c->part), err);
}

/* Place and new time of a packet. */
struct pf_put {
	enum pf_where	where;
	uint64_t	time, clipped;
	bool		timed;		/* the time is rewritten */
};

/* Copy an event; *some: it is kept. */
static bool
cut_event(struct pf_cut *c, const struct pf_packet *k, const struct proto_walk *w, const struct pf_put *put,
    bool *some, struct err *err)
{
	const struct proto_field *f = &w->f;
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
		c->s->counts->kept += put->where == PF_INSIDE;
		c->s->counts->moved += put->where == PF_ACTIVE;
		c->s->counts->left_out += !any;
		if (any && put->timed && f->number == PKT_TRACK_EVENT && f->wire == PROTO_BYTES)
			put_track_event(c, f->in, put->clipped);
		else if (any)
			buf_str(&c->packet, w->raw);
		else if (!c->skipped)
			put_described(c, f, &any);
	}
	*some |= any;
	return true;
}

/*
 * The time must be rewritten if the event is moved to the start of the part, or is relative to earlier
 * packets.
 */
static void
put_of(struct pf_cut *c, const struct pf_packet *k, struct pf_put *put)
{
	const struct pf_row *row = pf_cut_row(c, PF_TRACK_EVENT);
	uint64_t was = row != NULL ? row->time : 0;
	struct pf_track_event e;

	*put = (struct pf_put){ .time = 0 };
	put->where = where(c, k, &put->time);
	put->timed = put->where == PF_ACTIVE || (!c->skipped && c->now >= 0 && is_incremental(c, k));
	(void)pf_track_event_read(pf_field(k, PKT_TRACK_EVENT)->in, &e, NULL);
	put->timed |= e.has_delta && c->p->row.nrows > 0;
	put->clipped = put->where == PF_ACTIVE && row != NULL && put->time > was ? put->time - was : 0;
}

static bool
cut_packet(struct perfetto *p, const struct pf_packet *k, struct err *err)
{
	struct pf_cut *c = pf_cut_of(p);
	const struct pf_kind *kind;
	struct pf_put put;
	bool some = false;

	if (!pf_cut_read(c, k, err))
		return false;
	put_of(c, k, &put);
	buf_clear(&c->packet);
	PROTO_EACH(k->body, w) {
		if (put.timed && (w.f.number == PKT_TIME || w.f.number == PKT_CLOCK))
			continue;
		kind = pf_kind(w.f.number);
		if (kind != NULL && (kind->kept || kind->name == NULL)) {
			some |= kind->kept || (w.f.number == PKT_FLAGS && (w.f.value & FLAG_CLEARED) != 0);
			buf_str(&c->packet, w.raw);
		} else if (!cut_event(c, k, &w, &put, &some, err))
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
	return p->count[PF_BAD_PACKETS] + p->count[PF_CUT] + p->count[PF_BAD_FRAMING] + p->count[PF_RESYNCS] +
	    p->count[PF_BAD_PACKED];
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
	ok = pf_packets(p, pf_hold, err) && active_settle(&c->active, c->s->work, err);
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
	c->s->counts->damaged += damaged(c->p);
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
	c->active = ACTIVE_INIT;
	ok = pf_cut_first(c, err) && pf_cut_second(c, err);
	active_close(&c->active);
	pf_clocks_close(&c->clocks);
	buf_free(&c->packet);
	buf_free(&c->part);
	buf_free(&c->event);
	for (unsigned i = 0; i < COMPACT_COLUMNS; i++)
		buf_free(&c->column[i]);
	free(c);
	return ok;
}
