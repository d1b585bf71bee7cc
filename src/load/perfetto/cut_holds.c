/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cut_holds: what of a Perfetto trace began before the part and may hold when it begins.
 */
#include "config.h"

#include "cut.h"
#include "ftrace.h"
#include "play.h"

/* ---- the kernel -------------------------------------------------------------------------------------- */

static bool
hold_compact(struct pf_cut *c, const struct pf_bundle *b, bool switches, struct err *err)
{
	struct pf_compact k;
	uint64_t time;

	pf_compact_open(c, b, switches, &k);
	while (pf_compact_next(&k) && pf_bundle_time(c, b, k.raw, &time)) {
		uint32_t before = c->last[b->cpu] > 0 ? c->last[b->cpu] - 1 : 0;

		if (time < c->from && switches && !active_switch(&c->active, b->cpu, before, (uint32_t)k.v[2],
		    time, k.id, err))
			return false;
		if (time < c->from && !switches &&
		    !active_last(&c->active, active_key(ACTIVE_WAKING, (uint32_t)k.v[1]), time, k.id, err))
			return false;
		if (switches)
			c->last[b->cpu] = (uint32_t)k.v[2] + 1;
	}
	return true;
}

static bool
hold_bundle(struct pf_cut *c, struct str message, uint32_t sequence, struct err *err)
{
	struct str rest = message;
	struct kernel_event e;
	struct pf_bundle b;
	struct proto_field f;
	struct pf_event_of of;
	uint64_t time;
	bool bad = false;

	if (!pf_bundle_open(message, sequence, &b))
		return true;
	while (proto_next_whole(&rest, &f, &bad)) {
		if (f.number != 2 || f.wire != PROTO_BYTES)
			continue;
		if (pf_event_read(f.in, &e, &of) && pf_bundle_time(c, &b, of.time, &time) && time < c->from &&
		    !active_event(&c->active, b.cpu, of.tid, time, pf_offset(c->p, f.in.s), &e, err))
			return false;
	}
	return b.compact.n == 0 || (hold_compact(c, &b, true, err) && hold_compact(c, &b, false, err));
}

/* ---- track events ---------------------------------------------------------------------------------- */

/*
 * Events without a track belong to the thread of the sequence.  Calls of a thread nest, whatever their
 * source.
 */
static uint64_t
track_key(const struct pf_cut *c, const struct pf_row *r, const struct pf_track_event *e,
    const struct pf_old_event *old, enum active_kind kind)
{
	const struct pf_state *s = pf_state(c->p, r->a);
	uint64_t uuid = e->has_track ? e->track : s->has_track ? s->track : 0;
	const struct pf_track *t = uuid != 0 ? pf_track_known(c->p, uuid) : NULL;

	if (uuid == 0)
		return active_key(ACTIVE_CALL, old->has_tid ? (uint32_t)old->tid : s->tid);
	return kind == ACTIVE_TRACK && t != NULL && t->has_tid && !t->apart ?
	    active_key(ACTIVE_CALL, t->tid) :
	    active_key(kind, uuid);
}

/* Old events that are asynchronous are known by their numbers. */
static uint64_t
hold_old_key(const struct pf_cut *c, const struct pf_row *r, const struct pf_old_event *old)
{
	uint64_t pid = old->has_local_id ? pf_state(c->p, r->a)->pid : 0;

	return active_key(ACTIVE_OLD, idmap_hash_text(old->id_scope, idmap_hash(pf_old_id(old) ^ pid << 32)));
}

static bool
hold_track_event(struct pf_cut *c, const struct pf_row *r, struct str message, struct err *err)
{
	uint64_t at = pf_offset(c->p, message.s);
	struct active *h = &c->active;
	struct pf_track_event e;
	struct pf_old_event old;

	if (!pf_track_event_read(message, &e, NULL) || !pf_old_event_read(e.old, &old, NULL))
		return true;
	if (e.type == TYPE_STATE)
		return active_last(h, track_key(c, r, &e, &old, ACTIVE_STATE), r->time, at, err);
	switch (old.phase) {
	case 'X':
		return old.duration <= (c->from - r->time) / 1000 ||
		    active_last(h, active_key(ACTIVE_WHOLE, at), r->time, at, err);
	case 'b': case 'S': case 'e': case 'F':
		return active_span(h, hold_old_key(c, r, &old), r->time, at, old.phase == 'b' ||
		    old.phase == 'S', err);
	case 'B': case 'E':
		e.type = old.phase == 'B' ? TYPE_BEGIN : TYPE_END;
		break;
	case 0:
		break;
	default:
		return true;
	}
	return (e.type != TYPE_BEGIN && e.type != TYPE_END) ||
	    active_span(h, track_key(c, r, &e, &old, ACTIVE_TRACK), r->time, at, e.type == TYPE_BEGIN, err);
}

