/*
 * ftrace_rows: bundles of kernel events become rows.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

/* A bundle: the events of a CPU. */
struct ftrace_bundle {
	struct str	compact;
	uint64_t	cpu, lost, clock, ftrace_time, boot_time, before, before_old;
	bool		has_cpu, has_clock, has_before, has_before_old;
};

static bool
ftrace_rows_read_bundle(struct str m, struct ftrace_bundle *b)
{
	struct proto_field f;
	bool bad = false;

	*b = (struct ftrace_bundle){ .cpu = 0 };
	while (proto_next_whole(&m, &f, &bad)) {
		switch (f.number) {
		case 1: b->cpu = f.value; b->has_cpu = true; break;
		case 3: b->lost = f.value; break;
		case 4: b->compact = f.in; break;
		case 5: b->clock = f.value; b->has_clock = true; break;
		case 6: b->ftrace_time = f.value; break;
		case 7: b->boot_time = f.value; break;
		case 9: b->before_old = f.value; b->has_before_old = true; break;
		case 10: b->before = f.value; b->has_before = true; break;
		default: break;
		}
	}
	return !bad;
}

/* The key of the clock of a bundle; 0: it cannot be read. */
static uint64_t
ftrace_rows_clock_of(struct perfetto *p, const struct ftrace_bundle *b, uint32_t sequence, struct err *err)
{
	const uint64_t pair[2] = { pf_clock_key(sequence, 64), CLOCK_OF_BOOTTIME };
	const int64_t value[2] = { (int64_t)b->ftrace_time, (int64_t)b->boot_time };

	switch (b->clock) {
	case 0:
		return CLOCK_OF_BOOTTIME;
	case 4:
		return CLOCK_OF_RAW;
	case 2: case 3:
		if (b->ftrace_time != 0 && b->boot_time != 0 && b->cpu == 0 && !pf_clock_pair(&p->clocks, pair, value, err))
			return 0;
		return pair[0];
	default:
		p->count[PF_NO_CLOCK]++;
		return 0;
	}
}

static bool
kernel_time(struct perfetto *p, uint64_t clock, uint64_t time, int64_t *ns)
{
	*ns = (int64_t)time;
	if (clock == CLOCK_OF_BOOTTIME && (p->clocks.trace == 0 || p->clocks.trace == CLOCK_OF_BOOTTIME))
		return true;
	if (pf_clock_convert(&p->clocks, clock, *ns, ns))
		return true;
	p->count[PF_NO_CLOCK]++;
	return false;
}

/* ---- compact scheduling ------------------------------------------------------------------------ */

enum { COLUMNS = 13 };

/* The texts that a compact message refers to, as offsets; a file may have any number. */
static bool
read_texts(struct perfetto *p, struct str m, struct scratch *texts, uint64_t *n, struct err *err)
{
	struct proto_field f;
	bool bad = false, ok = true;

	for (*n = 0; ok && proto_next_whole(&m, &f, &bad); )
		if (f.number == 5 && f.wire == PROTO_BYTES) {
			struct pf_row row = { .at = pf_offset(p, f.in.s), .n = f.in.n > UINT16_MAX ? UINT16_MAX : (uint32_t)f.in.n };

			ok = make_add(texts, n, &row, sizeof row, UINT32_MAX, "names of tasks", err);
		}
	return ok;
}

/* Takes the next value of each of these columns; false: one has no more.  *uneven: others do. */
static bool
next_values(struct str *column, const uint8_t *which, size_t n, uint64_t *v, bool *uneven)
{
	size_t some = 0;

	for (size_t i = 0; i < n; i++)
		some += column[which[i]].n > 0 && proto_varint(&column[which[i]], &v[i]);
	*uneven = some > 0 && some < n;
	return some == n;
}

