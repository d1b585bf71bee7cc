/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * state: the names, defaults and thread that earlier packets of a sequence define and later ones refer to.
 *
 * A sequence that lost packets has lost them until it is cleared.  Its state is a row that is never
 * changed, so that what happened can refer to the state of its time.
 */
#include "config.h"

#include "perfetto.h"

struct pf_sequence *
pf_sequence(struct perfetto *p, uint32_t id, struct err *err)
{
	struct pf_sequence new = { .lost = true, .trace = p->count[PF_CONCATENATED] }, *q;

	if ((q = PF_ENTRY(p->seq, by_sequence, (uint64_t)id + 1, sequences, new, "sequences", err)) == NULL)
		return NULL;
	/* The state does not outlive its trace; concatenated traces start without one. */
	if (q->trace != p->count[PF_CONCATENATED])
		*q = new;
	return q;
}

/* Add a state like that of the sequence, that may be changed. */
static struct pf_state *
pf_state_next(struct perfetto *p, struct pf_sequence *q, struct err *err)
{
	struct pf_state new = { .names = 0 };

	if (q->state != 0)
		new = *pf_state(p, q->state);
	if (!PF_ADD(p->seq, states, new, "states of sequences", err))
		return NULL;
	q->state = (uint32_t)p->seq.nstates;
	return &SCRATCH(p->seq.states, struct pf_state)[p->seq.nstates - 1];
}

bool
pf_thread_described(struct perfetto *p, struct str m, uint32_t sequence, struct err *err)
{
	struct pf_sequence *q = pf_sequence(p, sequence, err);
	struct pf_thread_in in;
	struct pf_state *s;

	if (q == NULL)
		return false;
	(void)pf_thread_in_read(m, &in, &p->unread);
	if (sequence == 0 || q->state == 0 || !pf_state(p, q->state)->valid)
		return true;
	if ((s = pf_state_next(p, q, err)) == NULL)
		return false;
	s->pid = (uint32_t)in.pid;
	s->tid = (uint32_t)in.tid;
	q->time = (int64_t)(in.us * 1000);
	q->cpu = (int64_t)(in.cpu_us * 1000);
	q->based = true;
	return true;
}

/* ---- interned names --------------------------------------------------------------------- */

static uint64_t
state_key_of(uint32_t names, unsigned field, uint64_t iid)
{
	return idmap_hash(idmap_hash((uint64_t)names << 8 | field) ^ iid) | 1;
}

/* The first meaning of a number counts. */
SHAPE(state_name, "name", FIELDS_NAMED)
SHAPE(state_interned, "interned_data", FIELDS_INTERNED)

bool
pf_intern(struct perfetto *p, uint32_t names, struct str data, unsigned from, unsigned field, struct err *err)
{
	struct proto_field f;
	struct state_interned all;
	struct state_name name;
	bool bad = false;

	if (field == 0)
		(void)state_interned_read(data, &all, &p->unread);
	while (proto_next_whole(&data, &f, &bad)) {
		struct pf_interned new = { .n = (uint32_t)f.in.n, .names = names, .field = field != 0 ?
		    field : (uint32_t)f.number };

		if (f.wire != PROTO_BYTES || f.number > 255 || f.in.n > UINT32_MAX ||
		    (field != 0 && f.number != from))
			continue;
		bad |= !state_name_read(f.in, &name, NULL);
		new.at = pf_offset(p, f.in.s);
		new.iid = name.iid;
		if (PF_ENTRY(p->seq, by_name, state_key_of(names, new.field, new.iid), interned, new,
		    "interned names", err) == NULL)
			return false;
	}
	p->count[PF_BAD_PACKETS] += bad;
	return true;
}

struct pf_interned *
pf_interned(const struct perfetto *p, uint32_t state, unsigned field, uint64_t iid)
{
	uint32_t names = state == 0 ? 0 : pf_state(p, state)->names;
	uint32_t at = state == 0 ? 0 : idmap_get(&p->seq.by_name, state_key_of(names, field, iid));
	struct pf_interned *name = at == 0 ? NULL : &SCRATCH(p->seq.interned, struct pf_interned)[at - 1];

	/* Numbers can be chosen so that two have one key. */
	return name != NULL && name->names == names && name->field == field && name->iid == iid ? name : NULL;
}

