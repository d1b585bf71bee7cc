/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cut_holds: what of a Perfetto trace began before the part and may hold when it begins.
 */
#include "config.h"

#include "cut.h"
#include "ftrace.h"
#include "play.h"


/* Events that begin and end something on their CPU or in their thread. */
static const struct { uint16_t begins, ends; bool cpu; } pairs[] = {
	{ KIND_SOFTIRQ_ENTRY, KIND_SOFTIRQ_EXIT, true }, { KIND_IRQ_ENTRY, KIND_IRQ_EXIT, true },
	{ KIND_WORK_START, KIND_WORK_END, false }, { KIND_SYSCALL, KIND_SYSCALL_END, false }, { KIND_GRAPH_ENTRY, KIND_GRAPH_EXIT, false }
};

/* ---- the kernel -------------------------------------------------------------------------------------- */

static bool
hold_pair(struct pf_cut *c, uint64_t kind, uint64_t cpu, uint64_t tid, uint64_t time, uint64_t at, struct err *err)
{
	for (size_t i = 0; i < NELEM(pairs); i++)
		if (kind == pairs[i].begins || kind == pairs[i].ends)
			return held_span(&c->held, held_key((enum held_kind)(HELD_PAIRS + i), pairs[i].cpu ? cpu : tid), time, at,
			    kind == pairs[i].begins, err);
	return true;
}

/* The first message says what it is. */
static bool
hold_kernel(struct pf_cut *c, const struct pf_bundle *b, struct str event, uint64_t time, struct err *err)
{
	uint64_t at = pf_offset(c->p, event.s), kind = 0, tid = 0;
	struct holds *h = &c->held;
	struct str own = STR(""), text;
	struct proto_field f;
	struct msg m;
	bool bad = false;

	while (proto_next_whole(&event, &f, &bad)) {
		if (f.number == 2 && f.wire == PROTO_VARINT)
			tid = (uint32_t)f.value;
		if (f.wire == PROTO_BYTES && kind == 0) {
			kind = f.number;
			own = f.in;
		}
	}
	if (bad || !msg_read(own, &m))
		return true;
	switch (kind) {
	case KIND_SWITCH:
		return held_switch(h, b->cpu, (uint32_t)m.v[2], (uint32_t)m.v[6], time, at, err);
	case KIND_WAKING: case KIND_WAKEUP: case KIND_WAKEUP_NEW:
		return held_last(h, held_key(HELD_WAKING, (uint32_t)m.v[2]), time, at, err);
	case KIND_NEW_TASK:
		return held_last(h, held_key(HELD_MADE, (uint32_t)m.v[1]), time, at, err);
	case KIND_RENAME:
		return held_last(h, held_key(HELD_NAMED, (uint32_t)m.v[1]), time, at, err);
	case KIND_PRINT:
		for (text = m.s[2]; text.n > 0 && (text.s[text.n - 1] == '\n' || text.s[text.n - 1] == '\0'); )
			text.n--;
		return held_mark(h, (uint32_t)tid, time, at, text, err);
	case KIND_CPU_FREQUENCY: case KIND_CPU_IDLE:
		return held_last(h, held_key(HELD_FREQUENCY, kind << 32 | m.v[2]), time, at, err);
	case KIND_CPU_LIMITS:
		return held_last(h, held_key(HELD_FREQUENCY, kind << 32 | m.v[3]), time, at, err);
	case KIND_GPU_FREQUENCY:
		return held_last(h, held_key(HELD_FREQUENCY, kind << 32 | m.v[1]), time, at, err);
	case KIND_CLOCK_RATE:
		return held_last(h, held_key(HELD_FREQUENCY, idmap_hash_text(m.s[1], kind)), time, at, err);
	default:
		return hold_pair(c, kind, b->cpu, tid, time, at, err);
	}
}