static bool
compact_rows(struct perfetto *p, const struct ftrace_bundle *b, uint64_t clock, enum pf_kind kind, struct str *column, const struct scratch *texts,
    uint64_t ntexts, struct err *err)
{
	static const uint8_t switches[] = { 1, 2, 3, 4, 6 }, wakings[] = { 7, 8, 9, 10, 11 };
	const uint8_t *which = kind == PF_SWITCH ? switches : wakings;
	uint64_t v[5], sum = 0, flags;
	bool uneven;
	int64_t time;

	while (next_values(column, which, 5, v, &uneven)) {
		sum += v[0];
		if (v[4] >= ntexts) {
			p->count[PF_COMPACT]++;
			return true;
		}
		if (!kernel_time(p, clock, sum, &time))
			return true;
		struct pf_row row = SCRATCH(*texts, struct pf_row)[v[4]];

		row.time = (uint64_t)time;
		row.cpu = (uint16_t)b->cpu;
		row.kind = (uint8_t)kind;
		row.a = (uint32_t)(kind == PF_SWITCH ? v[2] : v[1]);
		row.b = (uint32_t)(kind == PF_SWITCH ? v[1] : v[2]);
		if (kind == PF_WAKING && column[12].n > 0 && proto_varint(&column[12], &flags))
			row.flags = (uint8_t)flags;
		if (!pf_row(p, &row, err))
			return false;
	}
	p->count[PF_COMPACT] += uneven;
	return true;
}

static bool
take_compact(struct perfetto *p, const struct ftrace_bundle *b, uint64_t clock, struct err *err)
{
	struct str column[COLUMNS] = { { "", 0 } }, m = b->compact;
	struct scratch texts = SCRATCH_INIT;
	struct proto_field f;
	uint64_t n;
	bool bad = false, ok;

	for (unsigned i = 0; i < COLUMNS; i++)
		column[i] = STR("");
	while (proto_next_whole(&m, &f, &bad))
		if (f.number < COLUMNS && f.wire == PROTO_BYTES)
			column[f.number] = f.in;
	p->count[PF_BAD_PACKETS] += bad;
	ok = read_texts(p, b->compact, &texts, &n, err) && compact_rows(p, b, clock, PF_SWITCH, column, &texts, n, err) &&
	    compact_rows(p, b, clock, PF_WAKING, column, &texts, n, err);
	scratch_free(&texts);
	return ok;
}

/* ---- events ------------------------------------------------------------------------------------------ */

/* The time of an event, and whether it is whole. */
static bool
read_time(struct str m, uint64_t *time)
{
	struct proto_field f;
	bool bad = false, has = false;

	while (proto_next_whole(&m, &f, &bad))
		if (f.number == 1 && f.wire == PROTO_VARINT) {
			*time = f.value;
			has = true;
		}
	return has && !bad;
}

static bool
ftrace_rows_take_events(struct perfetto *p, const struct ftrace_bundle *b, struct str m, uint32_t state, uint64_t clock, struct err *err)
{
	struct proto_field f;
	uint64_t raw = 0;
	int64_t time;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number != 2 || f.wire != PROTO_BYTES)
			continue;
		if (!read_time(f.in, &raw)) {
			p->count[PF_BAD_FTRACE]++;
			continue;
		}
		if (kernel_time(p, clock, raw, &time) && !pf_row(p, &(struct pf_row){ .time = (uint64_t)time, .at = pf_offset(p, f.in.s),
		    .n = (uint32_t)f.in.n, .a = state, .cpu = (uint16_t)b->cpu, .kind = PF_FTRACE }, err))
			return false;
	}
	return true;
}

bool
pf_ftrace_rows(struct perfetto *p, struct str m, uint32_t state, uint32_t sequence, struct err *err)
{
	struct ftrace_bundle b;
	uint64_t clock;
	int64_t from;

	if (!ftrace_rows_read_bundle(m, &b) || !b.has_cpu || b.cpu >= PF_CPUS) {
		p->count[PF_BAD_PACKETS]++;
		return true;
	}
	err->kind = E_NONE;
	if ((clock = ftrace_rows_clock_of(p, &b, sequence, err)) == 0)
		return err->kind == E_NONE;
	p->count[PF_LOST_FTRACE] += b.lost != 0;
	if ((b.compact.n > 0 && !take_compact(p, &b, clock, err)) || !ftrace_rows_take_events(p, &b, m, state, clock, err))
		return false;
	/* What a CPU told before all others began would show their tasks as idle. */
	if (!p->first_bundle[b.cpu] && (b.has_before || b.has_before_old) && kernel_time(p, clock, b.has_before ? b.before : b.before_old, &from) &&
	    from > 0 && (uint64_t)from > p->ftrace_start)
		p->ftrace_start = (uint64_t)from;
	p->first_bundle[b.cpu] = 1;
	return true;
}
