/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* One scenario: runs it on a rig, and what must hold after each of them. */
#include "scen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct scenario *const scen_areas[] = {
	scen_chrony, scen_boot, scen_mailbox, scen_wifi, scen_link, scen_chaos, scen_display, scen_show, scen_conf,
	scen_console, scen_ntp, scen_lies, scen_votes, scen_time, scen_days, scen_life, scen_homes, scen_nights, scen_race, NULL,
};

const struct scen_gate scen_gates[] = {
	{ "stack", "bytes", offsetof(struct rig_gates, stack), 1, 700 },
	{ "interrupts off", "us", offsetof(struct rig_gates, irq_off), 16, 50 },
	{ "between passes of the main loop", "us", offsetof(struct rig_gates, pass_gap), 16, 20000 },
	{ "jitter of the second", "us", offsetof(struct rig_gates, jitter), 16, 2000 },
	{ "error to the server", "us", offsetof(struct rig_gates, error_us), 1, 20000 },
	{ "error by the reported bound", "per mille", offsetof(struct rig_gates, bound), 1, 1000 },
	{ "bytes below the stack's room", "", offsetof(struct rig_gates, guard), 1, 0 },
	{ NULL, NULL, 0, 0, 0 },
};

uint32_t scen_gate_value(const struct rig_gates *gates, const struct scen_gate *gate)
{
	uint32_t value;

	memcpy(&value, (const char *)gates + gate->at, sizeof value);
	return (value + gate->unit - 1) / gate->unit;
}

enum { LAST = 14 };

static void tell_tubes(const struct rig *rig)
{
	const struct tubes *tubes = &rig->tubes;
	uint32_t from = tubes->changes > LAST ? tubes->changes - LAST : 0;

	for (uint32_t i = from; i < tubes->changes; i++)
		printf("  tubes   %12.6f s  [%s]\n", (double)tubes->change[i].cycle / SIM_HZ, tubes->change[i].text);
}

static void tell_journal(const struct rig *rig)
{
	static const char *const what[] = { "request", "event", "done", "pin", "ERROR" };
	uint32_t count;
	const struct wsim_entry *entry = wsim_journal(rig->wifi, &count);

	for (uint32_t i = count > LAST ? count - LAST : 0; i < count; i++)
		printf("  module  %12.6f s  %s %u/%02x length %u %s\n", (double)entry[i].cycle / SIM_HZ,
		    what[entry[i].what], entry[i].group, entry[i].opcode, entry[i].length,
		    entry[i].text ? entry[i].text : "");
}

static void tell_console(const struct rig *rig)
{
	const char *text = rig->heard ? rig->heard : "";
	size_t size = strlen(text);

	printf("  console ");
	for (text += size > 400 ? size - 400 : 0; *text; text++)
		if (*text == '\n')
			printf("\n          ");
		else if (*text >= ' ' && *text <= '~')
			putchar(*text);
	putchar('\n');
}

void scen_fail(struct rig *rig, const char *file, int line, const char *what)
{
	char want[7];

	rig_expected(rig, rig->cycle, want);
	printf("%s:%d: not so: %s\n  at %.6f s, tubes [%s], server 0 has %s\n", file, line, what,
	    (double)rig->cycle / SIM_HZ, tubes_at(&rig->tubes, rig->cycle), want);
	tell_tubes(rig);
	tell_journal(rig);
	tell_console(rig);
	fflush(stdout);
	_exit(1);
}

void scen_tubes(struct rig *rig, const char *file, int line, const char *text)
{
	const char *now = tubes_at(&rig->tubes, rig->cycle);
	char what[40];

	for (unsigned i = 0; i < 6; i++) {
		if (text[i] == '*' || text[i] == now[i])
			continue;
		snprintf(what, sizeof what, "tubes show [%s]", text);
		scen_fail(rig, file, line, what);
	}
}

void scen_skip(struct rig *rig, const char *tool)
{
	const char *all = getenv("REQUIRE_ALL");

	printf("%s is not there\n", tool);
	if (all && strcmp(all, "1") == 0)
		scen_fail(rig, __FILE__, __LINE__, tool);
	fflush(stdout);
	_exit(SCEN_SKIPPED);
}

void scen_run(const struct scenario *scenario, struct rig *rig)
{
	rig->lies = (scenario->flags & SCEN_LIES) != 0;
	scenario->run(rig);
	if (rig->gates.bound > 1000)
		printf("at %.0f s the clock was wrong by %.1f ms and reported %u ms\n", (double)rig->worst.cycle / SIM_HZ,
		    rig->worst.error * 1e3, rig->worst.bound_ms);
	CHECK(rig, rig->gates.bound <= 1000);
	CHECK(rig, !rig->crashed);
	CHECK(rig, rig->tubes.bad == 0);
	CHECK(rig, rig->tubes.wrong_clocks == 0);
	CHECK(rig, rig->tubes.early_hv == 0);
	CHECK(rig, rig->tubes.longest_dark <= SIM_HZ / 1000);
	CHECK(rig, rig->tubes.slowest_flicker <= SIM_HZ / 100);
	rig_forget(rig);		/* looks at what was said, once more */
	CHECK(rig, !rig->leaked);
	if (!(scenario->flags & SCEN_ERRORS))
		CHECK(rig, wsim_errors(rig->wifi) == 0);
	if (!(scenario->flags & SCEN_HANG))
		CHECK(rig, rig->gates.watchdog_bites == 0);
}