static bool
hold_compact(struct pf_cut *c, const struct pf_bundle *b, bool switches, struct err *err)
{
	struct pf_compact k;
	uint64_t time;

	pf_compact_open(c, b, switches, &k);
	while (pf_compact_next(&k) && pf_bundle_time(c, b, k.raw, &time)) {
		uint32_t before = c->last[b->cpu] > 0 ? c->last[b->cpu] - 1 : 0;

		if (time < c->from && switches && !held_switch(&c->held, b->cpu, before, (uint32_t)k.v[2], time, k.id, err))
			return false;
		if (time < c->from && !switches && !held_last(&c->held, held_key(HELD_WAKING, (uint32_t)k.v[1]), time, k.id, err))
			return false;
		if (switches)
			c->last[b->cpu] = (uint32_t)k.v[2] + 1;
	}
	return true;
}

static bool
hold_bundle(struct pf_cut *c, struct str message, uint32_t sequence, struct err *err)
{
	struct str rest = message, in;
	struct pf_bundle b;
	struct proto_field f, e;
	uint64_t time, raw;
	bool bad = false;

	if (!pf_bundle_open(c, message, sequence, &b))
		return true;
	while (proto_next_whole(&rest, &f, &bad)) {
		if (f.number != 2 || f.wire != PROTO_BYTES)
			continue;
		for (raw = 0, in = f.in; proto_next_whole(&in, &e, &bad); )
			raw = e.number == 1 && e.wire == PROTO_VARINT ? e.value : raw;
		if (pf_bundle_time(c, &b, raw, &time) && time < c->from && !hold_kernel(c, &b, f.in, time, err))
			return false;
	}
	return b.compact.n == 0 || (hold_compact(c, &b, true, err) && hold_compact(c, &b, false, err));
}

/* ---- track events ---------------------------------------------------------------------------------- */

/* Events without a track belong to the thread of the sequence.  Calls of a thread nest, whatever their source. */
static uint64_t
track_key(const struct pf_cut *c, const struct pf_row *r, const struct msg *e, const struct msg *old, enum held_kind kind)
{
	const struct pf_state *s = pf_state(c->p, r->a);
	uint64_t uuid = msg_has(e, EVENT_TRACK) ? e->v[EVENT_TRACK] : s->has_track ? s->track : 0;
	const struct pf_track *t = uuid != 0 ? pf_track_known(c->p, uuid) : NULL;

	if (uuid == 0)
		return held_key(HELD_CALL, msg_has(old, OLD_TID) ? (uint32_t)old->v[OLD_TID] : s->tid);
	return kind == HELD_TRACK && t != NULL && t->has_tid && !t->apart ? held_key(HELD_CALL, t->tid) : held_key(kind, uuid);
}

/* Old events that are asynchronous are known by their numbers. */
static uint64_t
hold_old_key(const struct pf_cut *c, const struct pf_row *r, const struct msg *old)
{
	uint64_t id = msg_has(old, OLD_ID) ? old->v[OLD_ID] : msg_has(old, OLD_LOCAL_ID) ? old->v[OLD_LOCAL_ID] : old->v[OLD_GLOBAL_ID];
	uint64_t pid = msg_has(old, OLD_LOCAL_ID) ? pf_state(c->p, r->a)->pid : 0;

	return held_key(HELD_OLD, idmap_hash_text(old->s[OLD_SCOPE], idmap_hash(id ^ pid << 32)));
}

static bool
hold_track_event(struct pf_cut *c, const struct pf_row *r, struct str message, struct err *err)
{
	uint64_t at = pf_offset(c->p, message.s), type, phase;
	struct holds *h = &c->held;
	struct msg e, old;

	if (!msg_read(message, &e) || !msg_read(e.s[EVENT_OLD], &old))
		return true;
	type = e.v[EVENT_TYPE];
	phase = old.v[OLD_PHASE];
	if (type == TYPE_STATE)
		return held_last(h, track_key(c, r, &e, &old, HELD_STATE), r->time, at, err);
	switch (phase) {
	case 'X':
		if (old.v[OLD_DURATION] > (c->from - r->time) / 1000)
			return held_last(h, held_key(HELD_WHOLE, at), r->time, at, err);
		return true;
	case 'b': case 'S':
		return held_span(h, hold_old_key(c, r, &old), r->time, at, true, err);
	case 'e': case 'F':
		return held_span(h, hold_old_key(c, r, &old), r->time, at, false, err);
	default:
		break;
	}
	if (phase == 'B' || (phase == 0 && type == TYPE_BEGIN))
		return held_span(h, track_key(c, r, &e, &old, HELD_TRACK), r->time, at, true, err);
	if (phase == 'E' || (phase == 0 && type == TYPE_END))
		return held_span(h, track_key(c, r, &e, &old, HELD_TRACK), r->time, at, false, err);
	return true;
}

