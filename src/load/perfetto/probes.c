/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * probes: periodic values: batteries, power rails, the screen, memory of processes.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "perfetto.h"

#define RAIL_VALUE(F) F(1, number, U64) F(2, ms, U64) F(3, energy, U64)
#define SCREEN(F) F(1, state, U64)
SHAPE(battery, "battery", FIELDS_BATTERY)
SHAPE(rails, "power_rails", FIELDS_RAILS)
SHAPE(rail, "power_rails.rails", FIELDS_RAIL)
SHAPE(rail_value, "power_rails.values", RAIL_VALUE)
SHAPE(screen, "initial_display_state", SCREEN)
SHAPE(property, "android_system_property.values", FIELDS_PROPERTY)


/* ---- power --------------------------------------------------------------------------------------------- */

static bool
battery_level(struct perfetto *p, uint64_t time, struct str battery, bool has, const char *what,
    double value, struct err *err)
{
	if (!has)
		return true;
	pf_counter_name(p, "batt.", str_head(battery, 64), battery.n > 0 ? "." : "");
	buf_text(&p->text, what);
	return pf_level_named(p, time, "", value, err);
}

bool
pf_play_battery(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct battery b;
	bool whole = battery_read(m, &b, NULL), by_energy = !b.has_charge && b.has_energy && b.voltage > 0;
	double volt = (double)b.voltage, ampere = (double)b.current;

	return !whole || (battery_level(p, r->time, b.name, b.has_charge || by_energy, "charge_uah",
	    by_energy ? trunc((double)b.energy * 1e6 / volt) : (double)b.charge, err) &&
	    battery_level(p, r->time, b.name, b.has_percent && isfinite(b.percent), "capacity_pct",
	    (double)b.percent, err) && battery_level(p, r->time, b.name, b.has_current, "current_ua",
	    ampere, err) && battery_level(p, r->time, b.name, b.has_average, "current.avg_ua",
	    (double)b.average, err) && battery_level(p, r->time, b.name, b.has_voltage, "voltage_uv", volt,
	    err) && battery_level(p, r->time, b.name, b.has_current && b.has_voltage, "power_mw",
	    trunc(fabs(ampere * volt / 1e9)), err));
}

/* The rail of a number in a session, as a track of its own. */
static uint64_t
rail_key(uint64_t session, uint64_t number)
{
	return async_key('r', idmap_hash(session) ^ number);
}

/* The first name counts. */
static bool
rail_described(struct perfetto *p, uint64_t session, struct str in, struct err *err)
{
	struct pf_track *t;
	struct rail rail;

	if (!rail_read(in, &rail, NULL))
		return true;
	if ((t = pf_track(p, rail_key(session, rail.number), err)) == NULL)
		return false;
	t->is_counter = true;
	if (t->word != 0 || rail.name.n == 0)
		return true;
	pf_counter_name(p, "power.", rail.name, "_uws");
	return pf_text_word(p, &t->word, err);
}

/* A value has a time of its own, on clock BOOTTIME, or the time of the packet. */
static bool
rail_row(struct perfetto *p, const struct pf_now *now, uint64_t session, struct str in, struct err *err)
{
	const struct pf_track *t;
	int64_t time = now->time;
	struct rail_value v;

	if (!rail_value_read(in, &v, NULL))
		return true;
	if ((t = pf_track_known(p, rail_key(session, v.number))) == NULL || t->word == 0)
		return pf_count(p, PF_NO_TRACK);
	if (v.has_ms && !pf_clock_convert(&p->clocks, CLOCK_OF_BOOTTIME, (int64_t)(v.ms * 1000000), &time))
		return pf_count(p, PF_NO_CLOCK);
	return pf_level_row(p, now, time, t->uuid, (double)v.energy, err);
}

bool
pf_rail_rows(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct rails all;

	if (!rails_read(m, &all, NULL))
		return pf_count(p, PF_BAD_PACKETS);
	SHAPE_EACH(m, 1, rail)
		if (!rail_described(p, all.session, rail, err))
			return false;
	SHAPE_EACH(m, 2, value)
		if (!rail_row(p, now, all.session, value, err))
			return false;
	return true;
}

/* ---- the screen ---------------------------------------------------------------------------------------- */

static bool
take_screen(struct perfetto *p, uint64_t time, double state, struct err *err)
{
	PF_TEXT(p, "ScreenState");
	return pf_level_named(p, time, "", state, err);
}

bool
pf_play_properties(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct pf_about a = { .pid = 0 };
	struct str state, number;
	struct property value;
	int64_t v;

	SHAPE_EACH(m, 1, in) {
		if (!property_read(in, &value, NULL))
			continue;
		if (str_eq(value.name, STR("debug.tracing.screen_state")) && num_i64(value.value, 10, &v)) {
			if (!take_screen(p, r->time, (double)v, err))
				return false;
		} else if (str_eq(value.name, STR("debug.tracing.device_state"))) {
			/* "3:FOLDED" */
			state = value.value;
			if (str_split(&state, ':', &number) && state.n == 0)
				state = number;
			if (!marks_word_of(&p->marks, state, &a.name, err) ||
			    !marks_word_of(&p->marks, STR("DeviceStateChanged"), &a.cat, err) ||
			    !pf_instant(p, r->time - p->first, &a, 'g', err))
				return false;
		}
	}
	return true;
}

bool
pf_play_screen(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct screen s;

	return !screen_read(m, &s, NULL) || take_screen(p, r->time, (double)(int32_t)s.state, err);
}

/* ---- memory of processes ---------------------------------------------------------------------------- */

/* {1 pid, then numbers of kB}; an absent field may be 0 or unknown, so it adds no value. */
static bool
take_process_memory(struct perfetto *p, uint64_t time, struct str m, struct err *err)
{
	static const char *const names[] = { [2] = "mem.virt", [3] = "mem.rss", [4] = "mem.rss.anon",
	    [5] = "mem.rss.file", [6] = "mem.rss.shmem", [7] = "mem.swap", [8] = "mem.locked",
	    [9] = "mem.rss.watermark", [10] = "oom_score_adj", [16] = "mem.smaps.rss",
	    [17] = "mem.smaps.pss", [18] = "mem.smaps.pss.anon", [19] = "mem.smaps.pss.file",
	    [20] = "mem.smaps.pss.shmem", [23] = "mem.smaps.swap.pss", [24] = "mem.dmabuf_rss" };
	static const char *const unread[] = { [1] = "", [11] = "threads", [15] = "fds",
	    [21] = "runtime_user", "runtime_kernel" };
	struct pf_about a = { .pid = 0 };

	PROTO_EACH(m, w)
		if (w.f.number == 1 && w.f.wire == PROTO_VARINT)
			a.pid = (uint32_t)w.f.value;
	PROTO_EACH(m, w) {
		const struct proto_field *f = &w.f;
		bool score = f->number == 10;

		if (f->number >= NELEM(names) || names[f->number] == NULL || f->wire != PROTO_VARINT) {
			unread_add_named(&p->unread, STR("process_stats"), unread, NELEM(unread), f->number);
			continue;
		}
		a.unit = score ? STR("") : STR("bytes");
		if (!marks_word_of(&p->marks, str_of(names[f->number]), &a.name, err) ||
		    !pf_level(p, time, &a, score ? (double)(int64_t)f->value : (double)f->value * 1024, err))
			return false;
	}
	return true;
}

bool
pf_play_stats(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	SHAPE_EACH(m, 1, process) {
		pf_graph_scanned(p, r->time, process);
		if (!take_process_memory(p, r->time - p->first, process, err))
			return false;
	}
	return true;
}
