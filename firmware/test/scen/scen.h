/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios: one row, one test.  A file scen_AREA.c holds the rows of its area
 * in an array that ends with a row without name, and scen.c names the array.
 *
 *   static void wrong_pass(struct rig *rig) {
 *           rig_config(rig, "pass=\"wrong phrase\"");
 *           rig_power(rig, true);
 *           CHECK(rig, rig_wait(rig, "----12", 60));
 *           CHECK(rig, wsim_count(rig->wifi, WSIM_REQUEST, 1, 40, 0) <= 6);
 *   }
 *   const struct scenario scen_wifi[] = {
 *           { "wrong-pass", "access point refuses the pass phrase", "code 12, a join in 10 s at most", wrong_pass, 0 },
 *           { 0 },
 *   };
 *
 * Each runs in a process of its own, on both processors.  The rules for
 * all scenarios are checked after it: no BAD place, no flicker below 100 Hz, 48 clocks a latch, HV never
 * early, no rule of the module broken, the pass phrase never on the serial
 * port, the guards of RAM intact, the gates; and that no second was wrong by
 * more than the clock reported.
 */
#ifndef SCEN_H
#define SCEN_H

#include <stddef.h>

#include "rig.h"

enum scen_flag {
	SCEN_AVR = 1,		/* needs the real processor (stack, watchdog register, RAM noise) */
	SCEN_PC = 2,		/* too long for the simulator: days */
	SCEN_ERRORS = 4,	/* SPI or module errors are part of it: wsim_errors is not checked */
	SCEN_HANG = 8,		/* the watchdog is to bite */
	SCEN_LONG = 16,		/* more than some 3 s of the host's processor: started first */
	SCEN_LIES = 64,		/* a lie is believed for want of a better server, or UTC itself steps: the bound is held against what servers said */
	SCEN_REAL = 32,		/* waits for the wall clock: started before, with no processor of its own */
};

struct scenario {
	const char *name, *injected, *expected;
	void (*run)(struct rig *rig);
	unsigned flags;
};

/* Prints where, what, the tubes and the time when it is not so, and ends the scenario. */
#define CHECK(rig, condition) \
	((condition) ? (void)0 : scen_fail(rig, __FILE__, __LINE__, #condition))
#define CHECK_TUBES(rig, text) scen_tubes(rig, __FILE__, __LINE__, text)
void scen_fail(struct rig *rig, const char *file, int line, const char *what) __attribute__((noreturn));
void scen_tubes(struct rig *rig, const char *file, int line, const char *text);	/* now, '*' any */

/* A tool is missing: reported as a skip, a failure with REQUIRE_ALL=1.  Ends the scenario. */
void scen_skip(struct rig *rig, const char *tool) __attribute__((noreturn));
enum { SCEN_SKIPPED = 77 };	/* exit status */

/* Runs it, then checks what must hold after every one. */
void scen_run(const struct scenario *scenario, struct rig *rig);

/* A limit over all scenarios: a field of struct rig_gates, in so many of its units. */
struct scen_gate {
	const char *name, *unit_name;
	size_t at;
	uint32_t unit, most;
};
extern const struct scen_gate scen_gates[];		/* ends with a row without name */
uint32_t scen_gate_value(const struct rig_gates *gates, const struct scen_gate *gate);

extern const struct scenario *const scen_areas[];	/* ends with NULL */
extern const struct scenario scen_boot[], scen_mailbox[], scen_wifi[], scen_link[], scen_chaos[], scen_ntp[],
    scen_lies[], scen_time[], scen_days[], scen_life[], scen_homes[], scen_nights[], scen_chrony[], scen_conf[],
    scen_console[], scen_display[], scen_show[], scen_race[], scen_votes[];

#endif
