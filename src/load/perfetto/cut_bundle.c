/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cut_bundle: the events of a CPU, one after the other or as arrays.
 */
#include "config.h"

#include <assert.h>

#include "cut.h"

#define EVENT(F) F(1, time, U64)
SHAPE(pf_event_in, "FtraceEvent", EVENT)
SHAPE(pf_bundle_in, "ftrace_events", FIELDS_BUNDLE)

/* Fields of a bundle that are written, or left out. */
enum { BUNDLE_EVENT = 2, BUNDLE_COMPACT = 4, BUNDLE_BEFORE = 9, BUNDLE_BEFORE_NEW = 10 };
/* Columns of arrays. */
enum { COMPACT_SWITCH = 1, COMPACT_NAMES = 5, COMPACT_WAKING = 7, COMPACT_FLAGS = 12 };
enum { CLOCK_BOOT, CLOCK_GLOBAL = 2, CLOCK_LOCAL, CLOCK_HARDWARE };

static const uint8_t columns[2][COMPACT_VALUES] = { { 7, 8, 9, 10, 11 }, { 1, 2, 3, 4, 6 } };

bool
pf_bundle_open(struct str message, uint32_t sequence, struct pf_bundle *b)
{
	struct pf_bundle_in m;

	if (!pf_bundle_in_read(message, &m, NULL) || !m.has_cpu || m.cpu >= PF_CPUS)
		return false;
	*b = (struct pf_bundle){ .compact = m.compact, .cpu = m.cpu, .kinds = m.kinds };
	switch (m.clock) {
	case CLOCK_BOOT:
		b->clock = CLOCK_OF_BOOTTIME;
		return true;
	case CLOCK_HARDWARE:
		b->clock = CLOCK_OF_RAW;
		return true;
	case CLOCK_GLOBAL: case CLOCK_LOCAL:
		b->clock = pf_clock_key(sequence, 64);
		b->clocks = b->cpu == 0 && m.ftrace_time != 0 && m.boot_time != 0;
		return true;
	default:
		return false;
	}
}

bool
pf_bundle_time(struct pf_cut *c, const struct pf_bundle *b, uint64_t raw, uint64_t *time)
{
	struct pf_clocks *clocks = c->late ? &c->clocks : &c->p->clocks;
	int64_t ns = (int64_t)raw;

	if ((b->clock != CLOCK_OF_BOOTTIME || (clocks->trace != 0 && clocks->trace != CLOCK_OF_BOOTTIME)) &&
	    !pf_clock_convert(clocks, b->clock, ns, &ns))
		return false;
	*time = (uint64_t)ns;
	return ns >= 0;
}

/* ---- arrays -------------------------------------------------------------------------------------- */

void
pf_compact_open(const struct pf_cut *c, const struct pf_bundle *b, bool switches, struct pf_compact *k)
{
	*k = (struct pf_compact){ .switches = switches };
	PROTO_EACH(b->compact, w)
		if (w.f.number < COMPACT_COLUMNS && w.f.wire == PROTO_BYTES)
			k->column[w.f.number] = w.f.in;
	/*
	 * Each event has at least a byte in each column: ids of wakings follow those of switches, and all
	 * are inside the message.
	 */
	k->id = b->compact.n > 0 ? pf_offset(c->p, b->compact.s) + (switches ? 0 :
	    k->column[COMPACT_SWITCH].n) : 0;
	k->id--;
	k->flagged = !switches && k->column[COMPACT_FLAGS].n > 0;
}

bool
pf_compact_next(struct pf_compact *k)
{
	for (unsigned i = 0; i < COMPACT_VALUES; i++) {
		struct str *column = &k->column[columns[k->switches][i]];

		if (column->n == 0 || !proto_varint(column, &k->v[i]))
			return false;
	}
	k->flags = 0;
	if (k->flagged && k->column[COMPACT_FLAGS].n > 0 &&
	    !proto_varint(&k->column[COMPACT_FLAGS], &k->flags))
		k->flags = 0;
	k->raw += k->v[0];
	k->i++;
	k->id++;
	return true;
}

/* A text of the table; empty: it is not there. */
static struct str
compact_name(const struct pf_bundle *b, uint64_t number)
{
	SHAPE_EACH(b->compact, COMPACT_NAMES, name)
		if (number-- == 0)
			return name;
	return STR("");
}

/*
 * Write a switch as a single event: the first switch of an array only sets the running task.  {1 time, 2
 * tid, 4 {2 previous, 4 its state, 5 name, 6 next, 7 priority}}.
 */
static void
put_one_switch(struct pf_cut *c, const struct pf_bundle *b, const struct pf_compact *k, uint64_t raw)
{
	uint32_t before = c->last[b->cpu] - 1;

	buf_clear(&c->event);
	proto_put_number(&c->event, 2, before);
	proto_put_number(&c->event, 3, 120);
	proto_put_number(&c->event, 4, k->v[1]);
	proto_put_bytes(&c->event, 5, compact_name(b, k->v[4]));
	proto_put_number(&c->event, 6, k->v[2]);
	proto_put_number(&c->event, 7, k->v[3]);
	/* The message around it uses the space of a column. */
	buf_clear(&c->column[0]);
	proto_put_number(&c->column[0], 1, raw);
	proto_put_number(&c->column[0], 2, before);
	proto_put_bytes(&c->column[0], 4, buf_view(&c->event));
	proto_put_bytes(&c->part, BUNDLE_EVENT, buf_view(&c->column[0]));
}