/* Where the text of a name is: looked for once. */
static void
find_text(const struct perfetto *p, struct pf_interned *name)
{
	struct state_name in;

	(void)state_name_read(pf_bytes(p, name->at, name->n), &in, NULL);
	name->text = in.has_name ? (uint32_t)(in.name.s - pf_bytes(p, name->at, 0).s) : 0;
	name->text_n = (uint32_t)str_head(in.name, PF_TEXT_MOST).n;
	name->looked = true;
}

bool
pf_interned_text(const struct perfetto *p, uint32_t state, unsigned field, uint64_t iid, struct str *text)
{
	struct pf_interned *name = pf_interned(p, state, field, iid);

	*text = STR("");
	if (name == NULL)
		return false;
	if (!name->looked)
		find_text(p, name);
	*text = pf_bytes(p, name->at + name->text, name->text_n);
	return true;
}

/* ---- what a packet changes ------------------------------------------------------------------ */

SHAPE(state_defaults, "trace_packet_defaults", FIELDS_DEFAULTS)

static void
read_defaults(struct perfetto *p, struct pf_state *s, struct str m)
{
	struct state_defaults d;
	struct pf_track_event track;

	s->event = 0;
	p->count[PF_BAD_PACKETS] += !state_defaults_read(m, &d, &p->unread);
	p->count[PF_BAD_PACKETS] += !pf_track_event_read(d.event, &track, NULL);
	s->clock = (uint32_t)d.clock;
	s->perf = pf_place(p, d.perf);
	s->stack = pf_place(p, d.stack);
	s->more = pf_place(p, d.event);
	s->track = track.track;
	s->has_track = track.has_track;
}

/* A clear, or a loss. */
static bool
begin_state(struct perfetto *p, const struct pf_packet *k, struct pf_sequence *q, struct err *err)
{
	bool cleared = pf_field(k, PKT_CLEARED)->value != 0 ||
	    (pf_field(k, PKT_FLAGS)->value & FLAG_CLEARED) != 0;
	bool dropped = pf_field(k, PKT_DROPPED)->value != 0;
	struct pf_state *s;

	if (dropped && q->seen) {
		p->count[PF_DROPPED]++;
		pf_recorded_dropped(p, pf_field(k, PKT_DROPPED)->value);
	}
	q->seen = true;
	if (!cleared && !dropped && q->state != 0)
		return true;
	if ((s = pf_state_next(p, q, err)) == NULL)
		return false;
	s->valid = cleared;
	q->lost = cleared ? false : dropped ? true : q->lost;
	if (cleared) {
		s->names = ++p->seq.nnames;
		s->clock = 0;
		s->has_track = false;
		s->more.n = s->perf.n = s->stack.n = s->event = 0;
	}
	q->based = q->based && !cleared && !dropped;
	return true;
}

bool
pf_state_of(struct perfetto *p, const struct pf_packet *k, uint32_t *sequence, uint32_t *state,
    struct err *err)
{
	const struct proto_field *names = pf_field(k, PKT_INTERNED), *defaults = pf_field(k, PKT_DEFAULTS);
	struct pf_sequence *q;
	struct pf_state *s;

	*sequence = (uint32_t)pf_field(k, PKT_SEQUENCE)->value;
	if ((q = pf_sequence(p, *sequence, err)) == NULL || (*sequence != 0 && !begin_state(p, k, q, err)) ||
	    (q->state == 0 && pf_state_next(p, q, err) == NULL))
		return false;
	if (defaults->wire == PROTO_BYTES && defaults->number != 0 && *sequence != 0) {
		if ((s = pf_state_next(p, q, err)) == NULL)
			return false;
		read_defaults(p, s, defaults->in);
	}
	if (names->in.n > 0 && *sequence != 0 && !q->lost &&
	    !pf_intern(p, pf_state(p, q->state)->names, names->in, 0, 0, err))
		return false;
	*state = q->state;
	if ((pf_field(k, PKT_FLAGS)->value & FLAG_NEEDS) != 0 && (q->lost || *sequence == 0)) {
		p->count[PF_SKIPPED_STATE]++;
		*state = 0;
	}
	return true;
}