/* Values of incremental counters do not hold. */
static bool
hold_level(struct pf_cut *c, const struct pf_row *r, struct str message, struct err *err)
{
	const struct pf_track *t = pf_track_known(c->p, r->at);
	struct pf_track_event e;

	if (t == NULL || t->incremental || !pf_track_event_read(message, &e, NULL) || e.type != TYPE_LEVEL)
		return true;
	return active_last(&c->active, active_key(ACTIVE_VALUE, r->at), r->time,
	    pf_offset(c->p, message.s), err);
}

/* A message that begins with a number, such as a frame, its end, a process or a thread. */
#define NUMBERED(F) F(1, number, U64)
SHAPE(hold_numbered, "numbered", NUMBERED)

/* Frames; the end, the fifth kind, has the same cookie. */
static bool
hold_frame(struct pf_cut *c, uint64_t time, struct str message, struct err *err)
{
	struct hold_numbered frame;

	PROTO_EACH(message, w)
		if (w.f.number <= 5 && w.f.wire == PROTO_BYTES && hold_numbered_read(w.f.in, &frame, NULL))
			return active_span(&c->active, active_key(ACTIVE_FRAME, frame.number), time,
			    pf_offset(c->p, message.s), w.f.number != 5, err);
	return true;
}

/* Processes and threads replace what the kernel said of them before. */
static bool
hold_tree(struct pf_cut *c, uint64_t time, struct str message, struct err *err)
{
	struct hold_numbered task;

	PROTO_EACH(message, w) {
		uint64_t at = pf_offset(c->p, w.f.in.s);

		if (w.f.number > 2 || w.f.wire != PROTO_BYTES || !hold_numbered_read(w.f.in, &task, NULL))
			continue;
		if (!active_last(&c->active, active_key(ACTIVE_MADE, (uint32_t)task.number), time, at, err) ||
		    !active_last(&c->active, active_key(ACTIVE_NAMED, (uint32_t)task.number), time, at, err))
			return false;
	}
	return true;
}

/* ---- reading ------------------------------------------------------------------------------------- */

uint32_t
pf_cut_clock(const struct pf_cut *c, const struct pf_packet *k, const struct pf_clocks *clocks)
{
	const struct pf_sequence *q;
	uint32_t clock = (uint32_t)pf_field(k, PKT_CLOCK)->value;
	uint32_t at = idmap_get(&c->p->seq.by_sequence,
	    (uint64_t)(uint32_t)pf_field(k, PKT_SEQUENCE)->value + 1);

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
	if (c->late && !pf_clock_convert(&c->clocks,
	    pf_clock_key((uint32_t)pf_field(k, PKT_SEQUENCE)->value, pf_cut_clock(c, k, &c->clocks)),
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

/* ---- packets ----------------------------------------------------------------------------------------- */

bool
pf_hold(struct perfetto *p, const struct pf_packet *k, struct err *err)
{
	struct pf_cut *c = pf_cut_of(p);
	const struct pf_row *event, *level;
	struct str track_event = pf_field(k, PKT_TRACK_EVENT)->in, frame = pf_field(k, PKT_FRAME)->in,
	    tree = pf_field(k, PKT_PROCESS_TREE)->in, bundle = pf_field(k, PKT_FTRACE)->in;
	bool before;

	if (!pf_cut_read(c, k, err))
		return false;
	/* Packets before the snapshot of their clock are rare. */
	if (c->late || c->skipped)
		return true;
	event = pf_cut_row(c, PF_TRACK_EVENT);
	level = pf_cut_row(c, PF_LEVEL);
	before = c->now >= 0 && (uint64_t)c->now < c->from;
	if (event != NULL ? event->time < c->from && !hold_track_event(c, event, track_event, err) :
	    level != NULL && level->time < c->from && !hold_level(c, level, track_event, err))
		return false;
	if (before && ((frame.n > 0 && !hold_frame(c, (uint64_t)c->now, frame, err)) ||
	    (tree.n > 0 && !hold_tree(c, (uint64_t)c->now, tree, err))))
		return false;
	return bundle.n == 0 || hold_bundle(c, bundle, (uint32_t)pf_field(k, PKT_SEQUENCE)->value, err);
}