/* The event is in the part, or holds at its start: then *time becomes that start. */
static bool
kernel_has(struct pf_cut *c, uint64_t id, uint64_t *time, bool *moved)
{
	uint64_t above;

	*moved = false;
	if (*time >= c->to || (*time < c->from && c->kernel_from == 0))
		return *time < c->to;
	if (*time >= c->from)
		return true;
	*moved = *time >= c->kernel_from && active_is(&c->active, id, &above);
	if (*moved)
		*time = c->from - (above < c->from ? above : 0);
	return *moved;
}

/* Append the kept switches or the kept wakings to the columns. */
static void
cut_compact(struct pf_cut *c, const struct pf_bundle *b, bool switches, bool *some)
{
	uint64_t time, was, last = 0, raw;
	struct pf_compact k;
	bool moved;

	pf_compact_open(c, b, switches, &k);
	while (pf_compact_next(&k)) {
		if (!pf_bundle_time(c, b, k.raw, &time))
			break;
		was = time;
		if (!kernel_has(c, k.id, &time, &moved))
			c->s->counts->left_out++;
		else {
			raw = k.raw + (time - was);
			*some = true;
			c->s->counts->kept += !moved;
			c->s->counts->moved += moved;
			if (moved && switches && c->last[b->cpu] != 0)
				put_one_switch(c, b, &k, raw);
			else {
				proto_put_varint(&c->column[columns[switches][0]], raw - last);
				last = raw;
				for (unsigned i = 1; i < COMPACT_VALUES; i++)
					proto_put_varint(&c->column[columns[switches][i]], k.v[i]);
				if (k.flagged)
					proto_put_varint(&c->column[COMPACT_FLAGS], k.flags);
			}
		}
		if (switches)
			c->last[b->cpu] = (uint32_t)k.v[2] + 1;
	}
}

/* Both kinds, with the names. */
static void
put_compact(struct pf_cut *c, const struct pf_bundle *b, bool *some)
{
	bool any = false;

	for (unsigned i = 0; i < COMPACT_COLUMNS; i++)
		buf_clear(&c->column[i]);
	cut_compact(c, b, true, some);
	cut_compact(c, b, false, some);
	buf_clear(&c->event);
	SHAPE_EACH(b->compact, COMPACT_NAMES, name)
		proto_put_bytes(&c->event, COMPACT_NAMES, name);
	for (unsigned i = 1; i < COMPACT_COLUMNS; i++)
		if (c->column[i].n > 0) {
			proto_put_bytes(&c->event, i, buf_view(&c->column[i]));
			any = true;
		}
	if (any)
		proto_put_bytes(&c->part, BUNDLE_COMPACT, buf_view(&c->event));
}

/* ---- events ---------------------------------------------------------------------------------------- */

/* The event at another time. */
static void
put_moved(struct pf_cut *c, struct str event, uint64_t raw)
{
	buf_clear(&c->event);
	proto_put_number(&c->event, 1, raw);
	PROTO_EACH(event, w)
		if (w.f.number != 1)
			buf_str(&c->event, w.raw);
	proto_put_bytes(&c->part, BUNDLE_EVENT, buf_view(&c->event));
}

static void
put_kernel_event(struct pf_cut *c, const struct pf_bundle *b, struct str event, bool *some)
{
	struct pf_event_in e;
	uint64_t time, was;
	bool whole = pf_event_in_read(event, &e, NULL) && e.has_time, moved;

	if (!whole || !pf_bundle_time(c, b, e.time, &time)) {
		c->s->counts->damaged += !whole;
		return;
	}
	was = time;
	if (!kernel_has(c, pf_offset(c->p, event.s), &time, &moved)) {
		c->s->counts->left_out++;
		return;
	}
	*some = true;
	c->s->counts->kept += !moved;
	c->s->counts->moved += moved;
	if (moved)
		put_moved(c, event, e.time + (time - was));
	else
		proto_put_bytes(&c->part, BUNDLE_EVENT, event);
}

bool
pf_bundle_cut(struct pf_cut *c, struct str message, uint32_t sequence, bool *some, struct err *err)
{
	struct pf_bundle b;
	bool bad;

	buf_clear(&c->part);
	*some = false;
	if (!pf_bundle_open(message, sequence, &b)) {
		c->s->counts->damaged++;
		return true;
	}
	PROTO_EACH(message, w)
		if (w.f.number == BUNDLE_EVENT && w.f.wire == PROTO_BYTES)
			put_kernel_event(c, &b, w.f.in, some);
		/* With these fields the loader would skip the events that hold. */
		else if (w.f.number != BUNDLE_COMPACT &&
		    (c->kernel_from == 0 || (w.f.number != BUNDLE_BEFORE && w.f.number != BUNDLE_BEFORE_NEW)))
			buf_str(&c->part, w.raw);
	if (b.compact.n > 0)
		put_compact(c, &b, some);
	*some |= b.kinds || b.clocks;
	bad = c->part.bad || c->event.bad;
	for (unsigned i = 0; i < COMPACT_COLUMNS; i++)
		bad |= c->column[i].bad;
	assert(!*some || c->part.n > 0 || bad);
	return !bad || fail(err, E_SYSTEM, "out of memory (events)");
}