/* Values of incremental counters do not hold. */
static bool
hold_level(struct pf_cut *c, const struct pf_row *r, struct str message, struct err *err)
{
	const struct pf_track *t = pf_track_known(c->p, r->at);
	struct msg e;

	if (t == NULL || t->incremental || !msg_read(message, &e) || e.v[EVENT_TYPE] != TYPE_LEVEL)
		return true;
	return held_last(&c->held, held_key(HELD_VALUE, r->at), r->time, pf_offset(c->p, message.s), err);
}

/* Frames; the end has the same cookie. */
static bool
hold_frame(struct pf_cut *c, uint64_t time, struct str message, struct err *err)
{
	uint64_t at = pf_offset(c->p, message.s);
	struct proto_field f;
	struct msg m;
	bool bad = false;

	while (proto_next_whole(&message, &f, &bad))
		if (f.number >= 1 && f.number <= 5 && f.wire == PROTO_BYTES && msg_read(f.in, &m))
			return held_span(&c->held, held_key(HELD_FRAME, m.v[1]), time, at, f.number != 5, err);
	return true;
}

/* {1 {1 pid} process, 2 {1 tid} thread}: these replace what the kernel said of them before. */
static bool
hold_tree(struct pf_cut *c, uint64_t time, struct str message, struct err *err)
{
	struct proto_field f;
	struct msg m;
	bool bad = false;

	while (proto_next_whole(&message, &f, &bad)) {
		if ((f.number != 1 && f.number != 2) || f.wire != PROTO_BYTES || !msg_read(f.in, &m))
			continue;
		if (!held_last(&c->held, held_key(HELD_MADE, (uint32_t)m.v[1]), time, pf_offset(c->p, f.in.s), err) ||
		    !held_last(&c->held, held_key(HELD_NAMED, (uint32_t)m.v[1]), time, pf_offset(c->p, f.in.s), err))
			return false;
	}
	return true;
}

/* ---- packets ----------------------------------------------------------------------------------------- */

bool
pf_hold(struct perfetto *p, const struct pf_packet *k, struct err *err)
{
	struct pf_cut *c = pf_cut_of(p);
	const struct pf_row *event, *level;

	if (!pf_cut_read(c, k, err))
		return false;
	/* Packets before the snapshot of their clock are rare. */
	if (c->late || c->skipped)
		return true;
	event = pf_cut_row(c, PF_TRACK_EVENT);
	level = pf_cut_row(c, PF_LEVEL);
	if (event != NULL && event->time < c->from && !hold_track_event(c, event, pf_field(k, PKT_TRACK_EVENT)->in, err))
		return false;
	if (event == NULL && level != NULL && level->time < c->from && !hold_level(c, level, pf_field(k, PKT_TRACK_EVENT)->in, err))
		return false;
	if (pf_field(k, PKT_FRAME)->in.n > 0 && c->now >= 0 && (uint64_t)c->now < c->from &&
	    !hold_frame(c, (uint64_t)c->now, pf_field(k, PKT_FRAME)->in, err))
		return false;
	if (pf_field(k, PKT_PROCESS_TREE)->in.n > 0 && c->now >= 0 && (uint64_t)c->now < c->from &&
	    !hold_tree(c, (uint64_t)c->now, pf_field(k, PKT_PROCESS_TREE)->in, err))
		return false;
	return pf_field(k, PKT_FTRACE)->in.n == 0 || hold_bundle(c, pf_field(k, PKT_FTRACE)->in, (uint32_t)pf_field(k, PKT_SEQUENCE)->value, err);
}
